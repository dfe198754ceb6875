#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random lives of locks: each mode and each wait must be drawn, to the nanosecond, and nothing else. Every run has lives on
# two nodes at once; its number is its seed, so that a failure can be repeated.
# usage: random-locks.sh ANALYZE LOCKS [FIRST_SEED]     LOCKS: number in total
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}
per_node=250

# record NODE - a recording of that node, and its spans
record()
{
	awk -v seed="$((2 * seed + $1))" -v locks="$per_node" -v node="$1" -v events="$dir/events" -v spans="$dir/spans$1" \
		-f "$here/lives.awk"
	{ printf 'iotrace-text 1\nsync yes\n'; sort -s -n "$dir/events"; } >"$dir/$1"
	rm "$dir/events"
}

for ((n = 0; left > 0; left -= 2 * per_node, seed++, n++)); do
	record 1
	record 2
	"$analyze" -q --index off -m dlm --map "1=$dir/1" --map "2=$dir/2" -o "text:$dir/text" "$dir/1" "$dir/2"
	sort "$dir/spans1" "$dir/spans2" >"$dir/wanted"
	sed -n '/^[0-9]* span /{s/ lane=[0-9]*//;p}' "$dir/text" | sort >"$dir/drawn"
	same spans "$dir/wanted" "$dir/drawn"
done
echo "$((n * 2 * per_node)) locks, $(wc -l <"$dir/wanted") spans in the last run"
