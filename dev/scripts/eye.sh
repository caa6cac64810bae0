#!/usr/bin/env bash
# eye.sh [ARGUMENTS OF PLAYWRIGHT]: `make eye`. Writes every page in every state as a file, with the stylesheet and the fonts, and looks at each for what is wrong to
# see. Without a cluster, and without Fieldmark.
set -euo pipefail
cd "$(dirname "$0")/../.."

FIELDMARK_SAMPLES=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-eye.XXXXXX")
export FIELDMARK_SAMPLES
trap 'rm -rf "$FIELDMARK_SAMPLES"' EXIT
go test -count=1 -run '^TestWriteS' ./web ./static >/dev/null
node_modules/.bin/playwright test --config e2e/eye.config.ts "$@"
