# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the text output of an analysis with the truth of file-locks.awk: "held" and "wait" lines must be the same, byte by byte. Of
# each wait, a process has at least the time that it alone was in the way, and at most that and the time that several were; all together
# have the sum. Prints what differs, and counts to standard error.
#
# usage: awk -f file-locks-found.awk TRUTH TEXT

function value(name) {
	return match($0, " " name "=[^ ]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : 0
}

# a span of a byte that goes on where the last one ended is the same
function hold(what, t0, t1) {
	if (t1 == t0)
		return
	if (!(what in ends) || ends[what] != t0) {
		put(what)
		begins[what] = t0
	}
	ends[what] = t1
}

function put(what) {
	if (what in ends)
		found["held " what " " begins[what] " " ends[what]]
}

FNR == NR && /^(held|wait)/ { wanted[$0]; n[$1]++ }
FNR == NR && $1 == "alone" { alone[$2 " " $3 " " $4, $5] = $6; held[$2 " " $3 " " $4] += $6; n["ns"] += $6 }
FNR == NR && $1 == "shared" { shared[$2 " " $3 " " $4] = $5; held[$2 " " $3 " " $4] += $5; n["ns"] += $5 }
FNR == NR { next }

{
	split($0, piece, "\"")
	inode = piece[2]
	sub(/.*inode /, "", inode)
	sub(/ .*/, "", inode)
	split(piece[3], type, " ")
	split(piece[5], tail, " ")
	first = value("start")
	result = value("result")
	gsub(/"/, "", result)
	last = type[1] == "flock" ? 0 : value("end") == "9223372036854775807" ? 7 : value("end")
}
$2 == "span" && piece[4] == "waiting" {
	found["wait " type[1] " " inode " " value("owner") " " value("pid") " " $1 " " $1 + tail[1] " " (result == 0 ? "-" : result) " " first " " last]
	wait[inode, value("lane"), $1 + tail[1]] = type[1] " " value("pid") " " $1 + tail[1]
}
$2 == "span" && piece[4] != "waiting" {
	for (b = first + 0; b <= last; b++)
		line[++n_lines] = sprintf("%020d", $1) " " type[1] " " inode " " value("owner") " " b " " piece[4] " " $1 + tail[1]
}
$2 == "point" && piece[4] == "held" {
	w = wait[inode, value("lane"), $1]
	part[w, value("by_pid")] += value("part")
	sum[w] += value("part")
}
END {
	for (i = 2; i <= n_lines; i++)
		for (k = i; k > 1 && line[k] < line[k - 1]; k--) {
			swap = line[k]
			line[k] = line[k - 1]
			line[k - 1] = swap
		}
	for (i = 1; i <= n_lines; i++) {
		split(line[i], field, " ")
		hold(field[2] " " field[3] " " field[4] " " field[5] " " field[6], field[1] + 0, field[7])
	}
	for (what in ends)
		put(what)
	for (text in wanted)
		if (!(text in found))
			print "missing: " text
	for (text in found)
		if (!(text in wanted))
			print "not so: " text
	for (key in alone) {
		split(key, of, SUBSEP)
		if (part[key] < alone[key] || part[key] > alone[key] + shared[of[1]])
			print of[1] ": " of[2] " has " part[key] + 0 " ns of " alone[key] " and a part of " shared[of[1]] + 0
	}
	for (key in part) {
		split(key, of, SUBSEP)
		if (!(key in alone) && part[key] > shared[of[1]])
			print of[1] ": " of[2] " has " part[key] " ns and was not in the way"
	}
	for (w in held)
		if (sum[w] != held[w])
			print w ": all holders have " sum[w] + 0 " ns instead of " held[w]
	for (w in sum)
		if (!(w in held))
			print w ": nobody was in the way"
	print n["held"] + 0, n["wait"] + 0, n["ns"] + 0 > "/dev/stderr"
}
