# SPDX-License-Identifier: GPL-2.0-or-later
# Writes hand-overs of a lock of the DLM from one node to another one, whose master is node 2, as the text recordings DIR/1.txt,
# DIR/2.txt and DIR/3.txt. Variables:
#   dir, waiter, holder   the folder; the nodes
#   late, ns, factor      the part that takes ns longer, and factor times as long; every part takes a millisecond of its own
#   n, sigma, seed        number of hand-overs; the parts then have a log-normal distribution
#   off1, off2, off3      errors of the clocks of the nodes, in ns

function at(node, t, pid, text) { lines[node] = lines[node] sprintf("%.0f 0 %d %s\n", t + off[node], pid, text) }

function lock(node, t, id, event, more) { at(node, t, event ~ /ast/ ? 9 : 100 + id, event " ls_id=1 lkb_id=" id " res_name=\"r\" " more) }

function message(from, to, sent, got, type, id, remote, more,    text) {
	text = "h_nodeid=" from " h_lockspace=1 m_type=" type " m_lkid=" id " m_remid=" remote \
		" m_nodeid=" to " m_pid=0 m_hash=1 m_exflags=0 m_status=0 m_grmode=0 m_rqmode=5 m_lvbseq=0 m_bastmode=5 m_result=" more + 0
	at(from, sent, 20, "dlm_send_message " text " res_name=\"r\"")
	at(to, got, 20, "dlm_recv_message " text)
}

# the same numbers with every awk
function random() { state = state * 16807 % 2147483647; return state / 2147483647 }

function step(part,    length_ns) {
	length_ns = 1000000
	if (sigma)
		length_ns *= exp(sigma * sqrt(-2 * log(random())) * cos(6.283185307 * random()))
	now += int(length_ns * (part == late && factor ? factor : 1)) + (part == late ? ns : 0)
}

function unlock_returns(node, t, id, there) {
	lock(node, t, id, "dlm_unlock_end", "flags=0 error=0")
	if (node != 2) message(2, node, t + 1000, t + 2000, 7, there, id)
	lock(node, t + 3000, id, "dlm_ast", "sb_flags=0 sb_status=-65538")
}

# a: the waiter's lock, b: the holder's; there: the same on the master
function handover(a, b,    mode, sent, called, completed, there_a, there_b) {
	mode = "mode=5 flags=0"
	there_a = a + 1000000
	there_b = b + 1000000
	lock(holder, now, b, "dlm_lock_start", mode)
	if (holder != 2) message(holder, 2, now + 10, now + 1000, 1, b, 0)
	lock(holder, now + 2000, b, "dlm_lock_end", mode " error=0")
	if (holder != 2) message(2, holder, now + 3000, now + 4000, 5, there_b, b)
	lock(holder, now + 5000, b, "dlm_ast", "sb_flags=0 sb_status=0")
	now += 1000000000
	lock(waiter, now, a, "dlm_lock_start", mode)
	sent = now + 1000
	if (waiter != 2) {
		step("request")
		message(waiter, 2, sent, now, 1, a, 0)
	}
	step("queue")
	sent = now
	step("block")
	if (holder != 2) message(2, holder, sent, now - 1000, 10, there_b, b)
	lock(holder, now, b, "dlm_bast", "mode=5")
	step("reaction")
	called = now
	lock(holder, now, b, "dlm_unlock_start", "flags=0")
	if (holder != 2) {
		step("release")
		message(holder, 2, called + 1000, now, 3, b, there_b)
	}
	sent = now + 2000
	if (waiter != 2) {
		step("grant")
		message(2, waiter, sent, now, 9, there_a, a)
	}
	step("completion")
	lock(waiter, now, a, "dlm_ast", "sb_flags=0 sb_status=0")
	completed = now
	step("return")
	lock(waiter, now, a, "dlm_lock_end", mode " error=0")
	now = completed + 500000000
	unlock_returns(holder, now, b, there_b)
	now += 1000000
	lock(waiter, now, a, "dlm_unlock_start", "flags=0")
	if (waiter != 2) message(waiter, 2, now + 10, now + 1000, 3, a, there_a)
	unlock_returns(waiter, now + 2000, a, there_a)
	now += 10000000
}

BEGIN {
	off[1] = off1; off[2] = off2; off[3] = off3
	for (state = 1 + seed * 7919; i < 10; i++) random()
	now = 1000000000
	for (i = 0; i < (n ? n : 1); i++)
		handover(1 + 2 * i, 2 + 2 * i)
	# messages that show that those of every node are recorded
	message(2, 1, 900000000, 900001000, 14, 0, 0)
	message(2, 3, 900000000, 900001000, 14, 0, 1)
	for (node = 1; node <= 3; node++) {
		file = dir "/" node ".txt"
		printf "iotrace-text 1\n" >file
		close(file)
		command = "sort -s -n -k1,1 >>" file
		printf "%s", lines[node] | command
		close(command)
	}
}
