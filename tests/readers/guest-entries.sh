#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: guest-entries.sh ANALYZE
# A host that records the entries and exits of two virtual CPUs, and their guest: the table of clocks says how many of the guest's events lie in the
# times in which its virtual CPUs ran. All of them do; with the guest's clock 1 ms ahead fewer, as many as awk counts.
. "${0%/*}/readers-lib.sh"
analyze=$1
cd "$dir" || exit 1
mkdir right wrong
# The host loses the events of a CPU for a while; the guest has events before, after and at the instant of entries and exits.
awk '
	function any(n) { return int(rand() * n) }
	BEGIN {
		srand(11)
		for (cpu = 0; cpu < 2; cpu++) {
			time = 1000000000
			for (i = 0; i < 1500; i++) {
				time += 1 + any(900000)
				if (i == 700)
					print time " " cpu " - LOST 5" > "host"
				print time " " cpu " " 127 + cpu " kvm:kvm_entry common_pid=" 127 + cpu > "host"
				length_ns = 2 + any(400000)
				for (k = any(4); k > 0; k--) {
					at = time + any(length_ns + 1)
					print at " " cpu " 42 dlm:dlm_ast ls_id=1 lkb_id=1 res_name=\"A\" sb_status=0" > "guest"
				}
				time += length_ns
				print time " " cpu " " 127 + cpu " kvm:kvm_exit common_pid=" 127 + cpu > "host"
			}
		}
		print "999999999 0 9 sched:sched_switch prev_pid=9 prev_state=1 next_pid=127" > "host"
	}'
{ printf 'iotrace-text 1\nsync host\nvcpu g1 0 127\nvcpu g1 1 128\n'; sort -s -n host; } > host.txt
{ printf 'iotrace-text 1\nsync yes\nhostname g1\n'; sort -s -n guest; } > right/guest.txt
awk '/^[0-9]/ { $1 += 1000000 } 1' right/guest.txt > wrong/guest.txt

# INSIDE OUTSIDE by awk: an event counts between two of the host's about its CPU, unless the host has lost some between them, on any CPU. The
# guest is the first input, so at one instant its event comes before that of the host.
count()
{
	awk '
		FNR == NR && /LOST/ { lost[++n_lost] = time[$2, n[$2]] }
		FNR == NR && /kvm_/ { time[$2, ++n[$2]] = $1; entry[$2, n[$2]] = /kvm_entry/ }
		FNR == NR { next }
		/^[0-9]/ {
			# the last one before it
			low = 0
			high = n[$2] + 1
			while (high - low > 1) {
				i = int((low + high) / 2)
				if (time[$2, i] < $1) low = i; else high = i
			}
			counts = low > 0 && high <= n[$2]
			for (k = 1; k <= n_lost; k++)
				if (time[$2, low] <= lost[k] && lost[k] < time[$2, high]) counts = 0
			if (counts)
				sum[entry[$2, low] || (time[$2, high] == $1 && entry[$2, high])]++
		}
		END { print sum[1] + 0, sum[0] + 0 }' host.txt "$1"
}
for clock in right wrong; do
	"$analyze" -q --index off -o sync,json:json $clock/guest.txt host.txt || exit 1
	count $clock/guest.txt > expected
	sed -nE 's/.*"node":"g1".*"n_inside":([0-9]+),"n_outside":([0-9]+).*/\1 \2/p' json > got
	agree "line of events inside and outside, clock $clock"
	cat got
	grep -q 'outside of the times in which its virtual CPUs ran' json && said=wrong || said=right
	[[ $said == "$clock" ]] || { echo "guest-entries: the $clock clock is said to be $said" >&2; exit 1; }
done
[[ $(count right/guest.txt) == *' 0' ]] || { echo 'guest-entries: the right clock is wrong' >&2; exit 1; }
read -r inside outside < <(count wrong/guest.txt)
((inside < outside)) || { echo "guest-entries: $inside inside, $outside outside" >&2; exit 1; }

# A window, with an index that has a checkpoint before every event (IOTRACE_INDEX_DENSE), and without.
run() { "$analyze" -q "$@" -o sync,json:json wrong/guest.txt host.txt || exit 1
	sed -nE 's/.*"node":"g1".*"n_inside":([0-9]+),"n_outside":([0-9]+).*/\1 \2/p' json; }
all=$(IOTRACE_INDEX_DENSE=1 run --index dense)
[[ -s dense ]] || { echo 'guest-entries: there is no index' >&2; exit 1; }
# it begins with an event of the guest, so what the host said before it counts
begin=$(sed -n '/^[0-9]/p' wrong/guest.txt | sed -n '2000s/ .*//p')
window=(--from "@$((begin / 1000000000)).$(printf %09d $((begin % 1000000000)))")
run --index off "${window[@]}" > expected
run --index dense "${window[@]}" > got
agree 'line of events of a window, with an index'
[[ $(< got) != "$all" ]] || { echo 'guest-entries: the window has all events' >&2; exit 1; }
