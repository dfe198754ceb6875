#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: slow-calls.sh ANALYZE FILE...
# The tables of the slowest calls, and an own computation from the text output (slow-calls.awk).
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
"$analyze" -q --index off -o report,json:"$dir/report" -o text:"$dir/text" "$@" || exit 1
begin=$(sed -n 's/.*"begin_ns":"\([0-9]*\)".*/\1/p' "$dir/report" | head -1)
awk -f "$here/slow-calls.awk" "$dir/text" | sort -t$'\t' -k1,1nr -k2,2n | head -10 >"$dir/expected"
sed -n 's/^{"begin":\([0-9]*\),"took":\([0-9]*\),"call":.*"waited":\([0-9]*\),"share":[0-9.]*,"waits":\([0-9]*\),.*/\2 \1 \4 \3/p' "$dir/report" |
	awk -v begin="$begin" '{ printf "%s\t%.0f\t%s\t%s\n", $1, $2 + begin, $3, $4 }' >"$dir/got"
agree "calls that waited"
# all calls: the time without a wait is the rest, as nothing else is recorded
awk -v all=1 -f "$here/slow-calls.awk" "$dir/text" | sort -t$'\t' -k1,1nr -k2,2n | head -10 |
	awk -F'\t' '{ printf "%s\t%s\t%s\t%.0f\n", $1, $2, $3, $1 - $3 }' >"$dir/expected"
sed -n 's/^{"begin":\([0-9]*\),"took":\([0-9]*\),"call":.*"lock":\([0-9]*\),"device":null,"host":null,"runnable":null,"own_work":null,"rest":\([0-9]*\),"why":.*/\2 \1 \3 \4/p' "$dir/report" |
	awk -v begin="$begin" '{ printf "%s\t%.0f\t%s\t%s\n", $1, $2 + begin, $3, $4 }' >"$dir/got"
agree "calls with their reasons"
# waits of the 7.26 s open and of the 4.66 s write, in order of time, and the shares
waits_of() { sed -n "s/.*\"in_call\":\([0-9]*\),.*\"call_begin\":$1,.*/\1/p" "$dir/report" | awk '$1 > 1e7 { printf "%.2f ", $1 / 1e9 }'; }
[[ $(waits_of 101503651799) == '2.43 1.11 0.44 0.19 1.15 0.76 ' ]] || { echo "slow-calls: the waits of the open are $(waits_of 101503651799)" >&2; exit 1; }
[[ $(waits_of 128320737825) == *'3.07 ' ]] || { echo "slow-calls: the waits of the write are $(waits_of 128320737825)" >&2; exit 1; }
for said in 'open of /mnt/own2 .* took 7.26 s: 84 %' 'write of /mnt/own2 .* took 4.66 s: 96 %' 'read of /mnt/own3 .* took 4.19 s: 6 %'; do
	grep -q "\"why\":\"$said waited for locks" "$dir/report" || { echo "slow-calls: no sentence \"$said\"" >&2; exit 1; }
done
