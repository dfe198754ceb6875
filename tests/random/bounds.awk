# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the table of bounds with the truth: in each row, the time in which at least one lock is in a mode or waits lies
# between the bounds; without damage, both are this time. Prints rows that are wrong.
#
# usage: awk -v from=NS -v to=NS -v whole="NODE ..." -f bounds.awk SPANS TABLE
# SPANS: the true spans by their begin; TABLE: "PATH TAB STATE TAB LEAST TAB MOST". from, to: what the recordings show;
# whole: the nodes without damage

function add(key, t0, t1) {
	t0 = t0 < from ? from : t0
	t1 = t1 > to ? to : t1
	if (t0 < end[key])
		t0 = end[key]
	if (t1 <= t0)
		return
	sum[key] += t1 - t0
	end[key] = t1
}

function is_whole(path) {
	sub(/.* /, "", path)
	return index(" " whole " ", " " path " ") > 0
}

FNR == NR {
	match($0, /"[^"]*"/)
	path = substr($0, RSTART + 1, RLENGTH - 2)
	match($0, / lock "[^"]*" [0-9]+/)
	split(substr($0, RSTART + 7, RLENGTH - 7), word, "\" ")
	add(path "\t" word[1], $1, $1 + word[2])
	next
}

{
	split($0, cell, "\t")
	key = cell[1] "\t" cell[2]
	told[key] = 1
	true_ns = sum[key] + 0
	if (true_ns < cell[3] || true_ns > cell[4] || (is_whole(cell[1]) && cell[3] != cell[4]))
		print key ": " true_ns " is not in [" cell[3] ", " cell[4] "]"
	if (cell[4] > to - from)
		print key ": at most " cell[4] ", longer than the recording"
}

END {
	for (key in sum) {
		split(key, cell, "\t")
		if (is_whole(cell[1]) && !(key in told))
			print key ": no bounds"
	}
}
