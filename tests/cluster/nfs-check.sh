#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares recordings of the NFS lab with what the load did and with the kernels' own counters. Calls are counted in the
# recordings (trace-cmd report), and in the output of the models nfs and nfsd.
# usage: nfs-check.sh flat|nested|kvm PROGRAM FOLDER WORK_DIR
#   FOLDER: recordings, totals.txt (of the load), mountstats.txt (/proc/self/mountstats of the client), rpc-client.txt and
#   rpc-server.txt (/proc/net/rpc/nfs of the client, /proc/net/rpc/nfsd of the server)
here=$(cd "$(dirname "$0")" && pwd)
mode=$1 program=$2 folder=$3 work=$4
failures=0
export LC_ALL=C

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

if [[ $mode == flat ]]; then
	client=trace-10.0.0.1.dat server=trace-10.0.0.2.dat clocks="mono +yes, ptp"
else
	client=trace-5.dat server=trace-4.dat clocks="tsc2nsec +yes, kvm"
fi

type -P trace-cmd > /dev/null || { echo "skipped: there is no trace-cmd"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
cd "$folder" || exit 1

# equal WHAT GOT EXPECTED: sentences of a comparison need an expectation that is not empty
equal()
{
	[[ -n $3 && $2 == "$3" ]] || fail "$1: ${2:-nothing} instead of ${3:-an unknown number}"
}

# events FILE: lines "EVENT PID NAME=VALUE...", in the order of the recording
events()
{
	bash "$here/../events-report.sh" -N -R -i "$1" 2> /dev/null | tr -d '\000' |
		sed -nE 's/^.*-([0-9]+) +\[[0-9]+\] +[0-9.]+: ([a-z0-9_]+): */\2 \1 /p'
}

# count FILE EVENT [PATTERN]: events that have the pattern
count()
{
	grep -aE "^$2 " "$work/$1" | grep -acE -- "${3:-}"
}

# sum FILE EVENT FIELD
sum()
{
	awk -v event="$2" -v field="$3=" '
	$1 == event { for (i = 3; i <= NF; i++) if (index($i, field) == 1) total += substr($i, length(field) + 1) }
	END { printf "%d\n", total }' "$work/$1"
}

# total KIND NAME: the load's count; without KIND, of all kinds
total()
{
	awk -v kind="$1" -v name="$2=" '
	kind == "" || $1 == kind { for (i = 2; i <= NF; i++) if (index($i, name) == 1) total += substr($i, length(name) + 1) }
	END { print total + 0 }' totals.txt
}

# counter FILE LINE FIELD: a number of /proc/net/rpc
counter()
{
	awk -v line="$2" -v field="$3" '$1 == line { print $field }' "$1"
}

# mountstats FIELD: a sum over all operations of all mounts; field 2 counts calls, field 3 transmissions
mountstats()
{
	awk -v field="$1" '/per-op statistics/ { ops = 1; next } !NF || /^device/ { ops = 0 } ops { sum += $field } END { print sum }' \
		mountstats.txt
}

# per-operation lines "VERSION OPERATION CALLS", of mountstats and of the recording
mountstats_operations()
{
	awk '/RPC iostats/ { split($NF == "(nfs)" ? $(NF - 1) : $NF, program, "/"); version = program[2] }
	/per-op statistics/ { ops = 1; next }
	!NF || /^device/ { ops = 0 }
	ops && $2 > 0 { sub(/:/, "", $1); print version, $1, $2 }' mountstats.txt | sort
}

recorded_operations()
{
	sed -nE 's/^rpc_stats_latency .* version=([0-9]+) progname=nfs procname=([A-Z_]+) .*/\1 \2/p' "$work/client" |
		sort | uniq -c | awk '{ print $2, $3, $1 }' | sort
}

xids()
{
	sed -nE "s/^$2 .*\<xid=(0x[0-9a-f]+).*/\1/p" "$work/$1" | sort
}

check_calls()
{
	local nfs
	nfs=$(count client rpc_stats_latency ' progname=nfs(acl)? ')
	equal "calls of NFS that ended, as the client's kernel counted them" "$nfs" "$(counter rpc-client.txt rpc 2)"
	equal "calls of each operation, as the mounts counted them" "$(recorded_operations)" "$(mountstats_operations)"
	equal "calls with a result" "$(count client rpc_stats_latency)" "$(count client xprt_reserve)"
	# the server's kernel counts requests of nfsd, the recording has those of nothing else
	equal "requests, as the server's kernel counted them" "$(count server svc_process ' service=nfs')" "$(counter rpc-server.txt rpc 2)"
	equal "requests that arrived" "$(count server svc_xdr_recvfrom)" "$(counter rpc-server.txt rpc 2)"
	equal "requests and calls" "$(count server svc_xdr_recvfrom)" $((nfs + again))
	equal "requests that were answered" "$(count server svc_send)" "$nfs"
	# each call arrives, and nothing arrives that was not called; mountd is no part of the kernel
	sed -nE 's/^rpc_stats_latency .* xid=(0x[0-9a-f]+) .* progname=nfs(acl)? .*/\1/p' "$work/client" | sort > "$work/called"
	xids server svc_send > "$work/answered"
	xids server svc_xdr_recvfrom | uniq > "$work/arrived"
	cmp -s "$work/called" "$work/answered" || fail "the xids of the client's calls are not those of the server's answers"
	cmp -s "$work/called" "$work/arrived" || fail "the xids of the client's calls are not those of the server's requests"
}

check_retransmissions()
{
	((again > 0)) || fail "the client sent nothing again"
	equal "retransmissions, as the client's kernel counted them" "$(count client xprt_retransmit)" "$again"
	equal "retransmissions, as the mounts counted them" $(($(mountstats 3) - $(mountstats 2))) "$again"
	equal "duplicates, as the server recognised them" "$(count server nfsd_drc_found 'result=(0x)?0 ')" "$again"
	equal "duplicates that the server dropped" "$(count server svc_drop)" "$again"
	equal "xids of duplicates" "$(xids server svc_drop)" "$(xids client xprt_retransmit)"
}

check_callbacks()
{
	equal "callbacks" "$(count server rpc_stats_latency 'progname=nfs4_cb .*CB_RECALL')" "$recalls"
	equal "callbacks that arrived" "$(count client svc_process 'service=NFSv4 callback')" "$recalls"
	equal "xids of the callbacks" "$(xids client svc_process)" "$(xids server rpc_stats_latency)"
}

# Each delegation is held from its grant to its return, and each recall lasts up to the return and is explained by it.
check_delegations()
{
	local text=$work/delegations.txt
	"$program" --quiet -m delegation --derive accounts -o "text:$text" "$client" "$server" || fail "delegations: status $?"
	equal "delegations in the picture" "$(grep -c 'server" delegation "READ"' "$text")" "$(count server nfsd_deleg_read)"
	equal "delegations that a client knows" "$(grep -c 'client" client "READ"' "$text")" "$(count client nfs4_set_delegation)"
	equal "recalls in the picture" "$(grep -c 'server" delegation "waiting"' "$text")" "$recalls"
	equal "recalls that are explained" "$(grep -cE 'part "held".* took=([0-9]+) part=\1 .*by_mode="READ" certainty="proved"' "$text")" "$recalls"
	equal "delegations that a client gave back" "$(grep -c 'client" client "returning"' "$text")" "$(count client nfs4_delegreturn_exit)"
}

# Nothing is read or written but what the load did.
check_bytes()
{
	local wanted_read wanted_written
	wanted_read=$(total "" read) wanted_written=$(total "" written)
	equal "bytes read by the client" "$(sum client nfs_readpage_done res_count)" "$wanted_read"
	equal "bytes written by the client" "$(sum client nfs_writeback_done res_count)" "$wanted_written"
	equal "bytes read by the server" "$(sum server nfsd_read_io_done len)" "$wanted_read"
	equal "bytes written by the server" "$(sum server nfsd_write_io_done len)" "$wanted_written"
	equal "bytes read, as the server's kernel counted them" "$(counter rpc-server.txt io 2)" "$wanted_read"
	equal "bytes written, as the server's kernel counted them" "$(counter rpc-server.txt io 3)" "$wanted_written"
}

# A direct call of the load is longer than a request may be (rsize, wsize): it becomes several requests of the calling thread.
check_split()
{
	local kind block size
	block=$(sed -n 's/^direct block=\([0-9]*\) .*/\1/p' totals.txt)
	for kind in read write; do
		size=$(sed -nE "s/.*[,\t]${kind:0:1}size=([0-9]+),.*/\1/p" mountstats.txt | head -n 1)
		awk -v kind="$kind" -v block="$block" '
		function value(name,   i) { for (i = 3; i <= NF; i++) if (index($i, name "=") == 1) return substr($i, length(name) + 2) }
		$1 == kind "_start" && value("len") == block { open[$2] = value("id"); n[$2] = 0 }
		$1 == "nfs_initiate_" kind && $2 in open { n[$2]++ }
		$1 == kind "_end" && $2 in open && value("id") == open[$2] { calls[n[$2]]++; delete open[$2] }
		END { for (i in calls) print calls[i], "calls of", i, "requests" }' "$work/client" > "$work/split-$kind"
		equal "requests of each direct $kind" "$(cat "$work/split-$kind")" "$(total direct "${kind}s") calls of $((block / size)) requests"
	done
}

check_report()
{
	local file
	for file in "$client" "$server"; do
		grep -qE "^ +$file .* - +$clocks, [0-9]+ samples\$" "$work/report.txt" ||
			fail "not synchronised as it should be, or events were lost: $(grep -F " $file" "$work/report.txt")"
	done
	# clocks that are measured by messages err, the more on an emulated network, whose machines begin one after the other
	sed -n '/^Diagnostics/,$p' "$work/report.txt" |
		{ grep -q 'yes, ptp' "$work/report.txt" && grep -vE 'clock samples that differ|links arrive before they leave|recordings begin long after' || cat; } |
		grep -E '^ +(warning|error|loss)' && fail "the report has warnings"
}

# shown TYPE [PATTERN [OPTION OF grep]]: spans or points of a type in the output of the models
shown()
{
	grep -E "\" $1 \"" "$work/events.txt" | grep -cE ${3:+"$3"} -- "${2:-}"
}

# pictured_bytes CATEGORY: of the file I/O in the server
pictured_bytes()
{
	sed -n "s/.* io \"$1\" .* done=\([0-9]*\).*/\1/p" "$work/events.txt" | awk '{ sum += $1 } END { print sum }'
}

check_models()
{
	local operation
	equal "calls in the picture" "$(shown call ' call "[A-Z_]+"')" $(($(count client rpc_stats_latency) + $(count server rpc_stats_latency)))
	# with the row of its client (nfs), and with the row of its thread (nfsd)
	equal "requests in the picture" "$(shown request ' for [^"]*" request ')" "$(count server svc_xdr_recvfrom)"
	equal "requests of threads in the picture" "$(shown request ' for [^"]*" request ' -v)" "$(count server svc_xdr_recvfrom)"
	equal "dropped duplicates in the picture" "$(shown request ' request "[A-Z]+ dropped"')" $((2 * again))
	# requests have the name of their main operation, in both models
	equal "read requests in the picture" "$(shown request ' request "READ" ')" $((2 * $(count server nfsd_read_start)))
	equal "write requests in the picture" "$(shown request ' request "WRITE" ')" $((2 * $(count server nfsd_write_start)))
	for operation in COMMIT OPEN CLOSE CREATE REMOVE RENAME; do
		equal "$operation requests in the picture" "$(shown request " request \"$operation\" ")" \
			$((2 * $(count server '(nfsd_compound_status|svc_process)' "(name=OP_|service=nfsd procedure=)$operation( |$)")))
	done
	equal "operations in the picture" "$(shown operation)" "$(count server nfsd_compound_status)"
	equal "bytes read in the picture" "$(pictured_bytes 'file read')" "$(total "" read)"
	equal "bytes written in the picture" "$(pictured_bytes 'file write')" "$(total "" written)"
	equal "calls that were sent again in the picture" "$(shown call ' sent=')" "$(xids client xprt_retransmit | uniq | wc -l)"
	equal "reads in the picture" "$(shown call '"READ"')" "$(count client nfs_readpage_done)"
	equal "writes in the picture" "$(shown call '"WRITE"')" "$(count client nfs_writeback_done)"
	# an arrow to each request, also to a duplicate; one back from each answer; one for each callback
	equal "arrows to requests" "$(shown message '^[0-9]+ link "client/.*" message "[A-Z_]+"')" "$(count server svc_xdr_recvfrom)"
	equal "arrows of answers" "$(shown message '^[0-9]+ link "server/.*" message "reply"')" "$(count server svc_send)"
	equal "arrows of callbacks" "$(shown message '^[0-9]+ link "server/.*" message "CB_[A-Z]+"')" "$recalls"
	equal "arrows against the clocks" "$(grep -c ' link .* flags=[a-z,]*backwards' "$work/events.txt")" 0
	# the part of a file that a call asks for was joined by tasks and threads; the server says it for each xid
	sed -nE 's/.* call "(READ|WRITE)" .*xid=(0x[0-9a-f]+) (.*)/\2 \3/p' "$work/events.txt" |
		awk '{ offset = count = 0
			for (i = 2; i <= NF; i++) { if (sub(/^offset=/, "", $i)) offset = $i; else if (sub(/^count=/, "", $i)) count = $i }
			print $1, offset, count }' | sort > "$work/parts-shown"
	sed -nE 's/^nfsd_(read|write)_start .*xid=0x0*([0-9a-f]+) .*offset=([0-9]+) len=([0-9]+).*/0x\2 \3 \4/p' "$work/server" |
		sort > "$work/parts"
	[[ -s $work/parts ]] && cmp "$work/parts" "$work/parts-shown" || fail "the calls ask for other parts of files than the server serves"
	check_delegations
	equal "callbacks in the picture" "$(shown call '"CB_RECALL"')" "$recalls"
}

# causes: calls of NFS that began in a thread inside its call of file I/O, by the call's kind
causes()
{
	awk '
	function value(name,   i) { for (i = 3; i <= NF; i++) if (index($i, name "=") == 1) return substr($i, length(name) + 2) }
	{ task = value("client_id") " " value("task_id") }
	$1 ~ /^(read|write|sync|open|close|truncate|meta|submit)_start$/ {
		id[$2, ++depth[$2]] = value("id")
		kind[value("id")] = substr($1, 1, index($1, "_") - 1)
	}
	$1 ~ /^(read|write|sync|open|close|truncate|meta|submit)_end$/ && id[$2, depth[$2]] == value("id") { depth[$2]-- }
	$1 == "rpc_task_begin" { asked[task] = depth[$2] ? kind[id[$2, depth[$2]]] : "" }
	$1 == "xprt_reserve" && asked[task] != "" { n[asked[task]]++ }
	END { for (i in n) print i, n[i] }' "$work/client" | sort
}

# disk_requests: those that threads inserted while they served a request, reads and writes
disk_requests()
{
	awk '
	$1 == "svc_xdr_recvfrom" { serves[$2] = 1 }
	$1 == "svc_send" || $1 == "svc_drop" { serves[$2] = 0 }
	$1 == "block_rq_insert" && serves[$2] { n[/rwbs="?R/ ? "read" : "write"]++ }
	END { for (i in n) print i, n[i] }' "$work/server" | sort
}

# queue_waits: from insert to issue, of requests that keep their first sector
queue_waits()
{
	bash "$here/../events-report.sh" -t "$server" 2> /dev/null | awk '
	function ns(t) { return substr(t, 1, length(t) - 11) * 1000000000 + substr(t, length(t) - 9) }
	{
		at = /block_rq_insert:/ ? "insert" : /block_rq_issue:/ ? "issue" : ""
		if (!at || !match($0, /: +block_rq_[a-z]+: +/))
			next
		n = split(substr($0, 1, RSTART - 1), before, " ")
		split(substr($0, RSTART + RLENGTH), word, " ")
		key = word[1] " " word[5]
		if (at == "insert")
			since[key] = ns(before[n] ":")
		else if (key in since) {
			print ns(before[n] ":") - since[key]
			delete since[key]
		}
	}' | sort -n
}

check_causes()
{
	local text=$work/causes.txt
	"$program" --quiet -m nfs -m nfsd -m fileio -m block -o "text:$text" "$client" "$server" || fail "analysis: status $?"
	causes > "$work/causes"
	sed -nE 's/.* link "client\/.*" cause "([a-z]+)" .*/\1/p' "$text" | sort | uniq -c | awk '{ print $2, $1 }' > "$work/causes-shown"
	[[ -s $work/causes ]] && cmp "$work/causes" "$work/causes-shown" || fail "arrows from file I/O to its calls"
	# each arrow ends where a call begins, on its lane
	awk '
	/" cause "/ { match($0, /" cause "[a-z]+" [0-9]+ "[^"]*"( lane_to=[0-9]+)?/); split(substr($0, RSTART), to, "\""); lane = 0
		if (match($0, / lane_to=[0-9]+/)) lane = substr($0, RSTART + 9, RLENGTH - 9)
		split(to[4], took, " "); printf "%.0f %s %s\n", $1 + to[4], to[5], lane }' "$text" | sort > "$work/cause-ends"
	awk '/" call "/ { split($0, part, "\""); lane = 0; if (match($0, / lane=[0-9]+/)) lane = substr($0, RSTART + 6, RLENGTH - 6); print $1, part[2], lane }' \
		"$text" | sort > "$work/calls-begin"
	[[ -s $work/cause-ends && -z $(comm -23 "$work/cause-ends" "$work/calls-begin") ]] || fail "an arrow does not end at the begin of a call"
	disk_requests > "$work/disk"
	sed -nE 's/.* span .* disk "disk ([a-z]+)" .*/\1/p' "$text" | sort | uniq -c | awk '{ print $2, $1 }' > "$work/disk-shown"
	[[ -s $work/disk ]] && cmp "$work/disk" "$work/disk-shown" || fail "disk requests of the server's threads"
	equal "arrows to disk requests" "$(grep -c ' link .* disk "disk"' "$text")" "$(awk '{ n += $2 } END { print n }' "$work/disk")"
	queue_waits > "$work/waits"
	sed -nE 's/.* block-request .* queued=([0-9]+).*/\1/p' "$text" | sort -n > "$work/waits-shown"
	[[ -s $work/waits ]] && cmp "$work/waits" "$work/waits-shown" || fail "waits in the queue"
}

events "$client" > "$work/client"
events "$server" > "$work/server"
again=$(counter rpc-client.txt rpc 3) recalls=$(total held files)
check_calls
check_retransmissions
check_callbacks
check_bytes
check_split
"$program" --quiet -m nfs -m nfsd -o "text:$work/events.txt" -o "report,tables:$work/report.txt" "$client" "$server" trace.dat ||
	fail "analysis: status $?"
check_report
check_models
check_causes
((failures)) || echo "the recordings match the load and the kernels' counters"
exit $((failures > 0))
