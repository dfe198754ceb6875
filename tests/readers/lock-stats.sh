#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: lock-stats.sh ANALYZE FILE...
# Lock statistics of a recording of the DLM: the tables of the report, and an own count from the output of trace-cmd
# (lock-stats.awk). Every number of each resource must be equal. Exit 77 (skipped) without trace-cmd.
set -u
export LC_ALL=C
analyze=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
command -v trace-cmd >/dev/null || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
arguments=()
for file; do
	report=$dir/${file##*/}.txt
	trace-cmd report -N -t "$file" 2>/dev/null >"$report" || { echo "lock-stats: trace-cmd cannot read $file" >&2; exit 1; }
	arguments+=("node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)" "$report")
done
awk -f "$here/anatomy-events.awk" "${arguments[@]}" | sort -s -n -k1,1 | awk -f "$here/lock-stats.awk" | sort >"$dir/expected"
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
[[ -s $dir/expected ]] || { echo 'lock-stats: no call in the recording' >&2; exit 1; }
diff "$dir/expected" "$dir/got" || { echo 'lock-stats: counts differ (< awk over trace-cmd report, > the program)' >&2; exit 1; }
echo "$(wc -l <"$dir/expected") resources agree"
