# SPDX-License-Identifier: GPL-2.0-or-later
# Writes a random CLOG2 file (docs/formats/clog2.md) to standard output: ranks with threads and communicators, states inside of states,
# events with values, messages that also arrive before they are sent, blocks that end early with garbage behind, definitions before or
# after their use, and things that do not fit: ends without begin, events that nothing defines, ranks that nothing names.
# usage: awk -v seed=N -f binary.awk -f clog2-make.awk

function pick(n) { return int(rand() * n) }

function text(s, n,    i)
{
	for (i = 1; i <= n; i++)
		byte(i <= length(s) ? code[substr(s, i, 1)] : 0)
}

function garbage(n) { while (n-- > 0) byte(pick(256)) }

function head(type, comm, rank, thread)
{
	double(type ? time : 1e8)
	word(comm, 4); word(rank, 4); word(thread, 4); word(type, 4)
}

# begins a record with a body of n bytes, in the next block if this one has no room for it and its own end
function record(type, n, comm, rank, thread)
{
	if (used + 24 + n + 24 > block) {
		head(1, 0, 0, 0)
		garbage(block - used)
		used = 0
	}
	head(type, comm, rank, thread)
}

function tick()
{
	ns += pick(4) ? 1 + pick(20000) : 0
	time = (ns + pick(2) / 2) / 1e9
	if (time < last)
		time = last
	last = time
}

function define_state(number, first, name, format)
{
	record(2, 112, 0, 0, 0)
	word(number, 4); word(first, 4); word(first + 1, 4); word(0, 4)
	text("red", 24); text(name, 32); text(format, 40)
}

function define_event(number, name, format)
{
	record(3, 104, 0, 0, 0)
	word(number, 4); word(0, 4); text("white", 24); text(name, 32); text(format, 40)
}

function define(    i)
{
	for (i = 0; i < 4; i++)
		define_state(70 + i, 140 + 2 * i, i == 3 ? "" : call[i], "")
	define_state(300, 600, "Compute", "")
	define_state(301, 602, "File I/O", "step=%d bytes=%l name=%s")
	define_event(5000, "Tick", "")
	define_event(5001, "Rest", "rest=%E, %x%h")
	define_event(-10, "MPE_Comm_finalize", "")
}

# an event, with values if its definition has some
function event(number, comm, rank, thread, values,    big_here)
{
	if (!values) {
		record(5, 8, comm, rank, thread)
		word(number, 4); garbage(4)
		return
	}
	record(6, 40, comm, rank, thread)
	word(number, 4); garbage(4)
	# values are in network order, whatever the file is in
	big_here = big
	big = 1
	if (values == "file") {
		word(pick(100) - 50, 4); word(pick(1000) * 1e9, 8); word(4, 2); text("a." pick(10) "b", 4); garbage(14)
	} else {
		double((pick(4000) - 2000) / 8); word(pick(2 ^ 31), 4); word(pick(60000) - 30000, 2); garbage(18)
	}
	big = big_here
}

# the end of a message of a rank with another one, both numbered in the communicator
function message(kind, comm, rank, thread, other, tag)
{
	record(7, 24, comm, rank, thread)
	word(kind, 4); word(comm, 4); word(other, 4); word(tag, 4); word(kind == -101 ? 1 + pick(99999) : 0, 4); word(0, 4)
}

function name_ranks(    r)
{
	for (r = 0; r < ranks; r++) {
		if (!pick(12)) # this one is nowhere named
			continue
		record(9, 48, 0, r, 0)
		word(0, 4); word(0, 4); word(r, 4); word(r, 4); garbage(32)
		record(9, 48, 0, r, 0)
		word(1, 4); word(1 + r, 4); word(0, 4); word(r, 4); garbage(32)
		record(9, 48, 0, r, 0) # all ranks, in reverse
		word(100, 4); word(50, 4); word(ranks - 1 - r, 4); word(r, 4); garbage(32)
	}
}

function other_record()
{
	record(4, 40, 0, 0, 0); word(-201, 4); word(-1, 4); text("MPI_ANY_TAG", 32)
	record(10, 48, 0, 0, 0); word(1, 4); word(2, 4); text("main.c", 40)
	record(11, 8, 0, 0, 0); double(-0.5)
	record(8, 16, 0, 0, 0); word(0, 4); word(0, 4); word(9, 4); word(0, 4)
}

# one step of a random thread of a random rank, which it calls so in a random communicator
function step(    r, t, at, comm, me, n, what, s)
{
	tick()
	r = pick(ranks); t = pick(threads); at = r "," t
	comm = pick(3) ? 0 : 50
	me = comm ? ranks - 1 - r : r
	what = pick(12)
	if (what < 4 && depth[at] < 4) {
		s = pick(6)
		depth[at]++
		open[at, depth[at]] = s
		event(s < 4 ? 140 + 2 * s : 592 + 2 * s, 0, r, t, s == 5 ? "file" : "")
	} else if (what < 8 && depth[at]) {
		s = open[at, depth[at]--]
		event((s < 4 ? 140 + 2 * s : 592 + 2 * s) + 1, 0, r, t, s == 5 && !pick(3) ? "file" : "")
	} else if (what == 8) {
		n = pick(4)
		event(n == 0 ? 5000 : n == 1 ? 5001 : n == 2 ? -10 : 7777, 0, r, t, n == 1 ? "rest" : "")
	} else if (what == 9) {
		event(140 + 2 * pick(4) + 1, 0, r, t, "")
	} else {
		message(pick(2) ? -101 : -102, comm, me, t, pick(ranks), pick(3))
	}
}

BEGIN {
	srand(seed)
	for (i = 1; i < 128; i++)
		code[sprintf("%c", i)] = i
	split("MPI_Send MPI_Recv MPI_Wait", names, " ")
	for (i = 0; i < 3; i++)
		call[i] = names[i + 1]
	big = 1 # bytes of the preamble have no order
	order = pick(4) > 0
	block = 160 + pick(2000)
	ranks = 1 + pick(5)
	threads = pick(3) ? 1 : 1 + pick(3)
	ns = pick(4) ? pick(1000) : -pick(100000)
	last = time = ns / 1e9
	n = split("CLOG-02.44|is_big_endian=|" (order ? "TRUE " : "FALSE") "|is_finalzed=|TRUE |block_size=|" block "|num_buffered_blocks=|128|max_comm_world_size=|" \
		ranks "|max_thread_count=|" threads "|known_eventID_start=|0|user_eventID_start=|600|known_solo_eventID_start=|-10|" \
		"user_solo_eventID_start=|5000|known_stateID_count=|300|user_stateID_count=|2|known_solo_eventID_count=|2|user_solo_eventID_count=|2|" \
		"commtable_fptr=|0|1073741824|0", part, "|")
	for (i = 1; i <= n; i++)
		text(part[i], length(part[i]) + 1)
	while (used < 1024)
		byte(0)
	big = order
	used = 0
	steps = pick(5) ? pick(150) : pick(4)
	defined = pick(steps + 1)
	at_end = pick(2)
	name_ranks()
	for (i = 0; i < steps; i++) {
		if (i == defined && !at_end)
			define()
		if (!pick(20))
			other_record()
		step()
	}
	if (at_end)
		define()
	record(0, 0, 0, 0, 0)
	garbage(pick(100))
}
