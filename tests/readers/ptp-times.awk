# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the raw times of a recording with PTP on the host's clock, by the samples of CPU 0 for all CPUs: trace-cmd takes those of
# each CPU, which puts events of different CPUs in an order in which they did not happen.
# usage: awk -f ptp-times.awk DUMP REPORT    of trace-cmd dump --options and trace-cmd report -N -t --raw-ts; two samples for each CPU
FNR == 1 { files++ }
files == 1 && /\[offset \* scaling/ && samples < 2 {
	offset[++samples] = $1
	at[samples] = $4
	sub(/\[.*/, "", at[samples])
	if ($2 != 1 || $3 != 0)
		exit 2
}
files == 1 { next }
!match($0, /\[[0-9]+\] *[0-9]+: /) { print; next }
{
	head = substr($0, 1, RSTART - 1)
	word = substr($0, RSTART, RLENGTH)
	rest = substr($0, RSTART + RLENGTH)
	cpu = word
	sub(/\].*/, "]", cpu)
	raw = word
	sub(/.*\] */, "", raw)
	sub(/: $/, "", raw)
	span = at[2] - at[1]
	# rounded as the library does; all products are whole numbers below 2^53
	rise = (raw - at[1]) * (offset[2] - offset[1]) + int(span / 2)
	ns = raw + offset[1] + int(rise / span)
	printf "%s%s %.0f.%09.0f: %s\n", head, cpu, int(ns / 1000000000), ns % 1000000000, rest
}
