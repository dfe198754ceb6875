# SPDX-License-Identifier: GPL-2.0-or-later
# Random reads of NFS clients, each by one operation of a procedure of its own, with a delay of 1, 10 or 100 ms planted in one part of the
# operation, or after it: before the thread is woken, or has a processor; and the time of each part, from the plan. One thread of each client works through its operations, each thread has a connection of its own.
# Lines of the recordings go to standard output: NODE TIME CPU PID EVENT.
#
# usage: awk -v seed=N -v bound=NS -v truth=FILE -f operations.awk | sort
#   bound: the clock of the server is wrong by up to so many ns
function random(n) { return int(rand() * n) }
function at(node, t, pid, text) { printf "%s %.0f %d %s %s\n", node, t, pid % 64, pid (text ~ /^sunrpc:svcsock_data/ ? "/softirq" : ""), text }

# the next instant, after a short time, or a long one in the part with the planted delay
function later(part,   ns) {
	ns = 1000 + random(200000) + (part == planted ? delay : 0)
	planted = part == planted ? "" : planted
	t += ns
	sum[part] += ns
	return t
}

function operation(c, k,   pid, worker, address, name, queues, i) {
	pid = 100 + c; worker = 900 + c * 4 + random(4); address = "10.0.0." (c + 1) ":700"; name = "P" k
	for (i in sum) sum[i] = 0
	planted = part[1 + random(9)]
	delay = 1000000 * 10 ^ random(3)
	plan = planted " " delay
	queues = planted == "client_queue" || random(2)
	at("client" c, t, pid, "iotrace:read_start id=" k " tgid=" pid " op=\"read\" fd=3 dev=5 ino=8 pos=0 len=8")
	at("client" c, t, pid, "sunrpc:rpc_task_begin client_id=0 task_id=" k)
	at("client" c, t, pid, "sunrpc:rpc_request client_id=0 task_id=" k " version=4 progname=\"nfs\" procname=\"" name "\"")
	if (queues) {
		at("client" c, t, pid, "sunrpc:rpc_task_sleep client_id=0 task_id=" k " status=0 q_name=\"slots\"")
		later("client_queue")
		at("client" c, t, 9, "sunrpc:rpc_task_wakeup client_id=0 task_id=" k " status=0 q_name=\"slots\"")
	}
	at("client" c, t, pid, "sunrpc:xprt_reserve client_id=0 task_id=" k " xid=" k)
	at("client" c, t + 1, pid, "sched:sched_switch prev_comm=\"reader\" prev_pid=" pid " prev_prio=120 prev_state=1 next_comm=\"swapper\" next_pid=0 next_prio=120")
	at("client" c, later("client"), 9, "sunrpc:xprt_transmit client_id=0 task_id=" k " xid=" k)
	if (random(2)) { later("network"); back = 0 } else { later("way"); back = 1 }	# where a planted delay would be: there, or back
	at("server", t + shift, 0, "sunrpc:svcsock_data_ready addr=\"" address "\"")
	later("server_queue")
	at("server", t + shift - 1, worker, "sunrpc:svc_xprt_dequeue wakeup=1 client=\"" sockaddr(c) "\"")
	at("server", t + shift, worker, "sunrpc:svc_xdr_recvfrom xid=" k)
	at("server", t + shift, worker, "sunrpc:svc_process xid=" k " vers=4 proc=1 service=\"nfsd\" procedure=\"" name "\" addr=\"" address "\"")
	later("server")
	if (planted == "lock" || random(2)) {
		at("server", t + shift, worker, lock(k, 1))
		later("lock")
		at("server", t + shift, worker, lock(k, 0))
		at("server", t + shift + 1, worker, lock(k, 0, 2))
		sum["work"] += 1; t += 1
	}
	if (planted == "disk" || random(2)) {
		later("work")
		at("server", t + shift, worker, "block:block_rq_issue dev=1 sector=" k * 8 " nr_sector=8 bytes=4096 rwbs=\"R\" comm=\"nfsd\"")
		later("disk")
		at("server", t + shift, 0, "block:block_rq_complete dev=1 sector=" k * 8 " nr_sector=8 error=0 rwbs=\"R\"")
	}
	later("work")
	at("server", t + shift, worker, "sunrpc:svc_stats_latency xid=" k)
	at("server", t + shift + 300, worker, "sunrpc:svc_send xid=" k " status=90")
	if (back) later("network"); else later("way")
	at("client" c, t, 9, "sunrpc:rpc_stats_latency client_id=0 task_id=" k " xid=" k)
	later("wake-up")
	at("client" c, t, 9, "sched:sched_wakeup comm=\"reader\" pid=" pid " prio=120 target_cpu=" pid % 64)
	later("processor")
	at("client" c, t, pid, "sched:sched_switch prev_comm=\"other\" prev_pid=77 prev_prio=120 prev_state=0 next_comm=\"reader\" next_pid=" pid " next_prio=120")
	t += 500 + random(5000)
	at("client" c, t, pid, "iotrace:read_end id=" k " ret=8 pos=8")
	printf "%s %.0f %.0f %.0f %.0f %.0f %.0f %.0f %s %s %.0f %.0f %.0f\n", name, sum["client"], sum["client_queue"], sum["network"] + sum["way"], sum["server_queue"],
		sum["lock"], sum["server"] + sum["work"], sum["disk"], plan, "client" c, t, sum["wake-up"], sum["processor"] > truth
	t += 10000 + random(1000000)
}

function sockaddr(c) { return sprintf("\\x02\\x00\\x02\\xbc\\x0a\\x00\\x00\\x%02x", c + 1) }
# a lock on a file: asked for in vain (ret 1), had (0), given up (type 2)
function lock(k, ret, type) { return "filelock:posix_lock_inode fl=" k " i_ino=" k " s_dev=1 owner=7 pid=1 type=" (type ? type : 1) " fl_start=0 fl_end=9 ret=" ret }

BEGIN {
	srand(seed)
	split("client client_queue network server_queue lock server disk wake-up processor", part, " ")
	shift = bound ? random(2 * bound + 1) - bound : 0
	clients = 1 + random(3)
	for (c = 0; c < clients; c++) {
		t = 1000000 + random(1000000)
		for (i = 0; i < 12; i++)
			operation(c, 100 * (c + 1) + i)
	}
	for (c = 0; c <= clients; c++) {
		node = c == clients ? "server" : "client" c
		at(node, 1000, 9, "marker")
		at(node, 20000000000, 9, "marker")
	}
}
