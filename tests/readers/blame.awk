# SPDX-License-Identifier: GPL-2.0-or-later
# How long each node waited for which, from the text output of DLM recordings: an own sweep over each wait.
# Prints "WAITER CAUSE NS", as the table "blame" has it: CAUSE is a node for holds that excluded the mode asked for.
# With -v unexplained=FILE the time without a cause is written to FILE: RESOURCE, then NODE LOCK WAIT FROM UNTIL of an interval.
# With -v queue=FILE those who were before a wait in the queue are written to FILE: BEGIN RESOURCE/NODE, then "NODE (MODE), ...".
# usage: blame.awk TEXT

BEGIN {
	# the matrix of fs/dlm/lock.c: modes that exclude the first one
	split("NL: CR:EX CW:PR,PW,EX PR:CW,PW,EX PW:CW,PR,PW,EX EX:CR,CW,PR,PW,EX", rows, " ")
	for (i in rows) {
		split(rows[i], row, ":")
		n = split(row[2], others, ",")
		known[row[1]] = 1
		for (k = 1; k <= n; k++)
			excludes[row[1], others[k]] = 1
	}
}

function attr(name,    at, rest) {
	at = index($0, " " name "=")
	if (!at)
		return ""
	rest = substr($0, at + length(name) + 2)
	sub(/ .*/, "", rest)
	gsub(/"/, "", rest)
	return rest
}

/^[0-9]+ span "[^"]*" lock "/ {
	split($0, quoted, "\"")
	path = quoted[2]
	node = path
	sub(/.*\//, "", node)
	resource = substr(path, 1, length(path) - length(node) - 1)
	split(quoted[5], after, " ")
	if (!(resource in count))
		names[++n_resources] = resource
	id = resource SUBSEP node SUBSEP attr("lkb_id")
	from = $1 + 0
	until = $1 + after[1]
	weakens = attr("flags") ~ /leaving/
	if (quoted[4] == "RELEASING" || weakens) {
		# spans come by their ends: a hold after the calls in it
		left[id, ++n_left[id]] = from
		left_until[id, n_left[id]] = until
		if (quoted[4] == "RELEASING" && attr("to") in known && !($0 ~ /CONVDEADLK|ALTPR|ALTCW/))
			add(attr("to"), from, until)
	}
	if (quoted[4] == "RELEASING" || quoted[4] == "KEEPING")
		next
	if (quoted[4] == "PENDING" || quoted[4] == "unknown")
		add(quoted[4], from, until)
	else {
		since = from
		for (l = 1; l <= n_left[id]; l++) {
			if (left_until[id, l] <= from)
				continue
			if (left[id, l] < from)
				left[id, l] = from
			add(quoted[4], since, left[id, l])
			add("leaving " quoted[4], left[id, l], left_until[id, l])
			since = left_until[id, l]
		}
		n_left[id] = 0
		add(quoted[4], since, until)
	}
}

# Recoveries of lockspaces, on whichever node.
/^[0-9]+ span "[^"]*" recovery "recovery" / {
	split($0, quoted, "\"")
	lockspace = quoted[2]
	sub(/\/[^\/]*$/, "", lockspace)
	split(quoted[5], after, " ")
	n_recoveries++
	recovered[n_recoveries] = lockspace
	recovered_from[n_recoveries] = $1 + 0
	recovered_until[n_recoveries] = $1 + after[1]
}

function is_recovered(lockspace, t,    i) {
	for (i = 1; i <= n_recoveries; i++)
		if (recovered[i] == lockspace && recovered_from[i] <= t && t < recovered_until[i])
			return 1
	return 0
}

function add(name, from, until,    i, key) {
	if (from == until)
		return
	i = ++count[resource]
	key = resource SUBSEP i
	t0[key] = from
	t1[key] = until
	on[key] = node
	lock[key] = attr("lkb_id")
	mode[key] = name
	to[key] = attr("to")
	# begins in a gap, so nobody knows whether it is a wait
	no_wait[key] = attr("flags") ~ /suspect/ && attr("flags") ~ /unknown/
}

# Sort edge[1] to edge[n].
function sort(n,    gap, i, k, x) {
	for (gap = int(n / 2); gap; gap = int(gap / 2))
		for (i = gap + 1; i <= n; i++) {
			x = edge[i]
			for (k = i - gap; k >= 1 && edge[k] > x; k -= gap)
				edge[k + gap] = edge[k]
			edge[k + gap] = x
		}
}

function number(hex,    i, n) {
	n = 0
	hex = tolower(hex)
	for (i = 3; i <= length(hex); i++)
		n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}

# Whether lock @a of the resource comes before lock @b: by node, then by number.
function before(a, b) {
	return on[a] != on[b] ? on[a] < on[b] : number(lock[a]) < number(lock[b])
}

# A lock that holds something converts; conversions are served first.
function converts(resource, wait,    i, key) {
	for (i = 1; i <= count[resource]; i++) {
		key = resource SUBSEP i
		if (mode[key] != "PENDING" && on[key] == on[wait] && lock[key] == lock[wait] && t0[key] <= t0[wait] && t1[key] > t0[wait])
			return 1
	}
	return 0
}

function share(waiter, holders, n, ns,    i, first, rest) {
	if (!n || !ns)
		return
	rest = ns % n
	first = 1
	for (i = 1; i <= n; i++) {
		blame[waiter, on[holders[i]]] += (ns - rest) / n
		if (before(holders[i], holders[first]))
			first = i
	}
	blame[waiter, on[holders[first]]] += rest
}

function explain(resource, wait,    lockspace, i, k, key, n, n_edges, set, last, since, cause, holders, last_n, near, n_near, asking, n_asking, ended, served) {
	n_near = n_asking = 0
	n_edges = 0
	edge[++n_edges] = t0[wait]
	edge[++n_edges] = t1[wait]
	for (i = 1; i <= count[resource]; i++) {
		key = resource SUBSEP i
		if (t0[key] >= t1[wait] || t1[key] <= t0[wait] || (on[key] == on[wait] && lock[key] == lock[wait]))
			continue
		if (mode[key] != "PENDING")
			near[++n_near] = key
		else if (is_before(resource, key, wait))
			asking[++n_asking] = key
		if (t0[key] > t0[wait])
			edge[++n_edges] = t0[key]
		if (t1[key] < t1[wait])
			edge[++n_edges] = t1[key]
	}
	lockspace = resource
	sub(/\/[^\/]*$/, "", lockspace)
	for (i = 1; i <= n_recoveries; i++) {
		if (recovered[i] != lockspace)
			continue
		if (recovered_from[i] > t0[wait] && recovered_from[i] < t1[wait])
			edge[++n_edges] = recovered_from[i]
		if (recovered_until[i] > t0[wait] && recovered_until[i] < t1[wait])
			edge[++n_edges] = recovered_until[i]
	}
	sort(n_edges)
	last = ""
	since = t0[wait]
	last_n = 0
	ended = served = 0
	for (k = 1; k < n_edges; k++) {
		if (edge[k] == edge[k + 1])
			continue
		set = ""
		n = 0
		cause = "unexplained"
		# spans come by their ends
		while (ended < n_near && t1[near[ended + 1]] <= edge[k])
			ended++
		for (i = ended + 1; i <= n_near; i++) {
			key = near[i]
			if (t0[key] > edge[k] || t1[key] <= edge[k])
				continue
			if (mode[key] == "unknown" && cause == "unexplained")
				cause = "not observed"
			if ((to[wait], substr(mode[key], 9)) in excludes && mode[key] ~ /^leaving /)
				cause = "hand-over"
			if ((to[wait], mode[key]) in excludes) {
				set = set " " key
				now[++n] = key
			}
		}
		while (served < n_asking && t1[asking[served + 1]] <= edge[k])
			served++
		for (i = served + 1; !n && cause != "hand-over" && i <= n_asking; i++)
			if (t0[asking[i]] <= edge[k] && t1[asking[i]] > edge[k]) {
				queued_ns[asking[i]] += edge[k + 1] - edge[k]
				cause = "queue"
			}
		if ((cause == "unexplained" || cause == "not observed") && is_recovered(lockspace, edge[k]))
			cause = "recovery"
		if (set != last) {
			share(on[wait], holders, last_n, edge[k] - since)
			since = edge[k]
			last = set
			last_n = n
			for (i = 1; i <= n; i++)
				holders[i] = now[i]
		}
		if (!n)
			blame[on[wait], cause] += edge[k + 1] - edge[k]
		if (!n && cause == "unexplained" && unexplained)
			printf "%s\t%s %d %.0f %.0f %.0f\n", resource, on[wait], number(lock[wait]), t0[wait], edge[k], edge[k + 1] >unexplained
	}
	share(on[wait], holders, last_n, t1[wait] - since)
	if (queue)
		write_queue(resource, wait, asking, n_asking)
}

# The three with the most time, and the number of the others.
function write_queue(resource, wait, asking, n_asking,    i, n, best, text, rest) {
	for (n = 0; n < 3; n++) {
		best = ""
		for (i = 1; i <= n_asking; i++)
			if (queued_ns[asking[i]] && (best == "" || queued_ns[asking[i]] > queued_ns[best] ||
			    queued_ns[asking[i]] == queued_ns[best] && before(asking[i], best)))
				best = asking[i]
		if (best == "")
			break
		text = text (n ? ", " : "") on[best] " (" to[best] ")"
		delete queued_ns[best]
	}
	for (i = 1; i <= n_asking; i++) {
		rest += queued_ns[asking[i]] > 0
		delete queued_ns[asking[i]]
	}
	if (n)
		printf "%.0f %s/%s\t%s%s\n", t0[wait], resource, on[wait], text, (rest ? ", " rest " more" : "") >queue
}

function is_before(resource, other, wait,    a, b) {
	a = conversion[other]
	b = conversion[wait]
	return a != b ? a : t0[other] < t0[wait]
}

END {
	for (r = 1; r <= n_resources; r++) {
		resource = names[r]
		for (i = 1; i <= count[resource]; i++)
			if (mode[resource, i] == "PENDING")
				conversion[resource, i] = converts(resource, resource SUBSEP i)
		for (i = 1; i <= count[resource]; i++)
			if (mode[resource, i] == "PENDING" && !no_wait[resource, i])
				explain(resource, resource SUBSEP i)
	}
	for (pair in blame)
		if (blame[pair]) {
			split(pair, names_of, SUBSEP)
			printf "%s\t%s\t%.0f\n", names_of[1], names_of[2], blame[pair]
		}
}
