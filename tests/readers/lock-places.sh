#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: lock-places.sh ANALYZE
# Where calls on locks were decided, by hand, when messages say it, when they say nothing, and when they are missing.
. "${0%/*}/readers-lib.sh"
analyze=$1
failed=0

# request NODE TIME LKB RESOURCE, granted after 100 us; unlock NODE TIME LKB RESOURCE, likewise
request()
{
	echo "$2 0 7 dlm_lock_start ls_id=1 lkb_id=$3 mode=5 flags=0 res_name=\"$4\"
$(($2 + 10)) 0 7 dlm_lock_end ls_id=1 lkb_id=$3 mode=5 flags=0 error=0 res_name=\"$4\"
$(($2 + 100000)) 0 9 dlm_ast ls_id=1 lkb_id=$3 sb_flags=0 sb_status=0 res_name=\"$4\"" >>"$dir/$1.txt"
}
unlock()
{
	echo "$2 0 7 dlm_unlock_start ls_id=1 lkb_id=$3 flags=0 res_name=\"$4\"
$(($2 + 10)) 0 7 dlm_unlock_end ls_id=1 lkb_id=$3 flags=0 error=0 res_name=\"$4\"
$(($2 + 100000)) 0 9 dlm_ast ls_id=1 lkb_id=$3 sb_flags=0 sb_status=-65538 res_name=\"$4\"" >>"$dir/$1.txt"
}
# message FROM TO TIME TYPE LKB REMOTE RESOURCE, arrives after 20 us
message()
{
	local text="h_nodeid=$1 h_lockspace=1 m_type=$4 m_lkid=$5 m_remid=$6 m_nodeid=$2 m_pid=0 m_hash=$3 m_exflags=0 m_status=0 m_grmode=0"
	text+=" m_rqmode=5 m_lvbseq=0 m_bastmode=0 m_result=0"
	echo "$3 0 20 dlm_send_message $text res_name=\"$7\"" >>"$dir/$1.txt"
	echo "$(($3 + 20000)) 0 20 dlm_recv_message $text" >>"$dir/$2.txt"
}
# remote NODE MASTER TIME LKB RESOURCE: a request with its messages
remote()
{
	request "$1" "$3" "$4" "$5"
	message "$1" "$2" $(($3 + 100)) 1 "$4" 0 "$5"
	message "$2" "$1" $(($3 + 30000)) 5 90 "$4" "$5"
}
finish()
{
	local node
	for node; do
		sort -s -n -k1,1 "$dir/$node.txt" >"$dir/sorted"
		{ echo 'iotrace-text 1'; cat "$dir/sorted"; } >"$dir/$node.txt"
	done
}
# check NAME NODE...: the report of these nodes against the lines "RESOURCE NODE LOCAL REMOTE UNKNOWN MESSAGES ROUND-TRIPS PLACE" of stdin
# and against parts of its notes, after "note "
check()
{
	local name=$1 node maps=() files=()
	shift
	for node; do
		maps+=(--map "$dir/$node.txt=$node")
		files+=("$dir/$node.txt")
	done
	cat >"$dir/wanted"
	"$analyze" -q --index off -m dlm "${maps[@]}" -o report,json:"$dir/report" "${files[@]}" || failed=1
	sed -nE 's/^\{"resource":"0x1\/([^"]*)","node":"[^"]*([0-9]).txt","master":([^,]*),.*"local":([0-9]*),"remote":([0-9]*),"unknown":([0-9]*),"messages":([0-9]*),"round_trips":([0-9]*),.*/\1 \2 \4 \5 \6 \7 \8 \3/p' \
		"$dir/report" | sort >"$dir/got"
	grep -v '^note ' "$dir/wanted" | sort | diff - "$dir/got" || { echo "lock-places: $name" >&2; failed=1; }
	sed -n '/^"lock_statistics"/p' "$dir/report" >"$dir/notes"
	grep -o 'because too many\|events were lost: all numbers are the least\|no message between nodes\|inferred: no message\|unknown: no message\|resources; [0-9]* calls' \
		"$dir/notes" | sort >"$dir/got"
	sed -n 's/^note //p' "$dir/wanted" | sort | diff - "$dir/got" || { echo "lock-places: notes of $name" >&2; failed=1; }
}

# r: node 2 is the master. s: only node 1 uses it. t: both nodes use it, without a message. Lock 1 of node 1 is made twice.
all()
{
	rm -f "$dir"/*.txt
	request 2 1000000 5 r
	remote 1 2 2000000 1 r
	unlock 1 3000000 1 r
	message 1 2 3000100 3 1 90 r
	message 2 1 3030000 7 90 1 r
	remote 1 2 4000000 1 r
	request 1 5000000 2 s
	request 1 6000000 3 t
	request 2 7000000 6 t
}
all
finish 1 2
check 'two nodes' 1 2 <<'END'
r 1 0 3 0 6 3 null
r 2 1 0 0 0 0 "known"
s 1 1 0 0 0 0 "inferred"
t 1 0 0 1 0 0 "unknown"
t 2 0 0 1 0 0 "unknown"
note inferred: no message
note unknown: no message
END
check 'one node only' 1 <<'END'
r 1 0 0 3 0 0 "unknown"
s 1 0 0 1 0 0 "unknown"
t 1 0 0 1 0 0 "unknown"
note no message between nodes
END
all
echo '8000000 0 - LOST 3
9000000 0 9 marker' >>"$dir/2.txt"
finish 1 2
check 'lost events' 1 2 <<'END'
r 1 0 3 0 6 3 null
r 2 1 0 0 0 0 "known"
s 1 1 0 0 0 0 "inferred"
t 1 0 0 1 0 0 "unknown"
t 2 0 0 1 0 0 "unknown"
note events were lost: all numbers are the least
note inferred: no message
note unknown: no message
END

# Thousands of resources: the first 512 have sums, the calls and messages of the others are counted.
rm -f "$dir"/*.txt
for ((i = 0; i < 2000; i++)); do
	echo "$((1000000 + 1000 * i)) 0 7 dlm_lock_start ls_id=1 lkb_id=$i mode=5 flags=0 res_name=\"x$i\"
$((1000010 + 1000 * i)) 0 7 dlm_lock_end ls_id=1 lkb_id=$i mode=5 flags=0 error=0 res_name=\"x$i\"
$((1000100 + 1000 * i)) 0 9 dlm_ast ls_id=1 lkb_id=$i sb_flags=0 sb_status=0 res_name=\"x$i\""
done >"$dir/1.txt"
finish 1
for ((i = 0; i < 512; i++)); do
	echo "x$i 1 0 0 1 0 0 \"unknown\""
done >"$dir/many"
printf 'note no message between nodes\nnote resources; 1488 calls\n' >>"$dir/many"
check 'many resources' 1 <"$dir/many"

# More locks than are followed at a time: they were refused, so no unlock says that they are gone.
awk 'BEGIN {
	print "iotrace-text 1"
	for (i = 1; i <= 65600; i++) {
		printf "%d 0 7 dlm_lock_start ls_id=1 lkb_id=%d mode=5 flags=1 res_name=\"r\"\n", 1000000 + 1000 * i, i
		printf "%d 0 7 dlm_lock_end ls_id=1 lkb_id=%d mode=5 flags=1 error=0 res_name=\"r\"\n", 1000010 + 1000 * i, i
		printf "%d 0 9 dlm_ast ls_id=1 lkb_id=%d sb_flags=0 sb_status=-11 res_name=\"r\"\n", 1000100 + 1000 * i, i
	}
}' >"$dir/1.txt"
check 'many locks' 1 <<'END'
r 1 0 0 65600 0 0 "unknown"
note because too many
note no message between nodes
END
exit $failed
