#!/usr/bin/env bash
# run.sh: `make mutants`. Shows that the tests notice defects: it applies each patch of this folder to a copy of the
# repository, one at a time, and runs the command that its header names. That command must fail by a test of its own.
# A patch that doesn't apply, code that doesn't compile, and a command that fails without a failing test prove nothing:
# they count as broken.
#
# ONLY=07,12   these patches only
# BASELINE=1   first run each command without a defect: it must pass
#
# Nothing outside of the copy is changed. The copy and all processes end with this script; the logs stay.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
# The settings of `make mutants` itself must not reach the commands of the patches.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL PKG RUN GREP ARGS LESSON GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

logs=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-mutants-logs.XXXXXX")
own=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-mutants.XXXXXX")
child= # leads a process group of its own
trap 'trap "" INT TERM; stop; rm -rf "$own"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Files that a command leaves are removed with the copy.
copy=$own/tree
export TMPDIR=$own/tmp
mkdir "$copy" "$TMPDIR"

# stop ends running commands like Ctrl-C does. Clusters then stop by themselves.
stop() {
	if [ -z "$child" ]; then return 0; fi
	kill -INT -- "-$child" 2>/dev/null || true
	for _ in {1..400}; do
		if ! kill -0 -- "-$child" 2>/dev/null; then break; fi
		sleep 0.1
	done
	kill -KILL -- "-$child" 2>/dev/null || true
	child=
}

# run LOG COMMAND: runs a shell command in the copy, and returns its exit code.
run() {
	local log=$1 command=$2 code=0
	set -m
	(cd "$copy" && exec bash -c "$command") >"$log" 2>&1 </dev/null &
	child=$!
	set +m
	wait "$child" || code=$?
	kill -KILL -- "-$child" 2>/dev/null || true # tests promise to leave no process; one that breaks that ends here
	child=
	return "$code"
}

# prepare makes the copy: all files that git doesn't ignore, with uncommitted changes, and all built files. Files
# keep their times, so make builds nothing again. git restores each file after a defect.
prepare() {
	git ls-files -z --cached --others --exclude-standard |
		while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
		tar --null -cf - -T - | tar -xf - -C "$copy"
	cp -al node_modules "$copy/" 2>/dev/null || cp -a node_modules "$copy/" # links, where the file system allows them
	cp -a static/dist/. "$copy/static/dist/"
	cp -a bin "$copy/"
	git -C "$copy" init -q
	git -C "$copy" add -A
}

header() { sed -n '/^--- a\//q; s/^'"$1"': //p' "$2"; }
touched() { sed -n 's|^+++ b/||p' "$1"; }

# quick prevents unnecessary builds: Go tests use the existing browser's programs, and for all
# other commands a faster compression is enough.
quick() {
	case $1 in
	'make test-unit'*) echo "$1 STATIC=" ;;
	*) echo "$1 WASM_QUALITY=5" ;;
	esac
}

# compile PATCH: generates code from the changed files, and compiles their packages.
compile() {
	local file dir
	while read -r file; do
		dir=$(dirname "$file")
		case $file in
		*.templ) echo "bin/tools/templ generate -log-level error -f $file && go build ./$dir" ;;
		practice/*.go) echo "go -C practice build ./${dir#practice/}" ;;
		wasm/*.go) echo "GOOS=js GOARCH=wasm go build ./$dir" ;;
		*.go) echo "go build ./$dir" ;;
		esac
	done < <(touched "$1") | sort -u | { echo 'set -e'; cat; }
}

# failing LOG: the name of the first failed test of go test, Playwright or the command for lessons; empty: none failed.
failing() {
	if grep -qE '\[(build|setup) failed\]' "$1"; then return; fi
	awk '
		/^[[:space:]]*--- FAIL: / { print $3; exit }
		/^ +[0-9]+ failed$/ { listed = 1; next }
		listed { sub(/^ +/, ""); sub(/[ ─]+$/, ""); print; exit }
		/^FAIL [a-z0-9-]+ +[0-9]+ requests/ { lesson = $2; next }
		lesson { sub(/^ +/, ""); print; exit }
	' "$1"
}

chosen() {
	local patch number
	for patch in dev/mutants/*.patch; do
		number=$(basename "$patch" | cut -d- -f1)
		if [ -z "${ONLY:-}" ] || [[ ",${ONLY// /,}," == *",$number,"* ]]; then echo "$patch"; fi
	done
}

caught=0 survived=0 broken=0

# is NAME VERDICT [DETAIL]
is() { printf '%-36s %s%s\n' "$1" "$2" "${3:+: $3}"; }

# try PATCH: applies a defect, and prints the result.
try() {
	local patch=$root/$1 name log command begun=$SECONDS test
	name=$(basename "$1" .patch)
	log=$logs/$name.log
	command=$(header 'Caught by' "$patch")
	if [[ $command != make\ * ]]; then
		broken=$((broken + 1))
		is "$name" BROKEN 'its header has no line "Caught by: make …"'
	elif ! git -C "$copy" apply -C2 "$patch" >"$log" 2>&1; then
		broken=$((broken + 1))
		is "$name" BROKEN "it no longer applies ($(tail -n 1 "$log"))"
	elif ! run "$log" "$(compile "$patch")"; then
		broken=$((broken + 1))
		is "$name" BROKEN "it doesn't compile ($(tail -n 1 "$log"))"
	elif run "$log" "$(quick "$command")"; then
		survived=$((survived + 1))
		is "$name" SURVIVED "$command$(grep -q 'no tests to run' "$log" && echo ' (there is no such test)')"
	elif test=$(failing "$log") && [ -z "$test" ]; then
		broken=$((broken + 1))
		is "$name" BROKEN "the command fails, but no test does ($(tail -n 1 "$log"))"
	else
		caught=$((caught + 1))
		is "$name" "caught by $test ($((SECONDS - begun)) s)"
	fi
	git -C "$copy" checkout -q -- .
}

# baseline PATCH…: each command must pass without a defect.
baseline() {
	local command number=0 bad=0
	while read -r command; do
		number=$((number + 1))
		if run "$logs/baseline-$number.log" "$(quick "$command")" && ! grep -q 'no tests to run' "$logs/baseline-$number.log"; then
			is "without a defect" passes "$command"
		else
			bad=1
			is "without a defect" FAILS "$command (baseline-$number.log)"
		fi
	done < <(for patch in "$@"; do header 'Caught by' "$patch"; done | sort -u)
	return "$bad"
}

mapfile -t patches < <(chosen)
if [ ${#patches[@]} = 0 ]; then
	echo "No patch in dev/mutants is called ${ONLY:-so}." >&2
	exit 1
fi
echo "Logs: $logs"
prepare
if [ -n "${BASELINE:-}" ]; then baseline "${patches[@]}"; fi
for patch in "${patches[@]}"; do try "$patch"; done
summary="$caught caught, $survived survived"
if [ "$broken" != 0 ]; then summary+=", $broken broken"; fi
echo "$summary"
[ $((survived + broken)) = 0 ]
