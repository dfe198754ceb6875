# SPDX-License-Identifier: GPL-2.0-or-later
# What otf2-print prints of an archive of EZTrace (definitions, then events), as lines KIND ROW NAME BEGIN DURATION MORE: states, messages
# (ROW: the sender's, NAME: the receiver's) and operations on files (MORE: the path and the bytes). Rows are ranks if there are several.
function quoted(text) { sub(/^[^"]*"/, "", text); sub(/" <.*/, "", text); return text }
function number(text) { sub(/^[^<]*</, "", text); sub(/>.*/, "", text); return text + 0 }
function after(word, text) { sub(".*" word ": ", "", text); return text }
function row(location) { return ranks > 1 ? "rank " rank[location] : name[location] }
function duration(begin) { return sprintf("%.0f\t%.0f", begin, time - begin) }

$1 == "LOCATION" { name[$2] = quoted(after("Name", $0)) }
$1 == "GROUP" && /Type: COMM_LOCATIONS, Paradigm: MPI/ && !ranks {
	list = after("Members?", $0)
	while (match(list, /<[0-9]+>/)) {
		rank[substr(list, RSTART + 1, RLENGTH - 2)] = ranks + 0
		location[ranks++] = substr(list, RSTART + 1, RLENGTH - 2)
		list = substr(list, RSTART + RLENGTH)
	}
}
{ at = $2; time = $3 }
$1 == "ENTER" {
	depth[at]++
	region[at, depth[at]] = quoted(after("Region", $0))
	begin[at, depth[at]] = time
}
$1 == "LEAVE" {
	left = quoted(after("Region", $0))
	for (i = depth[at]; region[at, i] != left; i--)
		;
	print "state\t" row(at) "\t" left "\t" duration(begin[at, i])
	for (depth[at]--; i <= depth[at]; i++) {
		region[at, i] = region[at, i + 1]
		begin[at, i] = begin[at, i + 1]
	}
}
# the n-th that is sent between two ranks with a tag is the n-th that is received
$1 == "MPI_SEND" || $1 == "MPI_ISEND" {
	key = at " " location[after("Receiver", $0) + 0] " " after("Tag", $0) + 0
	sent[key, ++n_sent[key]] = time
	keys[key]
}
$1 == "MPI_RECV" || $1 == "MPI_IRECV" {
	key = location[after("Sender", $0) + 0] " " at " " after("Tag", $0) + 0
	received[key, ++n_received[key]] = time
	keys[key]
}
$1 == "IO_OPERATION_BEGIN" { started[at, number($0), after("Matching Id", $0)] = time }
$1 == "IO_OPERATION_COMPLETE" {
	print "call\t" row(at) "\t" quoted(after("Handle", $0)) "\t" duration(started[at, number($0), after("Matching Id", $0)]) "\t" \
		after("Bytes Result", $0) + 0
}
END {
	for (key in keys) {
		split(key, end, " ")
		for (i = 1; i <= n_sent[key] && i <= n_received[key]; i++)
			printf "message\t%s\t%s\t%.0f\t%.0f\n", row(end[1]), row(end[2]), sent[key, i], received[key, i] - sent[key, i]
	}
}
