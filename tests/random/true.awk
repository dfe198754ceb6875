# SPDX-License-Identifier: GPL-2.0-or-later
# Checks the spans drawn from a damaged recording: reads the true spans, then the drawn ones. A part of a mode may be
# drawn; a wait without a flag must be whole, one that is only cut is part of a true wait. Prints wrong spans.

function where() {
	match($0, / span "[^"]*"/)
	path = substr($0, RSTART, RLENGTH)
	match($0, / lock "[^"]*" [0-9]+/)
	split(substr($0, RSTART + 7, RLENGTH - 7), word, "\" ")
	match($0, /lkb_id=[^ ]*/)
	raw = word[1]
	# without the mode that is held nobody knows whether a call releases, or asks for that mode
	sub(/RELEASING|KEEPING/, "PENDING", word[1])
	key = path " " substr($0, RSTART, RLENGTH) " " word[1]
	from = $1
	to = from + word[2]
}

FNR == NR {
	where()
	n[key]++
	begin[key, n[key]] = from
	finish[key, n[key]] = to
	waits[key, n[key]] = raw == "PENDING"
	next
}

{
	where()
	# the call is certain, but perhaps it asks for the mode that is held
	if (all)
		sub(/ flags=unknown,leaving /, " ")
	sub(/ flags=leaving /, " ")
	flagged = $0 ~ / flags=[a-z]/
	if (raw == "PENDING" && / flags=before / && / result="0"/) {
		for (i = 1; i <= n[key]; i++)
			if (waits[key, i] && begin[key, i] <= from && finish[key, i] >= to)
				next
		print
		next
	}
	if (word[1] == "unknown" || (word[1] == "PENDING" && flagged))
		next
	for (i = 1; i <= n[key]; i++) {
		if (word[1] == "PENDING" ? begin[key, i] == from && finish[key, i] == to : begin[key, i] <= from && finish[key, i] >= to)
			next
	}
	print
}
