#!/usr/bin/env bash
# fuzz.sh FUZZTIME: run each fuzz target of the module for that long, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."

found=0
while IFS=: read -r file target; do
	found=1
	echo "== $target in ${file%/*}"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "./${file%/*}"
done < <(git ls-files --cached --others --exclude-standard -- '*_test.go' ':!practice' ':!tools' |
	xargs -r grep -oH '^func Fuzz[A-Za-z0-9_]*' | sed 's/:func /:/')
if [ "$found" = 0 ]; then echo "No fuzz target yet."; fi
