# SPDX-License-Identifier: GPL-2.0-or-later
# Damages a text recording, by time: loses events of CPUs, like the kernel with full buffers, and begins late or ends early.
# The file @report gets 1 if there is any damage, else 0.
#
# usage: awk -v seed=N -v edges=0|1 -v least=NS -v report=FILE -f damage.awk EVENTS
# edges: it may begin late and end early, by more than least

function upto(n) {
	return int(rand() * n)
}

{
	time[NR] = $1
	cpu[NR] = $2
	line[NR] = $0
}

END {
	srand(seed)
	first = time[1]
	last = time[NR]
	from = edges && rand() < 0.15 ? first + least + 1 + upto((last - first) / 3) : first
	to = edges && rand() < 0.3 ? last - least - 1 - upto((last - first) / 3) : last
	# pages that were overwritten: so many lines of one CPU in a row
	for (n = rand() < 0.7 ? 1 + upto(4) : 0; n > 0; n--) {
		at = 1 + upto(NR)
		which = cpu[at]
		for (left = 1 + upto(60); at <= NR && left > 0; at++)
			if (cpu[at] == which) {
				gone[at] = 1
				left--
			}
	}
	# the first line says when the recording began; a CPU without a line would not be in it
	for (i = 1; i <= NR; i++)
		if (time[i] >= from && time[i] <= to)
			kept[cpu[i]] = i
	for (i = 1; i <= NR; i++) {
		if (time[i] < from || time[i] > to)
			continue
		if (i in gone && i > 1 && kept[cpu[i]] != i) {
			lost[cpu[i]]++
			damaged = 1
			continue
		}
		# the line of a loss precedes the next line of its CPU
		if (lost[cpu[i]])
			print time[i], cpu[i], "- LOST", lost[cpu[i]]
		lost[cpu[i]] = 0
		print line[i]
	}
	print (damaged || from > first || to < last) > report
}
