# SPDX-License-Identifier: GPL-2.0-or-later
# Whether the generated cluster obeys its lock master: modes that a resource has at one time, by the master's books, are
# compatible, and so are the certain parts of holds. Holds as a whole are not, or nobody gives a lock up early. Prints what is wrong.
BEGIN {
	split("NL CR CW PR PW EX", mode, " ")
	split("111111 111110 111000 110100 110000 100000", row, " ")
	for (i = 1; i <= 6; i++)
		for (k = 1; k <= 6; k++)
			compatible[mode[i], mode[k]] = substr(row[i], k, 1) + 0
}

function check(what, resource, m, t0, t1,    i, left) {
	for (i = 1; i <= open[what, resource]; i++) {
		if (end[what, resource, i] <= t0)
			continue
		left++
		end[what, resource, left] = end[what, resource, i]
		held[what, resource, left] = held[what, resource, i]
		wrong[what] += !compatible[held[what, resource, left], m]
	}
	left++
	end[what, resource, left] = t1
	held[what, resource, left] = m
	open[what, resource] = left
}

# Sorted by the begin
$2 == "own" { check("own", $4 " " $5, $7, $8, $9) }
$2 == "part" && $8 == "certain" { check("certain", $4 " " $5, $7, $9, $10) }
$2 == "span" && $7 != "PENDING" { check("whole", $4 " " $5, $7, $8, $9) }

END {
	if (wrong["own"])
		print wrong["own"] " incompatible modes by the master's books"
	if (wrong["certain"])
		print wrong["certain"] " incompatible certain holds"
	if (!wrong["whole"])
		print "no lock is given up before its answer comes"
}
