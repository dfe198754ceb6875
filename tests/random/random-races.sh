#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs whose accesses to files locks and messages put in order, or not. With exact clocks the races are those of races.awk, with their
# grades by each consistency model and their number. With clocks that are wrong within their bounds every race is found, what is proved is one,
# what overlaps by more than the errors is proved, and accesses under one lock are none. Some findings are cut out (--cut), and show themselves again.
# usage: random-races.sh ANALYZE RECORDINGS CUTS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 cuts=$3 seed=${4:-1}

# check FORMAT OPTION... - the findings of recordings
check()
{
	local status=0
	"$analyze" -q --index off -m fileio -m dlm -m "$here/races.model" -o "check,$1:$dir/$1" "${@:2}" 2> "$dir/err" || status=$?
	[[ $status == 0 || $status == 4 ]] || fail "status $status" "$dir/err"
}

# the last finding alone shows itself again
cut_out()
{
	local finding
	check tsv "$dir"/*.txt
	[[ -s $dir/tsv ]] || return 0
	finding=$(tail -n 1 "$dir/tsv")
	rm -rf "$dir/cut"
	check tsv --cut "${finding%%$'\t'*}:$dir/cut" "$dir"/*.txt
	check tsv "$dir/cut"
	cut -f 2- "$dir/tsv" | grep -qxF "${finding#*$'\t'}" || fail "the cut does not show: $finding" "$dir/tsv"
	n_cut=$((n_cut + 1))
}

for ((n = 0, n_cut = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*.txt "$dir"/{truth,json,wrong}
	case $((seed % 3)) in 0) bound=0 ;; 1) bound=100 ;; 2) bound=2000 ;; esac
	awk -v seed="$seed" -v bound=$bound -v truth="$dir/truth" -f "$here/races.awk" | sort -s -k1,1 -k2,2n | awk -v dir="$dir" -v bound=$bound '
		{ file = dir "/" $1 ".txt"; node = $1; $1 = "" }
		!(node in seen) { seen[node]; print "iotrace-text 1\nhostname " node "\nsync yes\nerror " bound > file }
		{ print substr($0, 2) > file }'
	touch "$dir/truth"
	check json "$dir"/*.txt
	awk -v bound=$bound -f "$here/races-found.awk" "$dir/truth" "$dir/json" > "$dir/wrong"
	[[ ! -s $dir/wrong ]] || fail "races differ from the truth (bound $bound)" "$dir/wrong"
	((n_cut >= cuts)) || cut_out
	cat "$dir/truth" >> "$dir/all"
done
awk -F '|' -v n="$left" -v cut=$n_cut '{ seen[$5]++ } END { printf "%s recordings, %s findings cut out: pairs of processes and files", n, cut; for (i in seen) printf ", %d %s", seen[i], i; print "" }' "$dir/all"
