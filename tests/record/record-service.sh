#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iotrace-agent: its machine is as before after recordings, and it is not busy for ever when a recorder dies.
# usage: record-service.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
program=${record%/*}/iotrace-agent
expect 'a wrong port' 2 'not a number from 1 to 65535' "$program" --port x
expect 'a wrong percentage' 2 'not a number from 0 to 100' "$program" --buffer-percent 101
expect 'an argument' 2 'no such argument' "$program" something
expect 'the version' 0 '' "$program" --version
[[ $(cat "$work/out") == "iotrace-agent $("$record" --version | sed 's/.* //')" ]] || fail "the version: $(cat "$work/out")"
((failures)) && exit 1
can_trace
own_network
real_trace_cmd
cd "$work" || exit 2

event=$tracefs/events/sched/sched_process_hang
percent=$(cat $tracefs/buffer_percent) size=$(sed 's/ .*//' $tracefs/buffer_size_kb)
clean()
{
	kill -TERM $agent 2> /dev/null && wait $agent
	echo 0 > $event/enable
	echo 0 > $event/filter
	echo "$percent" > $tracefs/buffer_percent
	echo "$size" > $tracefs/buffer_size_kb
	rm -rf "$work"
} 2> /dev/null
trap clean EXIT
echo 100 > $tracefs/buffer_size_kb
echo 'pid==1' > $event/filter
echo 1 > $event/enable
"$program" -N 127.0.0.1 -p 18236 -M no_such_module --buffer-percent 7 > log 2>&1 & agent=$!
wait_listen 18236 $agent || fail "no agent: $(cat log)"
grep -q 'no_such_module could not be loaded' log || fail "nothing is said about the module: $(cat log)"
[[ $(cat $tracefs/buffer_percent) == 7 ]] || fail "buffer_percent is $(cat $tracefs/buffer_percent)"
settings > before

# idle: no handler, and everything is as before
idle()
{
	local children
	children=$(pgrep -P "$(pgrep -P $agent | head -n 1)")
	settings > after
	[[ -z $children ]] && cmp -s before after
}

# A recorder that changes nothing here by itself, because it records an instance: so the agent restores the rest. Its words
# are in $recorder_words.
prepare()
{
	mkdir -p "$tracefs/instances/iotrace_test_$$"
	recorder_words=(record -o "$1.dat" -B "iotrace_test_$$" -e sched:sched_waking -A 127.0.0.1:18236 --nosplice -e sched:sched_switch)
}

# finish: wait until the agent has cleaned up
finish()
{
	end_of_instance "iotrace_test_$$"
	until idle; do kill -0 $agent || break; done
}

prepare one
# until the agent has sent something: a recording that ends earlier may have no event
cat > sent.sh <<- 'END'
	until [[ -n $(find . -name 'one-127.0.0.1.dat.cpu*' -size +0) ]]; do kill -0 $PPID || exit; done
END
trace-cmd "${recorder_words[@]}" bash sent.sh > trace.log 2>&1 || fail "no recording: $(tail -n 3 trace.log)"
trace-cmd report one-127.0.0.1.dat 2> /dev/null | grep -q sched_switch || fail 'nothing was recorded'
finish

# recorders that die at random moments: the agent serves the next one
mkfifo never
exec 5<> never
for try in 1 2 3 4; do
	prepare "killed$try"
	setsid trace-cmd "${recorder_words[@]}" > killed.log 2>&1 & recorder=$!
	read -r -t "0.$((RANDOM % 10))$((RANDOM % 10))" <&5
	kill -9 $recorder -$recorder
	{ wait $recorder; } 2> /dev/null
	finish
done 2> /dev/null
prepare last
trace-cmd "${recorder_words[@]}" true > trace.log 2>&1 || fail "no recording after killed recorders: $(tail -n 3 trace.log)"
finish

kill -TERM $agent
wait $agent || fail "the agent ended with status $?: $(cat log)"
settings > after
diff before after || fail 'settings changed at the end'
[[ -z $(ls /run/iotrace-record 2> /dev/null) ]] || fail "marks are left: $(ls /run/iotrace-record)"
ends 'the machine of an agent is as before'
