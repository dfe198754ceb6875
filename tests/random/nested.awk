# SPDX-License-Identifier: GPL-2.0-or-later
# Threads that take several DLM locks in each write call, one lock after the other: a thread waits while it holds, so there are
# chains of waits. The lock master grants in the order of requests. Locks are taken in the order of resources: no deadlocks.
# Writes the recordings FOLDER/events1, events2, ... without a head, and the truth as gen-dat.c describes it: lines "wait" and "part",
# each with the pid at its end, and "call NODE PID OP START END".
#
# usage: awk -v seed=N -v nodes=N -v tasks=N -v resources=N -v folder=FOLDER -f nested.awk >TRUTH

function upto(n) {
	return int(rand() * n)
}

function event(node, t, cpu, pid, text) {
	if (t <= stop)
		printf "%.0f %d %d %s\n", t, cpu, pid, text > (folder "/events" node)
}

function at(t, what, task, lock) {
	pending++
	when[pending] = t
	action[pending] = what " " task " " lock
}

# Take the next action out of the list.
function next_action(    i, first, text) {
	first = 1
	for (i = 2; i <= pending; i++)
		if (when[i] < when[first])
			first = i
	now = when[first]
	text = action[first]
	when[first] = when[pending]
	action[first] = action[pending]
	pending--
	return text
}

function lock_event(t, cpu, pid, name, lock, fields) {
	event(node_of[owner[lock]], t, cpu, pid, sprintf("dlm:dlm_%s ls_id=7 lkb_id=%d %s res_name=\"r%d\"", name, lock_id[lock], fields, resource[lock]))
}

function ask(task,    lock) {
	lock = ++locks
	owner[lock] = task
	lock_id[lock] = ++ids[node_of[task]]
	resource[lock] = below[task] += 1 + upto(2)
	mode[lock] = rand() < 0.6 ? 5 : 3
	asked[lock] = now
	has[task, ++n_has[task]] = lock
	lock_event(now, 0, pid[task], "lock_start", lock, "mode=" mode[lock] " flags=0")
	lock_event(now + 2, 0, pid[task], "lock_end", lock, "mode=" mode[lock] " flags=0 error=0")
	at(now + 3 + upto(200), "request", task, lock)
}

# Grant what the modes that are held allow, in the order of requests.
function grant(r,    i, k, lock, free) {
	while (first[r] < last[r]) {
		lock = queue[r, first[r] + 1]
		free = 1
		for (i = 1; i <= granted[r]; i++)
			if (mode[held[r, i]] == 5 || mode[lock] == 5)
				free = 0
		if (!free)
			return
		first[r]++
		held[r, ++granted[r]] = lock
		at(now + 3 + upto(200), "ast", owner[lock], lock)
	}
}

function truth_head(lock) {
	return sprintf("%d\t7\t%02x%02x\t%x", node_of[owner[lock]], 114, 48 + resource[lock], lock_id[lock])
}

function put_wait(lock, t) {
	printf "wait\t%s\twait\t-\t%s\t%.0f\t%.0f\t%s\t%d\n", truth_head(lock), name[mode[lock]], asked[lock], t, t == stop ? "-" : 0, pid[owner[lock]]
}

function put_part(lock, what, t0, t1) {
	printf "part\t%s\t%s\t%s\t%.0f\t%.0f\t%d\n", truth_head(lock), name[mode[lock]], what, t0, t1, pid[owner[lock]]
}

function release(task,    i, lock) {
	for (i = n_has[task]; i; i--) {
		lock = has[task, i]
		left[lock] = now
		lock_event(now, 0, pid[task], "unlock_start", lock, "flags=0")
		lock_event(now + 2, 0, pid[task], "unlock_end", lock, "flags=0 error=0")
		at(now + 3 + upto(200), "free", task, lock)
		now += 5
	}
	n_has[task] = 0
	event(node_of[task], now, 0, pid[task], sprintf("iotrace:write_end id=%d ret=8 pos=8", calls[task]))
	printf "call\t%d\t%d\twrite\t%.0f\t%.0f\n", node_of[task], pid[task], called[task], now
	called[task] = 0
	at(now + 10 + upto(3000), "begin", task, 0)
}

function act(what, task, lock,    r, i) {
	r = resource[lock]
	if (what == "begin") {
		called[task] = now
		below[task] = upto(resources - 1)
		event(node_of[task], now, 0, pid[task], sprintf("iotrace:write_start id=%d ino=5 pos=0 len=8 tgid=%d fd=3 dev=0x1 flags=0 op=6", ++calls[task], pid[task]))
		at(now + 5 + upto(20), "ask", task, 0)
	} else if (what == "ask") {
		ask(task)
	} else if (what == "request") {
		queue[r, ++last[r]] = lock
		grant(r)
	} else if (what == "ast") {
		lock_event(now, 1, 0, "ast", lock, "sb_flags=0 sb_status=0")
		put_wait(lock, now)
		got[lock] = now
		if (below[task] < resources - 2 && rand() < 0.75)
			at(now + 10 + upto(300), "ask", task, 0)
		else
			at(now + 10 + upto(2000), "release", task, 0)
	} else if (what == "release") {
		release(task)
	} else if (what == "free") {
		for (i = 1; held[r, i] != lock; i++)
			;
		held[r, i] = held[r, granted[r]--]
		at(now + 3 + upto(200), "done", task, lock)
		grant(r)
	} else if (what == "done") {
		lock_event(now, 1, 0, "ast", lock, "sb_flags=0 sb_status=-65538")
		put_part(lock, "certain", got[lock], left[lock])
		put_part(lock, "leaving", left[lock], now)
		gone[lock] = 1
	}
}

BEGIN {
	srand(seed)
	name[3] = "PR"
	name[5] = "EX"
	stop = 40000
	for (task = 1; task <= nodes * tasks; task++) {
		node_of[task] = 1 + task % nodes
		pid[task] = 100 + task
		at(1000 + upto(2000), "begin", task, 0)
	}
	while (pending) {
		split(next_action(), word, " ")
		if (now >= stop)
			break
		act(word[1], word[2], word[3])
	}
	for (lock = 1; lock <= locks; lock++) {
		if (gone[lock])
			continue
		if (!got[lock])
			put_wait(lock, stop)
		else
			put_part(lock, "certain", got[lock], left[lock] ? left[lock] : stop)
		if (left[lock])
			put_part(lock, "leaving", left[lock], stop)
	}
	for (task in called)
		if (called[task])
			printf "call\t%d\t%d\twrite\t%.0f\t%.0f\n", node_of[task], pid[task], called[task], stop
	# each CPU has a first and a last event, so that losses are noticed
	for (node = 1; node <= nodes; node++)
		for (cpu = 0; cpu < 2; cpu++) {
			event(node, 900, cpu, 9, "marker")
			event(node, stop, cpu, 9, "marker")
		}
}
