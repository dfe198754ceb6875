#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy-planted.sh ANALYZE
# A hand-over of a lock between two nodes, whose master is a third one: a delay of 1, 10 or 100 ms in any one part is found in this
# part, to the nanosecond, and in no other. The same if the holder, or the waiter, is on the master's node: a part without messages
# then has no length. If the clocks are wrong by up to 2 ms, the delay is found within 1 % and the errors of two clocks, and all
# parts together to the nanosecond.
. "${0%/*}/readers-lib.sh"
analyze=$1
failed=0
error=2000000

# parts WAITER HOLDER PART NS VARIABLE... - lines "PART NS" of all waits
parts()
{
	local waiter=$1 holder=$2 late=$3 ns=$4 variables=() variable
	shift 4
	for variable; do variables+=(-v "$variable"); done
	awk -v dir="$dir" -v waiter="$waiter" -v holder="$holder" -v late="$late" -v ns="$ns" "${variables[@]}" -f "$here/handover.awk"
	"$analyze" -q --index off -m dlm --clock-error 4ms --map "$dir/1.txt=1" --map "$dir/2.txt=2" --map "$dir/3.txt=3" \
		-o report,json:"$dir/report" "$dir"/?.txt || exit 1
	sed -n 's/^{"master":"[^"]*","part":"\([^"]*\)","waits":[0-9]*,"time":\([0-9]*\),.*/\1\t\2/p' "$dir/report" |
		awk -F'\t' '{ sum[$1] += $2 } END { for (part in sum) printf "%s\t%.0f\n", part, sum[part] }' | sort
}

declare -A title=([request]='request travels' [queue]=queue [block]='callback to the holder' [reaction]="holder's reaction"
	[release]='release travels' [grant]=grant [completion]='callback to the waiter' [return]='return to the caller')
seed=0
while read -r waiter holder planted; do
	parts "$waiter" "$holder" none 0 >"$dir/without"
	for part in $planted; do
		for ns in 1000000 10000000 100000000; do
			parts "$waiter" "$holder" "$part" $ns >"$dir/with"
			join -t $'\t' -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$dir/without" "$dir/with" |
				awk -F'\t' -v ns=$ns '$2 != $3 { printf "%s\t%.0f\n", $1, $3 - $2 }' >"$dir/got"
			printf 'all parts\t%d\n%s\t%d\n' $ns "${title[$part]}" $ns >"$dir/expected"
			sort -o "$dir/expected" "$dir/expected"
			diff "$dir/expected" "$dir/got" || { echo "anatomy-planted: waiter $waiter, holder $holder, $ns ns in $part" >&2; failed=1; }

			mapfile -t offsets < <(awk -v seed=$((++seed)) -v error=$error 'BEGIN {
				srand(seed); for (i = 1; i <= 3; i++) printf "off%d=%d\n", i, (2 * rand() - 1) * error }')
			parts "$waiter" "$holder" "$part" $ns "${offsets[@]}" >"$dir/wrong"
			join -t $'\t' -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$dir/with" "$dir/wrong" |
				awk -F'\t' -v error=$error '{ off = $3 - $2; if (off < 0) off = -off }
					off > ($1 == "all parts" ? 0 : $2 / 100 + 2 * error)' >"$dir/got"
			[[ ! -s $dir/got ]] || { cat "$dir/got"; echo "anatomy-planted: ${offsets[*]}: waiter $waiter, holder $holder, $ns ns in $part" >&2; failed=1; }
		done
	done
done <<END
1 3 request queue block reaction release grant completion return
1 2 request reaction grant completion return
2 3 queue block reaction release completion return
END
exit $failed
