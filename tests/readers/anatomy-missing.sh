#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy-missing.sh ANALYZE FILE...
# If the recording of a node is missing, locks that this node masters must not look like those of a local master: for each mode, node
# and resource no more waits have a local master than in all recordings FILE together. Most waits with a local master still have it.
# Then the same for hand-overs whose master is known: of three nodes the master, or the holder, is not recorded.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
failed=0

fail()
{
	echo "anatomy-missing: $*" >&2
	failed=1
}

# locals SUMMARY - lines "MODE NODE PLACE<tab>WAITS" of waits with a local master: each ends in one of these parts
locals()
{
	sed -nE 's/^,?\{"part":"(completion|unexplained|unrecorded)","master":"local( \(inferred\))?","state":"[^"]*"(,"mode":"[^"]*")?,"node":"([^"]*)","place":"([^"]*)",.*"cells":\[([^]]*)\].*/\3 \4 \5\t\6/p' "$1" |
		awk -F'\t' '{ n = split($2, cell, ","); for (i = 2; i <= n; i += 2) sum[$1] += cell[i] }
			END { for (key in sum) printf "%s\t%d\n", key, sum[key] }' | sort
}

"$analyze" -q --index off -m dlm -o summary:"$dir/all.json" "$@" || exit 1
locals "$dir/all.json" >"$dir/all"
[[ -s $dir/all ]] || fail 'no local master in all recordings'
for missing; do
	files=()
	for file; do [[ $file == "$missing" ]] || files+=("$file"); done
	"$analyze" -q --index off -m dlm -o summary:"$dir/some.json" "${files[@]}" || exit 1
	locals "$dir/some.json" >"$dir/some"
	grep -o '"node":"[^"]*"' "$dir/some.json" | sort -u | cut -d'"' -f4 >"$dir/nodes"
	awk -F'\t' -v file="${missing##*/}" '
		FILENAME ~ /nodes$/ { nodes[$1] = 1; next }
		FILENAME ~ /all$/ { all[$1] = $2; for (node in nodes) if (index($1, " " node " ")) n_all += $2; next }
		$2 > all[$1] { printf "without %s: %s: %d waits have a local master, of all recordings %d\n", file, $1, $2, all[$1]; bad = 1 }
		{ n += $2 }
		END {
			printf "without %s: %d of %d waits with a local master\n", file, n, n_all
			exit bad || n < n_all * 0.7
		}' "$dir/nodes" "$dir/all" "$dir/some" || fail "without $missing"
done

# masters WAITER NODE... - the masters of the waits of WAITER in recordings of these nodes; node 2 is the master
masters()
{
	local waiter=$1 maps=() files=() node
	shift
	for node; do files+=("$dir/$node.txt"); maps+=(--map "node $node=$node"); done
	"$analyze" -q --index off -m dlm "${maps[@]}" --node "node $waiter" -o report,json:"$dir/report" "${files[@]}" || exit 1
	sed -n 's/^{"master":"\([^"]*\)","part":"all parts","waits":\([0-9]*\),.*/\1 \2/p' "$dir/report"
}
awk -v dir="$dir" -v waiter=1 -v holder=3 -v n=5 -f "$here/handover.awk"
[[ $(masters 1 1 2 3) == 'remote 5' ]] || fail "all nodes: $(masters 1 1 2 3)"
[[ $(masters 1 1 2) == 'remote 5' ]] || fail "without the holder: $(masters 1 1 2)"
[[ $(masters 1 1 3) == 'not recorded 5' ]] || fail "without the master: $(masters 1 1 3)"
# the master waits: the release by another node shows that it is the master, one of its own does not
awk -v dir="$dir" -v waiter=2 -v holder=3 -v n=5 -f "$here/handover.awk"
[[ $(masters 2 1 2 3) == 'local 5' ]] || fail "the master waits: $(masters 2 1 2 3)"
awk -v dir="$dir" -v waiter=2 -v holder=2 -v n=5 -f "$here/handover.awk"
[[ $(masters 2 1 2 3) == 'local (inferred) 10' ]] || fail "the master waits for itself: $(masters 2 1 2 3)"
exit $failed
