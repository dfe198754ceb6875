# SPDX-License-Identifier: GPL-2.0-or-later
# Writes a random file of libRastro (docs/formats/rastro.md) to standard output: one thread, of either byte order, ticks of ns or us, new bases,
# events with values of all kinds in up to four headers. With -v truth=FILE the events as lines of the text output, and how many values have no room.
# usage: awk -v seed=N [-v id1=N] [-v id2=N] [-v truth=FILE] -f binary.awk -f rastro-make.awk
function pick(n) { return int(rand() * n) }

function pad() { while (used % 4) byte(0) }

# a float; x is a multiple of 1/8 with at most 20 bits
function single(x,    sign, e)
{
	sign = x < 0
	if (sign)
		x = -x
	if (x > 0) {
		e = 127
		while (x >= 2) { x /= 2; e++ }
		while (x < 1) { x *= 2; e-- }
		x -= 1
	}
	word(sign * 2 ^ 31 + e * 2 ^ 23 + x * 2 ^ 23, 4)
}

function real_text(x,    text)
{
	text = sprintf("%.3f", x)
	sub(/\.?0+$/, "", text)
	return text
}

function letters(n,    text)
{
	while (n-- > 0)
		text = text substr("abcdefghijklmnopqrstuvwxyz", 1 + pick(26), 1)
	return text
}

function put_text(s,    i)
{
	for (i = 1; i <= length(s); i++)
		byte(96 + index("abcdefghijklmnopqrstuvwxyz", substr(s, i, 1)))
	byte(0)
	pad()
}

# the headers of an event of n codes, in code[1..n]; base: it has one
function headers(type, base, n,    i, k, of, last)
{
	last = n <= 4
	k = 0
	for (i = 1; i <= 4; i++)
		k = k * 16 + (i <= n ? code[i] : 0)
	word(type * 2 ^ 18 + last * 2 ^ 17 + base * 2 ^ 16 + k, 4)
	if (base) { word(base_s, 8); word(resolution, 8) }
	word(ticks, 8)
	for (of = 5; !last; of += 7) {
		last = of + 7 > n
		k = 0
		for (i = of; i < of + 7; i++)
			k = k * 16 + (i <= n ? code[i] : 0)
		word(last * 2 ^ 29 + k, 4)
	}
}

function say(line) { if (truth != "") print line > truth }

function event(type, n,    i, v, n_ints, n_reals, n_texts, texts, ints, reals, all)
{
	for (i = 1; i <= n; i++)
		code[i] = 1 + pick(7)
	headers(type, fresh, n)
	fresh = 0
	for (i = 1; i <= n; i++) {
		if (code[i] == 1) {
			v = letters(pick(10))
			put_text(v)
			if (n_texts++ < 6) texts = texts ", " v
		} else if (code[i] <= 3) {
			v = (pick(2 ^ 16) - 2 ^ 15) / 8
			if (code[i] == 2) double(v); else single(v)
			if (n_reals++ < 4) reals = reals ", " real_text(v)
		} else {
			v = pick(code[i] == 4 ? 2 ^ 53 : code[i] == 5 ? 2 ^ 16 : code[i] == 6 ? 2 ^ 8 : 2 ^ 32)
			word(v, code[i] == 4 ? 8 : code[i] == 5 ? 2 : code[i] == 6 ? 1 : 4)
			if (n_ints++ < 8) ints = ints sprintf(", %.0f", v)
		}
	}
	pad()
	left += (n_texts > 6 ? n_texts - 6 : 0) + (n_reals > 4 ? n_reals - 4 : 0) + (n_ints > 8 ? n_ints - 8 : 0)
	all = substr(texts ints reals, 3)
	say(sprintf("%.0f point \"%s/process %d/thread %d\" event \"type %d\"%s", base_s * 1e9 + ticks * (1e9 / resolution), host, id1, id2, type,
		all == "" ? "" : " values=\"" all "\""))
}

BEGIN {
	srand(seed)
	host = "node"
	big = seed % 2
	resolution = seed % 3 ? 1000000000 : 1000000
	base_s = 1000000 + pick(1000)
	ticks = 0
	code[1] = code[2] = 4
	code[3] = 1
	headers(16383, 1, 3)
	word(id1, 8)
	word(id2, 8)
	put_text(host)
	for (n = pick(60); n > 0; n--) {
		ticks += pick(10 ^ (1 + pick(7)))
		if (pick(10) == 0) { base_s += 3601; fresh = 1 }
		event(pick(1000), pick(3) ? pick(6) : pick(25))
	}
	headers(16382, 0, 0)
	say("left " left + 0)
}
