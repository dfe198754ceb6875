# SPDX-License-Identifier: GPL-2.0-or-later
# Counts states and events of the locks of a recording from the text of `trace-cmd report -N -t`, one file per node, each
# given as: node=NAME FILE. Written from the meaning of the DLM's events, independently of the analyser: it collects the
# events of each lock, brings them into causal order, and then replays them. Locks that have the same id, one after the other, are told
# apart by their resources.
#
# It supports complete recordings only, and stops if it would have to guess (lost events, locks older than the recording,
# two processes calling on one lock at once).

BEGIN {
	split("EPERM ENOENT - EINTR - - - - - - EAGAIN ENOMEM - - - EBUSY - - - - - EINVAL", errno, " ")
	status_name[0] = "0"
	for (i in errno)
		if (errno[i] != "-")
			status_name[-i] = errno[i]
	status_name[-35] = "EDEADLK"; status_name[-110] = "ETIMEDOUT"; status_name[-115] = "EINPROGRESS"
	status_name[-65537] = "ECANCEL"; status_name[-65538] = "EUNLOCK"
	# the modes that exclude less, and nothing else
	below["EX"] = "NL CR CW PR PW"; below["PW"] = "NL CR CW PR"
	below["PR"] = below["CW"] = "NL CR"; below["CR"] = "NL"
	# CRC-32 of "dlm:ls:", the name and a NUL byte
	known["77222027"] = "test"
	known["3df8322a"] = "gfs"
	split("trans inode rgrp meta iopen flock plock quota journal", gfs2, " ")
	for (i = 0; i < 16; i++)
		nibble[substr("0123456789abcdef", i + 1, 1)] = i
	for (i = 32; i < 127; i++)
		ascii[i] = sprintf("%c", i)
}

function lockspace(id)
{
	return id in known ? known[id] : "0x" id
}

function refuse(text)
{
	print FILENAME ":" FNR ": " text > "/dev/stderr"
	failed = 1
	exit 2
}

function hex(n,  text, digit)
{
	for (text = ""; n > 0 || text == ""; n = (n - digit) / 16) {
		digit = n % 16
		text = substr("0123456789abcdef", digit + 1, 1) text
	}
	return text
}

function readable(bytes,  i, text, code)
{
	text = ""
	for (i = 1; i < length(bytes); i += 2) {
		code = nibble[substr(bytes, i, 1)] * 16 + nibble[substr(bytes, i + 1, 1)]
		text = text (code in ascii ? ascii[code] : "\\x" substr(bytes, i, 2))
	}
	if (length(text) == 24 && substr(text, 1, 8) ~ /^ *[1-9]$/ && substr(text, 9) ~ /^ *[0-9a-f]+$/) {
		code = gfs2[substr(text, 8, 1)]
		text = substr(text, 9)
		sub(/^ */, "", text)
		text = code " " text
	}
	return text == "" ? "(unnamed)" : text
}

# "271.854735159:" in ns: whole numbers up to 2^53 are exact
function nanoseconds(word,  part)
{
	split(word, part, /[.:]/)
	if (length(part[2]) != 9)
		refuse("not a full time stamp: " word)
	return part[1] * 1000000000 + part[2]
}

# The number that trace-cmd prints as "VALNOTVALID|ALTMODE|0xf8". Linux 6.12 exchanges status and flags of programs' locks, and the flags
# are a byte.
function flag_bits(text,  i, n, part, sum)
{
	n = split(text, part, "|")
	for (i = 1; i <= n; i++)
		if (part[i] ~ /^0x[0-9a-f][0-9a-f]$/)
			sum += 16 * nibble[substr(part[i], 3, 1)] + nibble[substr(part[i], 4, 1)]
		else
			sum += part[i] == "DEMOTED" ? 1 : part[i] == "VALNOTVALID" ? 2 : 4
	return text == "" ? 0 : sum
}

/EVENTS DROPPED/ { refuse("lost events are beyond this count") }
$2 !~ /^\[[0-9]+\]$/ { next }
{
	now = nanoseconds($3)
	if (now > last)
		last = now
}
$4 !~ /^dlm_(lock_start|lock_end|unlock_start|unlock_end|ast|bast):$/ { next }
{
	event = substr($4, 5, length($4) - 5)
	occurred[event]++
	mode = flags = result = sb_flags = ""
	for (i = 5; i <= NF; i++) {
		split($i, pair, "=")
		if (pair[1] == "ls_id") space = pair[2]
		else if (pair[1] == "lkb_id") lkb = pair[2]
		else if (pair[1] == "mode") mode = pair[2]
		else if (pair[1] == "flags") flags = "|" pair[2] "|"
		else if (pair[1] == "error" || pair[1] == "sb_status") result = pair[2] + 0
		else if (pair[1] == "sb_flags") sb_flags = pair[2]
		else if (pair[1] == "res_name") name = pair[2]
	}
	if (event == "ast" && result >= 0 && result < 8 && (low_byte = flag_bits(sb_flags)) >= 128) {
		result = low_byte >= 254 ? low_byte - 256 - 65536 : low_byte - 256
		diag["fields_repaired"]++
	}
	pid = $1
	sub(/.*-/, "", pid)
	lock = node SUBSEP space SUBSEP lkb SUBSEP name
	if (!(lock in events))
		locks[++n_locks] = lock
	n = ++events[lock]
	ev_what[lock, n] = event
	ev_time[lock, n] = now
	ev_pid[lock, n] = pid
	ev_mode[lock, n] = mode
	ev_flags[lock, n] = flags
	ev_result[lock, n] = result
	ev_row[lock, n] = "\"" lockspace(hex(space)) "/" readable(name) "/" node "\""
}

function point(row, what)
{
	points[row " \"" what "\""]++
}

function span(value, t0, t1, unfinished,  key)
{
	key = row " \"" value "\""
	spans[key]++
	time[key] += t1 - t0
	all[value]++
	all_time[value] += t1 - t0
	if (unfinished)
		cut[value]++
}

function named(number)
{
	return number in status_name ? status_name[number] : number ""
}

function is_last_answer(i)
{
	return ev_what[lock, i] == "ast" && ev_result[lock, i] == -65538
}

# Bring the lock's events into causal order: events during a call follow its return, and a new lock with the id follows the answer to the
# unlock of the former one.
function order(  i, j, kind, n, due)
{
	n = n_order = due = 0
	for (i = 1; i <= events[lock]; i++) {
		if (i in taken)
			continue
		due -= is_last_answer(i)
		if (due && ev_what[lock, i] == "lock_start" && ev_flags[lock, i] !~ /\|CONVERT\|/) {
			for (j = i + 1; j <= events[lock] && !is_last_answer(j); j++)
				;
			if (j <= events[lock]) {
				place[++n_order] = j
				taken[j] = 1
				due--
			}
		}
		place[++n_order] = i
		if (ev_what[lock, i] !~ /_start$/)
			continue
		kind = ev_what[lock, i]
		sub(/start/, "end", kind)
		for (j = i + 1; j <= events[lock]; j++) {
			if (ev_what[lock, j] == kind && ev_pid[lock, j] == ev_pid[lock, i])
				break
			if (ev_what[lock, j] ~ /start$|end$/)
				refuse("two calls at once on lock " lkb)
			if (j in taken)
				continue
			diag[ev_what[lock, j] == "ast" ? "done_before_return" : "notice_before_return"]++
		}
		returned[i] = j <= events[lock] ? j : 0
		if (returned[i]) {
			taken[j] = 1
			due += kind == "unlock_end" && !ev_result[lock, j] && ev_flags[lock, i] !~ /\|CANCEL\|/
		}
	}
	split("", taken)
}

function change_mode(to, t, unfinished)
{
	if (holds != "")
		span(holds, holds_since, t, unfinished)
	holds = to
	holds_since = t
}

# A call begins and, for this lock, returns at once.
function play_call(i,  end, kind, error)
{
	end = returned[i]
	kind = ev_what[lock, i]
	sub(/_start/, "", kind)
	error = end ? ev_result[lock, end] : 0
	row = ev_row[lock, i]
	point(row, kind (error ? " failed" : ""))
	if (end) {
		calls[kind " " named(error)]++
		took[kind] += ev_time[lock, end] - ev_time[lock, i]
		point(row, kind " return")
	} else {
		calls[kind " -"]++
		diag["pair_start_without_end"]++
	}
	if (kind == "lock" && ev_flags[lock, i] !~ /\|CONVERT\|/) {
		if (lives)
			finish(ev_time[lock, i], "object_reused")
	} else if (!lives) {
		refuse("the lock of a call is older than the recording")
	}
	lives = 1
	if (error || (kind == "unlock" && ev_flags[lock, i] ~ /\|CANCEL\|/)) {
		lives = holds != "" || n_waiting > 0
		return
	}
	if (n_waiting && ev_flags[lock, i] !~ /\|(CANCEL|FORCEUNLOCK)\|/)
		diag["call_while_pending"]++
	n_waiting++
	waits_kind[n_waiting] = kind
	waits_mode[n_waiting] = ev_mode[lock, i]
	show(category(n_waiting), ev_time[lock, i])
}

# How a waiting call is drawn.
function category(n)
{
	if (waits_kind[n] == "unlock")
		return "RELEASING"
	if (holds == waits_mode[n])
		return "KEEPING"
	return holds != "" && index(below[holds], waits_mode[n]) ? "RELEASING" : "PENDING"
}

# One span for all calls that wait; one that gives the lock up ends the wait of another, and any call that of one that asks for the
# mode that is held.
function show(what, t)
{
	if (shown == what || shown == "RELEASING" || (what == "KEEPING" && shown != ""))
		return
	hide(t)
	shown = what
	shown_since = t
}

function hide(t, unfinished)
{
	if (shown != "")
		span(shown, shown_since, t, unfinished)
	shown = ""
}

function answered(status,  i, j, kind)
{
	kind = status == -65538 ? "unlock" : "lock"
	for (i = 1; i <= n_waiting && waits_kind[i] != kind; i++)
		;
	if (i > n_waiting)
		i = 1
	answer_kind = waits_kind[i]
	answer_mode = waits_mode[i]
	for (j = i; j < n_waiting; j++) {
		waits_kind[j] = waits_kind[j + 1]
		waits_mode[j] = waits_mode[j + 1]
	}
	n_waiting--
}

function play_ast(i,  t, status)
{
	t = ev_time[lock, i]
	status = ev_result[lock, i]
	row = ev_row[lock, i]
	asts[named(status)]++
	if (status == 0)
		point(row, "ast")
	else
		point(row, "ast " (named(status) ~ /^(EAGAIN|EDEADLK|ECANCEL|EUNLOCK)$/ ? named(status) : "error"))
	if (!n_waiting)
		refuse("the call of a completion is older than the recording")
	answered(status)
	hide(t)
	if (status == 0 && answer_kind == "lock")
		change_mode(answer_mode, t)
	if (status == -65538) {
		change_mode("", t)
		n_waiting = 0
	}
	if (n_waiting) {
		for (i = 1; i < n_waiting && category(i) == "KEEPING"; i++)
			;
		show(category(category(n_waiting) == "RELEASING" ? n_waiting : i), t)
	}
	lives = holds != "" || n_waiting > 0
}

function finish(t, reason)
{
	if (!lives)
		return
	diag[reason]++
	hide(t, 1)
	n_waiting = 0
	change_mode("", t, 1)
	lives = 0
}

function play(  i, k)
{
	lives = n_waiting = 0
	holds = ""
	for (k = 1; k <= n_order; k++) {
		i = place[k]
		if (ev_what[lock, i] ~ /_start$/) {
			play_call(i)
		} else if (ev_what[lock, i] == "ast") {
			play_ast(i)
		} else if (ev_what[lock, i] == "bast") {
			point(ev_row[lock, i], "bast")
			if (!lives)
				refuse("the lock of a blocking notice is older than the recording")
		} else {
			refuse("a call returns that has not begun")
		}
	}
	finish(last, "object_open_at_end")
}

END {
	if (failed)
		exit 2
	if (!n_locks)
		refuse("there are no events of locks")
	for (l = 1; l <= n_locks; l++) {
		lock = locks[l]
		order()
		play()
	}
	for (k in occurred) printf "event %s %d\n", k, occurred[k]
	for (k in calls) printf "call %s %d\n", k, calls[k]
	for (k in took) printf "took %s %.0f\n", k, took[k]
	for (k in asts) printf "status %s %d\n", k, asts[k]
	for (k in cut) printf "unfinished \"%s\" %d\n", k, cut[k]
	for (k in diag) printf "diag %s %d\n", k, diag[k]
	for (k in all) printf "all \"%s\" %d %.0f\n", k, all[k], all_time[k]
	for (k in points) printf "point %s %d\n", k, points[k]
	for (k in spans) printf "span %s %d %.0f\n", k, spans[k], time[k]
}
