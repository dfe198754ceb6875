#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Clusters whose clocks run wrong within the assumptions of docs/CLOCKS.md: begin and end of every hold and wait must lie within
# the stated bound of the truth, and no message may contradict the bounds.
# usage: truth-clocks.sh ANALYZE GEN-DAT CLUSTERS [FIRST_SEED]
set -euo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
analyze=$1 gen=$2 left=$3 seed=${4:-1}
dir=$(mktemp -d "${TMPDIR:-/tmp}/truth.XXXXXX")
trap 'rm -rf "$dir"' EXIT
sample_ms=500 bend=10000

for ((n = 0; n < left; n++, seed++)); do
	rm -f "$dir"/*
	"$gen" --load cluster --guests $((2 + seed % 3)) --slow $((1 + seed % 40)) --resources 6 --events 2500 --plain \
		--protocol ptp --drifts --rate $((seed % 5 * 40000)) --bend $((bend * (seed % 4) / 3)) --resolution 1 \
		--samples $((2 + seed % 7)) --sample-ms $sample_ms --sample-error $((seed * 7919 % 100000)) --seed "$seed" \
		--truth "$dir/truth" "$dir/trace"
	"$analyze" -q --index off -m dlm -o "text:$dir/text" -o "sync,json:$dir/sync" "$dir"/trace*.dat
	awk -F'\t' -f "$here/truth-spans.awk" "$dir/truth" | sort -s -t$'\t' -k1,3 -k4,4n >"$dir/expected"
	awk -f "$here/text-spans.awk" "$dir/text" | sort -s -t$'\t' -k1,3 -k4,4n >"$dir/found"
	{
		# "NODE BOUND"; between two samples it may be larger by the change of the rate
		sed -n 's/.*"node":"\(node [0-9]*\)","method":"ptp".*"bound_begin":\([0-9]*\),"bound_middle":\([0-9]*\),"bound_end":\([0-9]*\).*/\1\t\2\t\3\t\4/p' \
			"$dir/sync"
		paste "$dir/expected" "$dir/found"
	} | awk -F'\t' -v between=$((bend * sample_ms / 4000)) '
		function check(node, truth, found,    error) {
			error = found > truth ? found - truth : truth - found
			if (error > worst[node])
				worst[node] = error
		}
		NF == 4 {
			bound[$1] = $2 > $3 ? $2 : $3
			bound[$1] = (bound[$1] > $4 ? bound[$1] : $4) + between
			next
		}
		$1 != $6 || $2 != $7 || $3 != $8 { wrong = wrong ? wrong : "spans differ: " $0 }
		{
			node = $1
			sub(/.*\//, "", node)
			check(node, $4, $9)
			# cut at the end: of the recording, or of the last one
			if ($5 + 0 != last)
				check(node, $5, $10)
		}
		END {
			for (node in worst) {
				nodes++
				if (!(node in bound) || worst[node] > bound[node])
					wrong = node " errs by " worst[node] " ns, the bound is " bound[node] " ns"
			}
			if (!nodes)
				wrong = "no spans"
			print wrong
		}' last="$(sed -n 's/^end\t//p' "$dir/truth")" >"$dir/wrong"
	if grep -q . "$dir/wrong" || grep -q 'diag clock_contradicted' "$dir/text"; then
		echo "FAIL: seed $seed: $(cat "$dir/wrong") $(grep 'diag clock_contradicted' "$dir/text")"
		exit 1
	fi
done
echo "$n clusters: the truth lies within the bounds"
