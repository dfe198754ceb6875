#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A log of strace beside a recording of this machine, placed by the marks of the clocks in it: a program writes into the trace while strace
# watches it, so each text is in both, and its instant in the recording lies within the call.
# usage: record-clocks.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
command -v strace > /dev/null || skip 'no strace'
can_trace
own_mounts
real_trace_cmd
kernel_pids
cd "$work" || exit 2
strace -o /dev/null true 2> /dev/null || skip 'no right to trace processes'

cat > load.sh <<- 'END'
	marker=$(echo /sys/kernel/tracing/instances/iotrace_*/trace_marker)
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "tick $i" > "$marker"
		sleep 0.02
	done
END
expect 'a log of strace beside a recording' 0 complete "$record" -m sched -o both -- \
	strace -f -yy --absolute-timestamps=format:unix,precision:ns --syscall-times=ns -o log bash load.sh
[[ $(trace-cmd report both/trace.dat 2> /dev/null | grep -c 'iotrace-clocks mono=') -ge 16 ]] || fail 'there are no marks of the clocks'
[[ $(member both events) == "$(trace-cmd report both/trace.dat 2> /dev/null | grep -c -e ' sched_' -e 'tick')" ]] ||
	fail "$(member both events) events: the marks are counted"

"$analyze" -q --index off --map 1=both/trace.dat --map 1=log -o text:text -o report,json:json both/trace.dat log 2> err ||
	fail "analyze: $(cat err)"
# the greatest error that is said of the log's times: it depends on what came between two marks
bound=$(grep '"method":"marks"' json | grep -Eo '"bound_[a-z]+":[0-9]+' | cut -d : -f 2 | sort -n | tail -n 1)
[[ -n $bound ]] || fail 'the times of the log have no bound'
# the ticks in the recording, in ns, and the writes to the marker in the log
trace-cmd report -t both/trace.dat 2> /dev/null | sed -nE 's/.* ([0-9]+)\.([0-9]{9}): print: .*tick ([0-9]+).*/\3 \1\2/p' | sort -n > ticks
# strace reads the clock before it looks at the call's arguments, so the call may end that much later, but before the next one begins
grep -E '^[0-9]+ span "node 1/bash ([0-9]+)/bash \1" io ' text | sort -n | awk '
	last { print last, $1; last = "" }
	/ io "write" .*trace_marker"/ { last = $1 }' > writes
[[ $(wc -l < ticks) == 10 && $(wc -l < writes) == 10 ]] || fail "$(wc -l < ticks) ticks, $(wc -l < writes) writes"
paste -d ' ' ticks writes | awk -v bound="$bound" '
	$2 < $3 - bound || $2 > $4 + bound { print "tick " $1 " at " $2 ", written from " $3 " on, before " $4; wrong = 1 }
	END { exit wrong }' > wrong || fail "the log is not placed: $(cat wrong)"
# the states of its processor stand below the thread, whose calls only the log has
grep -q '^[0-9]* span "node 1/bash [0-9]*/bash [0-9]*/CPU" cpu "running"' text || fail 'no state of the processor below the thread of the log'

# without marks the log has no place
"$analyze" --index off --sync none --map 1=both/trace.dat --map 1=log -o null:/dev/null both/trace.dat log 2> err || fail "without marks: $(cat err)"
grep -q clock_disjoint err || fail "without marks: $(cat err)"

# marks by hand, as in a guest
"$record" -e sched:sched_switch -o own --for 300ms 2> err-own & recorder=$!
wait_recording err-own $recorder
"${record%/*}/iotrace-clock" --mark "iotrace_$recorder" || fail "iotrace-clock --mark: $?"
wait $recorder
[[ $(trace-cmd report own/trace.dat 2> /dev/null | grep -c 'iotrace-clock-.* iotrace-clocks mono=') == 8 ]] || fail 'iotrace-clock --mark wrote no row'
expect 'marks into no trace' 3 'cannot write .*/nowhere/trace_marker: No such file' "${record%/*}/iotrace-clock" --mark nowhere
ends 'record-clocks: the log of strace is placed'
