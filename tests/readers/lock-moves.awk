# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of three nodes that lock resources of the DLM, one request at a time: awk -v seed=N -v dir=DIR -f lock-moves.awk
# Writes DIR/1.txt, 2.txt and 3.txt, and prints for each resource and each node that could be its master:
# NAME NODE EXPECTED-NS HAPPENED-NS MESSAGES, the time and messages that this master saves. EXPECTED is by the means that were
# planted; HAPPENED compares with a second run, of the same requests, with this master and other latencies.

# Park and Miller: the same numbers with every awk
function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function exponential(mean) { return int(-log(random()) * mean) + 1 }
function at(node, t, pid, text) { lines[node] = lines[node] sprintf("%.0f 0 %d %s\n", t, pid, text) }
function lock(node, t, event, more) { at(node, t, event ~ /ast/ ? 9 : 100, event " ls_id=1 lkb_id=" id " res_name=\"" name "\" " more) }

function message(from, to, sent, got, type, lkid, remid,    text)
{
	number++
	text = "h_nodeid=" from " h_lockspace=1 m_type=" type " m_lkid=" lkid " m_remid=" remid \
		" m_nodeid=" to " m_pid=0 m_hash=" number " m_exflags=0 m_status=0 m_grmode=0 m_rqmode=5 m_lvbseq=0 m_bastmode=0 m_result=0"
	at(from, sent, 20, "dlm_send_message " text " res_name=\"" name "\"")
	at(to, got, 20, "dlm_recv_message " text)
}

# A request of @node, from the call to the ast; returns how long it took. Without @shown it happens in the second run.
function request(node, master, shown,    sent, got, back, there, done)
{
	if (node == master) {
		done = now + exponential(mean[node, node])
	} else {
		sent = now + 1000
		got = sent + exponential(mean[node, master] / 2)
		back = got + 2000
		there = back + exponential(mean[node, master] / 2)
		done = there + 3000
	}
	if (!shown)
		return done - now
	lock(node, now, "dlm_lock_start", "mode=5 flags=0")
	lock(node, now + 500, "dlm_lock_end", "mode=5 flags=0 error=0")
	if (node != master) {
		message(node, master, sent, got, 1, id, 0)
		message(master, node, back, there, 5, 1000 + id, id)
	}
	lock(node, done, "dlm_ast", "sb_flags=0 sb_status=0")
	return done - now
}

function unlock(node, master)
{
	lock(node, now, "dlm_unlock_start", "flags=0")
	lock(node, now + 500, "dlm_unlock_end", "flags=0 error=0")
	if (node != master) {
		message(node, master, now + 1000, now + 200000, 3, id, 1000 + id)
		message(master, node, now + 202000, now + 400000, 7, 1000 + id, id)
	}
	lock(node, now + 500000, "dlm_ast", "sb_flags=0 sb_status=-65538")
}

# Mean of a request, as request() makes it.
function whole(node, master) { return mean[node, master] + (node == master ? 0 : 6000) }

BEGIN {
	state = seed * 7919 + 17
	for (i = 0; i < 10; i++)
		random()
	for (a = 1; a <= 3; a++)
		for (b = 1; b <= 3; b++)
			mean[a, b] = a == b ? 20000 + 80000 * random() : 500000 + 9500000 * random()
	now = 1000000000
	for (r = 1; r <= 6; r++) {
		master[r] = 1 + r % 3
		for (node = 1; node <= 3; node++)
			for (i = 40 + 160 * random() * random(); i > 0; i--)
				todo[++n] = r " " node
	}
	for (i = n; i > 1; i--) {
		k = 1 + int(i * random())
		swap = todo[i]; todo[i] = todo[k]; todo[k] = swap
	}
	for (i = 1; i <= n; i++) {
		split(todo[i], word, " ")
		r = word[1]; node = word[2]
		name = "r" r; id = 10 * r + node
		took = request(node, master[r], 1)
		now += took + 1000000
		unlock(node, master[r])
		now += 1000000
		for (other = 1; other <= 3; other++) {
			expected[r, other] += whole(node, master[r]) - whole(node, other)
			happened[r, other] += took - request(node, other, 0)
			messages[r, other] += 4 * ((node != master[r]) - (node != other))
		}
	}
	for (node = 1; node <= 3; node++) {
		file = dir "/" node ".txt"
		printf "iotrace-text 1\n" >file
		close(file)
		printf "%s", lines[node] | ("sort -s -n -k1,1 >>" file)
		close("sort -s -n -k1,1 >>" file)
	}
	for (r = 1; r <= 6; r++)
		for (node = 1; node <= 3; node++)
			if (node != master[r])
				printf "r%d %d %.0f %.0f %d\n", r, node, expected[r, node], happened[r, node], messages[r, node]
}
