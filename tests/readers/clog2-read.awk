# SPDX-License-Identifier: GPL-2.0-or-later
# A second reader of CLOG2 files, from the description of the format alone. Input: the file's bytes, one number a line (od -An -v -tu1 -w1).
# Prints a line for each state, event and message, times in ns:
#   BEGIN state "ROW" "NAME" LENGTH|open [values]      TIME event "ROW" "NAME" [values]
#   BEGIN message "ROW" LENGTH "TO-ROW"[ tag=N][ size=N][ comm=N]  (LENGTH is below 0 if it arrives before it is sent)
# and "# COUNTER N": events without definition (undefined), ends of states without begin (lone_ends), states without end (open), ends of
# messages without the other one (lone), a file without the end of its log (cut), blocks with a record that is none (skipped). What comes
# after such a record, states and messages that it parts, are not known here.

{ bytes[NR - 1] = $1 }

function uint(at, n, order,    v, i)
{
	for (i = 0; i < n; i++)
		v = v * 256 + bytes[order ? at + i : at + n - 1 - i]
	return v
}

function sint(at, n, order,    v)
{
	v = uint(at, n, order)
	return v >= 2 ^ (8 * n - 1) ? v - 2 ^ (8 * n) : v
}

function real(at, order,    high, low, sign, e)
{
	high = uint(order ? at : at + 4, 4, order)
	low = uint(order ? at + 4 : at, 4, order)
	sign = high >= 2 ^ 31 ? -1 : 1
	high %= 2 ^ 31
	e = int(high / 2 ^ 20)
	high %= 2 ^ 20
	if (!e && !high && !low)
		return 0
	return sign * (1 + (high * 2 ^ 32 + low) / 2 ^ 52) * 2 ^ (e - 1023)
}

function chars(at, n,    s, i)
{
	for (i = 0; i < n && bytes[at + i]; i++)
		s = s sprintf("%c", bytes[at + i])
	return s
}

function floor(x,    n)
{
	n = int(x)
	return n > x ? n - 1 : n
}

# the value of a title, which is the text behind it
function titled(title,    at, s)
{
	for (at = 0; at < 1024; at += length(s) + 1) {
		s = chars(at, 1024 - at)
		if (s == title)
			return chars(at + length(s) + 1, 1024)
	}
	return ""
}

# the shortest text that is this number
function shortest(x,    n, s)
{
	for (n = 15; n <= 17; n++) {
		s = sprintf("%." n "g", x)
		if (s + 0 == x)
			break
	}
	return s
}

function values(format, at,    out, i, c, n, end)
{
	end = at + 32
	for (i = 1; i <= length(format); i++) {
		c = substr(format, i, 1)
		if (c != "%") {
			out = out c
			continue
		}
		c = substr(format, ++i, 1)
		n = c == "h" ? 2 : c ~ /[dxe]/ ? 4 : 8
		if (c == "s") {
			n = uint(at, 2, 1)
			at += 2
			out = out chars(at, n)
		} else if (c == "x") {
			out = out sprintf("0x%x", uint(at, n, 1))
		} else {
			out = out (c == "E" ? shortest(real(at, 1)) : sprintf("%.0f", sint(at, n, 1)))
		}
		at += n
		if (at > end)
			return out
	}
	return out
}

function row(r,    name)
{
	name = comm[r] "," rank[r]
	name = name in world ? "rank " world[name] : "rank " rank[r] " of communicator " comm[r]
	return "\"" name (thread[r] ? " thread " thread[r] : "") "\""
}

# who a state belongs to: the thread of the rank of the program, by whatever name
function owner(r)
{
	return row(r)
}

function take(r,    b, e)
{
	b = body[r]
	if (type[r] == 2) {
		e = sint(b + 4, 4, big)
		state[e] = sint(b, 4, big)
		begins[e] = 1
		ends[sint(b + 8, 4, big)] = e
		defined[e] = defined[sint(b + 8, 4, big)] = 1
		name[e] = chars(b + 40, 32)
		format[e] = chars(b + 72, 40)
		if (name[e] == "")
			name[e] = "state " state[e]
		format[sint(b + 8, 4, big)] = format[e]
	} else if (type[r] == 3) {
		e = sint(b, 4, big)
		defined[e] = 1
		name[e] = chars(b + 32, 32)
		format[e] = chars(b + 64, 40)
	} else if (type[r] == 9) {
		e = sint(b + 4, 4, big) "," sint(b + 8, 4, big)
		if (!(e in world))
			world[e] = sint(b + 12, 4, big)
	}
}

# an event without definition is of a state, if its number is in one of the ranges of the preamble, and only then
function assume(e,    first, n, i)
{
	for (i = 0; i < 2; i++) {
		first = titled(i ? "user_eventID_start=" : "known_eventID_start=") + 0
		n = titled(i ? "user_stateID_count=" : "known_stateID_count=") + 0
		if (e < first || e >= first + 2 * n)
			continue
		first += 2 * int((e - first) / 2)
		if ((first in defined) || (first + 1 in defined))
			return
		begins[first] = 1
		ends[first + 1] = first
		name[first] = "state " (first - titled(i ? "user_eventID_start=" : "known_eventID_start=")) / 2
	}
}

function show(e, r,    v)
{
	v = type[r] == 6 ? values(format[e], body[r] + 8) : ""
	return v == "" ? "" : " values=\"" v "\""
}

function draw_event(r,    e, who, o, v)
{
	e = sint(body[r], 4, big)
	if (!(e in defined)) {
		undefined++
		assume(e)
	}
	if (e in begins) {
		who = owner(r) "," e
		stack[who, ++depth[who]] = r
		whose[r] = who
	} else if (e in ends) {
		who = owner(r) "," ends[e]
		if (!depth[who]) {
			lone_ends++
			return
		}
		o = stack[who, depth[who]--]
		delete whose[o]
		v = show(e, r)
		printf "%.0f state %s \"%s\" %.0f%s\n", ns[o], row(o), name[ends[e]], ns[r] - ns[o], v == "" ? show(ends[e], o) : v
	} else {
		printf "%.0f event %s \"%s\"%s\n", ns[r], row(r), e in name ? name[e] : "event " e, show(e, r)
	}
}

function attribute(title, v) { return v ? " " title "=" v : "" }

# messages with one tag from one rank to another are received in the order in which they are sent
function draw_message(r,    b, kind, me, other, key, s, t)
{
	b = body[r]
	kind = sint(b, 4, big)
	me = comm[r] "," rank[r]
	other = sint(b + 4, 4, big) "," sint(b + 8, 4, big)
	key = (kind == -101 ? me "," other : other "," me) "," sint(b + 12, 4, big)
	if (kind == -101)
		queue["s", key, ++tail["s", key]] = r
	else
		queue["r", key, ++tail["r", key]] = r
	lone++
	if (head["s", key] >= tail["s", key] || head["r", key] >= tail["r", key])
		return
	lone -= 2
	s = queue["s", key, ++head["s", key]]
	t = queue["r", key, ++head["r", key]]
	printf "%.0f message %s %.0f %s%s%s%s\n", ns[s], row(s), ns[t] - ns[s], row(t), attribute("tag", sint(b + 12, 4, big)),
		attribute("size", sint(body[s] + 16, 4, big)), attribute("comm", comm[s])
}

END {
	split("0 0 112 104 40 8 40 24 16 48 48 8", length_of, " ")
	big = titled("is_big_endian=") ~ /^TRUE/
	size = titled("block_size=") + 0
	n = 0
	for (at = block = 1024; at + 24 <= NR;) {
		kind = uint(at + 20, 4, big)
		if (kind == 0) {
			whole = 1
			break
		}
		skipped += kind > 11
		if (kind == 1 || kind > 11) {
			at = block += size
			continue
		}
		if (at + 24 + length_of[kind + 1] > NR)
			break
		type[n] = kind
		ns[n] = floor(real(at, big) * 1e9 + 0.5)
		comm[n] = sint(at + 8, 4, big)
		rank[n] = sint(at + 12, 4, big)
		thread[n] = sint(at + 16, 4, big)
		body[n] = at + 24
		at += 24 + length_of[kind + 1]
		n++
	}
	for (r = 0; r < n; r++)
		take(r)
	# times have no sign: a log that begins before 0 is counted from its first event
	for (r = 0; r < n && type[r] != 5 && type[r] != 6 && type[r] != 7; r++);
	first = r < n && ns[r] < 0 ? ns[r] : 0
	for (r = 0; r < n; r++)
		ns[r] -= first
	for (r = 0; r < n; r++)
		if (type[r] == 5 || type[r] == 6)
			draw_event(r)
		else if (type[r] == 7)
			draw_message(r)
	for (r in whose) {
		open++
		e = sint(body[r], 4, big)
		printf "%.0f state %s \"%s\" open%s\n", ns[r], row(r), name[e], show(e, r)
	}
	printf "# undefined %d\n# lone_ends %d\n# open %d\n# lone %d\n# cut %d\n# skipped %d\n", undefined, lone_ends, open, lone, !whole, skipped
}
