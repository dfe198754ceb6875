# SPDX-License-Identifier: GPL-2.0-or-later
# Messages and callbacks in the unexplained time of waits: the overlap of the intervals of anatomy.awk with those of blame.awk.
# Prints for each resource with such time "RESOURCE UNEXPLAINED MESSAGES CALLBACKS", in ns.
# usage: unexplained.awk CUTS UNEXPLAINED

FNR == NR {
	id = "node " $1 " " $2 " " $3
	n = ++n_cuts[id]
	from[id, n] = $4
	until[id, n] = $5
	what[id, n] = $0 ~ / (request travels|release travels|grant)$/ ? "messages" : $0 ~ / callback to the / ? "callbacks" : ""
	next
}

{
	split($0, half, "\t")
	split(half[2], word, " ")
	resource = half[1]
	id = word[1] " " word[2] " " word[3] " " word[4]
	sum[resource] += word[6] - word[5]
	for (i = 1; i <= n_cuts[id]; i++) {
		a = from[id, i] > word[5] ? from[id, i] : word[5] + 0
		b = until[id, i] < word[6] ? until[id, i] : word[6] + 0
		if (a < b)
			under_way[resource, what[id, i]] += b - a
	}
}

END {
	for (resource in sum)
		printf "%s\t%.0f\t%.0f\t%.0f\n", resource, sum[resource], under_way[resource, "messages"], under_way[resource, "callbacks"]
}
