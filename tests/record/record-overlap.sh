#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Three recordings of this machine with events of their own ([probe] in models) that overlap: trace-cmd reads the folders of all events
# when it ends, so the events of one that has ended stay until the last one ends, or until the next start if that was killed.
# usage: record-overlap.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
real_trace_cmd
cd "$work" || exit 2
grep -q '<attached-group>' $tracefs/README && [[ -e $tracefs/synthetic_events ]] || skip 'no event probes, or no synthetic events'
settings > before

# begin NAME: a recording until end NAME; its number is in $pid_NAME
begin()
{
	local -n pid=pid_$1
	"$record" -m syscalls -o "$1" 2> "err-$1" & pid=$!
	wait_recording "err-$1" $pid || fail "$1: $(cat "err-$1")"
}

# end NAME: it must be complete
end()
{
	local -n pid=pid_$1
	local status
	kill -INT $pid
	wait $pid
	status=$?
	((status == 0)) && grep -q 'iotrace-record: complete' "err-$1" || fail "$1: status $status: $(cat "err-$1")"
	[[ ! -d $tracefs/instances/iotrace_$pid ]] || fail "$1 has left its instance"
}

# has NAME YES: whether there are its events, 1 or 0
has()
{
	local -n pid=pid_$1
	local n=0
	grep -q ":iotrace_$pid/" $tracefs/dynamic_events && n=1
	((n == $2)) || fail "$3: events of $1: $n instead of $2"
}

begin one
begin two
end two
has one 1 'after two'
has two 1 'after two'
begin three
end one
has one 1 'after one'
has two 1 'after one'
has three 1 'after one'
expect 'a command meanwhile' 0 complete "$record" -m syscalls -o four -- cat /dev/null
end three
for name in one two three; do
	has $name 0 'after all'
done
settings > after
diff before after > difference || fail "settings: $(head -n 5 difference)"
[[ -z $(ls /run/iotrace-record) ]] || fail "marks are left: $(ls /run/iotrace-record)"

# the first is killed while the second records; the start of a third, and its end, leave the events to the second
begin five
begin six
kill -9 $pid_five
wait $pid_five 2> /dev/null
expect 'the start after a kill' 0 complete "$record" -m syscalls -o seven -- cat /dev/null
has five 1 'after a kill'
end six
has five 0 'after all, with a kill'
has six 0 'after all, with a kill'
settings > after
diff before after > difference || fail "settings after a kill: $(head -n 5 difference)"
[[ -z $(ls /run/iotrace-record) ]] || fail "marks are left after a kill: $(ls /run/iotrace-record)"
ends 'the last of overlapping recordings removes the events of all'
