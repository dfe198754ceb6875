# SPDX-License-Identifier: GPL-2.0-or-later
# Random messages between machines whose clocks differ, with losses and keys that are used again. Writes a recording for each
# machine, FOLDER/1 and so on, a model, FOLDER/model, the options, FOLDER/args, and what the recordings determine: FOLDER/wanted,
# lines as in the text output, FOLDER/ends, the numbers of ambiguous ends and of ends without a partner, and FOLDER/named, these
# ends by name.
# link-worlds.awk finds the expected results.
# usage: awk -v seed=N -v folder=FOLDER -f link-worlds.awk -f links.awk
function random(n) { return int(rand() * n) }
function below(n) { return 1 + random(n) }

# Events of a machine between two times of its clock are not recorded
function unrecorded(m, t,    i)
{
	if (t < begin[m] || t > end[m])
		return 1
	for (i = 1; i <= gaps[m]; i++)
		if (t > gap_from[m, i] && t < gap_to[m, i])
			return 1
	return 0
}
function line(m, cpu, t, text) { printf "%.0f %d 1 %s\n", t, cpu, text > (folder "/" m ".events") }

# An end that is no end of a link: "KIND from|to MACHINE TIME NUMBER"
function from_end(kind, f) {
	count[kind]++
	printf "%s from m%d %.0f %d\n", kind, from_at[f], sent[f], f > (folder "/named")
}
function link(f, t,    a, b, first, flags, number) {
	a = sent[f]
	b = came[t]
	first = a < b ? a : b
	flags = a > b ? " flags=backwards" : ""
	number = (t in origin) ? origin[t] : t
	printf("%.0f link \"m%d\" message \"a\" %.0f \"m%d\"%s from=%d to=%d\n", first, from_at[f],
		(a + b) - 2 * first, to_at[t], flags, f, number) > (folder "/wanted")
}
function to_end(kind, t) {
	count[kind]++
	printf "%s to m%d %.0f %d\n", kind, to_at[t], came[t], (t in origin) ? origin[t] : t > (folder "/named")
}

BEGIN {
	srand(seed)
	machines = 2 + random(3)
	unique = random(3) == 0
	many = random(4) == 0
	error = 0
	if (random(4))
		error = int(10 ^ (3 + random(7)))
	within = int(10 ^ (3 + random(6)))
	span = within * (2 + random(30)) + error * random(4)
	# bursts in the middle of a long recording: no edge or gap is near, so only rivals raise doubts
	bursts = random(3) == 0
	if (bursts) {
		error = int(error / (1 + random(1000)))
		within = int(10 ^ (3 + random(4)))
		span = (within + error) * 200
	}
	if (span > 4000000000)
		span = 4000000000
	base = 10000000000
	for (m = 1; m <= machines; m++) {
		offset[m] = int((rand() - 0.5) * error)
		begin[m] = base + offset[m] + random(int(span / 20) + 1)
		end[m] = base + span + offset[m] - random(int(span / 20) + 1)
		gaps[m] = random(5) || bursts ? 0 : below(2)
		last = begin[m] + 1
		for (i = 1; i <= gaps[m]; i++) {
			gap_from[m, i] = last + 1 + random(int(span / 3))
			gap_to[m, i] = last = gap_from[m, i] + 2 + random(int(span / 30) + 1)
			if (last + 1 >= end[m])
				gaps[m] = i - 1
		}
	}
	keys = below(12)
	messages = below(60)
	for (n = 1; n <= messages; n++) {
		key[n] = unique && random(8) ? 1000 + n : below(keys)
		from_at[n] = below(machines)
		to_at[n] = below(machines)
		t = base + (bursts ? int(span * (1 + random(8)) / 10) + random(2 * within) : random(span))
		delay = 1 + random(unique ? 5 * within : within)
		sent[n] = t + offset[from_at[n]]
		came[n] = t + delay + offset[to_at[n]]
		has_from[n] = !unrecorded(from_at[n], sent[n])
		has_to[n] = random(12) && !unrecorded(to_at[n], came[n])
		reached[n] = 1
		# further arrivals of the same message
		copies[n] = 0
	}
	# A unique key: the messages that share it were all recorded when they were sent
	for (n = 1; unique && n <= messages; n++)
		if (!has_from[n])
			for (k = 1; k <= messages; k++)
				if (k != n && key[k] == key[n])
					has_from[n] = has_from[k] = has_to[n] = has_to[k] = 0
	for (n = 1; many && n <= messages; n++) {
		if (!has_from[n] && !has_to[n])
			continue
		copies[n] = random(3)
		for (c = 1; c <= copies[n]; c++) {
			x = ++n_copies + messages
			key[x] = key[n]
			origin[x] = n
			to_at[x] = below(machines)
			came[x] = sent[n] - offset[from_at[n]] + 1 + random(unique ? 5 * within : within) + offset[to_at[x]]
			has_from[x] = 0
			has_to[x] = !unrecorded(to_at[x], came[x])
		}
	}
	all = messages + n_copies
	for (m = 1; m <= machines; m++) {
		line(m, 0, begin[m], "edge")
		line(m, 0, end[m], "edge")
		for (i = 1; i <= gaps[m]; i++) {
			line(m, 9, gap_from[m, i], "edge")
			printf "%.0f 9 - LOST %d\n", gap_from[m, i], below(9) > (folder "/" m ".events")
			line(m, 9, gap_to[m, i], "edge")
		}
	}
	for (n = 1; n <= all; n++) {
		if (has_from[n])
			line(from_at[n], random(3), sent[n], "snd key=" key[n] " n=" n)
		if (has_to[n])
			line(to_at[n], random(3), came[n], "rcv key=" key[n] " n=" ((n in origin) ? origin[n] : n))
		used[key[n]]
		recorded += has_from[n] + has_to[n]
	}
	if (!recorded) {
		print "skipped" > (folder "/skip")
		exit
	}
	printf "" > (folder "/wanted")
	printf "" > (folder "/named")
	for (k in used) {
		solved = solve(k)
		if (!solved) {
			print "skipped" > (folder "/skip")
			exit
		}
		if (solved < 0) {
			print "links.awk: seed " seed ": no assignment is possible" > "/dev/stderr"
			exit 1
		}
	}
	print "link_ambiguous " count["ambiguous"] + 0 > (folder "/ends")
	print "link_unmatched " count["unmatched"] + 0 > (folder "/ends")
	printf "[model]\nname = msg\nsystem = msg\n[container node]\nin = root\nid = {@node}\nname = {@node_name}\nrole = node\n" > (folder "/msg.model")
	printf "[view Nodes]\ncolumns = node\n[links message]\nattrs = from:uint to:uint\nvalue a = blue\n[link message]\n" > (folder "/msg.model")
	printf "links = message\nfrom = event snd\nto = event rcv\nkey = key\non = node\nvalue = a\nset from = n\nset to = to.n\n" > (folder "/msg.model")
	printf "%s\n%s", unique ? "unique = yes" : sprintf("within = %.0fns", within), many ? "many = to\n" : "" > (folder "/msg.model")
	printf "--clock-error %.0fns --early-end 100s", error > (folder "/args")
	for (m = 1; m <= machines; m++)
		printf " --map m%d=%s/%d %s/%d", m, folder, m, folder, m > (folder "/args")
	print "" > (folder "/args")
}
