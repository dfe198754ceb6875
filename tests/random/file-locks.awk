# SPDX-License-Identifier: GPL-2.0-or-later
# Random processes that lock ranges of files with fcntl, and whole files with flock. What is held is kept byte by byte, as fcntl(2) and
# flock(2) say; nothing here knows pieces, spans or the model. From this come the events that the kernel's filelock system would
# record (posix_lock_inode, fcntl_setlk, flock_lock_inode of fs/locks.c), and the truth:
#
#	held KIND INODE OWNER BYTE MODE T0 T1	KIND: posix, flock (BYTE 0)
#	wait KIND INODE OWNER PID T0 T1 RESULT FIRST LAST
#	alone KIND PID T1 HOLDER NS		of the wait that ended at T1: only this process was in its way
#	shared KIND PID T1 NS			several were
#
# usage: awk [-v old=1] -v seed=N -v events=FILE -v truth=FILE -f file-locks.awk
# old: the names of fields before Linux 6.9

function upto(n) {
	return int(rand() * n)
}

function event(name, p, f, owner, fl, type, first, last, ret) {
	printf "%d %d %d filelock:%s fl=%d i_ino=%d s_dev=%d fl_blocker=0 %sowner=%d %spid=%d %sflags=0 %stype=%d fl_start=%s fl_end=%s ret=%d\n",
		now, p % 3, 100 + p, name, fl, 11 + f, 265289728, prefix, owner, prefix, 100 + p, prefix, prefix, type, first, last, ret > events
}

# who is in the way of what @p waits for, in the array of this name; returns their number
function find_blockers(p, blockers,   q, b, n) {
	split("", blockers)
	n = 0
	for (q = 0; q < processes; q++) {
		if (q == p)
			continue
		for (b = asks_first[p]; b <= asks_last[p]; b++)
			if (mode[asks_kind[p], asks_file[p], q, b] && (mode[asks_kind[p], asks_file[p], q, b] == 2 || asks_mode[p] == 2)) {
				blockers[q]
				n++
				break
			}
	}
	return n
}

# before anything changes: the time since the last change belongs to those who are in the way
function pass(   p, q, blockers, n) {
	for (p = 0; p < processes; p++) {
		if (!waits[p])
			continue
		n = find_blockers(p, blockers)
		if (n == 1)
			for (q in blockers)
				alone[p, q] += now - passed
		else if (n)
			shared[p] += now - passed
	}
	passed = now
}

function set_byte(kind, f, p, b, m,   old) {
	old = mode[kind, f, p, b]
	if (old == m)
		return
	if (old && now > since[kind, f, p, b])
		print "held", kind, 11 + f, owner_of(kind, p), b, old == 2 ? "WR" : "RD", since[kind, f, p, b], now > truth
	mode[kind, f, p, b] = m
	since[kind, f, p, b] = now
}

function set_range(kind, f, p, first, last, m,   b) {
	pass()
	for (b = first; b <= last; b++)
		set_byte(kind, f, p, b, m)
}

function owner_of(kind, p) {
	return sprintf("0x%x", (kind == "flock" ? 2000 : 1000) + p)
}

function later() {
	now += 1 + upto(500)
}

function begin_wait(p) {
	waits[p] = 1
	asked[p] = now
	shared[p] = 0
	for (q = 0; q < processes; q++)
		alone[p, q] = 0
}

function end_wait(p, result,   q) {
	if (!waits[p])
		return
	waits[p] = 0
	print "wait", asks_kind[p], 11 + asks_file[p], owner_of(asks_kind[p], p), 100 + p, asked[p], now, result == 0 ? "-" : result == -512 ? "interrupted" : result == -35 ? "EDEADLK" : "EAGAIN", asks_first[p], asks_last[p] > truth
	for (q = 0; q < processes; q++)
		if (alone[p, q])
			print "alone", asks_kind[p], 100 + p, now, 100 + q, alone[p, q] > truth
	if (shared[p])
		print "shared", asks_kind[p], 100 + p, now, shared[p] > truth
}

# whether @p would wait, by way of others, for itself
function is_deadlock(p, at, seen,   q, blockers) {
	find_blockers(at, blockers)
	for (q in blockers) {
		if (q == p)
			return 1
		if (waits[q] && asks_kind[q] == "posix" && !(q in seen)) {
			seen[q]
			if (is_deadlock(p, q, seen))
				return 1
		}
	}
	return 0
}

# the kernel has one lock for bytes of the same mode that follow each other, and tells that one
function try_posix(p,   f, first, last, ret, b, blockers, seen, fl, was_waiting) {
	f = asks_file[p]
	first = asks_first[p]
	last = asks_last[p]
	was_waiting = waits[p]
	pass()
	if (find_blockers(p, blockers)) {
		split("", seen)
		ret = !asks_wait[p] ? -11 : is_deadlock(p, p, seen) ? -35 : 1
		event("posix_lock_inode", p, f, 1000 + p, 5000 + p, asks_mode[p] - 1, first, last == bytes - 1 ? TOP : last, ret)
		if (ret == 1 && !was_waiting)
			begin_wait(p)
		if (ret == 1)
			return
		end_wait(p, ret)
		now++
		event("fcntl_setlk", p, f, 1000 + p, 5000 + p, asks_mode[p] - 1, first, last == bytes - 1 ? TOP : last, ret)
		return
	}
	set_range("posix", f, p, first, last, asks_mode[p])
	while (first > 0 && mode["posix", f, p, first - 1] == asks_mode[p])
		first--
	while (last < bytes - 1 && mode["posix", f, p, last + 1] == asks_mode[p])
		last++
	fl = first == asks_first[p] && last == asks_last[p] ? 5000 + p : 6000 + 10 * p + first
	event("posix_lock_inode", p, f, 1000 + p, fl, asks_mode[p] - 1, first, last == bytes - 1 ? TOP : last, 0)
	if (fl == 5000 + p)
		end_wait(p, 0)
	now++
	pass()
	event("fcntl_setlk", p, f, 1000 + p, 5000 + p, asks_mode[p] - 1, first, last == bytes - 1 ? TOP : last, 0)
	end_wait(p, 0)
}

function unlock_posix(p, f, first, last) {
	set_range("posix", f, p, first, last, 0)
	event("posix_lock_inode", p, f, 1000 + p, 5000 + p, 2, first, last == bytes - 1 ? TOP : last, 0)
	now++
	event(upto(2) ? "fcntl_setlk" : "locks_remove_posix", p, f, 1000 + p, 5000 + p, 2, first, last == bytes - 1 ? TOP : last, 0)
}

# another mode is asked for after the old one is given up, and nothing of it comes back
function try_flock(p,   f, blockers) {
	f = asks_file[p]
	pass()
	if (mode["flock", f, p, 0] != asks_mode[p])
		set_range("flock", f, p, 0, 0, 0)
	if (find_blockers(p, blockers)) {
		event("flock_lock_inode", p, f, 2000 + p, 7000 + p, asks_mode[p] - 1, 0, TOP, asks_wait[p] ? 1 : -11)
		if (asks_wait[p] && !waits[p])
			begin_wait(p)
		return
	}
	set_range("flock", f, p, 0, 0, asks_mode[p])
	event("flock_lock_inode", p, f, 2000 + p, 7000 + p, asks_mode[p] - 1, 0, TOP, 0)
	end_wait(p, 0)
}

function ask(p,   flock, other) {
	flock = rand() < 0.3
	asks_kind[p] = flock ? "flock" : "posix"
	asks_file[p] = flock ? 0 : upto(files) # nobody waits for a second flock: no deadlock
	asks_mode[p] = 1 + upto(2)
	asks_wait[p] = rand() < 0.8
	asks_first[p] = flock ? 0 : upto(bytes)
	asks_last[p] = flock ? 0 : asks_first[p] + upto(bytes - asks_first[p])
	if (flock)
		try_flock(p)
	else
		try_posix(p)
}

function release(p,   f, first) {
	f = upto(files)
	if (rand() < 0.3) {
		set_range("flock", f, p, 0, 0, 0)
		event("flock_lock_inode", p, f, 2000 + p, 7000 + p, 2, 0, TOP, 0)
		return
	}
	first = rand() < 0.3 ? 0 : upto(bytes)
	unlock_posix(p, f, first, first ? first + upto(bytes - first) : bytes - 1)
}

# a thread that waits has been woken, and tries again; or a signal ends its call (only fcntl tells)
function go_on(p, signal) {
	if (asks_kind[p] == "flock") {
		try_flock(p)
	} else if (signal || rand() < 0.1) {
		pass()
		event("fcntl_setlk", p, asks_file[p], 1000 + p, 5000 + p, asks_mode[p] - 1, asks_first[p],
			asks_last[p] == bytes - 1 ? TOP : asks_last[p], -512)
		end_wait(p, -512)
	} else {
		try_posix(p)
	}
}

BEGIN {
	srand(seed)
	TOP = "9223372036854775807"
	prefix = old ? "fl_" : ""
	bytes = 8
	processes = 2 + upto(4)
	files = 1 + upto(2)
	now = passed = 1000
	print "iotrace-text 1\nhostname n1\nerror 0" > events
	for (step = 0; step < 80; step++) {
		p = upto(processes)
		later()
		if (waits[p])
			go_on(p)
		else if (rand() < 0.6)
			ask(p)
		else
			release(p)
	}
	# all files are closed; waits of fcntl for a process that waits for flock end by a signal
	for (round = 0; round <= processes; round++)
		for (p = 0; p < processes; p++) {
			later()
			if (waits[p])
				go_on(p, round)
			for (f = 0; f < files && !waits[p]; f++) {
				later()
				unlock_posix(p, f, 0, bytes - 1)
				set_range("flock", f, p, 0, 0, 0)
				event("flock_lock_inode", p, f, 2000 + p, 7000 + p, 2, 0, TOP, 0)
			}
		}
}
