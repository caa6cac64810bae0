#!/usr/bin/env bash
# eye.sh [ARGUMENTS OF PLAYWRIGHT]: `make eye`. Writes every page in every state as a file, with the stylesheet and the fonts, and looks at each for what is wrong to
# see. Without a cluster, and without Fieldmark. With EYE=pictures it takes pictures of some of them instead, for docs/pictures. With AT=COMMIT it looks at the pages of that commit, which shows whether the detector would have found a defect.
set -euo pipefail
cd "$(dirname "$0")/../.."

own=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-eye.XXXXXX")
trap 'git worktree remove --force "$own/tree" 2>/dev/null || true; rm -rf "$own"' EXIT
export FIELDMARK_SAMPLES=$own/samples FIELDMARK_PICTURES=$own/pictures

# written FOLDER: the samples that the tests of a tree write.
written() (
	cd "$1"
	find web static -name samples_test.go -exec dirname ./{} \; | xargs go test -count=1 -run '^Test(WriteS|Samples$)' >/dev/null
)

if [ -n "${AT:-}" ]; then
	git worktree add --quiet --detach "$own/tree" "$AT"
	cp static/samples_test.go "$own/tree/static/"
	# Where pages don't have their samples beside them yet, this test wrote those of package web.
	[ -d "$own/tree/web/pagetest" ] || git show 388acb5e:web/samples_test.go >"$own/tree/web/samples_test.go"
	cp -R static/dist "$own/tree/static/"
	written "$own/tree"
	set -- --project eye "$@"
else
	written .
fi
node_modules/.bin/playwright test --config e2e/eye.config.ts "$@"
if [ "${EYE:-}" = pictures ]; then
	go run ./dev/pictures "$FIELDMARK_PICTURES" docs/pictures
fi
