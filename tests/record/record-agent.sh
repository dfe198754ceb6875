#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A real agent of trace-cmd, on this machine and over TCP, in a network of its own with quick ACKs.
# usage: record-agent.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
own_network
real_trace_cmd
cd "$work" || exit 2
ls $tracefs/instances > instances
cleanup()
{
	kill -- -"$agent" 2> /dev/null
	for instance in $(ls $tracefs/instances | grep -vxFf instances); do
		end_of_instance "$instance"
	done
	rm -rf "$work"
}
set -m
trace-cmd agent -N 127.0.0.1 -p 18231 > agent.log 2>&1 &
agent=$!
set +m
trap cleanup EXIT
wait_listen 18231 $agent || skip "no agent: $(cat agent.log)"

machine=127.0.0.1:18231
expect 'an agent' 0 complete "$record" --no-check -A $machine -m sched --map 7=$machine -o one -- sh -c 'exec sleep 0.2'
events=$(trace-cmd report one/trace-127.0.0.1.dat 2> /dev/null | grep -c ' sched_')
[[ $(member one events) == "$events" && $events -gt 0 ]] || fail "$(member one events) events instead of $events"
[[ $(member one sync) == ptp && $(member one samples) == 2 && $(member one node) == 7 ]] || fail "$(cat one/recording.json)"
"$analyze" --index off -m sched -o report:report one 2> err || fail "analyze: $(cat err)"
grep -q 'trace-127.0.0.1.dat *node 7 .*yes, ptp, 2 samples' report || fail "report: $(sed -n 1,4p report)"

# events that are not there do not keep the others from being recorded
expect 'a missing event' 0 complete "$record" --no-check -A $machine -e sched:sched_switch,nosuch:event -o two --for 50ms
trace-cmd report two/trace-127.0.0.1.dat 2> /dev/null | grep -q sched_switch || fail 'a missing event: no other one'

# a recorder meets a busy agent (and takes the events of the other recorder, because both machines are this one)
set -m
trace-cmd record -o three.dat -e sched:sched_switch -A $machine --nosplice -e sched:sched_switch > three.log 2>&1 & first=$!
set +m
until [[ -e three-127.0.0.1.dat.cpu0 ]]; do kill -0 $first || break; done
expect 'a busy agent' 1 'nothing was recorded' "$record" --no-check -A $machine -m sched -o four --limit 20s
kill -9 -- -$first 2> /dev/null
{ wait $first; } 2> /dev/null
[[ ! -e four ]] || fail "a busy agent: $(ls four)"

kill -- -$agent
wait $agent 2> /dev/null
expect 'no agent' 1 'nothing was recorded' "$record" --no-check -A $machine -m sched -o five

# a listener that speaks another protocol: trace-cmd's own for "record -N"
set -m
trace-cmd listen -p 18235 > listen.log 2>&1 & agent=$!
set +m
wait_listen 18235 $agent || fail "no listener: $(cat listen.log)"
expect 'no agent, but a listener' 1 'nothing was recorded' "$record" --no-check -A 127.0.0.1:18235 -m sched -o six --limit 5s
[[ ! -e six ]] || fail "no agent, but a listener: $(ls six)"
expect 'the check of a listener' 2 '127.0.0.1:18235: .*agent' "$record" --check -A 127.0.0.1:18235 -m sched --limit 5s
ends "an agent was recorded, $events events"
