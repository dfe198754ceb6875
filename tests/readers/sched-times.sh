#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The time that each thread spent in each state, how often one woke another, and how often an interrupt woke, by trace-cmd
# report and awk and by the program; and that the states of a thread follow each other without a gap, from its first event, or the begin of the recording, to its end.
# usage: sched-times.sh ANALYZE RECORDING...
analyze=$1
shift
command -v trace-cmd >/dev/null || { echo "trace-cmd is not installed"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

# pid state ns: a state lasts from one event of the thread to the next one
by_report()
{
	bash "${0%/*}/../events-report.sh" -R -t -l "$1" 2>/dev/null | awk '
	function field(name,	i) {
		for (i = 1; i <= NF; i++)
			if (index($i, name "=") == 1)
				return substr($i, length(name) + 2)
	}
	function number(hex,	n, i) {
		if (substr(hex, 1, 2) != "0x")
			return hex + 0
		for (i = 3; i <= length(hex); i++)
			n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}
	function go(pid, to) {
		if (state[pid] != "")
			sum[pid " " state[pid]] += now - since[pid]
		state[pid] = to
		since[pid] = now
	}
	function seen(pid, was) {
		if (state[pid] != "" || gone[pid])
			return
		state[pid] = was
		since[pid] = first
	}
	BEGIN {
		name[0] = name[256] = "runnable"; name[1] = "sleeping"; name[2] = "uninterruptible"
		name[4] = name[8] = "stopped"; name[64] = "parked"; name[128] = "idle"
	}
	match($0, / [0-9]+\.[0-9]+: /) {
		split(substr($0, RSTART + 1, RLENGTH - 3), t, ".")
		now = t[1] * 1000000000 + t[2]
		if (!first)
			first = now
	}
	/ sched_switch: / {
		pid = field("prev_pid") + 0
		left = number(field("prev_state"))
		if (pid) {
			seen(pid, "running")
			if (int(left / 16) % 4) {
				go(pid, "")
				gone[pid] = 1
			} else
				go(pid, left in name ? name[left] : "other")
		}
		pid = field("next_pid") + 0
		if (pid) {
			seen(pid, "unknown")
			go(pid, "running")
			ran[pid] = 1
		}
	}
	/ sched_waking: / {
		# COMM-PID CPU-FLAGS: 8 and 10 are interrupts, which nobody has called for
		match($0, /-[0-9]+ +[0-9]+-0x[0-9a-f]+ /)
		split(substr($0, RSTART + 1, RLENGTH - 1), word, / +|-/)
		if (int(number(word[3]) / 8) % 4) {
			delete waker[field("pid")]
			sum["interrupts wake"]++
		} else {
			waker[field("pid")] = word[1] + 0
		}
	}
	/ sched_wakeup: / {
		pid = field("pid")
		if (pid in waker && ran[waker[pid]])
			sum[waker[pid] " wakes " pid]++
		delete waker[pid]
		seen(pid, "unknown")
		if (state[pid] != "running" && state[pid] != "runnable")
			go(pid, "runnable")
	}
	/ sched_wakeup_new: / {
		go(field("pid"), "runnable")
	}
	END {
		for (pid in state)
			go(pid, "")
		for (i in sum)
			printf "%s %.0f\n", i, sum[i]
	}' | sort
}

by_program()
{
	awk -F'"' '$1 ~ / span / && $2 ~ / [0-9]+$/ {
		n = split($2, path, " ")
		pid = path[n]
		split($1, begin, " ")
		split($5, length_, " ")
		if (pid in end && end[pid] != begin[1])
			print "pid " pid ": a gap before " begin[1] > "/dev/stderr"
		end[pid] = begin[1] + length_[1]
		sum[pid " " $4] += length_[1]
	}
	$1 ~ / link / && $4 == "wake-up" {
		n = split($2, path, " ")
		from = path[n]
		n = split($6, path, " ")
		sum[from " wakes " path[n]]++
	}
	/^# diag thread_interrupted / { split($1, diag, " "); sum["interrupts wake"] = diag[4] }
	END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' "$1" | sort
}

for recording; do
	"$analyze" -m sched --index=off -o "text:$dir/text" "$recording" || status=1
	by_report "$recording" >"$dir/expected"
	by_program "$dir/text" >"$dir/got" 2>"$dir/gaps"
	[ "$(wc -l <"$dir/expected")" -ge 10 ] || { echo "$recording: too little to compare"; status=1; }
	diff "$dir/expected" "$dir/got" || { echo "$recording: the times differ"; status=1; }
	[ ! -s "$dir/gaps" ] || { cat "$dir/gaps"; status=1; }
done
exit $status
