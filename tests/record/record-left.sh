#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing stays behind: all settings of tracing, instances and dynamic events are as before, after recordings that are
# killed at random moments, at the latest after the next start. RECORD_KILLS=100 kills more often than every day;
# ctest -C long -R record-left-long does. Exceptions: see settings() in record-lib.sh.
# The top buffer is tested with an agent on this machine, in a network of its own.
# usage: record-left.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
own_network
real_trace_cmd
cd "$work" || exit 2
kills=${RECORD_KILLS:-10}

# settings other than the kernel's, so that a reset shows; as they were in the end
touched=(buffer_percent trace_clock buffer_size_kb options/sym-offset tracing_on)
declare -A old
for file in "${touched[@]}"; do
	old[$file]=$(sed 's/.*\[\(.*\)\].*/\1/; s/ .*//' $tracefs/"$file")
done
event=$tracefs/events/sched/sched_process_hang
reset()
{
	echo 0 > $event/enable
	echo 0 > $event/filter
	echo '!traceon' > $event/trigger
	for file in "${touched[@]}"; do
		echo "${old[$file]}" > $tracefs/"$file"
	done
	echo "-:iotrace_test_$$/open" >> $tracefs/dynamic_events
	rmdir $tracefs/instances/iotrace_test_$$
	rm -rf "$work"
} 2> /dev/null
trap reset EXIT
# others have an instance, and, where the kernel can, an event of their own
mkdir $tracefs/instances/iotrace_test_$$
{ echo "p:iotrace_test_$$/open do_sys_openat2" >> $tracefs/dynamic_events; } 2> /dev/null
echo 37 > $tracefs/buffer_percent
echo boot > $tracefs/trace_clock
echo 100 > $tracefs/buffer_size_kb
echo 1 > $tracefs/options/sym-offset
echo 'pid==1' > $event/filter
echo 'traceon:3' > $event/trigger
echo 1 > $event/enable
echo 1 > $tracefs/tracing_on
settings > before
(($(wc -l < before) > 1000)) || fail "only $(wc -l < before) settings were found"
for line in buffer_percent:37 sched_process_hang/filter:pid==1 sched_process_hang/enable:1; do
	grep -q "$line" before || fail "$line is not set"
done

# same WHAT
same()
{
	settings > after
	diff before after > difference || fail "$1: $(head -n 5 difference)"
}

# took VARIABLE COMMAND...: milliseconds
took()
{
	local -n ms=$1
	local begin=${EPOCHREALTIME/[.,]/}
	shift
	"$@"
	ms=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
}

# end_agent: the agent $helper, until it changes nothing any more. It is of this machine, too, and nobody restores what
# it changes after iotrace-record has ended.
end_agent()
{
	kill -9 -- -$helper
	wait $helper
	while pgrep -g $helper -r D,R,S,T > /dev/null; do :; done
} 2> /dev/null

# kill_at_random KIND MS: end the iotrace-record $recorder, its trace-cmd, or both, within so many milliseconds; and then
# the agent $helper, if there is one
mkfifo never
exec 5<> never
helper=''
kill_at_random()
{
	local moment
	printf -v moment %d.%03d $((RANDOM % $2 / 1000)) $((RANDOM % $2 % 1000))
	read -r -t "$moment" <&5
	case $1 in
	0) kill -9 $recorder ;;
	1) kill -STOP $recorder; pkill -9 -P $recorder -x trace-cmd ;;
	2) pkill -9 -P $recorder -x trace-cmd; kill -9 $recorder ;;
	esac
	[[ -z $helper ]] || end_agent
	(($1 != 1)) || kill -TERM $recorder
	kill -CONT $recorder
	wait $recorder
} 2> /dev/null

# this machine, killed
took whole expect 'a whole recording' 0 complete "$record" -m sched -o whole --for 10ms
for ((i = 0; i < kills; i++)); do
	"$record" -m sched -o "rec$i" 2> err & recorder=$!
	kill_at_random $((i % 3)) "$whole"
done 2> /dev/null
expect 'the start after all kills' 0 complete "$record" -m sched -o last --for 10ms
same 'this machine'
[[ -z $(ls /run/iotrace-record 2> /dev/null) ]] || fail "marks are left: $(ls /run/iotrace-record)"

# an instance in use cannot be removed; the start after it is free does it
"$record" -m sched -o held 2> err3 & recorder=$!
wait_recording err3 $recorder
held=$tracefs/instances/iotrace_$recorder
exec 6< $held/trace_pipe
kill -9 $recorder
{ wait $recorder; } 2> /dev/null
expect 'a start while an instance is used' 0 'an instance in use is left to the next start' "$record" -m sched -o used --for 10ms
[[ -d $held ]] || fail 'the instance in use was removed: this test proves nothing'
expect 'another start' 0 'note: an earlier recording has left an instance of tracing' "$record" -m sched -o used2 --for 10ms
exec 6<&-
expect 'a start after it was used' 0 complete "$record" -m sched -o unused --for 10ms
same 'an instance in use'

# the top buffer: recorded by an agent, too
set -m
trace-cmd agent --notimeout -N 127.0.0.1 -p 18232 > agent.log 2>&1 & agent=$!
set +m
trap 'kill -9 -- -$agent 2> /dev/null; reset' EXIT
wait_listen 18232 $agent || skip "no agent: $(cat agent.log)"
ls $tracefs/instances > instances
took whole expect 'an agent' 0 complete "$record" --notimeout --no-check -A 127.0.0.1:18232 -m sched -o agent --for 10ms
same 'the top buffer'
"$record" --notimeout --no-check -A 127.0.0.1:18232 -m sched -o killed 2> err6 & recorder=$!
wait_recording err6 $recorder
settings > during
! cmp -s before during || fail 'trace-cmd changes nothing: this test proves nothing'
kill -9 $recorder
{ wait $recorder; } 2> /dev/null
# the agent is of this machine, too, and ends when its client has gone
expect 'the start after a kill' 0 complete "$record" -m sched -o next --for 10ms
grep -q 'an earlier iotrace-record was killed' err || fail "nothing is said about the killed one: $(cat err)"
same 'the top buffer after SIGKILL'

# killed at random moments, each time with an agent of its own, whose port nobody has used
for ((i = 0; i < kills; i++)); do
	port=$((18300 + i))
	set -m
	trace-cmd agent --notimeout -N 127.0.0.1 -p $port > agent.log 2>&1 & helper=$!
	set +m
	wait_listen $port $helper || { fail "no agent: $(cat agent.log)"; break; }
	"$record" --notimeout --no-check -A 127.0.0.1:$port -m sched -o "top$i" 2> err & recorder=$!
	kill_at_random $((i % 3)) "$whole"
done 2> /dev/null
expect 'the start after all kills of the top buffer' 0 complete "$record" -m sched -o last-top --for 10ms
same 'the top buffer after all kills'

# two at once
"$record" --notimeout --no-check -A 127.0.0.1:18232 -m sched -o first 2> err7 & recorder=$!
wait_recording err7 $recorder
expect 'two at once' 2 'another iotrace-record or iotrace-agent (process .*) uses the top trace buffer' "$record" --notimeout --no-check -A 127.0.0.1:18234 -m sched -o second
kill -INT $recorder
wait $recorder
same 'two at once'
ends "tracing is as before after $kills kills of an instance and $kills of the top buffer, $(wc -l < before) settings"
