#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: lock-stats.sh ANALYZE FILE...
# Lock statistics of a recording of the DLM: the tables of the report, and an own count from the output of trace-cmd
# (lock-stats.awk). Every number of each resource must be equal. Exit 77 (skipped) without trace-cmd.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
dlm_lines "$@"
awk -f "$here/lock-stats.awk" "$dir/lines" | sort >"$dir/expected"
"$analyze" -q --index off -m dlm -o report,json:"$dir/report" "$@" || exit 1
# {"resource":"LOCKSPACE/NAME","node":...}, one row for each node
awk '
function field(name,    rest)
{
	rest = $0
	sub(".*\"" name "\":", "", rest)
	sub(/[,}].*/, "", rest)
	return rest
}
BEGIN { n = split("requests conversions unlocks failed remote messages round_trips trip_sum", columns, " ") }
/^\{"resource":"[^"]*","node":/ {
	split($0, word, "\"")
	sub(/^[^\/]*\//, "", word[4])
	seen[word[4]]
	for (i = 1; i <= n; i++)
		sum[word[4], i] += field(columns[i])
}
END {
	for (name in seen) {
		printf "%s", name
		for (i = 1; i <= n; i++)
			printf "\t%.0f", sum[name, i]
		print ""
	}
}' "$dir/report" | sort >"$dir/got"
agree resources
