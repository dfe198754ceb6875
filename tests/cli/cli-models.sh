#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# All models of the tree can be used at once, as for a recording with the events of all of them, and each draws its rows.
# usage: cli-models.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

cat > "$work/all.txt" << 'END'
iotrace-text 1
1000 0 42 dlm_lock_start ls_id=1 lkb_id=1 mode=5 flags=0 res_name="A"
1050 0 42 call_start id=1 object=0 tgid=42 mode=-1 status=0 flags=0 domain="rpc" resource="r" op="read"
1060 0 42 write_start id=2 ino=77 pos=0 len=5 tgid=42 fd=3 dev=0x800001 flags=0 op=6
1070 0 42 write_end id=2 ret=5 pos=5
1080 0 42 xprt_reserve task_id=5 client_id=1 xid=0x20
1090 0 42 rpc_stats_latency task_id=5 client_id=1 xid=0x20 version=4 progname="nfs" procname="READ" backlog=1 rtt=1 execute=1
1500 0 17 gfs2_glock_state_change dev=0xfd00002 glnum=100 gltype=2 cur_state=3 new_state=5 dmt_state=0 tgt_state=5 flags=0
1600 0 900 svc_xdr_recvfrom xid=0x1
1700 0 900 svc_send xid=0x1 status=1 flags=0
END
models=()
# kvm draws guests of a host, and wants the host's recording
for file in "$source"/events/models/*.model; do
	[[ $file == */kvm.model ]] || models+=(-m "$file")
done
((${#models[@]} > 2)) || fail "no models in $source/events/models"
"$program" "${models[@]}" -o "text:$work/text" -o "slog2:$work/slog2" "$work/all.txt" > "$work/out" 2>&1 ||
	fail "status $?: $(cat "$work/out")"
for row in '/A/' 'rpc/r/' 'process 42/task 42' 'an unknown server/' 'inode 64' 'thread 900'; do
	grep -q "$row" "$work/text" || fail "no row with $row: $(cat "$work/text")"
done
((failures)) || echo "all models together draw their rows"
exit $((failures > 0))
