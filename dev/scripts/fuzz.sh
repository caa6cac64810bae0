#!/usr/bin/env bash
# fuzz.sh FUZZTIME: run each fuzz target for this time, one after the other, and print the failed ones at the end.
# fuzz.sh --list: print FOLDER:TARGET for each.
set -euo pipefail
cd "$(dirname "$0")/../.."

targets() {
	git ls-files --cached --others --exclude-standard -- '*_test.go' |
		xargs -r grep -sHo '^func Fuzz[A-Za-z0-9_]*' |
		sed -E 's|^(.*)/[^/]*:func |\1:|'
}

if [ "$1" = --list ]; then
	targets
	exit
fi

failed=()
while IFS=: read -r dir target; do
	printf '\n── %s in %s\n' "$target" "$dir"
	# -C, so that targets in nested modules run in theirs.
	go -C "$dir" test -run '^$' -fuzz "^$target\$" -fuzztime "$1" . || failed+=("$dir:$target")
done < <(targets)
if [ ${#failed[@]} != 0 ]; then
	echo "Failed: ${failed[*]}" >&2
	exit 1
fi
