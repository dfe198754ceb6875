#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tables of waits in damaged recordings: holders, longest waits, sums, chains, slow calls. Nothing that they assert may differ from the
# truth (true-waits.awk). Every second cluster is one of the generator, the others have threads that wait while they hold (nested.awk).
# Each is analysed whole, where every cell must be equal, and damaged: events are lost, one node begins late or ends early; and from the
# middle on, where locks are older than the recordings.
# usage: random-waits.sh ANALYZE GEN-DAT RUNS [FIRST_SEED]
set -euo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
analyze=$(readlink -f "$1") gen=$(readlink -f "$2") left=$3 seed=${4:-1}
dir=$(mktemp -d "${TMPDIR:-/tmp}/random.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# analyse WHOLE LATE FILE... - compares the tables with the truth
analyse()
{
	local whole=$1 late=$2
	shift 2
	"$analyze" -q --index off --early-end "${least}ns" -o "report,json:$dir/json" "$@"
	awk -v whole="$whole" -v late="$late" -f "$here/true-waits.awk" "$dir/truth" "$dir/json" >"$dir/wrong"
	if grep -qv '^#' "$dir/wrong"; then
		echo "FAIL: seed $seed, whole $whole, late $late: asserted, but not so:"
		grep -v '^#' "$dir/wrong" | head -n 20
		exit 1
	fi
	sed "s/^#/$whole$late/" "$dir/wrong" >>"$dir/counts"
}

cluster()
{
	local cpus=$((1 + seed / 2 % 3)) from to file i
	least=300000
	"$gen" --load cluster --text --guests $((2 + seed % 3)) --cpus "$cpus" --resources $((1 + seed / 2 % 4)) --tasks $((2 + seed % 5)) \
		--error 0 --events 1200 --seed "$seed" --truth "$dir/truth" "$dir/trace"
	read -r from to < <(awk '$1 == "seen" { print $3; print $4 }' "$dir/truth" | sort -n | sed -n '1p;$p' | paste -s -d ' ')
	for file in "$dir"/trace-*.txt; do
		grep '^[a-z]' "$file" >"$dir/head-${file##*-}"
		# all are observed from the begin to the end
		{
			for ((i = 0; i < cpus; i++)); do printf '%s %d 9 marker\n' "$((from - 1))" "$i" "$to" "$i"; done
			grep '^[0-9]' "$file"
		} | sort -s -n >"$dir/lines-${file##*-}"
	done
}

nested()
{
	local nodes=$((2 + seed / 2 % 3)) i
	least=2000
	awk -v seed="$seed" -v nodes="$nodes" -v tasks=$((2 + seed / 6 % 4)) -v resources=$((3 + seed / 2 % 4)) -v folder="$dir" \
		-f "$here/nested.awk" >"$dir/truth"
	for ((i = 1; i <= nodes; i++)); do
		printf 'iotrace-text 1\nhostname node%d\nsync yes\nerror 0\n' "$i" >"$dir/head-$i.txt"
		sort -s -n "$dir/events$i" >"$dir/lines-$i.txt"
	done
}

damaged=0
: >"$dir/counts"
for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/trace* "$dir"/events* "$dir"/head* "$dir"/lines* "$dir"/whole* "$dir"/damaged* "$dir"/late*
	if ((seed % 2)); then cluster; else nested; fi
	k=0
	middle=$(cat "$dir"/lines-* | awk 'NR == 1 || $1 < from { from = $1 } $1 > to { to = $1 } END { printf "%.0f\n", from + (to - from) / 3 }')
	for lines in "$dir"/lines-*; do
		name=${lines##*-}
		cat "$dir/head-$name" "$lines" >"$dir/whole-$name"
		# every second node may begin late and end early: others show when
		{
			cat "$dir/head-$name"
			awk -v seed="$((31 * seed + k))" -v edges="$((k && k % 2))" -v least="$least" -v report="$dir/damage" -f "$here/damage.awk" "$lines"
		} >"$dir/damaged-$name"
		{
			cat "$dir/head-$name"
			cut -d ' ' -f 2 "$lines" | sort -u | sed "s/.*/$middle & 9 marker/"
			awk -v from="$middle" '$1 > from' "$lines"
		} >"$dir/late-$name"
		: $((damaged += $(cat "$dir/damage"))) $((k++))
	done
	analyse 1 0 "$dir"/whole-*
	analyse 0 0 "$dir"/damaged-*
	analyse 0 1 "$dir"/late-*
done
awk -v runs="$n" -v damaged="$damaged" '
	{
		for (i = 2; i < NF; i += 2)
			n[$1, $i] += $(i + 1)
		for (i = 2; i < NF; i += 2)
			tables[$i]
	}
	END {
		print runs " runs, " damaged " recordings damaged; assertions in whole, damaged and late recordings:"
		for (table in tables) {
			printf "%s %d %d %d\n", table, n["10", table], n["00", table], n["01", table]
			few += !n["10", table] || (runs >= 20 && !n["00", table])
		}
		exit few > 0 || !damaged
	}' "$dir/counts"
