#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# iotrace-analyze check on generated clusters. Legal schedules have no finding. Every planted fault must be found with the grade that
# follows from the truth. A schedule is the life of one resource: some sixty events of three nodes. Findings of each kind are cut out
# (--cut) and must be the only proved or possible ones in the cut, unless the whole has the others, too.
# usage: random-check.sh ANALYZE GEN-DAT SCHEDULES FAULTS CUTS [FIRST_SEED]     FAULTS, CUTS: of each kind, at least
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") gen=$(readlink -f "$2") schedules=$3 faults=$4 cuts=$5 first=${6:-1}
resources=250
# large recordings take less time for each schedule
((schedules < 100000)) || resources=5000

# generate SEED OPTION...
generate()
{
	rm -f "$dir"/r-*.txt
	"$gen" --load cluster --text --guests 3 --tasks 8 --resources "$resources" --events $((60 * resources)) \
		--kernel "6.$((seed % 2 ? 1 : 12))" --seed "$@" --truth "$dir/truth" "$dir/r"
}

# check - findings of the recordings, as TSV in $dir/found
check()
{
	local status=0
	"$analyze" -q --index off --early-end 1000000 -m dlm -o "check,tsv:$dir/found" "$dir"/r-*.txt 2> "$dir/err" || status=$?
	[[ $status == 0 || $status == 4 ]] || fail "status $status" "$dir/err"
}

# ---- legal schedules; each fourth recording is slow enough for rules about seconds

for ((n = 0, seed = first; n < schedules; n += resources, seed++)); do
	generate "$seed" --error 0 --slow $((seed % 4 ? 1 : 1000))
	check
	[[ -s $dir/found ]] && fail "findings in legal schedules" "$dir/found"
done
echo "$n legal schedules"

# ---- planted faults

# compare KIND - print the number of faults that have to be found and were
compare()
{
	if [[ -s $dir/planted ]]; then
		cut -f 2,3,4,7 "$dir/found" | awk -F '\t' -v OFS='\t' '{ print $2, $1, $3, $4 }' | sort > "$dir/seen"
		sort "$dir/planted" | comm -23 - "$dir/seen" > "$dir/missed"
		wc -l < "$dir/planted"
		[[ ! -s $dir/missed ]]
	else
		awk -F '\t' -v kind="$1" -v error="$error" -f "$here/check-faults.awk" "$dir/truth" "$dir/found" 2> "$dir/missed"
	fi
}

# cut_out N FINDING - the finding alone shows itself again
cut_out()
{
	local status=0
	rm -rf "$dir/cut"
	"$analyze" -q --index off --early-end 1000000 -m dlm -o "check,tsv:$dir/again" --cut "$1:$dir/cut" "$dir"/r-*.txt 2> "$dir/err" || status=$?
	[[ $status == 0 || $status == 4 ]] || fail "--cut $1" "$dir/err"
	"$analyze" -q --index off --early-end 1000000 -m dlm -o "check,tsv:$dir/again" "$dir/cut" 2> "$dir/err" || status=$?
	[[ $status == 0 || $status == 4 ]] || fail "the cut of finding $1" "$dir/err"
	cut -f 2- "$dir/again" | grep -qxF "$2" || fail "the cut does not show finding $1" "$dir/again"
	cut -f 2- "$dir/again" | grep -v ^undecided | grep -vxF -f <(cut -f 2- "$dir/found") > "$dir/more" &&
		fail "the cut of finding $1 shows more" "$dir/more"
	return 0
}

# plant KIND OPTION... - generate until there are enough faults of the kind, and compare
plant()
{
	local kind=$1 n=0 n_cut=0 found number finding
	for ((seed = first; n < faults; seed++)); do
		generate "$seed" --error "$error" "${@:2}"
		rm -f "$dir/planted"
		for file in "$dir"/r-*.txt; do
			[[ $kind == @(value|answer|second) ]] || continue
			{ grep -v '^1' "$file"; grep '^1' "$file" | sort -s -n; } |
				awk -v kind="$kind" -v seed="$seed" -v planted="$dir/planted" -f "$here/plant-faults.awk" > "$dir/new"
			mv "$dir/new" "$file"
		done
		check
		found=$(compare "$kind") || fail "planted: $kind" "$dir/missed"
		n=$((n + found))
		while ((n_cut < cuts)) && IFS=$'\t' read -r number finding; do
			cut_out "$number" "$finding"
			n_cut=$((n_cut + 1))
		done < "$dir/found"
	done
	echo "$n faults: $kind, $n_cut cut out"
}

for error in 1000 60000; do
	plant grant --fault grant=100
done
error=1000
plant ast --fault ast=20
plant request --fault request=20 --slow 1000
plant release --fault release=100 --slow 1000
plant value
plant answer
plant second
