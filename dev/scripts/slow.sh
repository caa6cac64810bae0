#!/usr/bin/env bash
# slow.sh COMMAND…: run browser tests as on a slow machine. Each server that they start gets half a core (e2e/harness/slow.ts), by a control group
# below FIELDMARK_SLOW. The groups are removed afterwards.
set -euo pipefail

root=
for root in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
	group=$root/fieldmark-slow-$$
	if mkdir "$group" 2>/dev/null && [ -e "$group/cpu.cfs_quota_us" -o -e "$group/cpu.max" ]; then break; fi
	rmdir "$group" 2>/dev/null || true
	root=
done
if [ -z "$root" ]; then
	echo 'The tests on a slow machine need control groups for the processor, which Linux lets only root make. Please run them as root.' >&2
	exit 1
fi
trap 'rmdir "$group"/*/ "$group" 2>/dev/null || true' EXIT
[ ! -e "$group/cgroup.subtree_control" ] || echo +cpu >"$group/cgroup.subtree_control"
FIELDMARK_SLOW=$group "$@"
