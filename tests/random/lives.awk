# SPDX-License-Identifier: GPL-2.0-or-later
# Random lives of DLM locks. The script first decides the true life of each lock. From this it writes both the events that
# a kernel would record and the spans that must be drawn. It applies no rule of the model.
#
# usage: awk [-v all=1] -v seed=N -v locks=N -v node=N -v events=FILE -v spans=FILE -f lives.awk
# Lines of both files have no order. Spans have no lanes, because locks share lanes.

function upto(n) {
	return int(rand() * n)
}

function some(part) {
	return rand() < part
}

function after() {
	now += 1 + upto(40)
	return now
}

function event(t, cpu, pid, text) {
	printf "%d %d %d %s res_name=\"%s\"\n", t, cpu, pid, text, resource > events
}

function span(t0, t1, flags, what, rest) {
	printf "%d span \"0x7/%s/node %s\" lock \"%s\" %d%s lkb_id=0x%x %s\n", t0, resource, node, what, t1 - t0,
		flags == "" ? "" : " flags=" flags, id, rest > spans
}

function hold(m, pid) {
	mode = m
	mode_since = now
	mode_pid = pid
}

# The held mode ends; -1: none.
function let_go(t, open) {
	if (mode >= 0)
		span(mode_since, t, open ? "unfinished" : "", name[mode], "pid=" mode_pid (left ? " leaving=" left : ""))
	mode = -1
	left = 0
}

function call(kind, pid, m, flags) {
	event(after(), 0, pid, "dlm_" kind "_start ls_id=7 lkb_id=" id (kind == "lock" ? " mode=" m : "") " flags=" flags)
}

function back(kind, pid, m, flags, error) {
	event(after(), 0, pid,
		"dlm_" kind "_end ls_id=7 lkb_id=" id (kind == "lock" ? " mode=" m : "") " flags=" flags " error=" error)
}

function ast(status) {
	event(after(), 1, 0, "dlm_ast ls_id=7 lkb_id=" id " sb_flags=0 sb_status=" status)
}

function bast() {
	event(after(), 1, 0, "dlm_bast ls_id=7 lkb_id=" id " mode=" upto(6))
}

# A call with an answer, perhaps before it returns; returns the answer's time.
function answered(kind, pid, m, flags, status,    t) {
	if (some(0.25)) {
		ast(status)
		t = now
		back(kind, pid, m, flags, 0)
		return t
	}
	back(kind, pid, m, flags, 0)
	if (mode >= 0 && some(0.2))
		bast()
	ast(status)
	return now
}

# While a request or conversion waits, somebody cancels it, or unlocks by force; returns the answer.
function interfered(pid, m, flags, how,    other) {
	other = pid + 1 + upto(2)
	back("lock", pid, m, flags, 0)
	call("unlock", other, 0, how)
	interfered_at = now
	interfered_by = other
	back("unlock", other, 0, how, 0)
}

# a excludes all modes that b excludes: the table of fs/dlm/lock.c, with a 0 for modes that exclude each other
function covers(a, b,    i) {
	for (i = 1; i <= 6; i++)
		if (substr(table[a], i, 1) == 1 && substr(table[b], i, 1) == 0)
			return 0
	return 1
}

# A call that waits for its answer, or for the end of the recording (@result ""). @to: the mode, -1 for an unlock. @all: of a call
# that somebody ends by force, also from its start to its end.
function pending(t0, t1, pid, to, flags, result,    what, marks) {
	what = to < 0 || (mode >= 0 && covers(mode, to)) ? "RELEASING" : "PENDING"
	marks = what == "PENDING" && mode >= 0 && !covers(to, mode) ? "leaving" : ""
	if (to >= 0 && to == mode)
		what = "KEEPING"
	if (what == "RELEASING" || marks != "")
		left += t1 - t0
	if (t1 == end)
		marks = "unfinished" (marks == "" ? "" : ",leaving")
	span(t0, t1, marks, what, "pid=" pid " to=\"" (to < 0 ? "unlock" : name[to]) "\"" (flags == 4 ? " flags=\"CONVERT\"" : "") \
		(flags == 131072 ? " flags=\"FORCEUNLOCK\"" : "") (result == "" ? "" : " result=\"" result "\""))
}

# The call waits until somebody unlocks by force.
function forced(t0, pid, m, flags, t_unlock, other) {
	pending(t0, t_unlock, pid, m, flags, "")
	pending(t_unlock, now, other, -1, 131072, "EUNLOCK")
	if (all)
		pending(t0, now, pid, m, flags, "EUNLOCK")
}

# A request (@flags 0) or conversion (4). 1: the lock lives, with some mode; 0: it has ended; -1: the recording ends.
function ask(flags,    pid, m, t0, t, answer, how) {
	pid = 10 * id + upto(3)
	m = upto(6)
	call("lock", pid, m, flags)
	t0 = now
	how = upto(20)
	if (how < 2) { # refused
		back("lock", pid, m, flags, how ? -22 : -16)
		return flags != 0
	}
	if (how < 4) { # goes on beyond the recording
		if (how == 2)
			back("lock", pid, m, flags, 0)
		pending(t0, end, pid, m, flags, "")
		return -1
	}
	if (how < 6) { # cancelled in time
		interfered(pid, m, flags, 2)
		ast(-65537)
		pending(t0, now, pid, m, flags, "ECANCEL")
		return flags != 0
	}
	if (how < 7) {
		interfered(pid, m, flags, 131072)
		ast(-65538)
		forced(t0, pid, m, flags, interfered_at, interfered_by)
		let_go(now, 0)
		return 0
	}
	if (how < 9 && flags || how < 8) { # the answer is no
		answer = flags && how == 8 ? -35 : -11
		t = answered("lock", pid, m, flags, answer)
		pending(t0, t, pid, m, flags, answer == -11 ? "EAGAIN" : "EDEADLK")
		return flags != 0
	}
	if (how < 10) { # cancelled too late
		interfered(pid, m, flags, 2)
		ast(0)
		t = now
	} else {
		t = answered("lock", pid, m, flags, 0)
	}
	pending(t0, t, pid, m, flags, "0")
	let_go(t, 0)
	hold(m, pid)
	mode_since = t
	return 1
}

# 1: the lock lives; 0: it has ended; -1: the recording ends.
function unlock(    pid, t0, t, how) {
	pid = 10 * id + upto(3)
	call("unlock", pid, 0, 0)
	t0 = now
	how = upto(10)
	if (how < 1) {
		back("unlock", pid, 0, 0, -16)
		return 1
	}
	if (how < 2) {
		if (some(0.5))
			back("unlock", pid, 0, 0, 0)
		pending(t0, end, pid, -1, 0, "")
		return -1
	}
	t = answered("unlock", pid, 0, 0, -65538)
	pending(t0, t, pid, -1, 0, "EUNLOCK")
	let_go(t, 0)
	return 0
}

# FALSE: no more events.
function live(    goes_on, what) {
	mode = -1
	goes_on = ask(0)
	while (goes_on > 0) {
		what = upto(10)
		if (what == 0)
			goes_on = -1
		else if (what == 1)
			bast()
		else if (what < 7)
			goes_on = ask(4)
		else
			goes_on = unlock()
		if (now > end - 2000)
			goes_on = -1
	}
	if (goes_on < 0)
		let_go(end, 1)
	return !goes_on
}

BEGIN {
	srand(seed)
	split("CR CW PR PW EX", name, " ")
	name[0] = "NL"
	split("111111 111110 111000 110100 110000 100000", table, " ")
	for (m = 0; m < 6; m++)
		table[m] = table[m + 1]
	end = 20000
	printf "" > spans
	for (id = 1; id <= locks; id++) {
		resource = "r" upto(locks / 4 + 1)
		now = 1000 + upto(10000)
		while (live() && now < end - 4000 && some(0.6))
			;
	}
	resource = ""
	# each CPU has a last event, so that losses are noticed
	printf "%d 0 9 marker\n%d 1 9 marker\n", end, end > events
}
