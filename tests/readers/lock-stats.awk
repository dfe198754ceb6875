# SPDX-License-Identifier: GPL-2.0-or-later
# Counts calls and messages for each resource of the DLM, from the lines of anatomy-events.awk in order of time:
# RESOURCE REQUESTS CONVERSIONS UNLOCKS FAILED REMOTE MESSAGES ROUND-TRIPS NS, separated by tabs. NS is the sum of the round trips.
# A node that refuses a request because it is not the master names no resource, so this is no answer. A call is remote if a REQUEST, CONVERT or UNLOCK left for it. Its round trip ends with the first answer.

BEGIN {
	split("trans inode rgrp meta iopen flock plock quota journal", gfs2, " ")
	for (i = 0; i < 16; i++)
		nibble[substr("0123456789abcdef", i + 1, 1)] = i
}

function name(at,    hex, i, text)
{
	hex = at
	sub(/^[0-9]+ (0x)?/, "", hex)
	for (i = 1; i < length(hex); i += 2)
		text = text sprintf("%c", nibble[substr(hex, i, 1)] * 16 + nibble[substr(hex, i + 1, 1)])
	if (length(text) != 24 || text !~ /^ *[1-9] *[0-9a-f]+$/)
		return text == "" ? "(unnamed)" : text
	i = gfs2[substr(text, 8, 1)]
	text = substr(text, 9)
	sub(/^ */, "", text)
	return i " " text
}

$2 == "message" {
	at = $4 " " ($6 == "-" ? "" : $6)
	messages[at]++
	all[at]
	if ($7 ~ /^(REQUEST|CONVERT|UNLOCK|LOOKUP)$/) {
		k = $3 " " $4 " " $5
		n = ++n_left[k]
		left[k, n] = $8; type[k, n] = $7; late[k, n] = $1
	} else if ($7 ~ /^(GRANT|LOOKUP_REPLY|(REQUEST|CONVERT|UNLOCK|CANCEL)_REPLY)$/) {
		k = $10 " " $4 " " ($7 == "LOOKUP_REPLY" ? $5 : $11)
		n = ++n_came[k]
		came[k, n] = $9; about[k, n] = at; redirect[k, n] = $7 == "LOOKUP_REPLY"
	}
	next
}

{ k = $3 " " $4 " " $5 }

$2 == "call" || $2 == "uncall" && $9 !~ /CANCEL/ {
	n = ++n_calls[k]
	call[k, n] = $1; where[k, n] = $4 " " $6; pid[k, n] = $7
	what[k, n] = $2 == "uncall" ? "unlock" : $9 ~ /CONVERT/ ? "conversion" : "request"
}

# A call returns: the last one of this process on the lock.
$2 == "return" && $10 != 0 {
	for (i = n_calls[k]; i && (pid[k, i] != $7 || failed[k, i]); i--)
		;
	failed[k, i] = 1
}

END {
	for (k in n_calls)
		for (i = 1; i <= n_calls[k]; i++) {
			at = where[k, i]
			all[at]
			if (failed[k, i]) {
				n_failed[at]++
				continue
			}
			count[at, what[k, i]]++
			end = i < n_calls[k] ? call[k, i + 1] : 1e30
			remote = 0
			for (m = 1; m <= n_left[k]; m++) {
				if (left[k, m] < call[k, i] || left[k, m] >= end)
					continue
				for (answer = 1; answer <= n_came[k] && (came[k, answer] <= left[k, m] || about[k, answer] != at); answer++)
					;
				if (answer <= n_came[k] && redirect[k, answer])
					continue
				remote = 1
				if (answer > n_came[k] || m < n_left[k] && left[k, m + 1] < came[k, answer])
					continue
				trips[at]++
				sum[at] += came[k, answer] - left[k, m]
			}
			n_remote[at] += remote
		}
	for (at in all)
		printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\n", name(at), count[at, "request"], count[at, "conversion"], count[at, "unlock"], n_failed[at], n_remote[at],
			messages[at], trips[at], sum[at]
}
