#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs whose accesses to files locks and messages put in order, or not. With exact clocks the races are those of races.awk, with their
# grades by each consistency model and their number. With clocks that are wrong within their bounds every race is found, what is proved is one,
# what overlaps by more than the errors is proved, and accesses under one lock are none.
# usage: random-races.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*.txt "$dir"/{truth,json,wrong}
	case $((seed % 3)) in 0) bound=0 ;; 1) bound=100 ;; 2) bound=2000 ;; esac
	awk -v seed="$seed" -v bound=$bound -v truth="$dir/truth" -f "$here/races.awk" | sort -s -k1,1 -k2,2n | awk -v dir="$dir" -v bound=$bound '
		{ file = dir "/" $1 ".txt"; node = $1; $1 = "" }
		!(node in seen) { seen[node]; print "iotrace-text 1\nhostname " node "\nsync yes\nerror " bound > file }
		{ print substr($0, 2) > file }'
	touch "$dir/truth"
	status=0
	"$analyze" -q --index off -m fileio -m dlm -m "$here/races.model" -o "check,json:$dir/json" "$dir"/*.txt 2> "$dir/err" || status=$?
	[[ $status == 0 || $status == 4 ]] || fail "status $status" "$dir/err"
	awk -v bound=$bound -f "$here/races-found.awk" "$dir/truth" "$dir/json" > "$dir/wrong"
	[[ ! -s $dir/wrong ]] || fail "races differ from the truth (bound $bound)" "$dir/wrong"
	cat "$dir/truth" >> "$dir/all"
done
awk -F '|' -v n="$left" '{ seen[$5]++ } END { printf "%s recordings: pairs of processes and files", n; for (i in seen) printf ", %d %s", seen[i], i; print "" }' "$dir/all"
