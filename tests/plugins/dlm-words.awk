# SPDX-License-Identifier: GPL-2.0-or-later
# The expected text of plugin_dlm, computed from the text without the plugin ("trace-cmd report -N", by the kernel's own
# format). The variables raw and all stand for the options of these names.

BEGIN {
	words("mode", "0 NL 1 CR 2 CW 3 PR 4 PW 5 EX")
	words("h_cmd", "1 MSG 2 RCOM 3 OPTS 4 ACK 5 FIN")
	words("m_type", "1 REQUEST 2 CONVERT 3 UNLOCK 4 CANCEL 5 REQUEST_REPLY 6 CONVERT_REPLY 7 UNLOCK_REPLY " \
		"8 CANCEL_REPLY 9 GRANT 10 BAST 11 LOOKUP 12 REMOVE 13 LOOKUP_REPLY 14 PURGE")
	words("rc_type", "1 STATUS 2 NAMES 3 LOOKUP 4 LOCK 5 STATUS_REPLY 6 NAMES_REPLY 7 LOOKUP_REPLY 8 LOCK_REPLY")
	words("m_status", "1 WAITING 2 GRANTED 3 CONVERT")
	words("error", "-2 -ENOENT -11 -EAGAIN -16 -EBUSY -22 -EINVAL -35 -EDEADLK -115 -EINPROGRESS " \
		"-65537 -DLM_ECANCEL -65538 -DLM_EUNLOCK")
	words("flags", "1 NOQUEUE 2 CANCEL 4 CONVERT 8 VALBLK 16 QUECVT 32 IVVALBLK 64 CONVDEADLK 128 PERSISTENT")
	words("m_flags", "1 USER 2 ORPHAN 65536 MSTCPY")
	words("sb_flags", "1 DEMOTED 2 VALNOTVALID 4 ALTMODE")
	words("type", "1 trans 2 inode 3 rgrp 4 meta 5 iopen 6 flock 7 plock 8 quota 9 journal")
	for (i = 0; i < 256; i++)
		byte[sprintf("%02x", i)] = sprintf(i < 32 || i > 126 ? "\\x%02x" : i == 34 || i == 92 ? "\\%c" : "%c", i)
	# the order of fields, if it differs from the kernel's
	message = "m_type h_nodeid seq h_lockspace m_nodeid m_pid m_lkid m_remid m_parent_lkid m_parent_remid m_exflags " \
		"m_sbflags m_flags m_status m_grmode m_rqmode m_bastmode m_result m_lvbseq m_asts m_hash h_version h_cmd " \
		"h_length m_extra res_name"
	recovery = "rc_type h_nodeid seq h_lockspace rc_result rc_id rc_seq rc_seq_reply h_version h_cmd h_length rc_buf"
	# 0: not shown if 0, -: not shown if negative, !: not shown
	unseen("flags 0 sb_flags 0 m_exflags 0 m_sbflags 0 m_flags 0 m_lkid 0 m_remid 0 m_parent_lkid 0 m_parent_remid 0 " \
		"m_status 0 m_bastmode 0 m_result 0 m_lvbseq 0 m_extra 0 res_name 0 rc_seq_reply 0 m_grmode - m_rqmode - " \
		"m_asts ! m_hash ! h_version ! h_cmd ! h_length ! rc_buf !")
	hex = " ls_id lkb_id h_lockspace m_lkid m_remid m_parent_lkid m_parent_remid m_hash "
	alias["m_grmode"] = alias["m_rqmode"] = alias["m_bastmode"] = "mode"
	alias["m_exflags"] = "flags"
	alias["m_sbflags"] = "sb_flags"
	alias["sb_status"] = alias["m_result"] = alias["ret"] = "error"
}

function words(table, list,    part, n, i)
{
	n = split(list, part)
	for (i = 1; i < n; i += 2) {
		word[table, part[i]] = part[i + 1]
		number[table, part[i + 1]] = part[i]
	}
}

function unseen(list,    part, n, i)
{
	n = split(list, part)
	for (i = 1; i < n; i += 2)
		left_out[part[i]] = part[i + 1]
}

function from_hex(text,    n, i)
{
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n + 0
}

function resource(digits,    text, i, type, object)
{
	sub(/^0x/, "", digits)
	for (i = 1; i < length(digits); i += 2)
		text = text byte[substr(digits, i, 2)]
	type = substr(text, 1, 8)
	object = substr(text, 9)
	if (!raw && length(digits) == 48 && type ~ /^ *[0-9a-f]+$/ && object ~ /^ *[0-9a-f]+$/) {
		gsub(/ /, "", type)
		gsub(/ /, "", object)
		sub(/^0+/, "", object)
		type = ("type", from_hex(type)) in word ? word["type", from_hex(type)] : "type " type
		text = type " " (object == "" ? 0 : object)
	}
	return "\"" text "\""
}

function sum_of(table, flags,    part, n, i, sum)
{
	n = split(flags, part, "|")
	for (i = 1; i <= n; i++)
		sum += (table, part[i]) in number ? number[table, part[i]] : from_hex(substr(part[i], 3))
	return sum + 0
}

# Numbers of words, as the kernel shows them: used to decide which fields are left out.
function as_number(key, value)
{
	if (value == "0xffffffff")
		return -1
	if (key ~ /flags$/)
		return sum_of(table_of(key), value)
	if (key == "m_extra" || key == "res_name")
		return length(value) - 2 * (value ~ /^0x/)
	return (table_of(key), value) in number ? number[table_of(key), value] : value
}

function table_of(key)
{
	return key in alias ? alias[key] : key
}

function shown(key, value,    n)
{
	n = as_number(key, value)
	if (key == "res_name" || key == "m_extra" && of["m_type"] ~ /^(REQUEST|LOOKUP|REMOVE)$/)
		return resource(value)
	if (key == "lkb_id")
		return "0x" value
	if (index(hex, " " key " "))
		return sprintf("0x%x", n)
	if (key == "m_nodeid" && n + 0 > 2147483647)
		return n - 4294967296
	if (key ~ /flags$/)
		return raw ? sprintf("0x%x", n) : value == "" ? 0 : value
	if (key == "m_asts")
		return raw ? sprintf("0x%x", n) : n == 3 ? "AST|BAST" : n == 2 ? "BAST" : n == 1 ? "AST" : n
	if (key ~ /mode$/ && n < 0)
		return raw ? n : "IV"
	if (key == "h_version" || key == "rc_buf" || key == "m_extra")
		return value
	return !raw && (table_of(key), n) in word ? word[table_of(key), n] : n
}

function hidden(key, value,    n)
{
	if (all || !(key in left_out))
		return 0
	n = as_number(key, value)
	return left_out[key] == "!" || left_out[key] == "0" && n == 0 || left_out[key] == "-" && n < 0
}

match($0, /: dlm_[a-z_]+: +/) {
	head = substr($0, 1, RSTART + RLENGTH - 1)
	event = substr($0, RSTART + 2)
	n = split(substr($0, RSTART + RLENGTH), pair, /,? /)
	split("", of)
	order = ""
	for (i = 1; i <= n; i++) {
		key = substr(pair[i], 1, index(pair[i], "=") - 1)
		of[key] = substr(pair[i], index(pair[i], "=") + 1)
		order = order " " key
	}
	m = split(event ~ /_message:/ ? message : event ~ /_rcom:/ ? recovery : order, keys)
	between = ""
	for (i = 1; i <= m; i++) {
		if (!(keys[i] in of) || hidden(keys[i], of[keys[i]]))
			continue
		head = head between keys[i] "=" shown(keys[i], of[keys[i]])
		between = " "
	}
	$0 = head
}
{ print }
