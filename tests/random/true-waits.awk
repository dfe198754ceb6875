# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the tables of waits with the truth: the longest of each resource, longest waits, holders in their way, sums by node, resource and process, chains, and
# calls that waited. An own sweep over the true waits and holds finds what each cell must be. Of a recording without losses every cell
# must be equal. Of a damaged one, a cell may differ if the table says that it is not certain: "at least", "possible", "undecided", or a
# cut wait. Prints what is asserted, but not so; the last line counts the assertions.
#
# usage: awk -v whole=0|1 -v late=0|1 -f true-waits.awk TRUTH REPORT.json
# whole: nothing is lost; late: all recordings begin in the middle, so sums are those of a part. TRUTH: lines "wait", "part" and "call" of gen-dat.c or nested.awk

function wrong(text) {
	print where ": " text ": " $0
}

# As a subscript: some awks shorten large numbers.
function key_of(t) {
	return sprintf("%.0f", t)
}

# ---- truth

function resource_name(ls, hex,    i, text) {
	for (i = 1; i < length(hex); i += 2)
		text = text sprintf("%c", 16 * (index("0123456789abcdef", substr(hex, i, 1)) - 1) + index("0123456789abcdef", substr(hex, i + 1, 1)) - 1)
	return "0x" ls "/" text
}

function number(hex,    i, n) {
	for (i = 1; i <= length(hex); i++)
		n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}

function add_hold(mode, t0, t1, thread,    i) {
	if (t0 == t1)
		return
	i = ++n_holds
	h_resource[i] = resource_name($3, $4)
	h_node[i] = $2
	h_lock[i] = number($5)
	h_mode[i] = mode
	h_t0[i] = t0 + 0
	h_t1[i] = t1 + 0
	h_pid[i] = thread
	on[h_resource[i], ++n_on[h_resource[i]]] = i
}

BEGIN {
	FS = "\t"
	split("NL CR CW PR PW EX", mode, " ")
	split("111111 111110 111000 110100 110000 100000", line, " ")
	for (i = 1; i <= 6; i++)
		for (k = 1; k <= 6; k++)
			excludes[mode[i], mode[k]] = substr(line[i], k, 1) == 0
}

FNR == 1 { file++ }

# a lock that is left for a weaker mode holds that one all the time
file == 1 && $1 == "wait" && $6 == "leave" && $8 != "unlock" { add_hold($8, $9, $10, $12) }
file == 1 && $1 == "part" && $7 == "certain" { add_hold($6, $8, $9, $10) }
file == 1 && $1 == "wait" && ($6 == "wait" || $6 == "both") && $9 != $10 {
	i = ++n_waits
	w_resource[i] = resource_name($3, $4)
	w_node[i] = $2
	w_lock[i] = number($5)
	w_asks[i] = $8
	w_t0[i] = $9 + 0
	w_t1[i] = $10 + 0
	w_pid[i] = $12
	w_ended[i] = $11 != "-"
	begun[w_resource[i], w_node[i], key_of($9)] = begun[w_resource[i], w_node[i], key_of($9)] " " i
	of_thread[w_node[i], w_pid[i], ++n_of[w_node[i], w_pid[i]]] = i
}
# calls that wait for no mode
file == 1 && $1 == "wait" && ($6 == "leave" || $6 == "same") {
	i = ++n_others
	o_place[i] = resource_name($3, $4) " " $2
	o_t0[i] = $9 + 0
	o_t1[i] = $10 + 0
}
# an unlock by force ends the wait before its answer comes
file == 1 && $1 == "span" && $6 == "PENDING" { drawn_end[resource_name($3, $4), $2, number($5), key_of($7)] = $8 + 0 }
file == 1 && $1 == "call" {
	call_end[$2, $3, key_of($5)] = $6 + 0
}
file == 1 { next }

# ---- the sweep over one wait

function sort_edges(n,    i, k, x) {
	for (i = 2; i <= n; i++) {
		x = edge[i]
		for (k = i - 1; k >= 1 && edge[k] > x; k--)
			edge[k + 1] = edge[k]
		edge[k + 1] = x
	}
}

function in_way(w, h) {
	return excludes[w_asks[w], h_mode[h]] && h_t0[h] < w_t1[w] && h_t1[h] > w_t0[w] && !(h_node[h] == w_node[w] && h_lock[h] == w_lock[w])
}

# A thread that holds @h waits at @t for a resource of which somebody is in the way: the path gets longer. TRUE if it does.
function extend(h, t, ns, text, path,    i, n, w, any) {
	n = n_of[h_node[h], h_pid[h]]
	any = 0
	for (i = 1; i <= n; i++) {
		w = of_thread[h_node[h], h_pid[h], i]
		if (w_t0[w] > t || w_t1[w] <= t || w_resource[w] == h_resource[h] || index(path, " " w " "))
			continue
		any += walk(w, t, ns, text, path w " ")
	}
	return any
}

# All chains that begin with the text, the last member of which waits: @w at @t, for @ns. How many holds are in the way.
function walk(w, t, ns, text, path,    i, h, n, next_text, first) {
	n = 0
	first = path == " " w " "
	for (i = 1; i <= n_on[w_resource[w]]; i++) {
		h = on[w_resource[w], i]
		if (h_t0[h] > t || h_t1[h] <= t || !in_way(w, h))
			continue
		n++
		next_text = text " > " w_resource[w] " > node " h_node[h] " pid " h_pid[h]
		if (!extend(h, t, ns, next_text, path) && !first)
			chain_ns[next_text] += ns
	}
	return n
}

# The edges of the holds that some thread may wait for at the time of @w: chains change there only.
function find_chains(w,    i, n, k) {
	n = 0
	edge[++n] = w_t0[w]
	edge[++n] = w_t1[w]
	for (i = 1; i <= n_holds; i++) {
		if (h_t0[i] > w_t0[w] && h_t0[i] < w_t1[w])
			edge[++n] = h_t0[i]
		if (h_t1[i] > w_t0[w] && h_t1[i] < w_t1[w])
			edge[++n] = h_t1[i]
	}
	for (i = 1; i <= n_waits; i++) {
		if (w_t0[i] > w_t0[w] && w_t0[i] < w_t1[w])
			edge[++n] = w_t0[i]
		if (w_t1[i] > w_t0[w] && w_t1[i] < w_t1[w])
			edge[++n] = w_t1[i]
	}
	sort_edges(n)
	n_edges = n
	for (k = 1; k <= n; k++)
		cut[k] = edge[k]
	for (k = 1; k < n_edges; k++)
		if (cut[k] < cut[k + 1])
			walk(w, cut[k], cut[k + 1] - cut[k], "node " w_node[w] " pid " w_pid[w], " " w " ")
}

function explain(w,    i, k, h, n, near, n_near, now, n_now, ns, first, rest) {
	n = n_near = 0
	edge[++n] = w_t0[w]
	edge[++n] = w_t1[w]
	for (i = 1; i <= n_on[w_resource[w]]; i++) {
		h = on[w_resource[w], i]
		if (!in_way(w, h))
			continue
		near[++n_near] = h
		if (h_t0[h] > w_t0[w])
			edge[++n] = h_t0[h]
		if (h_t1[h] < w_t1[w])
			edge[++n] = h_t1[h]
	}
	sort_edges(n)
	for (k = 1; k < n; k++) {
		ns = edge[k + 1] - edge[k]
		n_now = 0
		for (i = 1; i <= n_near; i++)
			if (h_t0[near[i]] <= edge[k] && h_t1[near[i]] > edge[k])
				now[++n_now] = near[i]
		if (!ns || !n_now)
			continue
		rest = ns % n_now
		first = now[1]
		for (i = 1; i <= n_now; i++) {
			h = now[i]
			part[w, h] += (ns - rest) / n_now
			whole_ns[w, h] += ns
			alone[w, h] += n_now == 1 ? ns : 0
			if (h_node[h] < h_node[first] || (h_node[h] == h_node[first] && h_lock[h] < h_lock[first]))
				first = h
		}
		part[w, first] += rest
	}
	for (i = 1; i <= n_near; i++) {
		h = near[i]
		by_node[w_node[w], h_node[h]] += part[w, h]
		by_process[w_node[w], w_pid[w], h_node[h], h_pid[h]] += part[w, h]
		held_ns[w_resource[w]] += part[w, h]
		alone_node[w_node[w], h_node[h]] += alone[w, h]
	}
	waited_ns[w_resource[w]] += w_t1[w] - w_t0[w]
}

function sweep(    w, key) {
	for (w = 1; w <= n_waits; w++) {
		key = w_resource[w] SUBSEP w_node[w] SUBSEP w_lock[w] SUBSEP key_of(w_t0[w])
		if (key in drawn_end)
			w_t1[w] = drawn_end[key]
	}
	for (w = 1; w <= n_waits; w++) {
		explain(w)
		if (w_pid[w] != "")
			find_chains(w)
	}
}

# ---- tables

# The value of a key in the present line of JSON, without quotes; "null": there is none.
function cell(key,    at, text) {
	at = index($0, "\"" key "\":")
	if (!at)
		return ""
	text = substr($0, at + length(key) + 3)
	if (substr(text, 1, 1) == "\"") {
		text = substr(text, 2)
		return substr(text, 1, index(text, "\"") - 1)
	}
	match(text, /^[^,}]*/)
	return substr(text, 1, RLENGTH)
}

function value(key) {
	return cell(key) + 0
}

function instant(key) {
	return cell(key) + origin
}

function at_least(key,    text) {
	text = $0
	return sub(/.*"at_least":\[/, "", text) && index(text, "\"" key "\"")
}

# "0x7/r1/node 2": the node after the last slash, the resource before it
function split_place(place) {
	match(place, /\/node ?[0-9]+$/)
	place_resource = substr(place, 1, RSTART - 1)
	place_node = substr(place, RSTART + 5) + 0
}

function node_number(text) {
	sub(/^node ?/, "", text)
	return text + 0
}

# A true wait on the place, with the mode, that begins at @t0; 0: there is none.
function find_wait(place, t0, asks,    i, n, list) {
	split_place(place)
	n = split(begun[place_resource, place_node, key_of(t0)], list, " ")
	for (i = 1; i <= n; i++)
		if (w_asks[list[i]] == asks)
			return list[i]
	return 0
}

# A true wait that lasts from @t0 to @t1, and perhaps longer; no mode: any one
function find_longer(place, t0, t1, asks,    i) {
	split_place(place)
	for (i = 1; i <= n_waits; i++)
		if (w_resource[i] == place_resource && w_node[i] == place_node && (asks == "" || w_asks[i] == asks) && w_t0[i] <= t0 && w_t1[i] >= t1)
			return i
	# of a call whose start was not seen nobody knows whether it waits for a mode, if it was not refused
	for (i = 1; cell("cut") ~ /perhaps none/ && i <= n_others; i++)
		if (o_place[i] == place_resource " " place_node && o_t0[i] <= t0 && o_t1[i] >= t1)
			return -1
	return 0
}

# A true certain hold of the wait's resource that begins at @t0; 0: there is none.
function find_hold(place, t0, held,    i, h) {
	split_place(place)
	for (i = 1; i <= n_on[place_resource]; i++) {
		h = on[place_resource, i]
		if (h_node[h] == place_node && h_mode[h] == held && h_t0[h] == t0)
			return h
	}
	return 0
}

function near_share(a, b) {
	return a - b < 0.000002 && b - a < 0.000002
}

function check_longest(    asks, w, waited) {
	if (cell("state") != "PENDING")
		return
	# a wait whose begin was not seen may have no mode
	asks = cell("asked")
	if (!sub(/.* to=/, "", asks))
		asks = ""
	sub(/ .*/, "", asks)
	waited = value("waited")
	if (cell("cut") != "null" && !at_least("waited"))
		return
	asserted["longest_waits"]++
	if (!at_least("waited")) {
		w = find_wait(cell("place"), instant("begin"), asks)
		if (!w || w_t1[w] - w_t0[w] != waited)
			wrong("no such wait")
		return
	}
	if (!find_longer(cell("place"), instant("begin"), instant("begin") + waited, asks))
		wrong("no wait that is so long")
}

# The longest wait of a resource, or of a node for it
function check_states(    i, most) {
	if (cell("place") ~ /\/node ?[0-9]+$/)
		split_place(cell("place"))
	else {
		place_resource = cell("place")
		place_node = ""
	}
	for (i = 1; i <= n_waits; i++)
		if (w_resource[i] == place_resource && (place_node == "" || w_node[i] == place_node) && w_t1[i] - w_t0[i] > most)
			most = w_t1[i] - w_t0[i]
	asserted[where]++
	if (late || at_least("longest") ? most < value("longest") : most + 0 != value("longest"))
		wrong("the longest has " (most + 0) " ns")
}

function check_holders(    w, h, length_ns) {
	if (cell("place") == "null" || (!whole && cell("certainty") != "proved"))
		return
	asserted["holders"]++
	w = find_wait(cell("waiter"), instant("begin"), cell("asks"))
	if (!w && at_least("waited"))
		w = find_longer(cell("waiter"), instant("begin"), instant("begin") + value("waited"), cell("asks"))
	length_ns = cell("because")
	sub(/.* /, "", length_ns)
	h = find_hold(cell("place"), instant("held_from"), length_ns)
	if (!w || !h || !in_way(w, h))
		return wrong(w ? h ? "not in the way" : "no such hold" : "no such wait")
	if (!at_least("waited") && w_t1[w] - w_t0[w] != value("waited"))
		wrong("the wait has " (w_t1[w] - w_t0[w]) " ns")
	length_ns = (h_t1[h] < w_t1[w] ? h_t1[h] : w_t1[w]) - h_t0[h]
	if (at_least("held") ? length_ns < value("held") : length_ns != value("held"))
		wrong("held for " length_ns " ns")
	if ((at_least("part") ? part[w, h] < value("part") : part[w, h] != value("part")) ||
		(at_least("alone") ? alone[w, h] < value("alone") : alone[w, h] + 0 != value("alone")) || !near_share(value("part") / value("waited"), cell("share")))
		wrong("part " part[w, h] " ns, alone " (alone[w, h] + 0) " ns")
	if (h_pid[h] != "" && cell("process") !~ ("(^| )" h_pid[h] "$"))
		wrong("held by process " h_pid[h])
}

# A sum, of which a share is proved
function check_sum(key, truth, alone_truth, proved,    ns) {
	ns = value(key)
	proved = cell("proved")
	if (whole || !warned[where]) {
		asserted[where]++
		if (ns != truth + 0)
			wrong("in truth " (truth + 0) " ns")
		if (alone_truth != "-" && value("alone") != alone_truth + 0)
			wrong("in truth alone " (alone_truth + 0) " ns")
		return
	}
	if (proved == "null" || !(proved + 0))
		return
	asserted[where]++
	if (ns * proved > truth + 1 + ns / 500000)
		wrong("proved " ns * proved " ns, in truth " (truth + 0) " ns")
}

function check_blame(    waiter, because) {
	if (cell("because") !~ /^node/)
		return
	waiter = node_number(cell("waiter"))
	because = node_number(cell("because"))
	check_sum("blamed", by_node[waiter, because], alone_node[waiter, because])
}

function check_resources(    resource) {
	resource = cell("resource")
	if (whole || !warned[where]) {
		if (value("waited") != waited_ns[resource] + 0)
			wrong("waited in truth " (waited_ns[resource] + 0) " ns")
	}
	check_sum("held", held_ns[resource], "-")
}

function pid_of(text) {
	sub(/.* /, "", text)
	return text
}

function check_processes() {
	if (w_pid[1] == "")
		return
	check_sum("blamed", by_process[node_number(cell("waiter")), pid_of(cell("waiting_process")), node_number(cell("holder")),
		pid_of(cell("holding_process"))], "-")
}

function check_chains(    text) {
	text = cell("chain")
	# machines have a name with or without a space
	gsub(/node ?/, "node ", text)
	seen_chains++
	check_sum("ns", chain_ns[text], "-")
}

# The true time in which a thread waits between two instants, and the number of its waits
function thread_waited(node, pid, t0, t1,    i, k, n, w, sum, covered) {
	n = 0
	n_thread_waits = 0
	for (i = 1; i <= n_of[node, pid]; i++) {
		w = of_thread[node, pid, i]
		if (w_t1[w] <= t0 || w_t0[w] >= t1)
			continue
		n_thread_waits++
		sum += (w_t1[w] < t1 ? w_t1[w] : t1) - (w_t0[w] > t0 ? w_t0[w] : t0)
	}
	return sum + 0
}

function check_call(key,    t0, t1, node, pid, truth) {
	split_place(cell("row"))
	node = place_node
	pid = cell("pid")
	t0 = instant("begin")
	if (at_least("took")) {
		t1 = t0 + value("took")
	} else {
		asserted[where]++
		t1 = call_end[node, pid, key_of(t0)]
		if (t1 - t0 != value("took"))
			return wrong("the call took " (t1 - t0) " ns")
	}
	truth = thread_waited(node, pid, t0, t1)
	if (cell(key) != "null" && (at_least(key) ? truth < value(key) : truth != value(key)))
		wrong("waited for " truth " ns")
	asserted[where] += cell(key) != "null"
	if (where == "slow_calls" && !at_least("waits") && n_thread_waits != value("waits"))
		wrong(n_thread_waits " waits")
}

# The hold that was longest in the way is named, with the mode and perhaps the process.
function check_most(    w, i, h, most, name, found) {
	if (!whole && cell("certainty") != "proved")
		return
	asserted[where]++
	w = find_wait(cell("row"), instant("begin"), cell("mode"))
	if (!w)
		return wrong("no such wait")
	most = 0
	for (i = 1; i <= n_on[w_resource[w]]; i++) {
		h = on[w_resource[w], i]
		if (whole_ns[w, h] > most)
			most = whole_ns[w, h]
	}
	if (most != value("held"))
		return wrong("in the way for " most " ns")
	for (i = 1; i <= n_on[w_resource[w]]; i++) {
		h = on[w_resource[w], i]
		name = cell("held_by")
		sub(/^node ?/, "node ", name)
		if (most && whole_ns[w, h] == most && name == "node " h_node[h] " process " h_pid[h] " (" h_mode[h] ")")
			found = 1
	}
	if (most && !found)
		wrong("others were longer in the way")
}

FNR == 1 {
	sweep()
	origin = cell("begin_ns") + 0
	next
}

# A table: its head, then a line for each row
/^"[a-z_]+":\{"title"/ {
	where = $0
	sub(/^"/, "", where)
	sub(/".*/, "", where)
	warned[where] = late || $0 ~ /"remark":"[^"]*undecided from /
	next
}

/^\{/ {
	if (where == "states_resource")
		check_states()
	else if (where == "longest_waits")
		check_longest()
	else if (where == "holders")
		check_holders()
	else if (where == "blame")
		check_blame()
	else if (where == "blame_resources")
		check_resources()
	else if (where == "blame_processes")
		check_processes()
	else if (where == "chains")
		check_chains()
	else if (where == "slow_calls")
		check_call("waited")
	else if (where == "why")
		check_call("lock")
	else if (where == "why_waits")
		check_most()
}

END {
	n_chains = 0
	for (text in chain_ns)
		n_chains++
	if (whole && w_pid[1] != "" && (n_chains > 20 ? 20 : n_chains) != seen_chains)
		print "chains: " n_chains " in truth, " seen_chains " listed"
	printf "#"
	for (table in asserted)
		printf " %s %d", table, asserted[table]
	printf "\n"
}
