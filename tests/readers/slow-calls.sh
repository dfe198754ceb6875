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
waits_of() { sed -n "s/.*\"in_call\":\([0-9]*\),.*\"call_begin\":$1,.*\"asked_by\":\"it.*/\1/p" "$dir/report" | awk '$1 > 1e7 { printf "%.2f ", $1 / 1e9 }'; }
[[ $(waits_of 101503651799) == '2.43 1.11 0.44 0.19 1.15 0.76 ' ]] || { echo "slow-calls: the waits of the open are $(waits_of 101503651799)" >&2; exit 1; }
[[ $(waits_of 128320737825) == *'3.07 ' ]] || { echo "slow-calls: the waits of the write are $(waits_of 128320737825)" >&2; exit 1; }
# of the read it asked for 6 % itself: a worker asked for the rest
for said in 'open of /mnt/own2 .* took 7.26 s: 84 %' 'write of /mnt/own2 .* took 4.66 s: 96 %' 'read of /mnt/own3 .* took 4.19 s: 98 %'; do
	grep -q "\"why\":\"$said waited for locks" "$dir/report" || { echo "slow-calls: no sentence \"$said\"" >&2; exit 1; }
done
grep -q 'asked for by itself 6 %, by other threads of its node 76 %, by nobody yet 17 %; gfs/inode 3368 (/mnt/own3) 4.11 s' "$dir/report" ||
	{ echo 'slow-calls: the askers of the lock of the read are missing' >&2; exit 1; }
# the parts by asker add up to the time waited for locks; no lock is unknown
sed -n 's/.*"lock":\([0-9]*\),.*"asked_itself":\([0-9]*\),"asked_node":\([0-9]*\),"asked_nobody":\([0-9]*\),"asked_unknown":0}.*/\1 \2 \3 \4/p' "$dir/report" >"$dir/asked"
awk '$1 != $2 + $3 + $4 { exit 1 } END { exit NR != 10 }' "$dir/asked" || { echo 'slow-calls: the parts by asker do not add up' >&2; cat "$dir/asked" >&2; exit 1; }
# 334c = 13132 and so on: the inodes of the paths, as the calls on the files have them; the file system's root and its rgrps are no files
for file in '334c /mnt/shared' '3347 /mnt/own1' '3379 /mnt/own2' '3368 /mnt/own3'; do
	grep -q "\"resource\":\"gfs/inode ${file% *}\",\"about\":\"${file#* }\"" "$dir/report" || { echo "slow-calls: inode ${file% *} is not ${file#* }" >&2; exit 1; }
done
grep -q '"resource":"gfs/rgrp 3038","about":null' "$dir/report" || { echo 'slow-calls: a resource group has a path' >&2; exit 1; }
# a window cuts the read and its wait for the glock at the same instant: of 3.20 s, 0.06 were asked for by itself, 2.40 by its node
"$analyze" -q --index off --from 153.2 --to 156.5 -o report,json:"$dir/window" "$@" || exit 1
grep -q 'by itself 2 %, by other threads of its node 75 %, by nobody yet 21 %; gfs/inode 3368 (/mnt/own3) 3.15 s' "$dir/window" ||
	{ echo 'slow-calls: the askers of the read are others in a window' >&2; exit 1; }
