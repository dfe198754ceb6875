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
	rm -rf "$work"
} 2> /dev/null
trap reset EXIT
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

# this machine, killed
mkfifo never
exec 5<> never
for ((i = 0; i < kills; i++)); do
	"$record" -m sched -o "rec$i" 2> err & recorder=$!
	read -r -t "0.$((RANDOM % 10))$((RANDOM % 10))" <&5
	case $((i % 3)) in
	0) kill -9 $recorder ;;
	1) pkill -9 -P $recorder -x trace-cmd; kill -TERM $recorder ;;
	2) pkill -9 -P $recorder -x trace-cmd; kill -9 $recorder ;;
	esac 2> /dev/null
	{ wait $recorder; } 2> /dev/null
done 2> /dev/null
expect 'the start after all kills' 0 complete "$record" -m sched -o last --for 10ms
same 'this machine'
[[ -z $(ls /run/iotrace-record 2> /dev/null) ]] || fail "marks are left: $(ls /run/iotrace-record)"

# the top buffer: recorded by an agent, too
set -m
trace-cmd agent -N 127.0.0.1 -p 18232 > agent.log 2>&1 & agent=$!
set +m
trap 'kill -9 -- -$agent 2> /dev/null; reset' EXIT
wait_listen 18232 $agent || skip "no agent: $(cat agent.log)"
ls $tracefs/instances > instances
expect 'an agent' 0 complete "$record" --no-check -A 127.0.0.1:18232 -m sched -o agent --for 10ms
same 'the top buffer'
"$record" --no-check -A 127.0.0.1:18232 -m sched -o killed 2> err6 & recorder=$!
wait_recording err6 $recorder
settings > during
! cmp -s before during || fail 'trace-cmd changes nothing: this test proves nothing'
kill -9 $recorder
{ wait $recorder; } 2> /dev/null
# the agent is of this machine, too, and ends when its client has gone
expect 'the start after a kill' 0 complete "$record" -m sched -o next --for 10ms
grep -q 'an earlier iotrace-record was killed' err || fail "nothing is said about the killed one: $(cat err)"
same 'the top buffer after SIGKILL'

# two at once
"$record" --no-check -A 127.0.0.1:18232 -m sched -o first 2> err7 & recorder=$!
wait_recording err7 $recorder
expect 'two at once' 2 'another iotrace-record or iotrace-agent (process .*) uses the top trace buffer' "$record" --no-check -A 127.0.0.1:18234 -m sched -o second
kill -INT $recorder
wait $recorder
same 'two at once'
ends "tracing is as before after $kills kills, $(wc -l < before) settings"
