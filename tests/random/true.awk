# SPDX-License-Identifier: GPL-2.0-or-later
# Whether what is drawn of a damaged recording was so: reads the spans that there were, then those that are drawn. Of a mode
# a part may be drawn; a wait that is not flagged must be whole. Prints what was not so.

function where() {
	match($0, / span "[^"]*"/)
	path = substr($0, RSTART, RLENGTH)
	match($0, / lock "[^"]*" [0-9]+/)
	split(substr($0, RSTART + 7, RLENGTH - 7), word, "\" ")
	match($0, /lkb_id=[^ ]*/)
	key = path " " substr($0, RSTART, RLENGTH) " " word[1]
	from = $1
	to = from + word[2]
}

FNR == NR {
	where()
	n[key]++
	begin[key, n[key]] = from
	finish[key, n[key]] = to
	next
}

{
	where()
	flagged = $0 ~ / flags=[a-z]/
	if (word[1] == "unknown" || (word[1] == "PENDING" && flagged))
		next
	# of an unlock by force; where the request that it ended is known, there is only the wait of that one
	if (/ flags="FORCEUNLOCK"/)
		next
	for (i = 1; i <= n[key]; i++) {
		if (word[1] == "PENDING" ? begin[key, i] == from && finish[key, i] == to : begin[key, i] <= from && finish[key, i] >= to)
			next
	}
	print
}
