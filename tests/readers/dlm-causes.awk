# SPDX-License-Identifier: GPL-2.0-or-later
# What messages and calls of the DLM caused on their own node, in the text of `trace-cmd report -N -t`, one file per node, each
# given as: node=NAME FILE. Prints for each: TIME DURATION NODE KIND.
#   lock sends, unlock sends    a thread sends a message inside its call
#   message sends               the thread that took a message sends another one before it takes the next one or makes a call
#   completes                   a reply or GRANT, and the next ast of the lock: UNLOCK_REPLY brings an EUNLOCK, others another result
#   blocks                      BAST, and the next bast of the lock, if it has the same mode
#   answers                     the first bast of a lock since its last answer that a message brought, and the next call that unlocks or converts it
#                               to a mode that the other one can be held beside
# The lock of a message is the one that has the id then; that of a call or callback has the resource that it names, as an id may be used
# again before the callbacks of its former lock.

BEGIN {
	# the modes, by mode held + 1, that others may hold
	split("012345 01234 012 013 01 0", allowed, " ")
	number["REQUEST"] = 1; number["CONVERT"] = 2; number["UNLOCK"] = 3; number["CANCEL"] = 4
	number["REQUEST_REPLY"] = 5; number["CONVERT_REPLY"] = 6; number["UNLOCK_REPLY"] = 7; number["CANCEL_REPLY"] = 8
	number["GRANT"] = 9; number["BAST"] = 10; number["LOOKUP"] = 11; number["REMOVE"] = 12; number["LOOKUP_REPLY"] = 13
	mode_number["NL"] = 0; mode_number["CR"] = 1; mode_number["CW"] = 2; mode_number["PR"] = 3; mode_number["PW"] = 4
	mode_number["EX"] = 5
}

function field(name,    rest)
{
	rest = $0
	if (!sub(".*[ :]" name "=", "", rest))
		return ""
	sub(/ .*/, "", rest)
	return rest
}

function modenum(text)
{
	return text in mode_number ? mode_number[text] : text + 0
}

# What a callback completes: an unlock, or another call. 6.12 exchanges status and flags of programs' locks: -65538 & 0xff is
# VALNOTVALID|ALTMODE|0xf8.
function of_unlock()
{
	return field("sb_status") == -65538 || field("sb_flags") == "VALNOTVALID|ALTMODE|0xf8"
}

# lkb_id is printed in hexadecimal digits, m_remid in decimal ones
function decimal(hex,    i, n)
{
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n + 0
}

function nanoseconds(    i, part)
{
	for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+\.[0-9]+:$/) {
			split(substr($i, 1, length($i) - 1), part, ".")
			return part[1] * 1000000000 + part[2]
		}
}

function found(kind, since)
{
	printf "%.0f %.0f %s %s \n", since, now - since, node, kind
}

FNR == 1 {
	split("", busy); split("", type_of); split("", place); split("", ready); split("", two)
	split("", barred); split("", two_barred); split("", first); split("", wanted); split("", resource); split("", born)
}

!/ dlm_[a-z_]+: / { next }

{
	now = nanoseconds()
	match($0, /-[0-9]+ +\[[0-9]+\]/)
	pid = substr($0, RSTART + 1) + 0
	match($0, / dlm_[a-z_]+: /)
	event = substr($0, RSTART + 1, RLENGTH - 3)
	id = field("ls_id") " " decimal(field("lkb_id"))
	lock = id " " field("res_name")
}

event == "dlm_recv_message" {
	busy[pid] = now; type_of[pid] = field("m_type"); place[pid] = field("h_lockspace")
	id = place[pid] " " field("m_remid")
	lock = id " " resource[id]
	n = number[type_of[pid]]
	result = field("m_result")
	if (n == 9 || (n >= 5 && n <= 8 && result != -115 && result != -15 && result != -53)) {
		kind = lock " " (n == 7)
		two[kind] = kind in ready
		ready[kind] = now
	}
	if (n == 10) {
		two_barred[lock] = lock in barred
		barred[lock] = now
		barred_mode[lock] = modenum(field("m_bastmode"))
	}
}

event == "dlm_lock_start" || event == "dlm_unlock_start" {
	busy[pid] = now; type_of[pid] = event == "dlm_lock_start" ? "lock" : "unlock"; place[pid] = field("ls_id")
	flags = field("flags")
	mode = modenum(field("mode"))
	new = type_of[pid] == "lock" && flags !~ /CONVERT/
	if (new) {
		resource[id] = field("res_name")
		born[lock] = now
		delete first[lock]
	}
	answers = type_of[pid] == "unlock" ? flags !~ /CANCEL/ : index(allowed[mode + 1], wanted[lock])
	if (!new && lock in first && answers) {
		found("answers", first[lock])
		delete first[lock]
	}
}

event == "dlm_lock_end" || event == "dlm_unlock_end" { delete busy[pid] }

event == "dlm_send_message" && pid in busy && place[pid] == field("h_lockspace") {
	sent = field("m_type")
	from = type_of[pid]
	if (from == "lock" || from == "unlock") {
		if (sent != "REMOVE")
			found(from " sends", busy[pid])
	} else if (sent == from "_REPLY" || (sent == "REQUEST_REPLY" && from == "LOOKUP") || (sent == "REQUEST" && (from == "LOOKUP_REPLY" || from == "REQUEST_REPLY")) ||
		(sent !~ /_REPLY$/ && sent != "REQUEST" && sent != "REMOVE")) {
		found("message sends", busy[pid])
	}
}

event == "dlm_ast" {
	kind = lock " " of_unlock()
	if (kind in ready && !two[kind])
		found("completes", ready[kind])
	delete ready[kind]
	if (of_unlock()) {
		delete barred[lock]
		delete first[lock]
	}
}

event == "dlm_bast" {
	mode = modenum(field("mode"))
	brought = lock in barred
	of_this = brought && barred[lock] > born[lock]
	if (brought) {
		if (!two_barred[lock] && mode == barred_mode[lock])
			found("blocks", barred[lock])
		delete barred[lock]
	}
	if (of_this && !(lock in first)) {
		first[lock] = now
		wanted[lock] = mode
	}
}
