#!/usr/bin/env bash
# half-core.sh COMMAND…: run a command with half a core, together with all processes that it starts, in a control group below FIELDMARK_SLOW.
set -euo pipefail
group=$FIELDMARK_SLOW/$$
mkdir "$group"
if [ -e "$group/cpu.max" ]; then
	echo '50000 100000' >"$group/cpu.max"
else
	echo 100000 >"$group/cpu.cfs_period_us"
	echo 50000 >"$group/cpu.cfs_quota_us"
fi
echo $$ >"$group/cgroup.procs"
exec "$@"
