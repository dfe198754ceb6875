# SPDX-License-Identifier: GPL-2.0-or-later
# The messages of a truth file of which both ends are recorded, as "SENT RECEIVED FROM TO TYPE"; calls and their service have the
# id as type.
BEGIN {
	split("REQUEST CONVERT UNLOCK CANCEL REQUEST_reply CONVERT_reply UNLOCK_reply CANCEL_reply GRANT BAST LOOKUP REMOVE " \
		"LOOKUP_reply", name, " ")
}

# The gaps of a CPU, in order
$1 == "gap" {
	k = $2 " " $3
	from[k, ++gaps[k]] = $4
	to[k, gaps[k]] = $5
}

$1 == "message" { message[++n] = $2 " " $3 " " name[$4] " " $10 " " $11 " " $12 " " $13 }
$1 == "serves" { message[n += 1] = $2 " " $3 " " $4 " " $5 " " $6 " " $7 " " $8 }

# Inside, or at the begin if nothing was recorded before
function lost(k, t,    i) {
	for (i = 1; i <= gaps[k]; i++)
		if (t < to[k, i] && (t > from[k, i] || from[k, i] == to[k, i]))
			return 1
	return 0
}

END {
	for (i = 1; i <= n; i++) {
		split(message[i], m, " ")
		if (!lost(m[1] " " m[5], m[4]) && !lost(m[2] " " m[7], m[6]))
			print m[4], m[6], m[1], m[2], m[3]
	}
}
