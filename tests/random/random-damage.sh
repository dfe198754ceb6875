#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random lives of locks in incomplete recordings: the recording begins late, or one CPU has lost events. No wrong mode may
# be drawn, and no wait without a flag.
# usage: random-damage.sh ANALYZE LOCKS [FIRST_SEED]     LOCKS: number in total
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}
per_run=250

# judge WHAT - checks the lines in $dir/kept
judge()
{
	{ printf 'iotrace-text 1\n'; cat "$dir/kept"; } >"$dir/1"
	"$analyze" -q --index off -m dlm --map "1=$dir/1" -o "text:$dir/text" "$dir/1"
	grep '^[0-9]* span ' "$dir/text" >"$dir/drawn" || true
	awk -v all=1 -f "$here/true.awk" "$dir/spans" "$dir/drawn" >"$dir/wrong"
	drawn=$((drawn + $(wc -l <"$dir/drawn")))
	[[ ! -s $dir/wrong ]] || fail "$1: drawn, but not so" "$dir/wrong"
}

drawn=0
for ((n = 0; left > 0; left -= per_run, seed++, n++)); do
	awk -v all=1 -v seed="$seed" -v locks="$per_run" -v node=1 -v events="$dir/events" -v spans="$dir/spans" -f "$here/lives.awk"
	sort -s -n "$dir/events" >"$dir/all"
	rm "$dir/events"
	from=$((3000 + seed * 7919 % 7000)) to=$((from + 20 + seed * 104729 % 1500)) cpu=$((seed % 2))
	awk -v from="$from" '$1 >= from' "$dir/all" >"$dir/kept"
	judge "begins at $from"
	# the line of a loss precedes the next line of its CPU
	awk -v from="$from" -v to="$to" -v cpu="$cpu" '
		$2 == cpu && $1 >= from && $1 < to { lost++; next }
		$2 == cpu && lost { print $1, cpu, "- LOST", lost; lost = 0 }
		{ print }' "$dir/all" >"$dir/kept"
	judge "CPU $cpu lost $from to $to"
done
echo "$((n * per_run)) locks, $drawn spans drawn of damaged recordings"
((drawn))
