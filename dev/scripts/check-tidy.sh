#!/usr/bin/env bash
# check-tidy.sh DIR…: check that go.mod and go.sum of each module fit its imports. It changes nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."

bad=0
for dir in "$@"; do
	if (cd "$dir" && go mod tidy -diff); then continue; fi
	echo "Module $dir is not tidy: please run 'go mod tidy' in it." >&2
	bad=1
done
exit "$bad"
