#!/usr/bin/env bash
# check-format.sh: are Go and templ files formatted? Changes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

bad=0
if ! bin/tools/golangci-lint fmt --diff; then bad=1; fi

# templ formats in place or from stdin; the latter leaves the tree alone.
while read -r f; do
	if [ ! -e "$f" ]; then continue; fi
	if ! bin/tools/templ fmt -log-level error -stdin-filepath "$f" <"$f" | diff -u --label "$f" --label "$f, formatted" "$f" -; then bad=1; fi
done < <(git ls-files --cached --others --exclude-standard -- '*.templ')

if [ "$bad" != 0 ]; then
	echo "Please run 'make fmt'." >&2
	exit 1
fi
