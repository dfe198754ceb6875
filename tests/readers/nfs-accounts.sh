#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How much of the slowest calls of an NFS client their requests explain: from trace-cmd report by awk, against the program. The time
# is that in which a task of the call is on its way: from its begin, if it slept before it had its xid, or from its xid, to its result; and a COMMIT, which a
# kernel thread asks for, up to the event that names the direct write again, or, in the only sync of its file, up to its end.
# usage: nfs-accounts.sh PROGRAM FOLDER
program=$1 folder=$2
type -P trace-cmd > /dev/null || { echo "skipped: there is no trace-cmd"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# what the scheduler tells of the thread takes part of the same time, so it is left out
models=(-m fileio -m nfs -m nfsd -m block)
"$program" -q --index off "${models[@]}" -o "report,json:$work/json" "$folder" || exit 1
bash "${0%/*}/../events-report.sh" -t -N "$folder/trace-5.dat" 2> /dev/null | tr -d '\000' | awk '
function field(name) { return match($0, "[ (]" name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
function number(hex,  i, n) { for (i = 1; i <= length(hex); i++) n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return n + 0 }
function task() { return match($0, /task:[0-9a-f@]*/) ? substr($0, RSTART, RLENGTH) : "" }
# a part of the time of a call that is open: a line for each
function part(call, from, to) { if (call in begun) { n[call]++; lo[call, n[call]] = from; hi[call, n[call]] = to } }
{
	match($0, /-[0-9]+ +\[/); pid = substr($0, RSTART + 1, RLENGTH - 2) + 0
	match($0, /\] +[0-9]+\.[0-9]+: [a-z0-9_]+:/); split(substr($0, RSTART + 1, RLENGTH - 1), word, /[ :]+/)
	split(word[2], second, "."); t = second[1] * 1000000000 + second[2]; event = word[3]
}
event ~ /^(read|write|sync|open|close|meta|truncate|submit)_start$/ { call = field("id"); begun[call] = t; calls[pid] = call; kind[call] = event; if (event == "sync_start") { file[pid] = field("dev") ":" field("ino"); syncing[file[pid]]++; sync[file[pid]] = call }; next }
event ~ /^(read|write|sync|open|close|meta|truncate|submit)_end$/ {
	call = field("id"); if (!(call in begun)) next
	if (event == "sync_end") syncing[file[pid]]--
	# the union of its parts
	covered = begun[call]; explained = 0
	for (i = 1; i <= n[call]; i++)
		for (k = i + 1; k <= n[call]; k++)
			if (lo[call, k] < lo[call, i]) {
				x = lo[call, i]; lo[call, i] = lo[call, k]; lo[call, k] = x
				x = hi[call, i]; hi[call, i] = hi[call, k]; hi[call, k] = x
			}
	for (i = 1; i <= n[call]; i++) {
		from = lo[call, i] > covered ? lo[call, i] : covered
		if (hi[call, i] > from) { explained += hi[call, i] - from; covered = hi[call, i] }
	}
	sub(/_start/, "", kind[call])
	printf "%.0f %s %d %.0f\n", t - begun[call], kind[call], pid, explained
	delete begun[call]; delete calls[pid]; next
}
event == "rpc_task_begin" { owner[task()] = calls[pid]; began[task()] = t; delete slept[task()]; next }
event == "rpc_task_sleep" && !/queue=xprt_(pending|sending)/ { slept[task()] = 1; next }
event == "xprt_reserve" { reserved[task()] = slept[task()] ? began[task()] : t; delete slept[task()]; next }
event == "rpc_stats_latency" { part(owner[task()], reserved[task()], t); next }
event == "rpc_task_call_done" { done[pid] = task(); next }
event == "nfs_direct_write_schedule_iovec" { writer[field("fileid"), field("offset")] = calls[pid]; directly[field("fileid")] = 1; next }
event == "nfs_commit_done" {
	of = field("fileid"); commit[of] = waiting[of]++ ? "" : reserved[done[pid]]
	# 00:18:19 is the device 0x00:0x18 and the file 19; 0:24:19 in the calls of programs
	split(of, part_of, ":"); name = number(part_of[1]) ":" number(part_of[2]) ":" part_of[3]
	if (syncing[name] == 1 && !directly[of]) part(sync[name], reserved[done[pid]], t)
	next
}
event == "nfs_direct_commit_complete" { of = field("fileid"); waiting[of]--; if (commit[of]) part(writer[of, field("offset")], commit[of], t) }
' | sort -rn | head -8 > "$work/expected"
awk '
match($0, /"took":[0-9]+,"call":"[a-z]+"/) && /"requests":/ {
	split(substr($0, RSTART, RLENGTH), part, /[:",]+/)
	took = part[3]; call = part[5]
	match($0, /"pid":[0-9]+/); pid = substr($0, RSTART + 6, RLENGTH - 6)
	match($0, /"requests":[0-9]+/); requests = substr($0, RSTART + 11, RLENGTH - 11)
	# the parts of a call add up to it
	sum = requests; line = $0
	while (match(line, /"(lock|device|host|runnable|own_work|rest)":[0-9]+/)) {
		split(substr(line, RSTART, RLENGTH), part, ":"); sum += part[2]; line = substr(line, RSTART + RLENGTH)
	}
	if (sum != took) printf "%s of %d: the parts are %.0f ns of %.0f\n", call, pid, sum, took > "/dev/stderr"
	printf "%.0f %s %d %.0f%s\n", took, call, pid, requests, sum == took ? "" : " wrong sum"
}' "$work/json" | sort -rn | head -8 > "$work/got"
cmp -s "$work/expected" "$work/got" || { echo "time, call, thread, explained: expected, and of the program"; diff "$work/expected" "$work/got"; exit 1; }
# the accounts of all calls add up, and those of the eight have the same time
"$program" -q --index off "${models[@]}" --derive accounts -o "text:$work/all" "$folder" || exit 1
# calls of programs are on rows of files
grep -E '^[0-9]+ (span|point) "[^"]*/(client|server)" ' "$work/all" | grep -v ' part ".* of="wait" ' > "$work/parts"
awk '
function value(name) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
/^[0-9]+ point "[^"]*" part "/ && !/ of="wait" / {
	split($0, quoted, "\"")
	lane = value("lane"); call = quoted[2] SUBSEP lane SUBSEP $1 SUBSEP value("of")
	took[call] = value("took") + 0; sum[call] += value("part")
	if (quoted[4] == "request") requests[call] += value("part")
}
END {
	for (call in took) {
		split(call, part, SUBSEP); of = part[4]; gsub(/"/, "", of)
		if (sum[call] != took[call]) { printf "%s: the parts are %.0f ns of %.0f\n", of, sum[call], took[call] > "/dev/stderr"; exit 1 }
		if (took[call]) printf "%.0f %s %.0f\n", took[call], of, requests[call]
	}
}' "$work/parts" | sort -rn | head -8 > "$work/got" && awk '{ print $1, $2, $4 }' "$work/expected" | cmp -s - "$work/got" ||
	{ echo "time, call, explained: expected, and of --derive accounts"; diff <(awk '{ print $1, $2, $4 }' "$work/expected") "$work/got"; exit 1; }
# the table of all parts has the sums of these accounts, and the percentiles of the calls
awk '
function value(name) { return match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+)") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
/^"/ { reads = /^"call_parts"/ }
reads && /^\{/ {
	line = value("of") "\t" value("part") "\t" value("calls") "\t" value("time") "\t" value("p50") "\t" value("p99")
	gsub(/"/, "", line)
	print line
}' "$work/json" > "$work/table"
[[ -s $work/table ]] || { echo "there is no table call_parts"; exit 1; }
awk -F '\t' '
function value(name) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
function kind(text) {
	return text ~ /not explained/ ? "unexplained" : text ~ /in the queue/ ? "queue" : text ~ /on the way back|not yet noticed/ ? "return" : text ~ /on the way/ ? "travel" : \
		text ~ /not yet sent/ ? "before" : text ~ /answered/ ? "after" : "work"
}
FNR == NR {
	shown[$1]
	if ($2 == "") { calls[$1] = $3; whole[$1] = $4; p50[$1] = $5; p99[$1] = $6 }
	else table[$1, kind($2)] += $4
	next
}
/^[0-9]+ point "[^"]*" part "/ && !/ of="wait" / && !/ flags=[a-z,]*(unfinished|before)/ {
	split($0, quoted, "\"")
	of = value("of"); gsub(/"/, "", of)
	phase = value("phase"); gsub(/"/, "", phase)
	if (phase == "") phase = "work" # beyond the sixteen parts that are told apart
	sum[of, quoted[4] == "request" ? phase : quoted[4]] += value("part")
	call = quoted[2] SUBSEP value("lane") SUBSEP $1
	sub(/ point.*/, "", call)
	if (!((of, call) in seen)) { seen[of, call]; took[of, ++n[of]] = value("took") + 0 }
}
# the k-th of the times of a kind of calls
function quantile(of, q,   k, i, j, x) {
	for (i = 2; i <= n[of]; i++)
		for (j = i; j > 1 && took[of, j] < took[of, j - 1]; j--) { x = took[of, j]; took[of, j] = took[of, j - 1]; took[of, j - 1] = x }
	k = q * n[of]; k = k > int(k) ? int(k) + 1 : k
	return took[of, k]
}
function near(a, b) { return a - b <= b * 0.017 && b - a <= b * 0.017 }
END {
	for (key in sum) { split(key, part, SUBSEP); if (part[1] in shown && sum[key] != table[key]) printf "%s, %s: %.0f ns in the table, %.0f in the accounts\n", part[1], part[2], table[key], sum[key] }
	for (key in table) if (!(key in sum)) print "not in the accounts: " key
	for (of in shown) {
		for (i = total = 0; i++ < n[of];) total += took[of, i]
		if (n[of] != calls[of] || total != whole[of]) printf "%s: %d calls, %.0f ns in the table, %d, %.0f in the accounts\n", of, calls[of], whole[of], n[of], total
		if (!near(p50[of], quantile(of, 0.5)) || !near(p99[of], quantile(of, 0.99))) printf "%s: p50 %.0f, p99 %.0f\n", of, p50[of], p99[of]
	}
}' "$work/table" "$work/parts" > "$work/wrong"
[[ ! -s $work/wrong ]] || { cat "$work/wrong"; exit 1; }
# every other wait and call has parts that add up, too: of RPC, in queues, in the server, of its disks
awk '
function value(name) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
{ split($0, quoted, "\""); split(quoted[3], type, " "); lane = value("lane") + 0 }
FNR == NR && /^[0-9]+ point "/ && type[1] == "part" { of = $0; sub(/.* of="/, "", of); sub(/".*/, "", of); sum[quoted[2], lane, $1 + 0, of, value("took") + 0] += value("part"); next }
FNR < NR && /^[0-9]+ span "/ && type[1] ~ /^(call|request|disk|queued|block-request)$/ {
	split(quoted[5], length_of, " ")
	if (length_of[1] > 0) { n++; ns = length_of[1] + 0; if (sum[quoted[2], lane, $1 + ns, quoted[4], ns] != ns) bad++ }
}
END { if (bad || n < 2000) { printf "%d of %d waits and calls without their parts\n", bad, n; exit 1 } }' "$work/all" "$work/all" || exit 1
# the queues of the server: from the last arrival of data on the connection before a thread took it to the request that it read
queues() { awk "$1" | sort -n | cksum; }
bash "${0%/*}/../events-report.sh" -t -N "$folder/trace-4.dat" 2> /dev/null | tr -d '\000' | queues '
function field(name) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
{ match($0, /-[0-9]+ +\[/); pid = substr($0, RSTART + 1, RLENGTH - 2) + 0; match($0, / [0-9]+\.[0-9]+: /); split(substr($0, RSTART + 1, RLENGTH - 3), second, "."); t = second[1] * 1000000000 + second[2] }
/ svcsock_data_ready: / { came[field("addr")] = t }
/ svc_xprt_dequeue: / { taken[pid] = came[field("client")] }
/ svc_xdr_recvfrom: / && taken[pid] { printf "%.0f\n", t - taken[pid] }' > "$work/queues"
sed -n 's/^[0-9]* span "[^"]*" request .* queued_before=\([0-9]*\).*/\1/p' "$work/all" | queues 1 > "$work/drawn"
cmp -s "$work/queues" "$work/drawn" || { echo "other queues of the server than in trace-cmd report"; exit 1; }
# the thread has the name of its last program
slowest=$(awk 'NR == 1 { print $3 }' "$work/expected")
comm=$(bash "${0%/*}/../events-report.sh" -t -N "$folder/trace-5.dat" 2> /dev/null | tr -d '\000' | sed -n "s/.*-$slowest .* task: .* comm=\([^ ]*\) .*/\1/p" | tail -n 1)
grep -q "\"sync of /mnt/3/frozen by ${comm:-none} $slowest on client took" "$work/json" || { echo "the slowest call is not by ${comm:-none} $slowest"; exit 1; }
# what the recording must tell: of a slow open, 85 %
awk '{ share = $4 / $1 * 100; printf "%s of %d: %.1f %% of %.2f s\n", $2, $3, share, $1 / 1e9; if (share < ($2 == "open" ? 85 : 95)) bad = 1 } END { exit bad || NR != 8 }' "$work/expected"
