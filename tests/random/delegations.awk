# SPDX-License-Identifier: GPL-2.0-or-later
# A random server of NFS 4 whose threads grant, recall and revoke delegations of a few files, and what is true of it: who holds which file
# how, in which time, and each recall with the time in which the delegation that it is about was in its way: all of it. Threads serve
# requests of several clients by turns, and verify other files in between; the newest verified file is the one that is granted.
#
# usage: awk -v seed=N -v events=FILE -v truth=FILE -f delegations.awk
function random(n) { return int(rand() * n) }
function emit(pid, text) { t += 1 + random(40); printf "%d %d %d %s\n", t, pid % 4, pid, text > events }

# the client that thread @pid serves from now on
function serve(pid) {
	client[pid] = 1 + random(clients)
	emit(pid, "sunrpc:svc_process xid=1 addr=10.0.0." client[pid] ":700")
}

function grant(pid,   file, write) {
	if (!(pid in client) || !random(3))
		serve(pid)
	do {
		file = 1 + random(files)
		emit(pid, sprintf("nfsd:nfsd_fh_verify xid=1 fh_hash=0x%x", file))
	} while (!random(3))
	write = !random(4)
	emit(pid, "nfsd:nfsd_deleg_" (write ? "write" : "read") " cl_boot=1 cl_id=" client[pid] " si_id=" ++made " si_generation=1")
	live[n++] = made
	of[made] = file
	by[made] = client[pid]
	mode[made] = write ? "WRITE" : "READ"
	since[made] = t
}

function ids(i) { return " cl_boot=1 cl_id=" by[i] " si_id=" i " si_generation=1" }

function recall(i,   pid) {
	pid = 200 + random(5)
	emit(pid, "nfsd:nfsd_cb_recall" ids(i))
	if (!(i in recalled)) {
		recalled[i] = t
		breaker[i] = pid
	}
}

function finish(at,   i) {
	i = live[at]
	live[at] = live[--n]
	if (random(8))
		emit(100 + random(4), "nfsd:nfsd_deleg_return" ids(i))
	else
		emit(300, "nfsd:nfsd_stid_revoke sc_type=4" ids(i))
	printf "held 0x%x 10.0.0.%d:700 %s %d %d\n", of[i], by[i], mode[i], since[i], t > truth
	if (i in recalled)
		printf "wait 0x%x %d %d %d by 10.0.0.%d:700 %s %d\n", of[i], breaker[i], recalled[i], t, by[i], mode[i], t - recalled[i] > truth
}

BEGIN {
	srand(seed)
	clients = 1 + random(5)
	files = 1 + random(6)
	t = 1000
	print "iotrace-text 1\nhostname S\nerror 0" > events
	for (steps = 20 + random(200); steps; steps--) {
		what = random(10)
		if (what < 4 || !n)
			grant(100 + random(4))
		else if (what < 7)
			recall(live[random(n)])
		else if (what < 9)
			finish(random(n))
		else
			emit(300, "nfsd:nfsd_stid_revoke sc_type=1 cl_boot=1 cl_id=1 si_id=" 1000 + random(9) " si_generation=1")
	}
	while (n)
		finish(random(n))
}
