#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# This machine, recorded really: events, filters, signals; and tracing is as before afterwards.
# usage: record-here.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
own_mounts
real_trace_cmd
kernel_pids
cd "$work" || exit 2

# the settings of the top buffer that a recording might change, and all instances
settings()
{
	local file
	(cd $tracefs && for file in tracing_on current_tracer trace_clock buffer_size_kb buffer_percent set_event set_event_pid \
		tracing_cpumask trace_options events/sched/sched_switch/{enable,filter,trigger} events/enable; do
		echo "$file: $(cat "$file" 2> /dev/null)"
	done; ls instances)
}

settings > before
expect 'a command' 0 complete "$record" -m sched -o one -- sh -c 'exec sleep 0.1'
settings > after
diff before after || fail 'settings changed'
events=$(trace-cmd report one/trace.dat 2> /dev/null | grep -c ' sched_')
[[ $(member one events) == "$events" && $events -gt 0 ]] || fail "$(member one events) events instead of $events"
trace-cmd report one/trace.dat 2> /dev/null | grep -q ' sched_switch: .*sleep:' || fail 'the command is not in the recording'
[[ $(ls one) == $'recording.json\ntrace.dat' ]] || fail "files: $(ls one)"
"$analyze" --index off -m sched -o report,tables:report one 2> err || fail "analyze: $(cat err)"

# one process: the file has no event of another
while :; do sleep 0.01; done &
wanted=$!
trap 'kill $wanted; rm -rf "$work"' EXIT
expect 'a process' 0 complete "$record" -e sched:sched_switch,sched:sched_waking --pid $wanted -o two --for 300ms
others=$(trace-cmd report two/trace.dat 2> /dev/null | awk -v own=-$wanted '/sched_/ && $2 !~ own "$"')
[[ -z $others ]] || fail "events of other processes: $others"

# SIGKILL of the recorder: its file is closed, and nothing runs on
"$record" -m sched -o three 2> err3 & killed=$!
wait_recording err3 $killed
group=$(pgrep -P $killed -x trace-cmd | head -n 1)
kill -9 $killed
wait $killed 2> /dev/null
while pgrep -g "$group" > /dev/null; do :; done
trace-cmd report three/trace.dat 2> /dev/null | grep -q sched_ || fail "after SIGKILL: $(ls -l three)"
expect 'the next recording' 0 complete "$record" -m sched -o four --for 10ms
settings > after
diff before after || fail 'settings changed by SIGKILL'

# trace-cmd is killed: the data are restored
"$record" -m sched -b 16 -o five 2> err5 & recorder=$!
wait_recording err5 $recorder
until [[ -n $(find . -path "./five/*" -name '*.cpu*' -size +8k) ]]; do kill -0 $recorder || break; done
kill -9 -- -"$(pgrep -P $recorder -x trace-cmd | head -n 1)"
wait $recorder
status=$?
((status == 4)) || fail "killed trace-cmd: status $status: $(cat err5)"
trace-cmd report five/trace.dat 2> /dev/null | grep -q sched_ || fail "killed trace-cmd: $(ls -l five)"
settings > after
diff before after || fail 'settings changed when trace-cmd was killed'

# signals until it has ended: it restores everything all the same
"$record" -m sched -o many 2> err-many & recorder=$!
wait_recording err-many $recorder
while kill -INT $recorder 2> /dev/null; do :; done
wait $recorder
status=$?
((status == 0 || status == 1 || status == 4)) || fail "many signals: status $status: $(cat err-many)"
[[ -z $(ls many/kept-* /run/iotrace-record/$recorder 2> /dev/null) ]] || fail "many signals: left: $(ls many /run/iotrace-record)"
settings > after
diff before after || fail 'settings changed after many signals'

# filters of iotrace.ko, whose folder of parameters is a stand-in here
if mount -t tmpfs none /sys/module 2> /dev/null; then
	parameters=/sys/module/iotrace/parameters
	refused 'no module' '--mount: iotrace.ko is not loaded: modprobe iotrace' -q -e sched:sched_switch --mount / -o seven
	mkdir -p $parameters
	echo /old > $parameters/cgroup
	echo > $parameters/mounts
	expect 'filters' 0 complete "$record" -e sched:sched_switch --cgroup /sys/fs/cgroup/a.slice --mount /home --mount /srv -o seven \
		-- cat $parameters/cgroup $parameters/mounts
	[[ $(cat out) == $'/a.slice\n/home,/srv' ]] || fail "filters while it recorded: $(cat out)"
	[[ $(cat $parameters/cgroup) == /old && $(cat $parameters/mounts) == '' ]] || fail "filters afterwards: $(cat $parameters/*)"
	"$record" -e sched:sched_switch --cgroup /killed -o eight 2> err8 & killed=$!
	wait_recording err8 $killed
	[[ $(cat $parameters/cgroup) == /killed ]] || fail "no filter: $(cat $parameters/cgroup)"
	expect 'filters of two' 2 'another iotrace-record (process .*) has set filters of iotrace.ko' "$record" -e sched:sched_switch \
		--mount /home -o second
	[[ $(cat $parameters/cgroup) == /killed && ! -e second ]] || fail 'the second one has changed the filters of the first'
	kill -9 $killed
	{ wait $killed; } 2> /dev/null
	expect 'the start after filters' 0 complete "$record" -e sched:sched_switch -o nine --for 10ms
	[[ $(cat $parameters/cgroup) == /old ]] || fail "filters after SIGKILL: $(cat $parameters/cgroup)"
	umount /sys/module
fi

expect 'no such event' 2 'has none of the wanted events' "$record" -e nosuch:event -o six
[[ ! -e six ]] || fail 'a folder was left'
ends "this machine was recorded, $events events"
