#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who ran on its processor while a thread waited, in each wait that ended: by trace-cmd report and awk, which keeps every time slice of
# every processor, and by the program's table.
# usage: who-ran.sh ANALYZE RECORDING...
set -u
export LC_ALL=C
analyze=$1
shift
command -v trace-cmd >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
for recording; do
	bash "$(dirname "$0")/../events-report.sh" -R -t "$recording" 2>/dev/null | awk '
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
	function begin_wait(pid, cpu) {
		since[pid] = now
		given[pid] = cpu + 0
	}
	!match($0, /\[[0-9]+\] +[0-9]+\.[0-9]+: sched_/) { next }
	{
		split(substr($0, RSTART + 1, RLENGTH), word, /[] .:]+/)
		cpu = word[1] + 0
		now = word[2] * 1000000000 + word[3]
	}
	/ sched_(wakeup|wakeup_new): / {
		pid = field("pid")
		if (!(pid in since) && !(pid in running))
			begin_wait(pid, field("target_cpu"))
	}
	/ sched_switch: / {
		pid = field("prev_pid")
		left = number(field("prev_state"))
		n = slices[cpu]
		if (n)
			to[cpu, n] = now
		delete running[pid]
		if (pid && (!left || left >= 256))
			begin_wait(pid, cpu)
		pid = field("next_pid")
		n = ++slices[cpu]
		from[cpu, n] = now
		who[cpu, n] = pid
		to[cpu, n] = 0
		running[pid] = 1
		if (pid in since) {
			c = given[pid]
			for (i = slices[c]; i && (!to[c, i] || to[c, i] > since[pid]); i--) {
				a = from[c, i] > since[pid] ? from[c, i] : since[pid]
				b = to[c, i] && to[c, i] < now ? to[c, i] : now
				if (who[c, i] && who[c, i] != pid && b > a)
					sum[pid " " who[c, i]] += b - a
			}
			waited[pid] += now - since[pid]
			delete since[pid]
		}
	}
	END {
		for (i in sum) {
			split(i, pair, " ")
			printf "%s %.0f %.0f\n", i, waited[pair[1]], sum[i]
		}
	}' | sort >"$dir/expected"
	"$analyze" -q -m sched --index=off -o "report,json:$dir/report" "$recording" || exit 1
	# paths end with the pid; without the time in which nobody ran
	grep -o '{"waiter":[^}]*}' "$dir/report" | grep -v '"ran":"nobody"' |
		sed -nE 's/.*"waiter":"[^"]* ([0-9]+)","waited":([0-9]+),"ran":"[^"]* ([0-9]+)","time":([0-9]+),.*/\1 \3 \2 \4/p' | sort >"$dir/got"
	[[ $(wc -l <"$dir/got") -ge 8 ]] || { echo "$recording: too little to compare"; exit 1; }
	# the table has its first rows
	grep -vxFf "$dir/expected" "$dir/got" >"$dir/wrong" && { echo "$recording: WAITER RUNNER WAITED TIME differ:"; cat "$dir/wrong"; exit 1; }
	echo "$recording: $(wc -l <"$dir/got") of $(wc -l <"$dir/expected") sums agree"
done
