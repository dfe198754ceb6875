# SPDX-License-Identifier: GPL-2.0-or-later
# Joins the messages of the DLM in the text of `trace-cmd report -N -t`, one file per node, each given as: node=NAME FILE. A
# message was received where all that both events record is equal. Prints, for each message that was received:
# TIME DURATION LOCKSPACE/RESOURCE FROM TO TYPE [backwards]

BEGIN {
	split("REQUEST CONVERT UNLOCK CANCEL REQUEST_REPLY CONVERT_REPLY UNLOCK_REPLY CANCEL_REPLY GRANT BAST LOOKUP REMOVE LOOKUP_REPLY PURGE", types, " ")
	known[1998725159] = "test"
	known[1039675946] = "gfs"
	for (i = 0; i < 16; i++)
		nibble[substr("0123456789abcdef", i + 1, 1)] = i
}

function field(name,    rest)
{
	rest = $0
	sub(".* " name "=", "", rest)
	sub(/ .*/, "", rest)
	return rest
}

function resource(hex,    i, text)
{
	for (i = 3; i < length(hex); i += 2)
		text = text sprintf("%c", nibble[substr(hex, i, 1)] * 16 + nibble[substr(hex, i + 1, 1)])
	if (length(text) == 24 && text ~ /^ *[1-9] *[0-9a-f]+$/)
		return "GFS2"
	# the answer to a request that found no resource names none
	return text == "" ? "(unnamed)" : text
}

function nanoseconds(    i, part)
{
	for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+\.[0-9]+:$/) {
			split(substr($i, 1, length($i) - 1), part, ".")
			return part[1] * 1000000000 + part[2]
		}
}

/ dlm_(send|recv)_message: / {
	is_send = / dlm_send_message: /
	contents = $0
	sub(/.* dlm_(send|recv)_message: */, "", contents)
	sub(/ m_extra=.*/, "", contents)
	if (is_send) {
		if (contents in sent)
			twice[contents]
		sent[contents] = nanoseconds()
		sender[contents] = node
		type = field("m_type")
		sub(/_REPLY/, " reply", type)
		kind[contents] = type
		where[contents] = known[field("h_lockspace")] "/" resource(field("res_name"))
	} else {
		if (contents in came)
			twice[contents]
		came[contents] = nanoseconds()
		receiver[contents] = node
	}
}

END {
	for (contents in twice) {
		print "two messages have the same contents: " contents > "/dev/stderr"
		exit 1
	}
	for (contents in sent) {
		if (!(contents in came))
			continue
		t = sent[contents]
		duration = came[contents] - t
		printf "%.0f %.0f %s %s %s %s %s\n", duration < 0 ? came[contents] : t, duration < 0 ? -duration : duration,
			where[contents], sender[contents], receiver[contents], kind[contents], duration < 0 ? "backwards" : ""
	}
}
