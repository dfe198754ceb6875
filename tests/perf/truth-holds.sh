#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Clusters whose lock master grants as early as the protocol allows. Certain holds of two nodes never exclude each other, the
# holds as drawn do; every hold is left for as long as its node had given it up, to the nanosecond.
# usage: truth-holds.sh ANALYZE GEN-DAT CLUSTERS [FIRST_SEED]
set -euo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
readers=$here/../readers
analyze=$1 gen=$2 left=$3 seed=${4:-1}
dir=$(mktemp -d "${TMPDIR:-/tmp}/truth.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# fail TEXT - with the lines of $dir/wrong
fail()
{
	echo "FAIL: seed $seed: $1"
	head -n 20 "$dir/wrong"
	exit 1
}

exclude=0 held=0
for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*
	# few locks and many tasks, so that they exclude each other
	"$gen" --load cluster --text --guests $((2 + seed % 4)) --cpus $((1 + seed % 3)) --resources $((1 + seed % 4)) \
		--tasks $((2 + seed % 7)) --kernel "6.$((seed % 2 ? 1 : 12))" --events 1200 --seed "$seed" --truth "$dir/truth" "$dir/trace"
	"$analyze" -q --index off -m dlm -o "text:$dir/text" "$dir"/trace*.txt

	awk -f "$readers/certain-holds.awk" "$dir/text" >"$dir/holds" 2>"$dir/wrong" || fail "the parts of holds do not add up"
	sort -k1,2 -k3n "$dir/holds" | awk -v show=1 -f "$readers/holds-exclude.awk" >"$dir/wrong"
	grep -qx "certain 0" "$dir/wrong" || fail "certain holds exclude each other"
	: $((exclude += $(sed -n 's/^drawn //p' "$dir/wrong")))

	awk -F'\t' -f "$here/truth-spans.awk" "$dir/truth" | sort >"$dir/expected"
	awk -f "$here/text-spans.awk" "$dir/text" | sort >"$dir/found"
	diff "$dir/expected" "$dir/found" >"$dir/wrong" || fail "spans differ from the truth"
	# "NODE LS_ID LKB_ID MODE T0 NS": for how long each hold was left
	awk -F'\t' '
		$1 == "part" && $7 == "leaving" { left[$2, $3, $5] += $9 - $8 }
		$1 == "span" && $6 !~ /^(PENDING|RELEASING|KEEPING)$/ {
			print "node " $2, "0x" $3, "0x" $5, $6, $7, left[$2, $3, $5] + 0
			left[$2, $3, $5] = 0
		}' "$dir/truth" | sort >"$dir/expected"
	sed -n -E 's;^([0-9]+) span "(0x[0-9a-f]+)/.*/(node [0-9]+)" lock "([A-Z]{2})" [0-9]+ .*lkb_id=(0x[0-9a-f]+)(.* leaving=([0-9]+))?.*;\3 \2 \5 \4 \1 0\7;p' "$dir/text" |
		sed -E 's/ 0([0-9]+)$/ \1/' | sort >"$dir/found"
	: $((held += $(wc -l <"$dir/found")))
	diff "$dir/expected" "$dir/found" >"$dir/wrong" || fail "holds are not left as long as in truth"
done
echo "$n clusters: $held holds, $exclude pairs exclude each other as drawn, none while certain"
((exclude))
