# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the certain parts of glocks with those of the DLM's locks. Input: lines of certain-holds.awk, first of the locks (file
# 1), then of the glocks (file 2); both sorted by begin. A glock is certain exactly while a lock with its name on its node is
# certain in a mode that covers its own. Prints parts that are certain without such a lock, and the sums "certain NS of NS".

function name_of(path)
{
	sub(/.*\//, "", path)
	return path
}

BEGIN {
	# rows and columns NL CR CW PR PW EX: the row's mode excludes all that the column's excludes
	split("100000 110000 111000 110100 110110 111111", covers, " ")
}

FNR == NR {
	if ($1 == "certain") {
		key = name_of($2) " " $5
		from[key, ++n[key]] = $3
		to[key, n[key]] = $4
		mode[key, n[key]] = $6
	}
	next
}

$6 == 0 { next } # NL holds nothing

{
	key = name_of($2) " " $5
	# the part in which a lock covers the glock
	at = $3
	covered = 0
	for (i = 1; i <= n[key]; i++) {
		if (to[key, i] <= at || from[key, i] >= $4 || substr(covers[mode[key, i] + 1], $6 + 1, 1) == 0)
			continue
		since = from[key, i] > at ? from[key, i] : at
		until = to[key, i] < $4 ? to[key, i] : $4
		covered += until - since
		at = until
	}
	total[$1] += $4 - $3
	sum[$1] += covered
	if ($1 == "certain" && covered != $4 - $3)
		printf "certain for %.0f ns, its lock for %.0f: %s\n", $4 - $3, covered, $0
}

END {
	printf "certain %.0f of %.0f\n", total["certain"], total["drawn"]
	printf "locks %.0f\n", sum["drawn"]
}
