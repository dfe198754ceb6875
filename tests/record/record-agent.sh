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
"$analyze" --index off -m sched -o report,tables:report one 2> err || fail "analyze: $(cat err)"
grep -q 'trace-127.0.0.1.dat *node 7 .*yes, ptp, 2 samples' report || fail "report: $(sed -n 1,4p report)"

# the machine of the agent is sampled meanwhile; the marks in its recording place the samples. Here both machines have one name
expect 'samples of the machine' 0 complete "$record" --no-check -A $machine -m sched -o sampled --map 7=$machine -- \
	"$record" --metrics-only -q -o samples --for 1500ms
[[ -e sampled/trace-127.0.0.1.dat ]] && mv samples/metrics-*.txt sampled/metrics-agent.txt
"$analyze" --index off -m sched -m metrics -o report,tables:report -o text:text --map 7=127.0.0.1,7=metrics-agent.txt sampled 2> err ||
	fail "analyze samples: $(cat err)"
grep -q 'metrics-agent.txt *node 7 .*yes, marks' report || fail "samples of an agent's machine: $(sed -n 1,7p report)"
grep -q 'sample "node 7/load" load1 ' text || fail "no samples of node 7: $(grep sample text | head -n 3)"

# events that are not there do not keep the others from being recorded
expect 'a missing event' 0 complete "$record" --no-check -A $machine -e sched:sched_switch,nosuch:event -o two --for 50ms
trace-cmd report two/trace-127.0.0.1.dat 2> /dev/null | grep -q sched_switch || fail 'a missing event: no other one'

# a recorder meets a busy agent (and takes the events of the other recorder, because both machines are this one)
set -m
trace-cmd record -o three.dat -e sched:sched_switch -A $machine --nosplice -e sched:sched_switch > three.log 2>&1 & first=$!
set +m
until [[ -e three-127.0.0.1.dat.cpu0 ]]; do kill -0 $first || break; done
busy='its agent serves another recorder, or one that died: end that recorder, or restart the agent'
expect 'a busy agent' 1 "$machine: nothing was recorded: $busy" "$record" --no-check -A $machine -m sched -o four --limit 20s
expect 'the check of a busy agent' 2 "$machine: $busy" "$record" -A $machine -m sched -o four --limit 20s
kill -9 -- -$first 2> /dev/null
{ wait $first; } 2> /dev/null
[[ ! -e four ]] || fail "a busy agent: $(ls four)"

# signals until it has ended: the raw files of the agent are joined, those of this machine are empty
"$record" --no-check -A $machine -m sched -b 100 -o impatient 2> err-impatient & recorder=$!
wait_recording err-impatient $recorder
until [[ -n $(find impatient -name 'trace-127.0.0.1.dat.cpu*' -size +8k) ]]; do kill -0 $recorder || break; done
while kill -INT $recorder 2> /dev/null; do :; done
wait $recorder
status=$?
((status == 4)) && grep -q "on $machine an agent may still be busy.*: restart the agent there" err-impatient ||
	fail "signals: status $status: $(cat err-impatient)"
trace-cmd report impatient/trace-127.0.0.1.dat 2> /dev/null | grep -q sched_ || fail "signals: $(ls -l impatient)"
[[ -z $(find impatient -name '*.cpu*') ]] || fail "signals: $(ls -l impatient)"

kill -- -$agent
wait $agent 2> /dev/null
none='no agent runs there: start "trace-cmd agent -N CONTROLLER -p 18231" as root'
expect 'no agent' 1 "$machine: nothing was recorded: $none" "$record" --no-check -A $machine -m sched -o five
expect 'the check of no agent' 2 "$machine: $none" "$record" -A $machine -m sched -o five

# a machine that is switched off while it is recorded: its part until then is kept
set -m
trace-cmd agent -N 127.0.0.1 -p 18234 > agent2.log 2>&1 & agent=$!
set +m
wait_listen 18234 $agent || fail "no agent: $(cat agent2.log)"
"$record" --no-check -A 127.0.0.1:18234 -m sched -b 100 -o off 2> err-off & recorder=$!
wait_recording err-off $recorder
until [[ -n $(find off -name 'trace-127.0.0.1.dat.cpu*' -size +8k) ]]; do kill -0 $recorder || break; done
kill -9 -- -$agent
{ wait $agent; } 2> /dev/null
kill -INT $recorder
wait $recorder
status=$?
((status == 4)) || fail "switched off: status $status: $(cat err-off)"
grep -q '127.0.0.1:18234: its clock was not synchronised.*an agent was restarted, or its connection broke; start it there' err-off ||
	fail "switched off: $(cat err-off)"
trace-cmd report off/trace-127.0.0.1.dat 2> /dev/null | grep -q sched_ || fail "switched off: $(ls -l off)"

# a listener that speaks another protocol: trace-cmd's own for "record -N"
set -m
trace-cmd listen -p 18235 > listen.log 2>&1 & agent=$!
set +m
wait_listen 18235 $agent || fail "no listener: $(cat listen.log)"
other='its agent listens, but did not record: it is no agent of trace-cmd, or one of another version; use the same version'
expect 'no agent, but a listener' 1 "nothing was recorded: $other" "$record" --no-check -A 127.0.0.1:18235 -m sched -o six --limit 5s
expect 'the check of a listener' 2 "127.0.0.1:18235: $other" "$record" -A 127.0.0.1:18235 -m sched -o six --limit 5s
[[ ! -e six ]] || fail "no agent, but a listener: $(ls six)"
kill -- -$agent

# an agent that answers rubbish, and one that never answers
command -v perl > /dev/null || skip 'no perl'
answer()
{
	set -m
	perl -MIO::Socket::INET -e '$SIG{PIPE} = "IGNORE";
		$socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1:'"$1"'", Listen => 5, ReuseAddr => 1);
		while ($client = $socket->accept) { '"$2"' }' & agent=$!
	set +m
	wait_listen "$1" $agent || fail "no listener at $1"
}
answer 18241 'print $client pack("C*", map { ($_ * 37 + 11) % 256 } 0 .. 5000); push @clients, $client'
expect 'rubbish' 1 "127.0.0.1:18241: nothing was recorded: $other" "$record" --no-check -A 127.0.0.1:18241 -m sched -o seven --limit 20s
expect 'the check of rubbish' 2 "127.0.0.1:18241: $other.*; trace-cmd said: " "$record" -A 127.0.0.1:18241 -m sched -o seven --limit 20s
[[ ! -e seven ]] || fail "rubbish: $(ls seven)"
kill -- -$agent
answer 18242 'push @clients, $client'
expect 'never' 1 '127.0.0.1:18242: nothing was recorded: .*within the time of --limit; .*: restart the agent there' \
	"$record" --no-check -A 127.0.0.1:18242 -m sched -o eight --limit 2s
expect 'the check of never' 2 '127.0.0.1:18242: recording did not begin in time: restart its agent; over TCP .*quickack 1' \
	"$record" -A 127.0.0.1:18242 -m sched -o eight --limit 2s
[[ ! -e eight ]] || fail "never: $(ls eight)"
! pgrep -f -- "-A 127.0.0.1:1824" > left || fail "still running: $(xargs ps -o args= -p < left)"
ends "an agent was recorded, $events events"
