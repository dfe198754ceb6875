# SPDX-License-Identifier: GPL-2.0-or-later
# Random machines, each with one or two recordings that have clocks of their own: its writes, as events of the kernel or as a log of strace,
# and what a program says of the same threads (sources.model): its steps, and messages between machines. Process numbers are used on
# several machines, machines share host names, and the file 2 is of machine 1. Writes the recordings, the arguments that say whose
# they are and how far apart their clocks are, and what must be drawn.
#
# usage: awk -v seed=N -v folder=FOLDER -f sources.awk
function random(n) { return int(rand() * n) }
# a random whole number from a on, below b
function between(a, b) { return a + random(b - a) }

# a recording whose clock is late by a second at most; a log of strace counts from 1970 besides
function begin(file,   late) {
	late = offset[file] = random(1e9)
	arguments = arguments " --shift " folder "/" file "=-" (file ~ /log$/ ? seconds(late) "s" : late "ns")
	if (mapped)
		arguments = arguments " --map " m "=" folder "/" file
	if (file !~ /log$/)
		print "iotrace-text 1\nsync yes\ncomplete yes\nhostname " host[m] > (folder "/" file)
}
function seconds(t) { return sprintf("%d.%09d", 1795678165 + int(t / 1e9), t % 1e9) }
# a line of a recording, after its time for sort
function put(file, t, text) {
	t += offset[file]
	printf (file ~ /log$/ ? "%.0f %d %s %s\n" : "%.0f %s\n"), t, text, seconds(t), rest > (folder "/" file ".lines")
}
function want(t, text) { printf "%.0f %s\n", t, text > (folder "/wanted") }
function row(m, p, k) {
	return "\"" name[m] "/" (io[m] ~ /log$/ ? "process " p "/task " k : "c" p " " p "/c" p " " k) "\""
}

function write_call(m, p, k, t, took,   len) {
	len = 1 + random(4096)
	if (io[m] ~ /log$/) {
		rest = sprintf("write(3</f>, \"x\"..., %d) = %d <0.%09d>", len, len, took)
		put(io[m], t, k)
	} else {
		put(io[m], t, "1 " k " write_start id=" ++ids " ino=7 pos=0 len=" len " tgid=" p " fd=3 dev=0x800001 flags=0 op=6")
		put(io[m], t + took, "1 " k " write_end id=" ids " ret=" len " pos=" len)
	}
	want(t, "span " row(m, p, k) " io \"write\" " took)
}

# a step of a thread, with writes in it; returns when the next one may begin
function step(m, p, k, t,   t0, id, took, i) {
	t0 = t
	id = ++ids
	for (i = random(3) + !written[m]++; i > 0; i--) {
		t += between(10, 5000)
		took = between(10, 5000)
		write_call(m, p, k, t, took)
		t += took
	}
	t += between(10, 5000)
	if (app[m]) {
		put(app[m], t0, "0 " k " step_start id=" id " tgid=" p)
		put(app[m], t, "0 " k " step_end id=" id)
		want(t0, "span " row(m, p, k) " step \"step\" " t - t0)
	}
	return t + between(10, 5000)
}

function message(   m, n, p, q, t, way) {
	do m = 1 + random(machines); while (!app[m])
	do n = 1 + random(machines); while (!app[n])
	p = process[m, 1 + random(count[m])]
	q = process[n, 1 + random(count[n])]
	t = between(1e9, 1e9 + 100000)
	way = 1 + random(100000)
	put(app[m], t, "2 " p " sent id=" ++ids " tgid=" p)
	put(app[n], t + way, "2 " q " got id=" ids " tgid=" q)
	want(t, "link " row(m, p, p) " message \"message\" " way " " row(n, q, q))
}

BEGIN {
	srand(seed)
	machines = 2 + random(2)
	mapped = random(3)
	for (m = 1; m <= machines; m++) {
		host[m] = random(2) ? "debian" : "h" m
		io[m] = m % machines + 1 (random(2) ? ".log" : ".txt")
		if (io[m] ~ /txt$/)
			sharing[host[m]]++
		app[m] = mapped && (m == 1 || random(2)) ? "app" m ".txt" : ""
	}
	for (m = 1; m <= machines; m++) {
		# a log of strace names no host, and a name that two have is none
		name[m] = mapped ? "node " m : io[m] ~ /txt$/ && sharing[host[m]] == 1 ? host[m] : "node " m % machines + 1
		begin(io[m])
		if (app[m])
			begin(app[m])
		count[m] = 1 + random(3)
		for (i = 1; i <= count[m]; i++) {
			p = process[m, i] = 10 * i + random(5)
			for (k = p + (io[m] ~ /txt$/ ? random(2) : 0); k >= p; k--) {
				if (io[m] ~ /txt$/)
					put(io[m], 1e9 - 1000 + k, "1 " k " task tgid=" p " ptgid=1 comm=\"c" p "\"")
				t = between(1e9, 1e9 + 10000)
				for (j = 1 + random(6); j > 0; j--)
					t = step(m, p, k, t)
			}
		}
	}
	for (i = mapped ? random(8) : 0; i > 0; i--)
		message()
	print arguments > (folder "/arguments")
}
