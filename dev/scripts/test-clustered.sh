#!/usr/bin/env bash
# test-clustered.sh: the Go tests that need a practice cluster, which with-practice.sh starts. Some compute so much that the race detector makes them three to
# six times as long. They do what others do too, only more often, so they run without it. Random writes are told as long as there is time: half of it has
# more stories without the detector than all of it with the detector.
set -euo pipefail
cd "$(dirname "$0")/../.."

# dev/rules tests that these tests exist.
unraced='TestAThousandPreviewsChangeNothing|TestPagesOfALargeObjectAreBounded|TestAnObjectOfEachTypeHasItsPages|TestRandomWrites|TestParity|TestInputIsReadAsKubectlReadsIt|TestAHundredMegabytes'

test=(go test -vet=off -timeout 30m)
failed=0
FIELDMARK_SOAK=${FIELDMARK_SOAK:-30s} "${test[@]}" -run "^($unraced)\$" ./server/pages ./promises || failed=1
# shellcheck disable=SC2046 # the packages are words
CGO_ENABLED=1 "${test[@]}" -race -skip "^($unraced)\$" $(dev/scripts/packages.sh clustered) || failed=1
exit "$failed"
