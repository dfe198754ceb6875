#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: blame.sh [--sums] ANALYZE FILE...
# Waits of one node for another in a recording of the DLM: the table of the report, and an own sweep over the text output (blame.awk).
# Every sum must be equal, to the last nanosecond, and the stacks of the output folded must add up to all of them.
# So must the queues before the longest waits; not with --sums, for recordings with waits that began in the same nanosecond: the
# text does not tell which of these was first.
. "${0%/*}/readers-lib.sh"
sums_only=
[[ $1 == --sums ]] && { sums_only=1; shift; }
analyze=$1
shift
"$analyze" -q --index off -m dlm -o folded:"$dir/folded" -o report,json:"$dir/report" -o text:"$dir/text" "$@" || exit 1
awk -v queue="$dir/queue" -f "$here/blame.awk" "$dir/text" | sort >"$dir/expected"
nothing_in_the_way='{ sum[$1 OFS ($2 == "messages" || $2 == "callbacks" ? "unexplained" : $2)] += $3 } END { for (key in sum) printf "%s\t%.0f\n", key, sum[key] }'
# time without a cause is split in the report only: see unexplained.sh
sed -n 's/^{"waiter":"\([^"]*\)","because":"\([^"]*\)","blamed":\([0-9]*\),.*/\1\t\2\t\3/p' "$dir/report" |
	awk -F "\t" -v OFS="\t" "$nothing_in_the_way" | sort >"$dir/got"
agree sums
total='{ sum += $NF } END { printf "%.0f\n", sum }'
[[ $(awk "$total" "$dir/got") == "$(awk "$total" "$dir/folded")" ]] || { echo 'blame: the sum of all stacks differs' >&2; exit 1; }
# the accounts of single waits: the same sums, and each adds up to its wait
"$analyze" -q --index off -m dlm --derive accounts -o text:"$dir/parts" "$@" || exit 1
awk -v OFS="\t" -v whole="$dir/whole" '
function value(name) {
	return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
}
/^[0-9]+ span "[^"]*" lock "PENDING" / {
	split($0, quoted, "\"")
	split(quoted[5], after, " ")
	lane = match(quoted[5], / lane=[0-9]+/) ? substr(quoted[5], RSTART + 6, RLENGTH - 6) : 0
	if (after[1] && !(quoted[5] ~ /flags=[a-z,-]*suspect[a-z,-]*unknown/))
		waits[quoted[2], lane, sprintf("%.0f", $1 + after[1]), after[1]] += after[1]
}
/^[0-9]+ point "[^"]*" part "/ && / of="wait" / {
	split($0, quoted, "\"")
	node = quoted[2]
	sub(/.*\//, "", node)
	lane = match(quoted[5], / lane=[0-9]+/) ? substr(quoted[5], RSTART + 6, RLENGTH - 6) : 0
	parts[quoted[2], lane, $1, value("took")] += value("part")
	by = value("by_node") # the name may have a blank
	if (match($0, / by_node="[^"]*"/))
		by = substr($0, RSTART + 10, RLENGTH - 11)
	print node, quoted[4] == "held" ? by : quoted[4], value("part")
}
END {
	for (wait in waits)
		bad += parts[wait] != waits[wait]
	for (wait in parts)
		bad += !(wait in waits)
	print bad + 0 > whole
}' "$dir/parts" | awk -F "\t" -v OFS="\t" "$nothing_in_the_way" | sort >"$dir/got"
agree "accounts of waits"
[[ $(cat "$dir/whole") == 0 ]] || { echo "blame: $(cat "$dir/whole") waits are not the sum of their parts" >&2; exit 1; }
[[ $sums_only ]] && exit
# who was before the longest waits in the queue
sed -n 's/^{"wait":[0-9]*,"because":"queue","process":"\([^"]*\)".*"waiter":"\([^"]*\)".*"begin":\([0-9]*\),.*/\3 \2\t\1/p' "$dir/report" |
	sed -E 's/ [a-z]+ [0-9]+ \(/ (/g' |
	awk -F '\t' -v origin="$(sed -n '1s/.*"begin_ns":"\([0-9]*\)".*/\1/p' "$dir/report")" \
		'{ split($1, begin, " "); sub(/^[0-9]+ /, "", $1); printf "%.0f %s\t%s\n", begin[1] + origin, $1, $2 }' >"$dir/got"
[[ -s $dir/got ]] || { echo 'blame: no queue before any of the longest waits' >&2; exit 1; }
awk 'FNR == NR { known[$0] = 1; next } !($0 in known) { print; bad = 1 } END { exit bad }' "$dir/queue" "$dir/got" ||
	{ echo 'blame: these queues differ from those of awk' >&2; exit 1; }
echo "$(wc -l <"$dir/got") queues agree"
