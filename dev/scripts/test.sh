#!/usr/bin/env bash
# test.sh: `make test`. Three lanes run in parallel, and need about the same time. In one, most steps compute (checks, Go tests). In
# the others, most steps wait (the practice cluster starts, is killed and starts again; lessons). The output of a step is
# printed when the step ends. Steps that can fail early come first, and their failure ends all lanes. The tests on a cluster
# all run to the end, so one failure doesn't hide another. The browser tests come last and alone, because they need both
# cores; the output ends with the summaries of go test and Playwright.
set -euo pipefail
cd "$(dirname "$0")/../.."

begun=$SECONDS
own=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-make-test.XXXXXX")
lanes=() # each leads a process group of its own

# When this script ends, end its lanes like Ctrl-C does. Clusters then stop by themselves.
stop() {
	local lane
	for lane in "${lanes[@]}"; do kill -INT -- "-$lane" 2>/dev/null || true; done
	for lane in "${lanes[@]}"; do wait "$lane" 2>/dev/null || true; done
	rm -rf "$own"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# budget WHAT SECONDS writes a step's time beside its budget, and a mark if it took more than 110 % of it.
budget() {
	awk -F'\t' -v what="$1" -v took="$2" '
		$1 == what { most = $2 }
		END { printf "%d s of %d s%s", took, most, (took > 1.1 * most ? ", OVER ITS BUDGET" : "") }' dev/budgets.tsv
}

# computed sets `cpu` to the processor seconds of all that this shell has run and that has ended. Unlike a step's time,
# this figure doesn't grow much when the lanes wait for each other.
computed() {
	local of=$own/cpu.$BASHPID
	times >"$of"
	cpu=$(awk -F'[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$of")
}

# told WHAT FROM CPU CODE prints the result of a step that began after FROM seconds, and before which CPU seconds were computed.
told() {
	local took=$((SECONDS - $2)) cpu
	computed
	if [ "$4" = 0 ]; then
		printf '%s\t%d\n' "$1" "$took" >>"$own/times"
		printf '──── %s: %s, %d s of a processor (%d s since the start)\n' "$1" "$(budget "$1" "$took")" $((cpu - $3)) $((SECONDS - begun))
	else
		printf '──── %s: FAILED after %d s\n' "$1" $((SECONDS - $2))
	fi
}

# spent lists the steps so far with their times, the longest first.
spent() {
	local what took
	printf '\nWhere the time went (dev/budgets.tsv has the budgets):\n'
	sort -t "$(printf '\t')" -k 2nr "$own/times" | while IFS=$'\t' read -r what took; do printf '  %s: %s\n' "$what" "$(budget "$what" "$took")"; done
	printf '  all steps until here, in three lanes: %s\n' "$(budget 'before the browser tests' $((SECONDS - begun)))"
}

# step WHAT COMMAND…: runs a command, and shows its output immediately.
step() {
	local what=$1 from=$SECONDS code=0 cpu
	shift
	computed
	printf '\n──── %s\n' "$what"
	"$@" || code=$?
	told "$what" "$from" "$cpu" "$code"
	return "$code"
}

# whole WHAT COMMAND…: runs a command, and prints its whole output when it ends.
whole() {
	local what=$1 from=$SECONDS code=0 cpu log
	good || return 1
	shift
	computed
	log=$(mktemp "$own/log.XXXXXX")
	printf '──── %s: begun (%d s since the start)\n' "$what" $((SECONDS - begun))
	"$@" >"$log" 2>&1 </dev/null || code=$?
	until mkdir "$own/printing" 2>/dev/null; do sleep 0.1; done
	printf '\n──── %s\n' "$what"
	cat "$log"
	told "$what" "$from" "$cpu" "$code"
	rmdir "$own/printing"
	return "$code"
}

# made TARGET…: make without building the files that pages load. The set-up has built them, so the lanes don't both build them.
made() { make STATIC= "$@"; }

good() { [ ! -e "$own/failed" ]; }

# early WHAT COMMAND…: a step whose failure ends all lanes.
early() {
	whole "$@" || {
		touch "$own/failed"
		return 1
	}
}

# built waits until the programs are built.
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
		early 'Checks of signing in' made check-team &&
		early 'The same as WebAssembly, in Node' made test-wasm &&
		built &&
		whole 'Signing in to two shared Fieldmarks' made test-team RUN=. # without a browser, which comes below
}

waiting() {
	early 'Build: Fieldmark, the practice cluster, kubectl' made build bin/kubectl &&
		touch "$own/built" &&
		early 'The practice cluster itself' made test-practice &&
		early 'Checks of practice/' made check-practice &&
		early 'Checks of the zoo' made check-zoo &&
		whole 'The zoo of conflicts and the Helm chart on a practice cluster' made test-zoo &&
		whole 'The container image' made test-image
}

# The lessons come first: the tests on a cluster are compiled for the race detector, and find most of it compiled then.
serving() {
	built &&
		whole 'Lessons of the guide on a practice cluster' made test-lessons &&
		whole 'Go tests on a practice cluster' made test-cluster
}

# lane WHAT STEPS: runs the steps of a lane, and notes how long all took.
lane() {
	local from=$SECONDS code=0
	"$2" || code=$?
	printf '%s\t%d\n' "$1" $((SECONDS - from)) >>"$own/times"
	return "$code"
}

# room says when a disk is nearly full: tests would fail one after the other, and none would say why.
room() {
	local where free
	for where in . "${TMPDIR:-/tmp}" "$(go env GOCACHE 2>/dev/null || echo .)"; do
		mkdir -p "$where"
		free=$(($(df -Pk "$where" | awk 'NR == 2 { print $4 }') / 1024))
		if [ "$free" -lt "$1" ]; then
			echo "make test: the disk of $where has $free MB free, and the tests need $1. Go's own caches may be large: go clean -cache"
			return 1
		fi
	done
}

room 2048
step 'Set-up: tools, npm packages, what pages load, Chromium' make -j2 test-setup
failed=0
set -m
lane 'Lane that computes' computing &
lanes=("$!")
lane 'Lane of the practice cluster' waiting &
lanes+=("$!")
lane 'Lane of tests on a cluster' serving &
lanes+=("$!")
set +m
for lane in "${lanes[@]}"; do wait "$lane" || failed=1; done
lanes=()
good || exit 1
spent
step 'What is wrong to see' made eye || failed=1
step 'Signing in to two shared Fieldmarks, in Chromium' made test-people || failed=1
step 'Browser tests' made test-browser || failed=1
exit "$failed"
