#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The operations of NFS in parts, against an own sweep over trace-cmd report of client and server: number, time, sums of all parts, and
# percentiles. The sweep takes the instants of each xid and subtracts them; server and disk are compared together.
# usage: nfs-operations.sh PROGRAM FOLDER
program=$1 folder=$2
type -P trace-cmd > /dev/null || { echo "skipped: there is no trace-cmd"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

events() { bash "${0%/*}/../events-report.sh" -t -N "$1" 2> /dev/null | tr -d '\000'; }
{ events "$folder/trace-4.dat"; echo "client from here"; events "$folder/trace-5.dat"; } | awk '
function field(name) { return match($0, "[ (]" name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
function task() { return match($0, /task:[0-9a-f@]*/) ? substr($0, RSTART, RLENGTH) : "" }
function least(a, b) { return a < b ? a : b }
function greatest(a, b) { return a > b ? a : b }
/^client from here/ { next }
{
	match($0, /-[0-9]+ +\[/); pid = substr($0, RSTART + 1, RLENGTH - 2) + 0
	match($0, /\] +[0-9]+\.[0-9]+: [a-z0-9_]+:/); split(substr($0, RSTART + 1, RLENGTH - 1), word, /[ :]+/)
	split(word[2], second, "."); t = second[1] * 1000000000 + second[2]; event = word[3]; xid = field("xid")
}
# the server
event == "svcsock_data_ready" { came[field("addr")] = t; next }
event == "svc_xprt_dequeue" { taken[pid] = came[field("client")]; next }
event == "svc_xdr_recvfrom" { read[pid, xid] = t; arrived[pid, xid] = taken[pid] ? taken[pid] : t; next }
# the program of callbacks counts its own xids, and this side answers them itself
event == "svc_stats_latency" { work_from[xid] = read[pid, xid]; work_to[xid] = t; data[xid] = arrived[pid, xid]; next }
# the client
event == "rpc_task_begin" { began[task()] = t; delete slept[task()]; delete sent[task()]; next }
event == "rpc_task_sleep" && !/queue=xprt_(pending|sending)/ { slept[task()] = 1; next }
event == "rpc_request" { match($0, /nfs[a-z]*v?[0-9]* [A-Z_]+/); name[task()] = $0; sub(/.* /, "", name[task()]); sub(/ .*/, "", name[task()]); next }
event == "xprt_reserve" { reserved[task()] = t; begin[task()] = slept[task()] ? began[task()] : t; delete slept[task()]; next }
event == "xprt_transmit" { if (!sent[task()]) sent[task()] = t; next }
event == "rpc_stats_latency" {
	k = task(); from = reserved[k]
	sub(/.* xid=[^ ]* [^ ]* /, ""); sub(/ .*/, ""); op = $0
	n[op]++; took[op, n[op]] = t - begin[k]; sum[op, "time"] += t - begin[k]
	sum[op, "client_queue"] += from - begin[k]
	if (!(xid in work_to) || op ~ /^CB_/) { sum[op, "rest"] += t - from; delete sent[k]; next }
	since = data[xid] < from ? least(from, work_from[xid]) : data[xid]
	left = sent[k] ? greatest(from, least(sent[k], since)) : from
	sum[op, "client"] += left - from
	sum[op, "network"] += since - left + t - work_to[xid]
	sum[op, "server_queue"] += work_from[xid] - since
	sum[op, "work"] += work_to[xid] - work_from[xid]
	delete sent[k]
}
function quantile(op, q,   k, i, j, x) {
	for (i = 2; i <= n[op]; i++)
		for (j = i; j > 1 && took[op, j] < took[op, j - 1]; j--) { x = took[op, j]; took[op, j] = took[op, j - 1]; took[op, j - 1] = x }
	k = q * n[op]; k = k > int(k) ? int(k) + 1 : k
	return took[op, k]
}
END {
	for (op in n)
		printf "%s %d %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", op, n[op], sum[op, "time"], sum[op, "client"], sum[op, "client_queue"], sum[op, "network"],
			sum[op, "server_queue"], sum[op, "work"], quantile(op, 0.5), quantile(op, 0.99) | "sort"
}' > "$work/expected"
# with delegations, the time of locks is known: the server's threads waited for none
"$program" -q --index off -o "report,json:$work/json" "$folder" || exit 1
awk '/^"/ { reads = /^"operations"/ } reads && /^\{/ && !/"lock":0,/ { bad = 1 } END { exit bad }' "$work/json" || { echo "locks are not known, or somebody waited"; exit 1; }
# without any model of locks it is not
"$program" -q --index off -m fileio -m nfs -m nfsd -m block -o "report,json:$work/json" "$folder" || exit 1
awk '
function value(name) { return match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+|null)") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
/^"/ { reads = /^"operations"/ }
reads && /^\{/ {
	op = value("operation"); gsub(/"/, "", op)
	if (value("lock") != "null") print "lock is said to be known"
	if (value("client") + value("client_queue") + value("network") + value("server_queue") + value("server") + value("disk") + value("rest") != value("time") + 0)
		print op ": the parts do not add up"
	printf "%s %d %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", op, value("calls"), value("time"), value("client"), value("client_queue"), value("network"),
		value("server_queue"), value("server") + value("disk"), value("p50"), value("p99")
}' "$work/json" | sort > "$work/got"
[[ -s $work/got ]] || { echo "there is no table of operations"; exit 1; }
# all sums to the nanosecond, percentiles to the width of a cell
paste -d' ' "$work/expected" "$work/got" | awk '
function near(a, b) { return a - b <= b * 0.017 && b - a <= b * 0.017 }
{ for (i = 1; i <= 8; i++) if ($i != $(i + 10)) { print; next }; if (!near($19, $9) || !near($20, $10)) print }' > "$work/wrong"
[[ $(wc -l < "$work/expected") == $(wc -l < "$work/got") && ! -s $work/wrong ]] ||
	{ echo "operation, number, ns: time, client, its queue, network, server's queue, server with disk, p50, p99; expected, and of the program"; cat "$work/wrong"; exit 1; }
# as stacks, they add up to the same, and so do those of the calls of programs
sum() { awk '{ s += $NF } END { printf "%.0f\n", s }'; }
"$program" -q --index off -m nfs -m nfsd -o "folded:$work/stacks" "$folder" && [[ $(sum < "$work/stacks") == $(awk '{ print $3 }' "$work/got" | sum) ]] ||
	{ echo "the stacks of operations do not add up"; exit 1; }
grep -q "^WRITE;client's queue [0-9]*$" "$work/stacks" || { echo "no stack of the client's queue"; exit 1; }
"$program" -q --index off -m fileio -m nfs -m nfsd -m block -o "folded:$work/stacks" -o "report,json:$work/json" "$folder" &&
	[[ $(sum < "$work/stacks") == $(awk '/^"/ { on = /^"call_parts"/ } on && /"part":null/ && match($0, /"time":[0-9]+/) { print substr($0, RSTART + 7, RLENGTH - 7) }' "$work/json" | sum) ]] ||
	{ echo "the stacks of calls do not add up"; exit 1; }
# by file, client and server: of each the same sum of what is known, and the client has all
awk '
function value(name) { return match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+)") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
/^"/ { table = $0; sub(/^"/, "", table); sub(/".*/, "", table) }
table == "operations" && /^\{/ { whole += value("time"); calls += value("calls") }
table == "operation_places" && /^\{/ { by[value("by")] += value("time"); n[value("by")] += value("calls"); if (value("time") + 0 > last[value("by")] && last[value("by")]) print "order"; last[value("by")] = value("time") + 0 }
END { if (by["\"client\""] != whole || n["\"client\""] != calls || by["\"server\""] > whole || !by["\"server\""] || !by["\"file\""]) print "sums" }' "$work/json" > "$work/wrong"
[[ ! -s $work/wrong ]] || { echo "operations by place: $(head -n 1 "$work/wrong")"; exit 1; }
# without the events of programs, what the server did for operations is no wait of its own
"$program" -q --index off -m nfs -m nfsd -o "report:$work/report" "$folder" && grep -q '^Longest wait: [0-9.]* s: client/' "$work/report" &&
	! grep -q '^  [0-9.]* m\{0,1\}s: server/' "$work/report" || { echo "a server's copy of an operation is a wait: $(head -n 12 "$work/report")"; exit 1; }
awk '{ n += $2 } END { print NR " kinds, " n " operations" }' "$work/got"
