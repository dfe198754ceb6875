#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random lives of locks on two nodes, whose recordings lose events, begin late and end early. No mode or wait may be drawn
# where there was none, and the bounds of times must contain the truth. Only node 2 begins late and ends early: the other
# node shows when.
# usage: random-unobserved.sh ANALYZE RUNS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}
least=2000

# record NODE - its damaged recording, and its true spans
record()
{
	awk -v seed="$((2 * seed + $1))" -v locks=20 -v node="$1" -v events="$dir/events" -v spans="$dir/spans$1" \
		-f "$here/lives.awk"
	# both nodes begin at the same time, unless they are damaged
	{ echo "900 0 9 marker"; sort -s -n "$dir/events"; } >"$dir/all"
	rm "$dir/events"
	{
		printf 'iotrace-text 1\nsync yes\n'
		awk -v seed="$((31 * seed + $1))" -v edges="$(($1 - 1))" -v least="$least" -v report="$dir/damaged$1" -f "$here/damage.awk" "$dir/all"
	} >"$dir/$1"
}

damaged=0 drawn=0 rows=0 open=0
for ((n = 0; n < left; n++, seed++)); do
	record 1
	record 2
	"$analyze" -q --index off -m dlm --early-end "${least}ns" --derive bounds --map "1=$dir/1" --map "2=$dir/2" \
		-o "text:$dir/text" -o "report,json:$dir/json" "$dir/1" "$dir/2"
	sort -s -n "$dir/spans1" "$dir/spans2" >"$dir/spans"
	grep '^[0-9]* span ' "$dir/text" >"$dir/drawn" || true
	awk -f "$here/true.awk" "$dir/spans" "$dir/drawn" >"$dir/wrong"
	[[ ! -s $dir/wrong ]] || fail "drawn, but not so" "$dir/wrong"
	whole=
	for node in 1 2; do
		(($(cat "$dir/damaged$node"))) && : $((damaged++)) || whole+=" $node"
	done
	tr '{' '\n' <"$dir/json" | sed -n 's/.*"place":"\([^"]*\)","state":"\([^"]*\)","at_least_ns":\([0-9]*\),"at_most_ns":\([0-9]*\).*/\1\t\2\t\3\t\4/p' >"$dir/table"
	read -r from to < <(awk '/^[0-9]/ && $4 != "LOST" { print $1 }' "$dir/1" "$dir/2" | sort -n | sed -n '1p;$p' | paste -s -d ' ')
	awk -v from="$from" -v to="$to" -v whole="$whole" -f "$here/bounds.awk" "$dir/spans" "$dir/table" >"$dir/wrong"
	[[ ! -s $dir/wrong ]] || fail "bounds without the truth" "$dir/wrong"
	: $((drawn += $(wc -l <"$dir/drawn"))) $((rows += $(wc -l <"$dir/table"))) \
		$((open += $(awk -F'\t' '$3 != $4' "$dir/table" | wc -l)))
done
echo "$n runs, $damaged of $((2 * n)) recordings damaged: $drawn spans, $rows rows of bounds, $open rows with two values"
((damaged && damaged < 2 * n && open && open < rows))
