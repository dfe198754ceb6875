#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: lock-moves.sh ANALYZE [RUNS]
# Better lock masters of generated clusters (lock-moves.awk) with planted latencies, so the best masters are known. In random runs the
# gain of each move of the lock master agrees with the planted latencies, and with a second run that has this master, within the stated
# error in at least 95 of 100 cases. The number of messages is exact. No other master is better than a stated gain by more than
# the error.
. "${0%/*}/readers-lib.sh"
analyze=$1 runs=${2:-30}
for ((seed = 1; seed <= runs; seed++)); do
	awk -v seed=$seed -v dir="$dir" -f "$here/lock-moves.awk" >"$dir/expected" || exit 1
	"$analyze" -q --index off -m dlm --map "$dir/1.txt=1" --map "$dir/2.txt=2" --map "$dir/3.txt=3" -o report,json:"$dir/report" "$dir"/[123].txt ||
		exit 1
	sed -n '/^"master_choices"/,/\]}/p' "$dir/report" |
		sed -nE 's/^\{"resource":"[^"]*\/(r[0-9])","master":"[^"]*","better":"[^"]*([0-9])\.txt","gain":"([^"]*)".*"error":([0-9]*),.*"messages_saved":(-?[0-9]*),"gain_ns":(-?[0-9]*)\}.*/\1 \2 \6 \4 \5 \3/p' \
			>"$dir/got"
	awk -v seed=$seed '
	NR == FNR { planted[$1, $2] = $3; again[$1, $2] = $4; messages[$1, $2] = $5; if (!($1 in best) || $3 > best[$1]) best[$1] = $3; wanted++; next }
	{
		got++
		expected = $3 - planted[$1, $2]; happened = $3 - again[$1, $2]
		print "judged", expected * expected <= $4 * $4, happened * happened <= $4 * $4
		if ($5 != messages[$1, $2]) print "wrong: seed " seed ", " $1 " on node " $2 ": " $5 " messages saved, not " messages[$1, $2]
		if (!($1 in first) && $6 == "gain") {
			first[$1]
			print "gain"
			if (planted[$1, $2] < best[$1] - $4) print "wrong: seed " seed ", " $1 ": node " $2 " is not the best master"
		}
	}
	END { if (got != wanted) print "wrong: seed " seed ": " got + 0 " choices, not " wanted }' "$dir/expected" "$dir/got" >>"$dir/all"
done
grep wrong "$dir/all" >&2 && exit 1
awk '$1 == "gain" { gains++ }
$1 == "judged" { n++; expected += $2; happened += $3 }
END {
	printf "%d moves: %d agree with the planted latencies, %d with the second run; %d gains\n", n, expected, happened, gains
	exit !(gains && expected >= 0.95 * n && happened >= 0.95 * n)
}' "$dir/all"
