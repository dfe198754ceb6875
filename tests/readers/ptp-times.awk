# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the raw times of a recording with PTP on the host's clock, by the samples of CPU 0 for all CPUs: trace-cmd takes those of
# each CPU, which puts events of different CPUs in an order in which they did not happen; and its 64-bit products overflow if the
# clocks drift much.
# usage: awk -f ptp-times.awk DUMP REPORT    of trace-cmd dump --options and trace-cmd report -N -t --raw-ts; two samples for each CPU

# The whole part of a * b / d, for a and d below 2^39, b below 2^42; sets remainder. 14 bits of b at a time: no step exceeds 2^53.
function muldiv(a, b, d,    q, step) {
	q = remainder = 0
	for (step = 2 ^ 28; step >= 1; step /= 2 ^ 14) {
		remainder = remainder * 2 ^ 14 + a * (int(b / step) % 2 ^ 14)
		q = q * 2 ^ 14 + int(remainder / d)
		remainder %= d
	}
	return q
}

# (a * b + d / 2) / d as in C: towards 0
function rounded(a, b, d,    half, q) {
	half = int(d / 2)
	q = muldiv(a < 0 ? -a : a, b < 0 ? -b : b, d)
	if ((a < 0) == (b < 0))
		return q + (remainder + half >= d)
	return remainder >= half ? -q : q ? 1 - q : 0
}

FNR == 1 { files++ }
files == 1 && /\[multiplier, shift, offset\]/ {
	mult = $1
	shift = $2
}
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
	ns = raw + offset[1] + rounded(raw - at[1], offset[2] - offset[1], at[2] - at[1])
	if (ns >= 2 ^ 39)
		exit 2
	if (mult)
		ns = muldiv(ns, mult, 2 ^ shift)
	printf "%s%s %.0f.%09.0f: %s\n", head, cpu, int(ns / 1000000000), ns % 1000000000, rest
}
