# SPDX-License-Identifier: GPL-2.0-or-later
# Binary numbers on standard output, of either byte order (big), and the number of bytes so far (used). For the generators of this folder: awk -f
# binary.awk -f NAME-make.awk
function byte(v) { printf "%c", v; used++ }

function word(v, n,    i, b)
{
	if (v < 0)
		v += 2 ^ (8 * n)
	for (i = 0; i < n; i++) {
		b[i] = v % 256
		v = (v - b[i]) / 256
	}
	for (i = 0; i < n; i++)
		byte(big ? b[n - 1 - i] : b[i])
}

function double(x,    sign, e, high, low)
{
	sign = x < 0
	if (sign)
		x = -x
	e = 0
	if (x > 0) {
		while (x >= 2) { x /= 2; e++ }
		while (x < 1) { x *= 2; e-- }
		x = (x - 1) * 2 ^ 52
		e += 1023
	}
	high = int(x / 2 ^ 32)
	low = x - high * 2 ^ 32
	high += e * 2 ^ 20 + sign * 2 ^ 31
	if (!big) word(low, 4)
	word(high, 4)
	if (big) word(low, 4)
}
