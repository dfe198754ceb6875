# SPDX-License-Identifier: GPL-2.0-or-later
# The slowest calls that waited, from the text output: begin, length, waits, time waited. Calls are spans of type "use" with a
# pid, waits are spans PENDING of the same pid on the same node that overlap them. With all=1 calls that did not wait, too, and
# the waits that began before the call or ended after it, cut at its edges: begin, length, time waited.
function attr(name,    found) {
	found = match($0, " " name "=[0-9]+")
	return found ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
}

$2 == "span" {
	split($0, quoted, "\"")
	node = quoted[2]
	sub(/.*\//, "", node)
	rest = quoted[3]
	gsub(/ /, "", rest)
	pid = attr("pid")
	split(substr($0, index($0, "\" " rest " \"") + length(rest) + 3), words, "\"")
	length_ns = words[3] + 0
	if (rest == "use" && pid != "") {
		call_t0[++calls] = $1
		call_t1[calls] = $1 + length_ns
		call_of[calls] = node " " pid
	} else if (words[2] == "PENDING" && pid != "") {
		n = ++waits[node " " pid]
		t0[node " " pid, n] = $1
		t1[node " " pid, n] = $1 + length_ns
	}
}

END {
	for (call = 1; call <= calls; call++) {
		thread = call_of[call]
		n = 0
		for (i = 1; i <= waits[thread]; i++) {
			# a wait counts if it began in the call, and ended before the end
			if (all ? t0[thread, i] >= call_t1[call] || t1[thread, i] <= call_t0[call] : \
			    t0[thread, i] < call_t0[call] || t1[thread, i] > call_t1[call])
				continue
			for (k = ++n; k > 1 && from[k - 1] > t0[thread, i]; k--) {
				from[k] = from[k - 1]
				to[k] = to[k - 1]
			}
			from[k] = t0[thread, i]
			to[k] = t1[thread, i]
		}
		covered = call_t0[call]
		waited = 0
		for (i = 1; i <= n; i++) {
			if (all && to[i] > call_t1[call])
				to[i] = call_t1[call]
			if (to[i] > covered) {
				waited += to[i] - (from[i] > covered ? from[i] : covered)
				covered = to[i]
			}
		}
		if (all)
			printf "%.0f\t%.0f\t%.0f\n", call_t1[call] - call_t0[call], call_t0[call], waited
		else if (n && waited)
			printf "%.0f\t%.0f\t%d\t%.0f\n", call_t1[call] - call_t0[call], call_t0[call], n, waited
	}
}
