#!/usr/bin/env bash
# test.sh: `make test`. Two lanes run beside each other: in one most steps compute (checks, Go tests), in the other most
# wait (the practice cluster starts, is killed and comes back; lessons). A step's output is printed whole when the step
# ends. What can fail early comes first in both lanes, and ends both. The tests on a cluster all run once they have begun,
# so that one failure doesn't hide another. The browser tests come last and alone, because they need both cores; the
# output ends with the summaries of go test and Playwright.
set -euo pipefail
cd "$(dirname "$0")/../.."

begun=$SECONDS
own=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-make-test.XXXXXX")
lanes=() # each leads a process group of its own

# Whatever ends this script ends its lanes, as Ctrl-C would: clusters stop by themselves.
stop() {
	local lane
	for lane in "${lanes[@]}"; do kill -INT -- "-$lane" 2>/dev/null || true; done
	for lane in "${lanes[@]}"; do wait "$lane" 2>/dev/null || true; done
	rm -rf "$own"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# told WHAT FROM CODE says how a step ended.
told() {
	if [ "$3" = 0 ]; then
		printf '──── %s: %d s (%d s since the start)\n' "$1" $((SECONDS - $2)) $((SECONDS - begun))
	else
		printf '──── %s: FAILED after %d s\n' "$1" $((SECONDS - $2))
	fi
}

# step WHAT COMMAND…: runs a command, and shows its output as it comes.
step() {
	local what=$1 from=$SECONDS code=0
	shift
	printf '\n──── %s\n' "$what"
	"$@" || code=$?
	told "$what" "$from" "$code"
	return "$code"
}

# whole WHAT COMMAND…: runs a command, and prints its output when it ends, one step's at a time.
whole() {
	local what=$1 from=$SECONDS code=0 log
	shift
	log=$(mktemp "$own/log.XXXXXX")
	printf '──── %s: begun (%d s since the start)\n' "$what" $((SECONDS - begun))
	"$@" >"$log" 2>&1 </dev/null || code=$?
	until mkdir "$own/printing" 2>/dev/null; do sleep 0.1; done
	printf '\n──── %s\n' "$what"
	cat "$log"
	told "$what" "$from" "$code"
	rmdir "$own/printing"
	return "$code"
}

# made TARGET…: make, which takes what pages load as the set-up left it: lanes don't build it under each other's hands.
made() { make STATIC= "$@"; }

good() { [ ! -e "$own/failed" ]; }

# early WHAT COMMAND…: a step whose failure ends both lanes.
early() {
	good || return 1
	whole "$@" || {
		touch "$own/failed"
		return 1
	}
}

# built waits until the programs are there.
built() {
	until [ -e "$own/built" ]; do
		good || return 1
		sleep 0.2
	done
	good
}

computing() {
	early 'Checks' made check-root &&
		early 'Go tests without a cluster' made test-unit SKIP=clustered &&
		early 'The same as WebAssembly, in Node' made test-wasm &&
		built &&
		whole 'Go tests on a practice cluster' made test-cluster
}

waiting() {
	early 'Build: Fieldmark, the practice cluster, kubectl' made build bin/kubectl &&
		touch "$own/built" &&
		early 'The practice cluster itself' made test-practice &&
		early 'Checks of practice/' made check-practice &&
		early 'Checks of the zoo' made check-zoo &&
		whole 'The zoo of conflicts on a practice cluster' made test-zoo &&
		whole 'Lessons of the guide on a practice cluster' made test-lessons
}

step 'Set-up: tools, npm packages, what pages load, Chromium' make -j2 test-setup
failed=0
set -m
computing &
lanes=("$!")
waiting &
lanes+=("$!")
set +m
for lane in "${lanes[@]}"; do wait "$lane" || failed=1; done
lanes=()
good || exit 1
step 'Browser tests' made test-browser || failed=1
exit "$failed"
