# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs on two or three machines that read and write two files: some of them with locks (fcntl on ranges, flock, DLM), some send each other
# messages, some sync, close and open the files. The truth about each two accesses comes from the true times and from each path from one
# to the other over releases and messages, looked for one by one.
# Lines of the recordings go to standard output: NODE TIME CPU PID EVENT; the truth goes to a file.
#
# usage: awk -v seed=N -v bound=NS -v truth=FILE -f races.awk | sort -s -k1,1 -k2,2n
#   bound: by so many ns the times of each machine may be wrong, and are
function random(n) { return int(rand() * n) }
function max(a, b) { return a > b ? a : b }
function event(p, t, text) { printf "node%d %.0f %d %d %s\n", node[p], t + offset[node[p]], p, p, text }

# an instant that nothing else has
function instant(t) { while (t in taken) t++; taken[t]; return t }

function start(p) { return instant(clock[p] + 1 + random(random(6) ? 200 : 3000)) }
function ends(t) { return instant(t + 1 + random(random(4) ? 300 : 2000)) }
function who(p, f) { return " tgid=" p " fd=3 dev=9 ino=" f }

# a process that does nothing else opens the files, so that their names and generations are known on each machine
function before(p,   f, t) {
	t = 900000
	event(p, t, "iotrace:fs dev=9 uuid_hi=1 uuid_lo=2 type=\"gfs2\" source=\"x\"")
	for (f = 11; f <= 20; f += f == 12 ? 8 : 1) {
		event(p, t += 10, "iotrace:open_start id=" ++id " op=41 flags=0 mode=0 dirfd=-100 dev=0 ino=0 tgid=" 90 + p " path=\"/f" f "\" fd=-100")
		event(p, t += 10, "iotrace:open_end id=" id " ret=3 pos=0 dev=9 ino=" f " gen=7 kind=32768 elsewhere=0 path=\"/f" f "\"")
	}
}

function access(p, f, kind, pos, len,   c) {
	c = ++n_accesses
	by[c] = p; file[c] = f; writes[c] = kind == "write"; from[c] = pos; to[c] = pos + len
	t0[c] = start(p); t1[c] = clock[p] = ends(t0[c])
	locks_of[c] = held_now(p)
	event(p, t0[c], "iotrace:" kind "_start id=" ++id " op=" (writes[c] ? 6 : 1) " flags=0 segs=1 kind=32768 pos=" pos " len=" len who(p, f))
	event(p, t1[c], "iotrace:" kind "_end id=" id " ret=" len " pos=" pos + len)
}

function call(p, f, what,   c) {
	c = ++n_calls
	caller[c] = p; called[c] = what; about[c] = f
	begin[c] = start(p); end[c] = clock[p] = ends(begin[c])
	if (what == "sync") event(p, begin[c], "iotrace:sync_start id=" ++id " op=20 flags=0 segs=1 kind=32768 pos=-1 len=0" who(p, f))
	if (what == "close") event(p, begin[c], "iotrace:close_start id=" ++id " op=29 flags=0 kind=32768" who(p, f))
	if (what == "open") event(p, begin[c], "iotrace:open_start id=" ++id " op=41 flags=0 mode=0 dirfd=-100 dev=0 ino=0 tgid=" p " path=\"/f" f "\" fd=-100")
	if (what == "open") event(p, end[c], "iotrace:open_end id=" id " ret=3 pos=0 dev=9 ino=" f " gen=7 kind=32768 elsewhere=0 path=\"/f" f "\"")
	else event(p, end[c], "iotrace:" what "_end id=" id " ret=0 pos=-1")
}

# ---- locks of file 20: bytes 0 to 3 with fcntl are units 0 to 3, flock is unit 4; a lock of the DLM is unit 5

function lock_event(p, t, e, first, last, type,   k, b) {
	if (first == 5) {
		if (type != 2) lkb[p] = ++id
		k = type == 2 ? "unlock" : "lock"
		b = " ls_id=1 lkb_id=" lkb[p] " flags=0" (type == 2 ? "" : " mode=" (type ? 5 : 3)) " res_name=\"R\""
		event(p, t, "dlm:dlm_" k "_start" b)
		event(p, instant(t + 1), "dlm:dlm_" k "_end" b " error=0")
		event(p, e, "dlm:dlm_ast ls_id=1 lkb_id=" lkb[p] " sb_flags=0 sb_status=" (type == 2 ? -65538 : 0) " res_name=\"R\"")
		return
	}
	event(p, t, "iotrace:lock_start id=" ++id " op=" (first == 4 ? 37 : 33) " wait=1 type=" type " whence=0 kind=32768 start=" (first == 4 ? 0 : first) " len=" (first == 4 ? 0 : last - first + 1) who(p, 20))
	event(p, e, "iotrace:lock_end id=" id " ret=0 pos=-1")
}

# "1e 2s": the units that a process holds
function held_now(p,   u, text) {
	for (u = 0; u < 6; u++) if (holds[p, u]) text = text " " u holds[p, u]
	return text
}

function common_lock(c, d,   i, k, n, m, a, b) {
	n = split(locks_of[c], a, " "); m = split(locks_of[d], b, " ")
	for (i = 1; i <= n; i++) for (k = 1; k <= m; k++)
		if (substr(a[i], 1, 1) == substr(b[k], 1, 1) && (substr(a[i], 2) == "e" || substr(b[k], 2) == "e")) return 1
	return 0
}

# waits until all others have released what is in the way; FALSE: somebody has not
function lock(p, first, last, mode,   u, q, t, e, free) {
	for (u = first; u <= last; u++) {
		if (holds[p, u]) return 0
		for (q = 1; q <= n_processes; q++) if (q != p && (holds[q, u] == "e" || (holds[q, u] && mode == "e"))) return 0
		free = max(free, was_exclusive[u]); if (mode == "e") free = max(free, was_shared[u])
	}
	t = start(p); e = clock[p] = ends(max(t, free) + 9)
	lock_event(p, t, e, first, last, mode == "e" ? 1 : 0)
	for (u = first; u <= last; u++) { holds[p, u] = mode; got(p, u, mode, e) }
	return 1
}

function got(p, u, mode, t,   i) {
	for (i = 1; i <= n_left; i++)
		if (left_unit[i] == u && left_by[i] != p && (mode == "e" || left_mode[i] == "e")) edge(left_by[i], left_at[i], p, t)
}

function unlock(p, first, last,   u, t, e, really) {
	t = start(p); e = clock[p] = ends(t + 9); really = t + random(e - t)
	lock_event(p, t, e, first, last, 2)
	for (u = first; u <= last; u++) {
		n_left++; left_unit[n_left] = u; left_by[n_left] = p; left_mode[n_left] = holds[p, u]; left_at[n_left] = t
		if (holds[p, u] == "e") was_exclusive[u] = max(was_exclusive[u], really); else was_shared[u] = max(was_shared[u], really)
		holds[p, u] = ""
	}
}

function some_lock(p,   first, last, u) {
	first = random(6); last = first >= 4 ? first : first + random(4 - first)
	for (u = first; u <= last; u++) if (!holds[p, u]) break
	if (u > last) unlock(p, first, last)
	else if (!lock(p, first, last, random(3) ? "e" : "s")) { if (holds[p, first]) unlock(p, first, first) }
}

function message(p, q,   t, e) {
	t = start(p); clock[p] = t
	e = instant(max(clock[q], t) + 1 + random(300)); clock[q] = e
	event(p, t, "talk:send id=" ++id); event(q, e, "talk:receive id=" id)
	edge(p, t, q, e)
}

# ---- the truth

function edge(p, t, q, e) { n_edges++; edge_from[n_edges] = p; edge_t[n_edges] = t; edge_to[n_edges] = q; edge_e[n_edges] = e }

# known[q]: from when on process q comes after what p had done by t
function spread(p, t,   i, changed) {
	split("", known)
	known[p] = t
	do {
		changed = 0
		for (i = 1; i <= n_edges; i++)
			if ((edge_from[i] in known) && known[edge_from[i]] <= edge_t[i] && (!(edge_to[i] in known) || known[edge_to[i]] > edge_e[i])) { known[edge_to[i]] = edge_e[i]; changed = 1 }
	} while (changed)
}

# the calls that a model wants between c and d: times from and until; FALSE: they are not there
function wanted(model, c, d,   i, leave, enter) {
	leave_end = t1[c]; enter_begin = t0[d]
	if (!writes[c] || model == "posix") return 1
	leave = model == "session" ? "close" : "close sync"
	enter = model == "session" ? "open" : model == "mpi-io" ? "open sync" : ""
	leave_end = enter_begin = -1
	for (i = 1; i <= n_calls; i++) {
		if (about[i] != file[c]) continue
		if (caller[i] == by[c] && index(leave, called[i]) && begin[i] >= t1[c] && (leave_end < 0 || end[i] < leave_end)) leave_end = end[i]
		if (enter && caller[i] == by[d] && index(enter, called[i]) && end[i] <= t0[d]) enter_begin = max(enter_begin, begin[i])
	}
	if (!enter) enter_begin = t0[d]
	return leave_end >= 0 && enter_begin >= 0
}

function ordered(model, c, d) {
	if (!wanted(model, c, d)) return 0
	spread(by[c], leave_end)
	return (by[d] in known) && known[by[d]] <= enter_begin
}

function perhaps(model, c, d) { return wanted(model, c, d) && leave_end <= enter_begin }

# the truth about two accesses: of "sure" ones each begins so much before the other ends that the clocks see it
function judge(c, d,   i, model, key, text, p) {
	p = by[c] < by[d]
	key = file[c] " " (p ? by[c] : by[d]) " " (p ? by[d] : by[c]) " " (writes[c] + writes[d])
	for (i = 1; i <= 4; i++) {
		model = models[i]
		if (ordered(model, c, d) || ordered(model, d, c)) text = model == "posix" && common_lock(c, d) ? "never" : "none"
		else if (t0[c] + 4 * bound < t1[d] && t0[d] + 4 * bound < t1[c]) text = "sure"
		else text = perhaps(model, c, d) || perhaps(model, d, c) ? "race" : "calls missing"
		note(key, i, text, t1[c] > t1[d] ? c : d)
	}
}

# of several pairs the worst counts
function note(key, i, text, later) {
	keys[key]
	if (worst[key, i] == "" || place[text] > place[worst[key, i]]) worst[key, i] = text
	if (place[text] > place["none"] && !((key, i, later) in counted)) { counted[key, i, later]; count[key, i]++ }
}

BEGIN {
	srand(seed)
	split("posix commit session mpi-io", models, " ")
	place["never"] = 1; place["none"] = 2; place["race"] = 3; place["calls missing"] = 4; place["sure"] = 5
	n_nodes = 2 + random(2); n_processes = n_nodes + random(3)
	for (i = 1; i <= n_nodes; i++) offset[i] = random(2 * bound + 1) - bound
	for (p = 1; p <= n_processes; p++) {
		node[p] = p <= n_nodes ? p : 1 + random(n_nodes); clock[p] = 1000000 + random(1000)
	}
	for (i = 1; i <= n_nodes; i++) before(i)
	style = random(4)
	protects = random(6); end_of = protects
	for (n = 5 + random(40); n; n--) {
		p = 1 + random(n_processes); f = 11 + (random(4) == 0); r = random(20)
		if (style == 0) {
			# always with the lock
			if (holds[p, protects] || lock(p, protects, end_of, "e")) {
				for (i = 1 + random(3); i; i--) access(p, f, random(2) ? "write" : "read", random(12), 1 + random(6))
				if (random(4)) unlock(p, protects, end_of)
			}
		} else if (r < 9) access(p, f, random(3) ? "write" : "read", random(style == 1 ? 60 : 20), 1 + random(6))
		else if (r < 13) some_lock(p)
		else if (r < 15 + style) { q = 1 + random(n_processes); if (q != p) message(p, q) }
		else call(p, f, r == 19 ? "sync" : r % 2 ? "close" : "open")
	}
	for (p = 1; p <= n_processes; p++) event(p, 100000000 + p, "iotrace:fs dev=9 uuid_hi=1 uuid_lo=2 type=\"gfs2\" source=\"x\"")
	for (c = 1; c <= n_accesses; c++) for (d = c + 1; d <= n_accesses; d++)
		if (file[c] == file[d] && node[by[c]] != node[by[d]] && (writes[c] || writes[d]) && from[c] < to[d] && from[d] < to[c]) judge(c, d)
	for (key in keys) {
		split(key, part, " ")
		line = part[1] "|node" node[part[2]] " (pid " part[2] ")|node" node[part[3]] " (pid " part[3] ")|" part[4]
		for (i = 1; i <= 4; i++) line = line "|" worst[key, i]
		for (i = 1; i <= 4 && !count[key, i]; i++) ;
		print line "|" count[key, i] + 0 > truth
	}
}
