# SPDX-License-Identifier: GPL-2.0-or-later
# How many findings of a damaged recording are proved and not true.
# usage: awk -f untrue.awk TEXT FINDINGS - TEXT: text of the undamaged recording, FINDINGS: "check,tsv" of the damaged one
#
# True is a race whose two accesses are in the undamaged recording, at one time there: whatever is missing, no order of them is possible.

# spans of files: "ns span ROW use CATEGORY duration ... pid=1 ... reached=3 result="2"": the end of the bytes, and how many
FNR == NR {
	if ($2 == "span" && match($0, / reached=[0-9]+ result="[0-9]+"/)) {
		split(substr($0, RSTART, RLENGTH), of, /[ ="]+/)
		match($0, / pid=[0-9]+/)
		pid = substr($0, RSTART + 5, RLENGTH - 5)
		split($0, quoted, "\"")
		split(quoted[5], after, " ")
		seen[quoted[2] SUBSEP $1 SUBSEP after[1] SUBSEP pid SUBSEP of[3] - of[5] SUBSEP of[3] - 1] = 1
	}
	next
}

function ns(seconds) {
	sub(/\./, "", seconds)
	return seconds + 0
}

# of an access: "(pid 1) wrote bytes 2 to 3 from 4 to 5", the first word is the I-th; sets began and ended, by the clock of the host
function is_seen(i, row, key) {
	began = at + ns(word[i + 8]) - second
	ended = at + ns(word[i + 10]) - second
	key = row SUBSEP sprintf("%.0f", began) SUBSEP sprintf("%.0f", ended - began)
	key = key SUBSEP (word[i + 1] + 0) SUBSEP word[i + 4] SUBSEP word[i + 6]
	return key in seen
}

$2 == "proved" {
	n = split($9, word, " ")
	m = 0
	for (i = 1; i <= n; i++)
		if (word[i] == "(pid")
			place[++m] = i
	if ($3 !~ / race$/ || m != 2) {
		wrong++
		next
	}
	at = $4
	second = ns(word[place[2] + 8])
	ok = is_seen(place[2], $7)
	begin = began
	end = ended
	ok = ok && is_seen(place[1], $8) && began < end && begin < ended
	wrong += !ok
}

END { print wrong + 0 }
