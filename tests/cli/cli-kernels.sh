#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of other kernels: formats without events, models that do not fit, the states of threads before Linux 4.14. Both
# readers say the same.
# usage: cli-kernels.sh PROGRAM MAKE-DAT SOURCE_DIR
program=$1 make=$2 formats=$3/tests/formats
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# expect NAME STATUS PATTERN ARGUMENT...: the exit status, and a line of what the program writes
expect()
{
	local name=$1 status=$2 pattern=$3 got
	shift 3
	"$program" --index off "$@" > got 2>&1
	got=$?
	[[ $got = "$status" ]] || fail "$name: status $got instead of $status: $(cat got)"
	grep -q -- "$pattern" got || fail "$name: no \"$pattern\" in: $(cat got)"
}

# lines PATTERN LINE...: the lines of the text output that fit, of both readers
lines()
{
	local pattern=$1 reader
	shift
	printf '%s\n' "$@" > wanted
	for reader in dat libtracecmd; do
		"$program" -q --index off --reader $reader -m sched -o text:- x.dat | grep "$pattern" > got
		cmp -s wanted got || fail "$reader: $(diff wanted got)"
	done
}

head='"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio,'
tail='REC->next_comm, REC->next_pid, REC->next_prio'
# by hand, from include/trace/events/sched.h of Linux 4.13
flags='{ 1, "S"} , { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "Z" }, { 32, "X" }, { 64, "x" }, { 128, "K" }, { 256, "W" }, { 512, "P" }, { 1024, "N" }'
state="REC->prev_state & (4096-1) ? __print_flags(REC->prev_state & (4096-1), \"|\", $flags) : \"R\", REC->prev_state & 4096 ? \"+\" : \"\""
sed "/^print fmt/d" "$formats/sched/6.1/sched_switch" > fields
{ cat fields; echo "print fmt: $head $state, $tail"; } > switch-4.13
{ cat fields; echo "print fmt: $head __no_such(REC->prev_state), \"\", $tail"; } > switch-other

switches()
{
	cat << 'END'
event 1000 0 sched sched_switch prev_pid=0 prev_comm=swapper next_pid=7 next_comm=dies next_prio=120
event 2000 7 sched sched_switch prev_pid=7 prev_comm=dies prev_prio=120 prev_state=64 next_pid=8 next_comm=busy next_prio=120
event 3000 8 sched sched_switch prev_pid=8 prev_comm=busy prev_prio=120 prev_state=4096 next_pid=9 next_comm=kills next_prio=120
event 4000 9 sched sched_switch prev_pid=9 prev_comm=kills prev_prio=120 prev_state=130 next_pid=8 next_comm=busy next_prio=120
event 5000 8 sched sched_switch prev_pid=8 prev_comm=busy prev_prio=120 prev_state=512 next_pid=0 next_comm=swapper
event 6000 0 sched sched_switch prev_pid=0 prev_comm=swapper next_pid=10 next_comm=last next_prio=120
END
}

{ echo "format sched switch-4.13"; switches; } | "$make" x.dat || exit 2
lines '/dies 7".*running\|/dies 7".*[^n]known\|/dies 7".*parked' \
	'1000 span "x/dies 7" cpu "running" 1000 prio=120'
lines '/busy 8" cpu "[^u]' '2000 span "x/busy 8" cpu "running" 1000 prio=120' \
	'3000 span "x/busy 8" cpu "runnable" 1000 prio=120 why="preempted" got="kills" got_pid=9' \
	'4000 span "x/busy 8" cpu "running" 1000 prio=120' \
	'5000 span "x/busy 8" cpu "parked" 1000 flags=unfinished prio=120 got="swapper"'
lines 'uninterruptible' '4000 span "x/kills 9" cpu "uninterruptible" 2000 flags=unfinished prio=120 got="busy" got_pid=8'

# A print format that is not understood: the states are not known, and this is said.
{ echo "format sched switch-other"; switches; } | "$make" x.dat || exit 2
lines 'busy 8" cpu "run' '2000 span "x/busy 8" cpu "running" 1000 prio=120' '4000 span "x/busy 8" cpu "running" 1000 prio=120'
expect 'no states' 0 'print_format_unknown' -m sched -o text:- x.dat

# Formats of several systems, events of one. The scheduler's alone are drawn.
all=$(for system in block dlm gfs2 iotrace; do
	for file in "$formats/$system"/6.1/*; do echo "format $system $file"; done
done)
{ echo "$all"; echo "format sched switch-4.13"; switches; } | "$make" x.dat || exit 2
expect 'the scheduler alone' 0 'Longest wait.*busy 8; on it ran meanwhile: kills 9 100 %' report x.dat
grep -q 'not drawn' got && fail "systems without events: $(cat got)"
expect 'no event of file I/O' 0 'cpu "running"' -m sched -m fileio -o text:- x.dat
expect 'none of both' 2 'the recording has events of sched; -m asks for fileio, dlm, which know events of' -m fileio -m dlm x.dat

# No event; events of a tracer.
echo "$all" | "$make" x.dat || exit 2
expect 'an empty recording' 2 'x.dat: the recording has no events$' x.dat
printf 'name: function\nID: 1\nformat:\n' > function
sed -n '/common_/p' fields >> function
printf '\n\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: " %%ps", (void *)REC->ip\n' >> function
{ echo "$all"; echo 'format ftrace function'; echo 'event 1000 7 ftrace function ip=5'; } | "$make" x.dat || exit 2
expect 'a tracer' 2 'the recording has events of ftrace (function); the models are' x.dat

# A kernel whose requests have no sector: block does not fit. It is left out, and said only if there are requests.
sed '/ sector;/d' "$formats/block/6.1/block_rq_issue" > issue
blocks=$(grep -v block_rq_issue <<< "$all"; echo 'format block issue')
request='event 1500 7 block block_rq_issue bytes=512'
{ echo "$blocks"; echo "format sched switch-4.13"; switches; } | "$make" x.dat || exit 2
expect 'a model without events' 0 'cpu "running"' -o text:- x.dat
grep -q 'not drawn\|misfit' got && fail "a model without events: $(cat got)"
{ echo "$blocks"; echo "format sched switch-4.13"; echo "$request"; switches | sed 's/^event [12]000/event 2000/'; } | "$make" x.dat || exit 2
expect 'a model that does not fit' 0 'note: events of block.model are not drawn: block:[0-9]* \[.*has no field "sector" in x.dat' -o text:- x.dat
expect 'the model of -m' 1 'has no field "sector" in x.dat; the model does not fit' -m block x.dat

# Two recordings: the model fits one.
mv x.dat bad.dat
{ for event in block_rq_issue block_rq_complete block_rq_insert block_rq_merge block_rq_requeue; do
	echo "format block $formats/block/6.1/$event"
done
echo 'event 1000 7 block block_rq_issue dev=8388608 sector=8 nr_sector=1 bytes=512 rwbs=R comm=cat'
echo 'event 3000 7 block block_rq_complete dev=8388608 sector=8 nr_sector=1 rwbs=R'; } | "$make" good.dat || exit 2
expect 'a model that fits one of two' 0 '1000 span "good/8:0" block-request "read" 2000' -o text:- good.dat bad.dat
grep -q 'note: events of block.model are not drawn for some inputs: .* in bad.dat' got || fail "no note: $(cat got)"

exit $((failures > 0))
