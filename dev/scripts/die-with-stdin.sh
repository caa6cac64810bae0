#!/usr/bin/env bash
# die-with-stdin.sh COMMAND…: run a command, and ask it to stop as soon as our standard input ends, which it does even
# when whoever holds the other end is killed. Ends with the command's own exit code.
exec 3<&0
"$@" </dev/null 3<&- &
command=$!
trap 'asked=yes; kill -TERM "$command" 2>/dev/null' TERM INT
{ read -r -u 3 || kill -TERM "$command" 2>/dev/null; } &
watcher=$!
exec 3<&-

# A trapped signal interrupts wait, whose result is then the signal's: only one that was not interrupted is the command's.
while
	asked=
	wait "$command"
	code=$?
	[ "$asked" ]
do :; done
kill "$watcher" 2>/dev/null
exit "$code"
