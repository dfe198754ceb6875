# SPDX-License-Identifier: GPL-2.0-or-later
# A host that runs virtual CPUs and other threads on fewer CPUs, with a random schedule. Writes the host's recording, FOLDER/host, those of
# the guests, FOLDER/1 and so on, and FOLDER/wanted: for each virtual CPU the time by which its guest's steal counter rises while
# the guest is recorded. The kernel counts the time in which the thread could run and did not. FOLDER/shares: threads that run in the
# guests, and waits for locks, each with the growth of that counter on the CPU on which the span ended.
# usage: awk -v seed=N -v folder=FOLDER -f steal.awk
function random(n) { return int(rand() * n) }

function event(cpu, pid, text) { printf "%.0f %d %d %s\n", now, cpu, pid, text > (folder "/host") }

# The guest's counter stands still outside its recording.
function steal(thread, t0, t1,    g) {
	g = guest[thread]
	t0 = t0 < begin[g] ? begin[g] : t0
	t1 = t1 > end[g] ? end[g] : t1
	if (thread <= vcpus && t1 > t0)
		stolen[thread] += t1 - t0
}

# The guest's counter now
function counter(thread) { return counted[thread] + (state[thread] == "runnable" ? now - since[thread] : 0) }

function guest_event(g, cpu, text) { printf "%.0f %d %d %s\n", now, cpu, 500 + cpu, text > (folder "/" g) }

function share(g, what, from, ns) { printf "node %d %s %.0f %.0f %.0f\n", g, what, from, now - from, ns > (folder "/shares") }

# A process of the guest gets the virtual CPU or leaves it, or a lock is asked for or granted there.
function act(thread,    g, c, lock, i) {
	g = guest[thread]
	c = number[thread]
	lock = "ls_id=1 lkb_id=2 res_name=B"
	if (now <= begin[g] || now >= end[g])
		return
	if (random(2)) {
		if (process[thread])
			share(g, "running " (500 + c), process[thread], counter(thread) - process_counter[thread])
		guest_event(g, c, process[thread] ? \
			"sched:sched_switch prev_comm=w prev_pid=" (500 + c) " prev_prio=120 prev_state=1 next_comm=idle next_pid=0 next_prio=120" : \
			"sched:sched_switch prev_comm=idle prev_pid=0 prev_prio=120 prev_state=0 next_comm=w next_pid=" (500 + c) " next_prio=120")
		process[thread] = process[thread] ? 0 : now
		process_counter[thread] = counter(thread)
	} else if (asked[g]) {
		guest_event(g, c, "dlm:dlm_ast " lock " sb_flags=0 sb_status=0")
		share(g, "PENDING", asked[g], counter(thread) - asked_counter[thread])
		guest_event(g, c, "dlm:dlm_unlock_start " lock " flags=0")
		guest_event(g, c, "dlm:dlm_unlock_end " lock " flags=0 error=0")
		guest_event(g, c, "dlm:dlm_ast " lock " sb_flags=0 sb_status=-65538")
		asked[g] = 0
	} else {
		guest_event(g, c, "dlm:dlm_lock_start " lock " flags=0 mode=5")
		guest_event(g, c, "dlm:dlm_lock_end " lock " flags=0 mode=5 error=0")
		asked[g] = now
		for (i = 1; i <= vcpus; i++)
			if (guest[i] == g)
				asked_counter[i] = counter(i)
	}
}

# The thread that has waited longest on the CPU; 0: none
function next_of(cpu,    i, best) {
	for (i = 1; i <= threads; i++)
		if (home[i] == cpu && state[i] == "runnable" && (!best || since[i] < since[best]))
			best = i
	return best
}

function wake(thread) {
	event(random(cpus), 0, "sched:sched_wakeup comm=h prio=120 pid=" pid[thread])
	state[thread] = "runnable"
	since[thread] = now
}

# The CPU takes another thread; the one that had it leaves in the state @left
function switch_to(cpu, thread, left) {
	event(cpu, running[cpu] ? pid[running[cpu]] : 0, "sched:sched_switch prev_comm=h prev_prio=120 next_comm=h next_prio=120 prev_pid=" (running[cpu] ? pid[running[cpu]] : 0) \
		" prev_state=" left " next_pid=" (thread ? pid[thread] : 0))
	if (thread) {
		steal(thread, since[thread], now)
		counted[thread] += now - since[thread]
		state[thread] = "running"
		acts[cpu] = now + 1 + random(10 ^ (2 + random(5)))
		slice[cpu] = now + 1 + random(10 ^ (3 + random(5)))
	}
	running[cpu] = thread
}

function leave(cpu,    thread, how) {
	thread = running[cpu]
	how = random(4)
	since[thread] = now
	if (how) {
		state[thread] = "runnable"
		if (next_of(cpu) != thread)
			switch_to(cpu, next_of(cpu), how == 1 ? 0 : 256)
		else {
			state[thread] = "running"
			slice[cpu] = now + 1 + random(1000000)
		}
		return
	}
	state[thread] = "asleep"
	due[thread] = now + 1 + random(10 ^ (3 + random(5)))
	switch_to(cpu, next_of(cpu), random(5) ? 1 : 2)
}

BEGIN {
	srand(seed)
	cpus = 1 + random(3)
	guests = 1 + random(3)
	now = first = 1000000000
	last = first + 200000000
	print "iotrace-text 1\nsync host" > (folder "/host")
	for (g = 1; g <= guests; g++) {
		# after the host's first event, before which no state of a virtual CPU is known
		begin[g] = first + 1000000 + random(19000000)
		end[g] = last - 1 - random(20000000)
		of = 1 + random(3)
		for (c = 0; c < of; c++) {
			guest[++vcpus] = g
			number[vcpus] = c
			print "vcpu", g, c, 1000 + vcpus > (folder "/host")
		}
		printf "iotrace-text 1\nsync yes\n" > (folder "/" g)
		lock = "ls_id=1 lkb_id=1 flags=0 mode=5 res_name=A"
		printf "%.0f 0 1 dlm:dlm_lock_start %s\n", begin[g], lock > (folder "/" g)
	}
	threads = vcpus + random(4)
	for (i = 1; i <= threads; i++) {
		pid[i] = 1000 + i
		home[i] = random(cpus)
		state[i] = "asleep"
		due[i] = first + random(1000000)
	}
	while (now < last) {
		t = last
		who = what = 0
		for (i = 1; i <= threads; i++)
			if (state[i] == "asleep" && due[i] < t) {
				t = due[i]
				who = i
				what = 1
			}
		for (c = 0; c < cpus; c++)
			if (running[c] && slice[c] < t) {
				t = slice[c]
				who = c
				what = 2
			}
		for (c = 0; c < cpus; c++)
			if (running[c] && running[c] <= vcpus && acts[c] < t) {
				t = acts[c]
				who = c
				what = 3
			}
		# no two events have the same time
		now = t > now ? t : now + 1
		if (!what)
			break
		if (what == 3) {
			act(running[who])
			acts[who] = now + 1 + random(10 ^ (2 + random(5)))
		} else if (what == 2)
			leave(who)
		else {
			wake(who)
			if (!running[home[who]]) {
				now++
				switch_to(home[who], who, 0)
			}
		}
	}
	now = last + 1
	event(0, 0, "sched:sched_switch prev_comm=h prev_pid=0 prev_prio=120 prev_state=0 next_comm=h next_pid=0 next_prio=120")
	for (i = 1; i <= vcpus; i++) {
		if (state[i] == "runnable")
			steal(i, since[i], last)
		printf "node %d/CPU %d %.0f\n", guest[i], number[i], stolen[i] > (folder "/wanted")
	}
	for (g = 1; g <= guests; g++)
		printf "%.0f 0 1 dlm:dlm_lock_end %s error=0\n", end[g], lock > (folder "/" g)
	for (g = 1; g <= guests; g++)
		printf " --map %d=%s/%d %s/%d", g, folder, g, folder, g > (folder "/args")
	print "" > (folder "/args")
}
