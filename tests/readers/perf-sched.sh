#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every time slice of every thread, by perf sched timehist and by the program, on one recording: perf records this machine for
# a moment, perf script gives the events, and awk makes a text recording of them. Run, wait and scheduling delay of each slice
# must be equal, cut to microseconds as perf prints them.
# usage: perf-sched.sh ANALYZE; exit 77 (skipped) if perf is missing, must not record, or prints too little
set -uo pipefail
export LC_ALL=C
analyze=$1
command -v perf >/dev/null || { echo "perf is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# with sched_waking, perf takes the time of this event instead of that of sched_wakeup
events=(-e sched:sched_switch -e sched:sched_wakeup -e sched:sched_wakeup_new)
busy='for i in 1 2 3 4 5 6 7 8; do (sleep 0.01; n=0; while [ $n -lt 3000 ]; do n=$((n + 1)); done) & done; wait'
perf record -q -a "${events[@]}" -o "$dir/data" -- sh -c "$busy" >/dev/null 2>&1 || { echo "perf must not record"; exit 77; }

perf script -i "$dir/data" --ns -F pid,tid,cpu,time,event,trace 2>/dev/null >"$dir/script"
# with libtraceevent 1.8 perf prints "perf:27851 [120] R ==> ...", which does not tell who was preempted
grep -q 'sched_switch:.* prev_pid=' "$dir/script" || { echo "perf prints the states of threads in short only"; exit 77; }

# ---- the recording as text
awk '
	function number(name,    at) {
		at = match($0, " " name "=[-0-9]+")
		return substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
	}
	# letters as in the format of the event
	function state(    text, n, i, bits) {
		match($0, / prev_state=[^ ]+/)
		text = substr($0, RSTART + 12, RLENGTH - 12)
		for (i = 1; i <= length(text); i++)
			bits += bit[substr(text, i, 1)]
		return bits
	}
	BEGIN {
		n = split("S D T t X Z P I +", letter, " ")
		for (i = 1; i <= n; i++)
			bit[letter[i]] = 2 ^ (i - 1)
		print "iotrace-text 1"
	}
	{
		split($1, id, "/")
		gsub(/[][]/, "", $2)
		sub(/\.|:/, "", $3)
		sub(/:/, "", $3)
		head = $3 " " $2 + 0 " " id[2] " "
	}
	/sched:sched_switch:/ {
		printf "%ssched:sched_switch prev_pid=%s prev_prio=%s prev_state=%d next_pid=%s next_prio=%s", head, number("prev_pid"),
			number("prev_prio"), state(), number("next_pid"), number("next_prio")
		print " prev_comm=\"t\" next_comm=\"t\""
	}
	/sched:sched_wakeup(_new)?:/ {
		sub(/:$/, "", $4)
		print head $4 " pid=" number("pid") " prio=" number("prio") " comm=\"t\" target_cpu=" number("target_cpu")
	}' "$dir/script" >"$dir/text"
"$analyze" -q -m sched --index=off -o "text:$dir/states" "$dir/text" || { echo "the program fails"; exit 1; }

# ---- "END TID WAIT DELAY RUN", microseconds
perf sched timehist -i "$dir/data" 2>/dev/null | awk '
	$1 ~ /^[0-9]+\.[0-9]+$/ && sub(/\[[0-9]+\]/, "") && match($0, /\[[0-9]+(\/[0-9]+)?\] /) {
		tid = substr($0, RSTART + 1, RLENGTH - 3)
		sub(/\/.*/, "", tid)
		rest = substr($0, RSTART + RLENGTH)
		split(rest, at, " ")
		sub(/\./, "", $1)
		line = $1 " " tid
		for (i = 1; i <= 3; i++) {
			sub(/\./, "", at[i])
			line = line " " at[i] + 0
		}
		print line
	}' | sort >"$dir/perf"
awk -F'"' '$1 ~ / span / && $2 ~ / [0-9]+$/ {
		n = split($2, path, " ")
		split($1, begin, " ")
		split($5, tail, " ")
		print path[n], begin[1], tail[1], $4, $5
	}' "$dir/states" | sort -k1,1n -k2,2n | awk '
	function micro(ns) { return int(ns / 1000) }
	$1 != tid { tid = $1; waited = delay = out = 0; before = "" }
	$4 == "running" {
		if ($0 !~ /flags=[a-z,-]*(before|unfinished)/)
			printf "%.0f %d %d %d %d\n", micro($2 + $3), tid, out ? micro(waited) : 0, micro(delay), micro($3)
		waited = delay = 0
		out = 1
	}
	$4 != "running" {
		waited += $3
		delay = $4 == "runnable" && before != "running" ? $3 : 0
	}
	{ before = $4 }' | sort >"$dir/program"

# Left out: the threads that the CPUs were found with, because perf begins with one CPU after the other and may miss that a thread
# got a CPU; the last slice of a thread that ends, because perf then records -1 as its number; and the slices next to a
# sched_switch that the kernel did not give to perf: Linux 6.18 was seen to give none from some kernel threads. Such a loss is
# seen in the next sched_switch of the CPU, which takes the CPU from another thread than the one before gave it to.
awk '/sched_switch/ {
		cpu = $2
		end = substr($1, 1, length($1) - 3)
		gone = $3 == -1
		next_pid = prev_pid = $0
		sub(/.* next_pid=/, "", next_pid)
		sub(/.* prev_pid=/, "", prev_pid)
		next_pid += 0
		prev_pid += 0
		if (!(cpu in has) || gone)
			print cpu in has ? end : "all", prev_pid
		if (prev_pid in lost) {
			print end, prev_pid
			delete lost[prev_pid]
		}
		if (cpu in has && has[cpu] != prev_pid) {
			print end, prev_pid
			lost[prev_pid]
			lost[has[cpu]]
		}
		# the program ends the slice that it saw begin when the thread gets a CPU again
		if (next_pid in lost)
			print end, next_pid
		has[cpu] = next_pid
	}' "$dir/text" >"$dir/unknown"
for side in perf program; do
	awk 'NR == FNR { unknown[$1, $2]; next } $2 != -1 && !(($1, $2) in unknown) && !(("all", $2) in unknown)' "$dir/unknown" \
		"$dir/$side" >"$dir/$side-known"
done
if [[ $(wc -l <"$dir/perf-known") -lt 20 ]] || ! diff "$dir/perf-known" "$dir/program-known"; then
	echo "END TID WAIT DELAY RUN: < perf, > the program"
	exit 1
fi
echo "$(wc -l <"$dir/program-known") slices agree"
