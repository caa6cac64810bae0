#!/usr/bin/env bash
# eye.sh [ARGUMENTS OF PLAYWRIGHT]: `make eye`. Writes every page in every state as a file, with the stylesheet and the fonts, and looks at each for what is wrong to
# see. Without a cluster, and without Fieldmark. With AT=COMMIT it looks at the pages of that commit, which shows whether the detector would have found a defect.
set -euo pipefail
cd "$(dirname "$0")/../.."

own=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-eye.XXXXXX")
trap 'git worktree remove --force "$own/tree" 2>/dev/null || true; rm -rf "$own"' EXIT
export FIELDMARK_SAMPLES=$own/samples

if [ -n "${AT:-}" ]; then
	git worktree add --quiet --detach "$own/tree" "$AT"
	for from in web/samples_test.go static/samples_test.go; do cp "$from" "$own/tree/$from"; done
	cp -R static/dist "$own/tree/static/"
	(cd "$own/tree" && go test -count=1 -run '^TestWriteS' ./web ./static >/dev/null)
	set -- --project eye "$@"
else
	go test -count=1 -run '^TestWriteS' ./web ./web/write/apply ./static >/dev/null
fi
node_modules/.bin/playwright test --config e2e/eye.config.ts "$@"
