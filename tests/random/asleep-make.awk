# SPDX-License-Identifier: GPL-2.0-or-later
# A random recording of threads that run, sleep and wake each other, in calls and outside, and its truth: for each call that ended, how long
# its thread slept, by who woke it and what that one did, found by asking at each ns, and following wakers to the end.
# usage: awk -v seed=N -v truth=FILE -f asleep-make.awk > RECORDING

function random(n) { return int(rand() * n) }

# Each event has a later time than the last one, so that no two are a tie.
function event(cpu, who, text)
{
	printf "%d %d %s %s\n", now, cpu, who, text
}

function name(p) { return p ? "t" p : "swapper" }

function switch_to(cpu, prev, state, next_one)
{
	event(cpu, prev, sprintf("sched:sched_switch prev_comm=\"%s\" prev_pid=%d prev_prio=120 prev_state=%d next_comm=\"%s\" next_pid=%d next_prio=120",
		name(prev), prev, state, name(next_one), next_one))
}

# The thread has the state from now on.
function enter(p, state)
{
	n[p]++
	from[p, n[p]] = now
	is[p, n[p]] = state
}

function begin_call(p)
{
	call[p] = ++calls
	call_of[calls] = p
	of[p, ++n_calls[p]] = calls
	begun[calls] = now
	event(cpu_of[p], p, sprintf("iotrace:read_start id=%d tgid=%d op=1 fd=3 dev=5 ino=%d pos=0 len=100", calls, p, calls))
}

function end_call(p)
{
	ended[call[p]] = now
	event(cpu_of[p], p, sprintf("iotrace:read_end id=%d ret=100 pos=0", call[p]))
	call[p] = 0
}

# who: "18" a thread, "18/hardirq" an interrupt in it; @silent: nobody recorded the waking. The wake-up comes a little later.
function wake_up(cpu, who, p, waker, silent,  asleep)
{
	asleep = is[p, n[p]] ~ /sleeping|uninterruptible/
	# what sched_waking said last of the thread, counts until it says something else
	silent = silent && last_waker[p] !~ /irq/
	if (!silent)
		last_waker[p] = waker
	if (!silent)
		event(cpu, who, sprintf("sched:sched_waking comm=\"%s\" pid=%d prio=120 target_cpu=%d", name(p), p, cpu_of[p]))
	now += 1 + random(4)
	event(cpu_of[p], "0/hardirq", sprintf("sched:sched_wakeup comm=\"%s\" pid=%d prio=120 target_cpu=%d", name(p), p, cpu_of[p]))
	if (asleep) {
		woken_by[p, n[p]] = silent ? "" : waker
		enter(p, "runnable")
	}
}

function sleep_now(p, state)
{
	switch_to(cpu_of[p], p, state == "sleeping" ? 1 : 2, 0)
	enter(p, state)
}

function act(p,  state, other)
{
	state = is[p, n[p]]
	other = 1 + random(threads)
	# the one that sleeps in the crowd is woken later
	if (crowd && other == 1 && p != 1 && i < 1450 * threads)
		other = p
	if (state == "runnable") {
		switch_to(cpu_of[p], 0, 0, p)
		enter(p, "running")
	} else if (state == "running" && rand() < 0.25) {
		if (call[p])
			end_call(p)
		else
			begin_call(p)
	} else if (state == "running" && rand() < sleepy) {
		sleep_now(p, rand() < 0.6 ? "sleeping" : "uninterruptible")
	} else if (state == "running" && other != p) {
		wake_up(cpu_of[p], p, other, other == p ? "" : p, 0)
	} else if (rand() < 0.15) {
		# the interrupt is on the processor of anybody
		state = rand() < 0.5 ? "hardirq" : "softirq"
		other = 1 + random(threads)
		wake_up(cpu_of[other], (is[other, n[other]] == "running" ? other : 0) "/" state, p, state, rand() < 0.2)
	}
}

# The number of the state that the thread has at the instant.
function state_at(p, t,  k)
{
	for (k = at[p]; k < n[p] && from[p, k + 1] <= t; k++)
		;
	return at[p] = k
}

function is_in_call(p, t,  k, c)
{
	for (k = at_call[p]; k < n_calls[p] && begun[of[p, k + 1]] <= t; k++)
		;
	c = of[p, at_call[p] = k]
	return begun[c] <= t && (ended[c] ? ended[c] : now + 1) > t
}

# "phase by what asks" of what woke the thread that sleeps at the instant; "": nobody knows
function cause(p, t,  by, depth, k)
{
	by = woken_by[p, state_at(p, t)]
	if (by == "")
		return ""
	if (by ~ /irq/)
		return "interrupt - " by " -"
	for (depth = 1; ; depth++) {
		k = state_at(by, t)
		if (is[by, k] !~ /sleeping|uninterruptible/ || woken_by[by, k] == "")
			return (depth == 1 ? "woken " : "followed ") by " " is[by, k] " " (is_in_call(by, t) ? "read" : "-")
		if (depth == 16)
			return "cut " by " - -"
		if (woken_by[by, k] ~ /irq/)
			return "interrupt " by " " woken_by[by, k] " -"
		by = woken_by[by, k]
	}
}

BEGIN {
	srand(seed)
	threads = random(4) ? 2 + random(8) : 20
	sleepy = 0.3 + 0.5 * rand()
	# now and then a thread sleeps for so long that what the others do is more than a history keeps apart
	crowd = seed % 10 == 0
	if (crowd)
		threads = 3
	now = 1000
	print "iotrace-text 1"
	for (p = 1; p <= threads; p++) {
		cpu_of[p] = p - 1
		switch_to(cpu_of[p], 0, 0, p)
		enter(p, "running")
		begin_call(p)
		now++
	}
	# all but the last one sleep, and each is woken by the next one
	for (p = 1; threads == 20 && p < threads; p++) {
		now += 1 + random(9)
		sleep_now(p, "sleeping")
	}
	for (p = threads - 1; threads == 20 && p; p--) {
		now += 1 + random(9)
		wake_up(cpu_of[p + 1], p + 1, p, p + 1, 0)
		now++
		act(p)
	}
	if (crowd)
		sleep_now(1, "sleeping")
	for (i = 0; i < (crowd ? 1500 : 60) * threads; i++) {
		p = crowd && i < 1450 * threads ? 2 + random(threads - 1) : 1 + random(threads)
		act(p)
		now += 1 + random(9)
	}
	for (c = 1; c <= calls; c++) {
		if (!ended[c])
			continue
		delete sum
		p = call_of[c]
		for (q = 1; q <= threads; q++)
			at[q] = at_call[q] = 1
		for (t = begun[c]; t < ended[c]; t++) {
			if (is[p, state_at(p, t)] !~ /sleeping|uninterruptible/)
				continue
			what = cause(p, t)
			sum[what == "" ? "unknown" : what]++
		}
		for (what in sum)
			print c, what, sum[what] > truth
	}
}
