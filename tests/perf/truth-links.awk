# SPDX-License-Identifier: GPL-2.0-or-later
# The messages of a truth file of which both ends are recorded, as "SENT RECEIVED FROM TO TYPE".
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

$1 == "message" { message[++n] = $0 }

# Inside, or at the begin if nothing was recorded before
function lost(k, t,    i) {
	for (i = 1; i <= gaps[k]; i++)
		if (t < to[k, i] && (t > from[k, i] || from[k, i] == to[k, i]))
			return 1
	return 0
}

END {
	for (i = 1; i <= n; i++) {
		split(message[i], m, "\t")
		if (!lost(m[2] " " m[11], m[10]) && !lost(m[3] " " m[13], m[12]))
			print m[10], m[12], m[2], m[3], name[m[4]]
	}
}
