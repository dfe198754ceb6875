# SPDX-License-Identifier: GPL-2.0-or-later
# Cuts each wait for a lock of the DLM into parts, from the lines of anatomy-events.awk in order of time. Unlike the program it has
# the whole recording when it looks at a wait. Prints for each place of the master and each part: MASTER PART WAITS NS.
# With -v cuts=FILE each part is written to FILE: NODE LOCK WAIT FROM UNTIL PART; with -v lengths=FILE: LOCKSPACE RESOURCE NS PART.

BEGIN {
	split("NL CR CW PR PW EX", modes, " ")
	split("012345 01234 012 013 01 0", beside, " ")
	for (i = 1; i <= 6; i++)
		for (j = 1; j <= 6; j++)
			together[modes[i], modes[j]] = index(beside[i], j - 1) > 0
	weaker["EX"] = "NL CR CW PR PW"; weaker["PW"] = "NL CR CW PR"; weaker["PR"] = weaker["CW"] = "NL CR"; weaker["CR"] = "NL"
}

function gives_up(held, wanted)
{
	return index(weaker[held], wanted) || (held == "PR" && wanted == "CW") || (held == "CW" && wanted == "PR")
}

function release(k, t, mode)
{
	if (held[k] == "")
		return
	n = ++n_releases[where[k]]
	r_lock[where[k], n] = k; r_call[where[k], n] = t; r_hold[where[k], n] = hold[k]
	if (!((where[k], hold[k]) in left_at))
		left_at[where[k], hold[k]] = t
}

function hold_ends(k, t)
{
	if (held[k] != "")
		h_to[where[k], hold[k]] = t
	held[k] = ""
}

function hold_begins(k, t, mode)
{
	hold_ends(k, t)
	held[k] = mode
	hold[k] = ++n_holds[where[k]]
	h_lock[where[k], hold[k]] = k; h_mode[where[k], hold[k]] = mode; h_from[where[k], hold[k]] = t; h_call[where[k], hold[k]] = since[k]
}

$2 == "message" {
	if (!($3 in talks)) talks[$3] = $1
	if (!($10 in talks)) talks[$10] = $1
	m = $4 " " $6
	n = ++n_messages[m]
	m_from[m, n] = $3; m_lock[m, n] = $5; m_type[m, n] = $7; m_sent[m, n] = $8; m_got[m, n] = $9; m_to[m, n] = $10; m_there[m, n] = $11; m_late[m, n] = $1
	next
}

{ k = $3 " " $4 " " $5 }

$2 == "call" && $9 !~ /CONVERT/ { held[k] = ""; where[k] = $4 " " $6 }
$2 == "call" { since[k] = $1; wanted[k] = $8; pid[k] = $7; pending[k] = 1; last[k] = 0 }
$2 == "uncall" && $9 !~ /CANCEL/ { unlocked[k] = $1; last[k] = 0 }
$2 == "return" && $10 != 0 { delete pending[k] }
$2 == "return" && last[k] && $7 == pid[k] && !w_back[last[k]] { w_back[last[k]] = $1 }
$2 == "bast" { n = ++n_called[k]; called[k, n] = $1 }
$2 == "ast" && $10 == "-EUNLOCK" || $2 == "ast" && $10 == -65538 {
	release(k, unlocked[k])
	hold_ends(k, $1)
	next
}
$2 == "ast" && (k in pending) {
	delete pending[k]
	if (held[k] != "" && gives_up(held[k], wanted[k]))
		release(k, since[k])
	if (held[k] == "" || (held[k] != wanted[k] && !index(weaker[held[k]], wanted[k]))) {
		w = ++n_waits
		w_lock[w] = k; w_node[w] = $3; w_where[w] = where[k]; w_number[w] = $5; w_from[w] = since[k]; w_to[w] = $1; w_wanted[w] = wanted[k]
		last[k] = w
	}
	if ($10 == 0)
		hold_begins(k, $1, wanted[k])
}

# The message that brings a release to the master; 0: there is none. A message after the end of the hold is of a later call.
function message_of(at, i, node, number,    n)
{
	if ((at, i) in r_message)
		return r_message[at, i]
	for (n = 1; n <= n_messages[at]; n++)
		if (m_from[at, n] == node && m_lock[at, n] == number && m_type[at, n] ~ /^(CONVERT|UNLOCK|REQUEST|LOOKUP)$/ && m_sent[at, n] >= r_call[at, i])
			break
	if (n > n_messages[at] || ((at, r_hold[at, i]) in h_to && m_sent[at, n] > h_to[at, r_hold[at, i]]))
		n = 0
	return r_message[at, i] = n
}

# The holder's question: the first that arrives during the hold and before the call that gives it up; else the last that arrived before and left the master after the grant.
function asked_at(at, h, to,    i, k, from, first, before, granted, id)
{
	k = h_lock[at, h]
	from = h_from[at, h]
	for (i = 1; i <= n_messages[at]; i++) {
		id = m_to[at, i] " " lockspace " " m_there[at, i]
		if (id != k)
			continue
		if (m_type[at, i] ~ /^(GRANT|REQUEST_REPLY|CONVERT_REPLY)$/ && m_late[at, i] <= from && m_sent[at, i] >= h_call[at, h])
			granted = m_sent[at, i]
		if (m_type[at, i] == "BAST" && m_late[at, i] <= from)
			before = m_sent[at, i]
		if (m_type[at, i] == "BAST" && m_late[at, i] > from && m_late[at, i] < to && !first)
			first = m_sent[at, i]
	}
	return granted && before > granted ? before : first
}

function part(name, until)
{
	if (until > end)
		until = end
	if (until <= now)
		return
	if (counted[master, name] != w)
		count[master, name]++
	counted[master, name] = w
	sum[master, name] += until - now
	if (cuts)
		printf "%s %s %.0f %.0f %.0f %s\n", w_node[w], w_number[w], w_from[w], now, until, name >cuts
	length_of[name] += until - now
	now = until
}

function least(a, b) { return a < b ? a : b }

function in_way(mode) { return !together[mode, w_wanted[w]] }

function cut(    at, i, k, n, from, to, asks, answer, got_answer, asked_node, got, in_the_way, left, best, call, given, question, seen, h, here, at_master, shown)
{
	at = w_where[w]
	split(at, word, " ")
	lockspace = word[1]
	now = w_from[w]
	end = w_to[w]
	asks = asked_node = ""
	for (i = 1; i <= n_messages[at]; i++) {
		if (m_late[at, i] > end || m_sent[at, i] < now)
			continue
		if (m_from[at, i] == w_node[w] && m_lock[at, i] == w_number[w] && m_type[at, i] ~ /^(REQUEST|CONVERT|UNLOCK|LOOKUP)$/) {
			asks = m_got[at, i]; asked_node = m_to[at, i]; answer = 0
		} else if (m_to[at, i] == w_node[w] && m_type[at, i] == "LOOKUP_REPLY" && m_lock[at, i] == w_number[w]) {
			asks = m_got[at, i]; asked_node = w_node[w]; answer = 0
		} else if (m_to[at, i] == w_node[w] && m_there[at, i] == w_number[w] && m_type[at, i] ~ /^(GRANT|(REQUEST|CONVERT|UNLOCK|CANCEL)_REPLY)$/) {
			answer = m_sent[at, i]; got_answer = m_got[at, i]
		}
	}
	master = asked_node != "" && asked_node != w_node[w] ? "remote" : (w_node[w] in talks) && talks[w_node[w]] <= end ? "local" : "not recorded"
	here = master == "remote" ? asked_node : w_node[w]
	from = asks ? asks : now
	to = answer ? answer : end
	for (i = 1; i <= n_releases[at]; i++) {
		k = r_lock[at, i]
		split(k, word, " ")
		if (k == w_lock[w] || !in_way(h_mode[at, r_hold[at, i]]))
			continue
		got = 0
		n = message_of(at, i, word[1], word[3])
		if (n)
			got = m_late[at, n] <= end ? m_got[at, n] : -1
		if (got == -1)
			continue
		if (!got || word[1] == here)
			got = word[1] == here || master == "not recorded" ? r_call[at, i] : 0
		if (!got || got > to)
			continue
		left += r_call[at, i] >= now
		if (got >= from && got >= best) {
			best = got; call = r_call[at, i]; h = r_hold[at, i]; at_master = word[1] == here
			shown = n && m_late[at, n] <= end && m_to[at, n] == w_node[w]
		}
	}
	# the master's own waits send no message, unless it has just been made the master
	if (master == "local" && asked_node == "" && !shown)
		master = "local (inferred)"
	for (i = 1; i <= n_holds[at]; i++) {
		if (h_lock[at, i] == w_lock[w] || !in_way(h_mode[at, i]) || ((at, i) in h_to && h_to[at, i] <= now) || h_from[at, i] > end)
			continue
		in_the_way += !(((at, i) in left_at) && left_at[at, i] <= now)
	}
	if (master == "not recorded") {
		if (best) {
			seen = first_called(h_lock[at, h], h_from[at, h], call)
			if (seen) {
				part("not recorded", seen)
				part("holder's reaction", call)
			}
		}
		part("not recorded", end)
		return
	}
	if (asks)
		part("request travels", asks)
	if (best) {
		given = call
		call = least(call, best)
		seen = first_called(h_lock[at, h], h_from[at, h], call)
		question = asked_at(at, h, given)
		if (question)
			part("queue", least(question, seen ? seen : call))
		else if (!seen)
			part("queue", call)
		else if (at_master)
			part("queue", least(h_from[at, h], seen))
		else
			part("unexplained", seen)
		part("callback to the holder", seen ? seen : call)
		part("holder's reaction", call)
		part("release travels", best)
	} else if (in_the_way > left)
		part("unexplained", to)
	if (answer)
		part("grant", got_answer)
	else if (master == "remote")
		part("unexplained", end)
	part("callback to the waiter", end)
}

# The first bast from the begin of the hold until the call that gives it up.
function first_called(k, from, call,    i)
{
	for (i = 1; i <= n_called[k]; i++)
		if (called[k, i] >= from && called[k, i] <= call)
			return called[k, i]
	return 0
}

END {
	for (k in pending)
		if (held[k] != "" && gives_up(held[k], wanted[k]))
			release(k, since[k])
	for (k in unlocked)
		if (held[k] != "" && unlocked[k] >= h_from[where[k], hold[k]])
			release(k, unlocked[k])
	for (w = 1; w <= n_waits; w++) {
		cut()
		for (name in length_of)
			if (lengths)
				printf "%s %.0f %s\n", w_where[w], length_of[name], name >lengths
		split("", length_of)
		count[master, "all parts"]++
		sum[master, "all parts"] += w_to[w] - w_from[w]
		if (w_back[w] > w_to[w]) {
			if (lengths)
				printf "%s %.0f return to the caller\n", w_where[w], w_back[w] - w_to[w] >lengths
			count[master, "return to the caller"]++
			sum[master, "return to the caller"] += w_back[w] - w_to[w]
			sum[master, "all parts"] += w_back[w] - w_to[w]
		}
	}
	for (i in sum) {
		split(i, word, SUBSEP)
		printf "%s\t%s\t%d\t%.0f\n", word[1], word[2], count[i], sum[i]
	}
}
