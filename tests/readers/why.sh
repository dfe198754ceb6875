#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: why.sh ANALYZE
# The reasons of calls in the recordings of why.txt, whose times are known by hand.
. "${0%/*}/readers-lib.sh"
analyze=$1
awk -v dir="$dir" '/^--- node/ { file = dir "/node" $3; printf "iotrace-text 1\nhostname node%s\n", $3 > file; next } file { print > file }' "$here/why.txt"
more=()
expect() { # NAME, EXPECTED, and the recordings
	local name=$1 expected=$2 got
	shift 2
	got=$("$analyze" -q --index off -m dlm -m fileio -m sched -m block "${more[@]}" -o report,json:- "$@" |
		sed -n 's/.*"took":\([0-9]*\),"call":"write".*"pid":\([0-9]*\),\("lock":.*\),"why":.*/\2 \1 \3/p' | tr -d '"')
	[[ $got == "$expected" ]] && return
	printf 'why: %s\nexpected\n%s\ngot\n%s\n' "$name" "$expected" "$got" >&2
	exit 1
}

# 3 to 98 us of 98 us is the lock, which node 2 holds until 96 us; the second write waits for nothing; node 3 waits for no lock
expect fight '42 98000 lock:95000,device:null,host:null,runnable:null,own_work:null,rest:3000
7 50000 lock:0,device:19000,host:null,runnable:5000,own_work:25000,rest:1000
42 1000 lock:0,device:null,host:null,runnable:null,own_work:null,rest:1000' "$dir"/node[123]
# no lock is recorded: not recorded, instead of 0
grep -v dlm: "$dir/node3" >"$dir/local"
expect local '7 50000 lock:null,device:19000,host:null,runnable:5000,own_work:25000,rest:1000' "$dir/local"
# stolen: 3 us while it runs, 6 us while it waits for a CPU, the first 2 us of the last 5
more=(-m kvm)
expect host '70 50000 lock:null,device:null,host:11000,runnable:8000,own_work:31000,rest:0' "$dir/node4" "$dir/nodehost"
more=()
expect 'unknown host' '70 50000 lock:null,device:null,host:null,runnable:14000,own_work:36000,rest:0' "$dir/node4"
more=(-m kvm)
# of two virtual CPUs both are stolen from 30 to 34 us, and from 50 us on
sed 's/^vcpu.*/&\nvcpu node4 1 128/' "$dir/nodehost" > "$dir/nodetwo"
expect 'two virtual CPUs' '70 50000 lock:null,device:null,host:6000,runnable:10000,own_work:34000,rest:0' "$dir/node4" "$dir/nodetwo"
"$analyze" -q --index off -o report,json:"$dir/report" "$dir"/node[12] || exit 1
grep -q '"took":95000,"row":"0x7/R/node1","in_call":95000,"mode":"EX","cause":"held","held_by":"node2 process 99 (EX)","held":93000,' "$dir/report" ||
	{ echo 'why: the wait of node 1 is not put on node 2' >&2; grep '"in_call"' "$dir/report" >&2; exit 1; }
grep -q '97 % waited for locks (0x7/R 95.0 us, held by node2 process 99 (EX))' "$dir/report" || { echo 'why: no such sentence' >&2; grep '"why"' "$dir/report" >&2; exit 1; }
# by way of a lock: a worker of node 5 asks for it, and the parts add up to the 97 us of the glock
through() { # PARTS by asker, SENTENCE, RECORDING...
	local parts=$1 sentence=$2
	shift 2
	"$analyze" -q --index off -m dlm -m fileio -m gfs2 -o report,json:"$dir/report" "$@" || exit 1
	grep -q "\"lock\":97000,.*\"rest\":3000,\"why\":\"$sentence\",$parts}" "$dir/report" && return
	printf 'why: by way of a lock: no %s, %s\n' "$sentence" "$parts" >&2
	grep '"why"' "$dir/report" >&2
	exit 1
}
through '"asked_itself":0,"asked_node":89000,"asked_nobody":8000,"asked_unknown":0' \
	'write of /mnt/f by glock 80 on node5 took 100 us: 97 % waited for locks (asked for by other threads of its node 89 %, by nobody yet 8 %; 0x9/inode 334c (/mnt/f) 97.0 us, held by node6 process 90 (EX)), 3 % not explained' \
	"$dir"/node[56]
grep -q '"took":89000,"row":"0x9/inode 334c/node5","in_call":89000,"mode":"EX","cause":"held","held_by":"node6 process 90 (EX)","held":88000,' "$dir/report" ||
	{ echo 'why: the wait of the worker is not put on node 6' >&2; grep '"in_call"' "$dir/report" >&2; exit 1; }
grep -q '"resource":"0x9/inode 334c","about":"/mnt/f"' "$dir/report" || { echo 'why: the lock is not that of /mnt/f' >&2; exit 1; }
# two lockspaces have a lock of that name: the lock of the glock is unknown
{ head -n 2 "$dir/node5"; { tail -n +3 "$dir/node5"; tail -n +3 "$dir/nodesecond"; } | sort -n; } >"$dir/both"
through '"asked_itself":0,"asked_node":0,"asked_nobody":0,"asked_unknown":97000' \
	'write of /mnt/f by glock 80 on node5 took 100 us: 97 % waited for locks (asked for by an unknown thread 97 %; 253:2/inode 334c (/mnt/f) 97.0 us, not observed), 3 % not explained' \
	"$dir/both" "$dir/node6"
! grep -q '"resource":"0x[9a]/inode 334c","about":"' "$dir/report" || { echo 'why: a file for a lock that may be that of another one' >&2; exit 1; }
# without the events of the lock manager, too
sed '/dlm:/d' "$dir/node5" >"$dir/no-dlm"
through '"asked_itself":0,"asked_node":0,"asked_nobody":0,"asked_unknown":97000' '.*253:2/inode 334c (/mnt/f) 97.0 us, not observed.*' "$dir/no-dlm"
echo 'the reasons are those of the recording'
