#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy.sh ANALYZE FILE...
# The parts of waits in a recording of the DLM: the table of the report, and an own calculation from the output of trace-cmd
# (anatomy.awk). Every number of waits and every sum must be equal, to the last nanosecond; so for each part and resource, with the
# longest part, and percentiles to the width of a cell of the histogram. Exit 77 (skipped) without trace-cmd.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
dlm_lines "$@"
awk -v lengths="$dir/lengths" -f "$here/anatomy.awk" "$dir/lines" | sort >"$dir/expected"
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" "$@" || exit 1
sed -n 's/^{"master":"\([^"]*\)","part":"\([^"]*\)","waits":\([0-9]*\),"time":\([0-9]*\),.*/\1\t\2\t\3\t\4/p' "$dir/report" | sort >"$dir/got"
agree sums

awk '{
	part = $0
	sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", part)
	key = $1 " " $2 "\t" part
	n[key]++; sum[key] += $3; all[key, n[key]] = $3
} END {
	for (key in n) {
		count = n[key]
		for (i = 2; i <= count; i++)
			for (k = i; k > 1 && all[key, k - 1] > all[key, k]; k--) {
				t = all[key, k]; all[key, k] = all[key, k - 1]; all[key, k - 1] = t
			}
		part = key
		sub(/^[^\t]*\t/, "", part)
		printf "%s\t%d\t%.0f", part, count, sum[key]
		split("100 50 90 99", percent, " ")
		for (i = 1; i <= 4; i++)
			printf "\t%.0f", all[key, int((count * percent[i] + 99) / 100)]
		print ""
	}
}' "$dir/lengths" | sort >"$dir/by-hand"
# without the names of resources, which the report prints in another form
sed -nE 's/^\{"resource":"[^"]*","part":"([^"]*)","waits":([0-9]*),"time":([0-9]*),"share":[^,]*,"p50":([0-9]*),"p90":([0-9]*),"p99":([0-9]*),"max":([0-9]*).*/\1\t\2\t\3\t\7\t\4\t\5\t\6/p' "$dir/report" |
	grep -v '^all parts' | sort >"$dir/by-program"
cut -f1-4 "$dir/by-hand" >"$dir/expected"
cut -f1-4 "$dir/by-program" >"$dir/got"
agree 'parts of resources'
paste "$dir/by-hand" "$dir/by-program" | awk -F'\t' '
	{ for (i = 5; i <= 7; i++) { off = $i - $(i + 7); if (off < 0) off = -off; if (off > $i / 64 + 1) { print; bad = 1 } } }
	END { exit bad }' || { echo "$name: percentiles differ" >&2; exit 1; }
