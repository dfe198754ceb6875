#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: at.sh ANALYZE FILE...
# Which locks are held and waited for at an instant: the table of the output at, and the spans of the text output that last then.
# Instants are those at which spans begin and end, and between them. Without the option all, modes that exclude nothing are missing.
. "${0%/*}/readers-lib.sh"
analyze=$1
shift
"$analyze" -q --index off -m dlm -o text:"$dir/text" "$@" || exit 1
instants=$(awk '/^[0-9]+ span "[^"]*" lock / {
	split($0, quoted, "\""); split(quoted[5], after, " ")
	if (++n % 997 == 1) printf "%.0f\n%.0f\n%.0f\n", $1, $1 + after[1], $1 + int(after[1] / 2)
}' "$dir/text" | sort -un | awk 'NR % 3 == 1' | head -n 8)
[[ $instants ]] || { echo "at: no lock in the recording" >&2; exit 1; }
for t in $instants; do
	seconds=@${t:0:${#t}-9}.${t: -9}
	awk -v t="$t" '/^[0-9]+ span "[^"]*" lock / {
		split($0, quoted, "\""); split(quoted[5], after, " "); end = $1 + after[1]
		if ($1 <= t && (t < end || t == end && / flags=[a-z,-]*unfinished/))
			printf "%s %s %.0f %.0f\n", quoted[2], quoted[4], $1, t - $1
	}' "$dir/text" | sort >"$dir/expected"
	"$analyze" -q --index off -m dlm -o "at,all,tsv,time=$seconds:$dir/all" -o "at,tsv,time=$seconds:$dir/some" "$@" || exit 1
	rows='NR > 1 { print $1 "/" $2, $4, $6, $7 }'
	awk -F '\t' "$rows" "$dir/all" | sort >"$dir/got"
	agree "locks at $seconds s"
	awk '$(NF - 2) != "NL"' "$dir/expected" >"$dir/x" && mv "$dir/x" "$dir/expected"
	awk -F '\t' "$rows" "$dir/some" | sort >"$dir/got"
	agree "locks in somebody's way"
	# those that somebody waits for stand together, the longest wait first
	awk -F '\t' 'NR > 1 && $8 == "waits" && $7 + 0 > most[$1] + 0 { most[$1] = $7 }
		NR > 1 { place[++n] = $1 }
		END { for (i = 2; i <= n; i++) if (most[place[i]] + 0 > most[place[i - 1]] + 0) bad++; exit bad > 0 }' "$dir/some" ||
		{ echo "at: the order is not that of the longest wait" >&2; exit 1; }
done
