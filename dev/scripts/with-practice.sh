#!/usr/bin/env bash
# with-practice.sh COMMAND…: start a new practice cluster, run a command with it, and stop the cluster afterwards,
# in any case. FIELDMARK_TEST_KUBERNETES=1.33 chooses the version of its control plane. The command finds the cluster by FIELDMARK_TEST_PRACTICE_KUBECONFIG (contexts practice and
# practice-viewer), and the programs to test by FIELDMARK_BIN, FIELDMARK_PRACTICE_BIN and FIELDMARK_KUBECTL.
set -euo pipefail
cd "$(dirname "$0")/../.."

dir=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-test.XXXXXX")
practice=

running() { kill -0 "$practice" 2>/dev/null; }

stop() {
	exec 3>&-
	if [ -n "$practice" ]; then
		for _ in {1..300}; do
			if ! running; then break; fi
			sleep 0.1
		done
		if running; then
			echo 'The practice cluster did not stop within 30 s and is killed.' >&2
			kill -KILL "$practice"
		fi
		wait "$practice" 2>/dev/null || true
	fi
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The cluster stops when its standard input ends. Only this script has the input open, so the cluster stops even after a kill -9.
mkfifo "$dir/alive"
bin/fieldmark-practice up --dir "$dir/cluster" --ephemeral --kubeconfig-out "$dir/kubeconfig" --progress json \
	--die-with-stdin ${FIELDMARK_TEST_KUBERNETES:+--kubernetes "$FIELDMARK_TEST_KUBERNETES"} <"$dir/alive" >"$dir/progress" 2>"$dir/log" &
practice=$!
exec 3>"$dir/alive"

until grep -qs '"step":"ready","state":"done"' "$dir/progress"; do
	if ! running; then
		echo 'The practice cluster did not start. Its progress and its log:' >&2
		cat "$dir/progress" "$dir/log" >&2
		exit 1
	fi
	sleep 0.1
done
echo "A practice cluster is ready after $SECONDS s."
FIELDMARK_TEST_PRACTICE_READY_MS=$(sed -n 's/.*"step":"ready","state":"done".*"elapsedMs":\([0-9]*\).*/\1/p' "$dir/progress")
export FIELDMARK_TEST_PRACTICE_READY_MS

export FIELDMARK_TEST_PRACTICE_KUBECONFIG=$dir/kubeconfig
export FIELDMARK_BIN=$PWD/bin/fieldmark FIELDMARK_PRACTICE_BIN=$PWD/bin/fieldmark-practice FIELDMARK_KUBECTL=$PWD/bin/kubectl
"$@" 3>&-
