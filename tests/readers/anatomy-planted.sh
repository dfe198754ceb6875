#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: anatomy-planted.sh ANALYZE
# A hand-over of a lock between two nodes, whose master is a third one: a delay of 1, 10 or 100 ms in any one part is found in this
# part, to the nanosecond, and in no other. The same if the holder, or the waiter, is on the master's node: a part without messages
# then has no length.
set -u
export LC_ALL=C
analyze=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# recording WAITER HOLDER PART NS - node 2 is the master; each part takes a millisecond of its own
recording()
{
	awk -v waiter="$1" -v holder="$2" -v late="$3" -v ns="$4" '
	function at(node, t, pid, text) { lines[node] = lines[node] sprintf("%.0f 0 %d %s\n", t, pid, text) }
	function lock(node, t, id, event, more) { at(node, t, event ~ /ast/ ? 9 : 100 + id, event " ls_id=1 lkb_id=" id " res_name=\"r\" " more) }
	function message(from, to, sent, got, type, id, remote, more,    text) {
		text = "h_nodeid=" from " h_lockspace=1 m_type=" type " m_lkid=" id " m_remid=" remote \
			" m_nodeid=" to " m_pid=0 m_hash=1 m_exflags=0 m_status=0 m_grmode=0 m_rqmode=5 m_lvbseq=0 m_bastmode=5 m_result=" more + 0
		at(from, sent, 20, "dlm_send_message " text " res_name=\"r\"")
		at(to, got, 20, "dlm_recv_message " text)
	}
	function step(part) { now += 1000000 + (part == late ? ns : 0) }
	BEGIN {
		mode = "mode=5 flags=0"
		now = 1000000000
		lock(holder, now, 3, "dlm_lock_start", mode)
		if (holder != 2) message(holder, 2, now + 10, now + 1000, 1, 3, 0)
		lock(holder, now + 2000, 3, "dlm_lock_end", mode " error=0")
		if (holder != 2) message(2, holder, now + 3000, now + 4000, 5, 30, 3)
		lock(holder, now + 5000, 3, "dlm_ast", "sb_flags=0 sb_status=0")
		now = 2000000000
		lock(waiter, now, 1, "dlm_lock_start", mode)
		sent = now + 1000
		if (waiter != 2) {
			step("request")
			message(waiter, 2, sent, now, 1, 1, 0)
		}
		step("queue")
		sent = now
		step("block")
		if (holder != 2) message(2, holder, sent, now - 1000, 10, 30, 3)
		lock(holder, now, 3, "dlm_bast", "mode=5")
		step("reaction")
		called = now
		lock(holder, now, 3, "dlm_unlock_start", "flags=0")
		if (holder != 2) {
			step("release")
			message(holder, 2, called + 1000, now, 3, 3, 30)
		}
		sent = now + 2000
		if (waiter != 2) {
			step("grant")
			message(2, waiter, sent, now, 9, 10, 1)
		}
		step("completion")
		lock(waiter, now, 1, "dlm_ast", "sb_flags=0 sb_status=0")
		completed = now
		step("return")
		lock(waiter, now, 1, "dlm_lock_end", mode " error=0")
		now = completed + 500000000
		lock(holder, now, 3, "dlm_unlock_end", "flags=0 error=0")
		if (holder != 2) message(2, holder, now + 1000, now + 2000, 7, 30, 3)
		lock(holder, now + 3000, 3, "dlm_ast", "sb_flags=0 sb_status=-65538")
		# a message that shows that those of every node are recorded
		message(2, 1, 1000, 2000, 14, 0, 0)
		message(2, 3, 1000, 2000, 14, 0, 1)
		for (node in lines) {
			file = "'"$dir"'/" node ".txt"
			printf "iotrace-text 1\n" >file
			close(file)
			printf "%s", lines[node] | ("sort -s -n -k1,1 >>" file)
			close("sort -s -n -k1,1 >>" file)
		}
	}'
}

# parts WAITER HOLDER PART NS - lines "PART NS" of all waits
parts()
{
	rm -f "$dir"/*.txt
	recording "$@"
	"$analyze" -q --index off -m dlm --map "$dir/1.txt=1" --map "$dir/2.txt=2" --map "$dir/3.txt=3" -o report,json:"$dir/report" "$dir"/?.txt || exit 1
	sed -n 's/^{"master":"[^"]*","part":"\([^"]*\)","waits":[0-9]*,"time":\([0-9]*\),.*/\1\t\2/p' "$dir/report" |
		awk -F'\t' '{ sum[$1] += $2 } END { for (part in sum) printf "%s\t%.0f\n", part, sum[part] }' | sort
}

declare -A title=([request]='request travels' [queue]=queue [block]='callback to the holder' [reaction]="holder's reaction"
	[release]='release travels' [grant]=grant [completion]='callback to the waiter' [return]='return to the caller')
while read -r waiter holder planted; do
	parts "$waiter" "$holder" none 0 >"$dir/without"
	for part in $planted; do
		for ns in 1000000 10000000 100000000; do
			parts "$waiter" "$holder" "$part" $ns >"$dir/with"
			join -t $'\t' -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$dir/without" "$dir/with" |
				awk -F'\t' -v ns=$ns '$2 != $3 { printf "%s\t%.0f\n", $1, $3 - $2 }' >"$dir/got"
			printf 'all parts\t%d\n%s\t%d\n' $ns "${title[$part]}" $ns >"$dir/expected"
			sort -o "$dir/expected" "$dir/expected"
			diff "$dir/expected" "$dir/got" || { echo "anatomy-planted: waiter $waiter, holder $holder, $ns ns in $part" >&2; failed=1; }
		done
	done
done <<END
1 3 request queue block reaction release grant completion return
1 2 request reaction grant completion return
2 3 queue block reaction release completion return
END
exit $failed
