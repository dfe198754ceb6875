# SPDX-License-Identifier: GPL-2.0-or-later
# Counts the pairs of holds of different nodes that exclude each other and overlap, by the table of fs/dlm/lock.c. Input: lines
# of certain-holds.awk, sorted by kind, resource and begin. Prints "KIND COUNT"; with -v show=1 the certain pairs, too.

BEGIN {
	# rows and columns NL CR CW PR PW EX
	split("111111 111110 111000 110100 110000 100000", table, " ")
}

{
	if ($1 " " $2 != of) {
		of = $1 " " $2
		n = 0
	}
	for (i = j = 1; i <= n; i++) {
		if (finish[i] <= $3)
			continue
		if (node[i] != $5 && substr(table[mode[i] + 1], $6 + 1, 1) == 0) {
			count[$1]++
			if (show && $1 == "certain")
				print "mode " mode[i] " of " node[i] " until " finish[i] ": " $0
		}
		finish[j] = finish[i]
		node[j] = node[i]
		mode[j++] = mode[i]
	}
	finish[j] = $4
	node[j] = $5
	mode[j] = $6
	n = j
}

END {
	print "drawn", count["drawn"] + 0
	print "certain", count["certain"] + 0
}
