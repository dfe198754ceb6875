# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs: threads of up to three machines read and write up to four files, each file with a plan of its own. The truth about each file
# comes from an array with an element for each byte: who wrote it last, who has read it since, and when their calls ended.
# Lines of the recordings go to standard output: NODE TIME CPU PID EVENT; the truth goes to a file.
#
# usage: awk -v seed=N -v bound=NS -v truth=FILE -f file-use.awk | sort -s -k1,1 -k2,2n
#   bound: by so many ns the times of each machine may be wrong
function random(n) { return int(rand() * n) }
function max(a, b) { return a > b ? a : b }
function event(node, t, pid, text) { printf "node%d %.0f %d %d %s\n", node, t, pid % 8, pid, text }

# an instant that nothing else has
function instant(t) { while (t in taken) t++; taken[t]; return t }

function add(f, who, kind, pos, len, ret,   c) {
	c = n++
	file[c] = f; by[c] = who; what[c] = kind; begin[c] = instant(clock[who] + 1 + random(300)); end[c] = instant(begin[c] + 1 + random(random(4) ? 900 : 4000))
	clock[who] = end[c]; from[c] = pos; size[c] = ret; new_length[c] = len
	where = " tgid=" tgid[who] " fd=3 dev=" dev[f] " ino=" f " pos=" pos " len=" len
	if (kind == "metadata")
		event(node[who], begin[c], pid[who], "iotrace:meta_start id=" c " op=52 flags=0 mode=0 arg=0 path=\"\" path2=\"\" ino=" f " tgid=" tgid[who] " fd=3 dev=" dev[f])
	else if (kind == "lock")
		event(node[who], begin[c], pid[who], "iotrace:lock_start id=" c " op=33 wait=1 type=1 whence=0 start=0 kind=32768 tgid=" tgid[who] " fd=3 dev=" dev[f] " ino=" f " len=0")
	else
		event(node[who], begin[c], pid[who], "iotrace:" kind "_start id=" c " op=" op[kind] " flags=0 segs=1 kind=32768" where)
	event(node[who], end[c], pid[who], "iotrace:" (kind == "metadata" ? "meta" : kind) "_end id=" c " ret=" ret " pos=" (pos >= 0 && ret > 0 && (kind == "read" || kind == "write") ? pos + ret : -1) (kind == "metadata" ? " elsewhere=0" : ""))
}

function one_call(f, who, mode,   kind, pos, len, ret, style) {
	if (random(8) == 0) { add(f, who, "metadata", -1, 0, 0); return }
	if (random(12) == 0) { add(f, who, "sync", -1, 0, 0); return }
	if (random(20) == 0) { add(f, who, "lock", 0, 0, 0); return }
	if (truncates[f] && random(6) == 0) { add(f, who, "truncate", -1, random(60), 0); return }
	if (maps[f] && random(6) == 0) { add(f, who, "mmap", 0, 4096, 0); return }
	kind = mode == "both" ? (random(2) ? "read" : "write") : mode
	len = 1 + random(12)
	ret = random(10) == 0 ? -5 : random(8) == 0 ? random(len + 1) : len
	style = random(4)
	pos = style == 0 ? next_of[f, who] + 0 : style == 1 ? top[f] + 0 : style == 2 ? next_of[f, who] + 7 : low[f, who] + random(40)
	if (unknown[f] && random(5) == 0) pos = -1
	if (ret > 0 && pos >= 0) { next_of[f, who] = pos + ret; top[f] = max(top[f], pos + ret) }
	add(f, who, kind, pos, len, ret)
}

# ---- the truth, byte by byte

function certain_order(a_node, a, b_node, b) { return a_node == b_node ? a < b : a + 2 * bound < b }
# how sure it is that call c began before the call of d that had ended at e
function same(c, d, e,   n1, n2) {
	n1 = node[by[c]]; n2 = node[d]
	if (n1 == n2) return begin[c] < e ? 2 : 0
	if (certain_order(n1, begin[c], n2, e)) return 2
	return certain_order(n2, e, n1, begin[c]) ? 0 : 1
}

function depend(c, kind, d, e, byte,   key, sure) {
	if (d == by[c]) return
	key = file[c] " " by[c] " " kind " " d
	if (!(key in dep_bytes)) { dep_from[key] = byte; dep_to[key] = byte + 1 }
	dep_bytes[key]++
	if (byte < dep_from[key]) dep_from[key] = byte
	dep_to[key] = max(dep_to[key], byte + 1)
	depends[file[c]]++
	if (!((key, c) in dep_sure)) dep_calls[key]++
	sure = same(c, d, e)
	if (sure >= dep_sure[key, c] + 0) dep_sure[key, c] = sure
	dep_of[key, c] = key
}

function touch(c, f, i,   x) {
	for (i = from[c]; i < from[c] + size[c]; i++) {
		x = f SUBSEP i
		if (what[c] == "write") {
			if (x in writer) { overwritten[f]++; if (writer[x] == by[c]) own_order[f]++; else depend(c, "ww", writer[x], written[x], i) }
			# somebody else who has read it last
			if ((x in reader) && reader[x] != by[c]) depend(c, "rw", reader[x], was_read[x], i)
			else if (x in reader2) depend(c, "rw", reader2[x], was_read2[x], i)
			writer[x] = by[c]; written[x] = end[c]
			delete reader[x]; delete reader2[x]
		} else {
			if (x in writer) { if (writer[x] == by[c]) own_order[f]++; else depend(c, "wr", writer[x], written[x], i) }
			if (x in reader) { reread[f]++; if (reader[x] != by[c]) { reader2[x] = reader[x]; was_read2[x] = was_read[x] } }
			reader[x] = by[c]; was_read[x] = end[c]
		}
	}
}

function step(c, f,   k, s) {
	k = f SUBSEP by[c] SUBSEP what[c]
	unaligned[f] += from[c] % 4096 != 0
	if (k in last_pos) {
		s = from[c] - last_pos[k]
		steps[k]++
		jump[k, steps[k]] = from[c] == last_end[k] ? "next" : s
		thread_steps[k] = f
	}
	last_pos[k] = from[c]; last_end[k] = from[c] + size[c]
}

function data(c, f) {
	if (what[c] == "read") { reads[f]++; bytes_read[f] += size[c]; reads_it[f, by[c]] } else { writes[f]++; bytes_written[f] += size[c]; writes_it[f, by[c]] }
	below[f, what[c]] += size[c] > 0
	uses[f, by[c]]
	node_bytes[f, node[by[c]]] += size[c]
	if (from[c] < 0) { nowhere[f]++; return }
	if (!size[c]) return
	step(c, f)
	if (what[c] == "write" && reached[f] && from[c] + size[c] > reached[f]) {
		appended[f] += from[c] + size[c] - max(reached[f], from[c])
		if (from[c] == reached[f] && reached_by[f] != "" && reached_by[f] != by[c]) others_append[f]++
	}
	if (from[c] + size[c] > reached[f]) { reached[f] = from[c] + size[c]; reached_by[f] = what[c] == "write" ? by[c] : "" }
	touch(c, f)
}

function cut(f, length_, i, x) {
	for (i = length_; i < 4000; i++) { x = f SUBSEP i; delete writer[x]; delete reader[x]; delete reader2[x] }
	if (length_ < reached[f]) { reached[f] = length_; reached_by[f] = "" }
}

function count(f, list, parts,   k, n_) { for (k in list) { split(k, parts, SUBSEP); if (parts[1] == f) n_++ } return n_ + 0 }

function constellation(f,   all) {
	all = count(f, uses)
	if (!reads[f] && !writes[f]) return "no data"
	if (all > 1) return reads[f] && writes[f] ? "several read and write" : reads[f] ? "several read" : "several write"
	if (reads[f] && writes[f]) return "one reads and writes"
	if (reads[f]) return reads[f] == 1 ? "one reads once" : "one reads repeatedly"
	return writes[f] == 1 ? "one writes once" : "one writes repeatedly"
}

function needs(f) {
	if (!writes[f]) return "free to optimise"
	if (constellation(f) == "one writes once") return "free until the close"
	if (depends[f]) return "synchronise"
	if (others_append[f]) return "synchronise appends"
	if (nowhere[f] || mapped[f]) return "not known"
	return own_order[f] ? "keep the order of calls" : "free until the close"
}

function print_file(f,   k, i, parts, who, procs, nds, next_, strided, random_, np, nn, busiest) {
	for (k in uses) {
		split(k, parts, SUBSEP)
		if (parts[1] != f) continue
		who = parts[2]; procs[node[who], tgid[who]]; nds[node[who]]
	}
	for (k in procs) np++
	for (k in nds) { nn++; busiest = max(busiest, node_bytes[f, k]) }
	for (k in thread_steps) if (thread_steps[k] == f)
		for (i = 1; i <= steps[k]; i++)
			if (jump[k, i] == "next") next_++
			# one of several jumps of the same length
			else if (jump[k, i] != 0 && (jump[k, i] "" == jump[k, i - 1] "" || jump[k, i] "" == jump[k, i + 1] "")) strided++
			else random_++
	print "file 0:" dev[f] ":" f "|" constellation(f) "|" needs(f) "|" count(f, reads_it) "|" count(f, writes_it) "|" np + 0 "|" nn + 0 "|" bytes_read[f] + 0 "|" bytes_written[f] + 0 "|" \
		overwritten[f] + 0 "|" appended[f] + 0 "|" others_append[f] + 0 "|" reread[f] + 0 "|" next_ + 0 "|" strided + 0 "|" random_ + 0 "|" metadata[f] + 0 "|" syncs[f] + 0 "|" synced[f] + 0 "|" \
		unaligned[f] + 0 "|" nowhere[f] + 0 "|" busiest + 0 "|" times[f] + 0 "|" lock_times[f] + 0 > truth
	# the rules of file-use.model
	if (reads[f] + writes[f] >= 4 && random_ >= (reads[f] + writes[f]) * 0.3) print "advice random 0:" dev[f] ":" f > truth
	if (writes[f] >= 3 && below[f, "write"] >= writes[f]) print "advice all small 0:" dev[f] ":" f > truth
	if (nn >= 2 && busiest >= 0.6 * (bytes_read[f] + bytes_written[f])) print "advice one node 0:" dev[f] ":" f > truth
	if (bytes_read[f] <= 0 && bytes_written[f] >= 1) print "advice never read 0:" dev[f] ":" f > truth
	if (lock_times[f] >= 1 && lock_times[f] >= times[f] * 0.25) print "advice locked 0:" dev[f] ":" f > truth
}

BEGIN {
	srand(seed)
	op["read"] = 1; op["write"] = 6; op["sync"] = 20; op["truncate"] = 26; op["mmap"] = 28
	for (i = 1; i <= 3; i++) event(i, 100, 1, "iotrace:fs dev=9 uuid_hi=1 uuid_lo=2 type=\"gfs2\" source=\"x\"")
	for (i = 1; i <= 3; i++) event(i, 200000, 1, "iotrace:fs dev=9 uuid_hi=1 uuid_lo=2 type=\"gfs2\" source=\"x\"")
	n_threads = 1 + random(5)
	for (who = 1; who <= n_threads; who++) {
		node[who] = 1 + random(3); tgid[who] = 100 + 10 * random(2); pid[who] = 100 * who + tgid[who]; clock[who] = 1000 + random(2000)
	}
	n_files = 1 + random(4)
	for (f = 11; f < 11 + n_files; f++) {
		dev[f] = 9
		unknown[f] = random(5) == 0; truncates[f] = random(5) == 0; maps[f] = random(6) == 0; apart[f] = random(3) == 0
		users = random(2) ? 1 : 1 + random(n_threads)
		first = 1 + random(n_threads)
		for (u = 0; u < users; u++) {
			who = 1 + (first + u) % n_threads
			mode[f, who] = random(3) == 0 ? "both" : random(2) ? "read" : "write"
			low[f, who] = next_of[f, who] = apart[f] ? who * 500 : 0
			left[f, who] = random(4) == 0 ? 1 : 1 + random(7)
			turns[f, who]; n_turns += left[f, who]
		}
	}
	# threads work on their files by turns
	for (; n_turns > 0; n_turns--) {
		i = random(n_turns)
		for (f = 11; f < 11 + n_files; f++) for (who = 1; who <= n_threads; who++)
			if ((f, who) in turns && left[f, who] > 0) { if (i >= 0 && i < left[f, who]) { pick_f = f; pick_who = who } i -= left[f, who] }
		left[pick_f, pick_who]--
		one_call(pick_f, pick_who, mode[pick_f, pick_who])
	}
	# calls in the order of their ends
	for (c = 0; c < n; c++) order[c] = c
	for (i = 1; i < n; i++) { c = order[i]; for (k = i - 1; k >= 0 && end[order[k]] > end[c]; k--) order[k + 1] = order[k]; order[k + 1] = c }
	for (i = 0; i < n; i++) {
		c = order[i]; f = file[c]; who = by[c]
		if (size[c] < 0) continue
		seen[f]; times[f] += end[c] - begin[c]
		if (what[c] == "metadata") metadata[f]++
		else if (what[c] == "lock") lock_times[f] += end[c] - begin[c]
		else if (what[c] == "mmap") mapped[f]++
		else if (what[c] == "sync") { syncs[f]++; synced[f] += last_kind[f, who] == "write"; last_kind[f, who] = "sync" }
		else if (what[c] == "truncate") cut(f, new_length[c])
		else { last_kind[f, who] = what[c]; data(c, f) }
	}
	for (f in seen) print_file(f)
	for (k in dep_of) { key = dep_of[k]; if (dep_sure[k] == 2) dep_same[key]++; else if (dep_sure[k] == 1) dep_perhaps[key]++ }
	words["ww"] = "overwrites what was written"; words["wr"] = "reads what was written"; words["rw"] = "overwrites what was read"
	for (key in dep_bytes) {
		split(key, part, " ")
		print "overlap 0:" dev[part[1]] ":" part[1] "|node" node[part[2]] " (pid " pid[part[2]] ")|" words[part[3]] "|node" node[part[4]] " (pid " pid[part[4]] ")|" \
			dep_bytes[key] "|" dep_calls[key] "|" dep_from[key] "|" dep_to[key] "|" dep_same[key] + 0 "|" dep_perhaps[key] + 0 > truth
	}
}
