# SPDX-License-Identifier: GPL-2.0-or-later
# The slowest calls that waited, from the text output: begin, length, waits, time waited. Calls are spans of type "use" with a
# pid, waits are spans PENDING of the same pid on the same node that overlap them. While the pid waits for a glock (spans WAITING), waits
# of others for the lock with the name of the glock count, too, and so does the rest of the time. With all=1 calls that did not wait, too, and
# the waits that began before the call or ended after it, cut at its edges: begin, length, time waited.
function attr(name,    found) {
	found = match($0, " " name "=[0-9]+")
	return found ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : ""
}

# One more interval of the present call, by begin.
function add(begin, end,    k) {
	for (k = ++n; k > 1 && from[k - 1] > begin; k--) {
		from[k] = from[k - 1]
		to[k] = to[k - 1]
	}
	from[k] = begin
	to[k] = end
}

$2 == "span" {
	split($0, quoted, "\"")
	node = name = quoted[2]
	sub(/.*\//, "", node)
	sub(/\/[^\/]*$/, "", name)
	sub(/.*\//, "", name)
	rest = quoted[3]
	gsub(/ /, "", rest)
	pid = attr("pid")
	split(substr($0, index($0, "\" " rest " \"") + length(rest) + 3), words, "\"")
	length_ns = words[3] + 0
	if (rest == "use" && pid != "") {
		call_t0[++calls] = $1
		call_t1[calls] = $1 + length_ns
		call_of[calls] = node " " pid
		pid_of[calls] = pid
	} else if (words[2] == "PENDING" && pid != "") {
		n = ++waits[node " " pid]
		t0[node " " pid, n] = $1
		t1[node " " pid, n] = $1 + length_ns
		n = ++locks[node " " name]
		lock_t0[node " " name, n] = $1
		lock_t1[node " " name, n] = $1 + length_ns
		lock_pid[node " " name, n] = pid
	} else if (words[2] == "WAITING") {
		n = ++glocks[node " " pid]
		glock_t0[node " " pid, n] = $1
		glock_t1[node " " pid, n] = $1 + length_ns
		glock_of[node " " pid, n] = node " " name
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
			add(t0[thread, i], t1[thread, i])
		}
		counted = n
		for (i = 1; i <= glocks[thread]; i++) {
			if (glock_t0[thread, i] >= call_t1[call] || glock_t1[thread, i] <= call_t0[call] || !all && glock_t0[thread, i] < call_t0[call])
				continue
			add(glock_t0[thread, i], glock_t1[thread, i] < call_t1[call] ? glock_t1[thread, i] : call_t1[call])
			lock = glock_of[thread, i]
			for (k = 1; k <= locks[lock]; k++)
				if (lock_pid[lock, k] != pid_of[call] && lock_t0[lock, k] < glock_t1[thread, i] && lock_t1[lock, k] > glock_t0[thread, i] && lock_t1[lock, k] < call_t1[call])
					counted++
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
			printf "%.0f\t%.0f\t%d\t%.0f\n", call_t1[call] - call_t0[call], call_t0[call], counted, waited
	}
}
