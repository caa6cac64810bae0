#!/usr/bin/env bash
# die-with-stdin.sh COMMAND…: run a command, and stop it when our standard input ends. The input also ends
# if the process at its other end is killed. The exit code is that of the command.
exec 3<&0
"$@" </dev/null 3<&- &
command=$!
trap 'asked=yes; kill -TERM "$command" 2>/dev/null' TERM INT
{ read -r -u 3 || kill -TERM "$command" 2>/dev/null; } &
watcher=$!
exec 3<&-

# A trapped signal interrupts wait, and the result of wait is then that of the signal. So wait again until it isn't interrupted.
while
	asked=
	wait "$command"
	code=$?
	[ "$asked" ]
do :; done
kill "$watcher" 2>/dev/null
exit "$code"
