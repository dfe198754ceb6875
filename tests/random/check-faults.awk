# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the truth about a generated cluster with the findings of check,tsv. Prints the number of faults that had to be found;
# writes those that were missed, or had another grade, to standard error.
# usage: awk -F '\t' -v kind=KIND -v error=NS -f check-faults.awk TRUTH FOUND
BEGIN {
	split("NL CR CW PR PW EX", mode, " ")
	split("111111 111110 111000 110100 110000 100000", row, " ")
	for (i = 1; i <= 6; i++)
		for (k = 1; k <= 6; k++)
			compatible[mode[i], mode[k]] = substr(row[i], k, 1) + 0
	for (i = 1; i <= 6; i++)
		number[mode[i]] = i
	within = 10000000000
	for (i = 0; i < 16; i++)
		digit[substr("0123456789abcdef", i + 1, 1)] = i
}

function name(hex,    i, out) {
	for (i = 1; i < length(hex); i += 2)
		out = out sprintf("%c", 16 * digit[substr(hex, i, 1)] + digit[substr(hex, i + 1, 1)])
	return out
}

function want(rule, grade, at, resource, node) {
	wanted[++n_wanted] = "dlm " rule "\t" grade "\t" at "\t0x" resource "/node " node
}

function add(lock, held, t0, t1,    p) {
	if (t0 == t1)
		return
	p = ++parts[resource]
	part_node[resource, p] = $2
	part_lock[resource, p] = $2 " " lock
	part_mode[resource, p] = held
	part_t0[resource, p] = t0
	part_t1[resource, p] = t1
}

# The end of a hold with its rests that exclude the mode @other and ended before @until
function extended(resource, p, other, until,    r) {
	for (r = 1; r <= parts[resource]; r++)
		if (part_lock[resource, r] == part_lock[resource, p] && part_t0[resource, r] == part_t1[resource, p] &&
		    is_rest(resource, r) && part_t1[resource, r] <= until && !compatible[part_mode[resource, r], other])
			return extended(resource, r, other, until)
	return part_t1[resource, p]
}

function is_rest(resource, p) {
	return (resource, part_lock[resource, p], part_t0[resource, p], part_mode[resource, p]) in rest
}

FNR == 1 { file++ }

file == 1 && $1 == "end" { end = $2 }
file == 1 { resource = $3 "/" name($4) }
file == 1 && $1 == "part" && $7 == "certain" { add($5, $6, $8, $9) }
# A holder that goes down keeps the weaker mode from its call on. This rest, and the hold that is drawn after the answer, are no new grants.
file == 1 && $1 == "wait" && $6 == "leave" && $8 in number {
	add($5, $8, $9, $10)
	rest[resource, $2 " " $5, $9, $8] = 1
	rest[resource, $2 " " $5, $10, $8] = 1
}
file == 1 && $1 == "fault" {
	at_fault[++faults] = $8
	fault_res[faults] = $4 "/" name($5)
	fault_node[faults] = $3
	fault_lock[faults] = $6 " " $7
}
file == 1 && $1 == "wait" && $6 != "leave" && $6 != "same" {
	w = ++waits[resource]
	wait_lock[resource, w] = $2 " " $5
	wait_asks[resource, w] = $8
	wait_t0[resource, w] = $9
	wait_t1[resource, w] = $10
	wait_open[resource, w] = $11 == "-"
}

file == 2 {
	found[$3 "\t" $2 "\t" $4 "\t" $7]++
}

# Two holds exclude each other: b begins later.
function overlap(resource, a, b,    t1, began, proved) {
	if (part_t0[resource, a] > part_t0[resource, b] || (part_t0[resource, a] == part_t0[resource, b] && a >= b) || is_rest(resource, b))
		return
	if (part_lock[resource, a] == part_lock[resource, b] || part_t1[resource, a] <= part_t0[resource, b] ||
	    compatible[part_mode[resource, a], part_mode[resource, b]])
		return
	t1 = extended(resource, a, part_mode[resource, b], part_t1[resource, b])
	began = part_t1[resource, b] >= end ? part_t0[resource, b] : extended(resource, b, part_mode[resource, a], part_t1[resource, a])
	if (part_node[resource, a] == part_node[resource, b])
		proved = 1
	else
		proved = t1 - part_t0[resource, b] > 2 * error &&
			(part_t0[resource, b] - part_t0[resource, a] > 2 * error || began - part_t0[resource, a] > 2 * error)
	if (t1 >= end)
		proved = 0
	want("modes", proved ? "proved" : "possible", part_t0[resource, b], resource, part_node[resource, b])
}

# A holder that was asked at t keeps its hold for ten seconds while somebody waits.
function kept(f,    resource, p, w, t1, since, most) {
	resource = fault_res[f]
	for (p = 1; p <= parts[resource]; p++) {
		if (part_lock[resource, p] != fault_lock[f] || part_t0[resource, p] > at_fault[f] || part_t1[resource, p] <= at_fault[f])
			continue
		for (w = 1; w <= waits[resource]; w++) {
			if (wait_lock[resource, w] == fault_lock[f] || compatible[part_mode[resource, p], wait_asks[resource, w]])
				continue
			t1 = wait_t1[resource, w] < part_t1[resource, p] ? wait_t1[resource, w] : part_t1[resource, p]
			since = wait_t0[resource, w] > at_fault[f] ? wait_t0[resource, w] : at_fault[f]
			if (t1 - since > most)
				most = t1 - since
		}
		return most >= within
	}
}

END {
	for (resource in parts) {
		for (a = 1; kind == "grant" && a <= parts[resource]; a++)
			for (b = 1; b <= parts[resource]; b++)
				overlap(resource, a, b)
	}
	for (f = 1; f <= faults; f++) {
		resource = fault_res[f]
		if (kind == "ast") {
			# after one, the mode is unknown until the next grant, and the next one is undecided
			for (p = g = 1; p <= parts[resource]; p++)
				if (part_lock[resource, p] == fault_lock[f] && part_t0[resource, p] <= at_fault[f] && part_t0[resource, p] > last)
					last = part_t0[resource, p]
			grade = last > before[fault_lock[f], resource] ? "proved" : "undecided"
			before[fault_lock[f], resource] = at_fault[f]
			last = 0
			want("grant", grade, at_fault[f], resource, fault_node[f])
		}
		if (kind == "release" && kept(f))
			kept_by[++n_kept] = resource "/node " fault_node[f]
		# a request that was lost, asked for long ago
		for (w = 1; kind == "request" && w <= waits[resource]; w++)
			if (wait_lock[resource, w] == fault_lock[f] && wait_open[resource, w] && wait_t0[resource, w] <= at_fault[f])
				lost[resource, w] = fault_node[f]
	}
	for (key in lost) {
		split(key, at, SUBSEP)
		# somebody asked ten seconds later for a new lock, and got it
		late = 0
		for (w = 1; w <= waits[at[1]]; w++) {
			if (wait_t0[at[1], w] < wait_t0[at[1], at[2]] + within || wait_open[at[1], w])
				continue
			had = has = 0
			for (p = 1; p <= parts[at[1]]; p++) {
				if (part_lock[at[1], p] != wait_lock[at[1], w])
					continue
				had = had || (part_t0[at[1], p] < wait_t1[at[1], w] && part_t1[at[1], p] >= wait_t0[at[1], w])
				has = has || part_t0[at[1], p] == wait_t1[at[1], w]
			}
			late = late || (has && !had)
		}
		if (late)
			want("answered", "possible", wait_t0[at[1], at[2]], at[1], lost[key])
	}
	for (i = 1; i <= n_wanted; i++)
		if (!found[wanted[i]]) {
			print "missed: " wanted[i] > "/dev/stderr"
			bad = 1
		}
	for (i = 1; i <= n_kept; i++) {
		seen = 0
		for (key in found)
			seen = seen || (key ~ /^dlm released\tpossible\t/ && substr(key, length(key) - length(kept_by[i]) + 1) == kept_by[i])
		if (!seen) {
			print "missed: released " kept_by[i] > "/dev/stderr"
			bad = 1
		}
	}
	print n_wanted + n_kept
	exit bad
}
