#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The time from the command to "recording", for an agent on this machine: iotrace-record adds at most a second to trace-cmd,
# and with its trial recording at most a second to two recordings of trace-cmd. Medians of five.
# usage: record-start.sh PROGRAM SOURCE_DIR
# shellcheck source=../record/record-lib.sh
. "${0%/*}/../record/record-lib.sh" "$@"
can_trace
own_network
real_trace_cmd
cd "$work" || exit 2
runs=5 limit_ms=1000 machine=127.0.0.1:18237
set -m
trace-cmd agent -N 127.0.0.1 -p 18237 > agent.log 2>&1 & agent=$!
set +m
trap 'kill -9 -- -$agent 2> /dev/null; rm -rf "$work"' EXIT
wait_listen 18237 $agent || skip "no agent: $(cat agent.log)"

now_ms()
{
	echo $((${EPOCHREALTIME/./} / 1000))
}

# run PATTERN COMMAND...: until the output has the pattern, then Ctrl-C; $started_ms and $ended_ms
run()
{
	local pattern=$1 process begin
	shift
	rm -rf rec rec.dat* rec-*
	begin=$(now_ms)
	# a terminal, because into a file trace-cmd prints nothing until it ends
	setsid script -qefc "exec $(printf '%q ' "$@")" script.log > /dev/null 2>&1 < /dev/null & process=$!
	until grep -qa -e "$pattern" script.log 2> /dev/null; do kill -0 $process 2> /dev/null || break; done
	started_ms=$(($(now_ms) - begin))
	pkill -INT -P $process
	wait $process
	ended_ms=$(($(now_ms) - begin))
	grep -qa -e "$pattern" script.log || fail "$*: $(tail -n 3 script.log)"
	rm -f script.log
}

median()
{
	sort -n | sed -n "$(((runs + 1) / 2))p"
}

words=(-e sched:sched_switch)
for ((i = 0; i < runs; i++)); do
	run 'Hit Ctrl^C' trace-cmd record -o rec.dat -p nop -C mono -e sched:sched_switch -A $machine -i --nosplice "${words[@]}"
	echo $started_ms >> alone
	echo $ended_ms >> whole
	run 'recording into' "$record" --no-check -A $machine "${words[@]}" -o rec
	echo $started_ms >> no-check
	run 'recording into' "$record" -A $machine "${words[@]}" -o rec
	echo $started_ms >> checked
done
alone=$(median < alone) whole=$(median < whole) no_check=$(median < no-check) checked=$(median < checked)
echo "trace-cmd records after $alone ms, and a recording takes $whole ms; iotrace-record --no-check records after $no_check ms, with the trial after $checked ms"
((no_check <= alone + limit_ms)) || fail "--no-check: $((no_check - alone)) ms more than trace-cmd"
((checked <= 2 * whole + limit_ms)) || fail "with the trial: $((checked - 2 * whole)) ms more than two recordings"
ends 'starting costs at most a second more'
