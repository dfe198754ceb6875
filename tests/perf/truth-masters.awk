# SPDX-License-Identifier: GPL-2.0-or-later
# The states of lock masters in a text output while another node was the master by the truth. Names of resources are plain. A state
# is right if it begins while the node's REMOVE is on its way: the directory still names the node.
# usage: awk -f truth-masters.awk TRUTH TEXT
BEGIN {
	for (i = 32; i < 127; i++)
		hex[sprintf("%c", i)] = sprintf("%02x", i)
}

FNR == NR && $1 == "master" {
	key = $3 " " $4
	i = ++masters[key]
	node[key, i] = $2
	from[key, i] = $5
	to[key, i] = $6
}
FNR == NR && $1 == "message" && $4 == 12 {
	key = $2 " " $6 " " $7
	i = ++removes[key]
	sent[key, i] = $10
	received[key, i] = $12
}
FNR == NR { next }

function is_late(key, t,    i) {
	for (i = 1; i <= removes[key]; i++)
		if (sent[key, i] + 0 < t && received[key, i] + 0 > t)
			return 1
	return 0
}

/^[0-9]+ span "[^"]*\/lock master" master "node / {
	split($0, part, "\"")
	split(part[2], row, "/")
	name = ""
	for (i = 1; i <= length(row[2]); i++)
		name = name hex[substr(row[2], i, 1)]
	key = substr(row[1], 3) " " name
	t0 = $1 + 0
	split(part[5], tail, " ")
	if (is_late(substr(part[4], 6) " " key, t0))
		next
	for (i = 1; i <= masters[key]; i++)
		if ("node " node[key, i] != part[4] && from[key, i] + 0 < t0 + tail[1] && to[key, i] + 0 > t0)
			print $0 "\n  but node " node[key, i] " from " from[key, i] " to " to[key, i]
}
