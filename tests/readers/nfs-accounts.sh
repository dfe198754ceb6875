#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How much of the slowest calls of an NFS client their requests explain: from trace-cmd report by awk, against the program. The time
# is that in which a task of the call is on its way: from its last wait for a slot, or its xid, to its result; and a COMMIT, which a
# kernel thread asks for, up to the event that names the direct write again, or, in the only sync of its file, up to its end.
# usage: nfs-accounts.sh PROGRAM FOLDER
program=$1 folder=$2
type -P trace-cmd > /dev/null || { echo "skipped: there is no trace-cmd"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

"$program" -q --index off -o "report,json:$work/json" "$folder" || exit 1
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
event == "rpc_task_begin" { owner[task()] = calls[pid]; delete slept[task()]; next }
event == "rpc_task_sleep" && !/queue=xprt_(pending|sending)/ { slept[task()] = t; next }
event == "xprt_reserve" { reserved[task()] = slept[task()] ? slept[task()] : t; delete slept[task()]; next }
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
"$program" -q --index off --derive accounts -o "text:$work/parts" "$folder" || exit 1
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
# the thread has the name of its last program
comm=$(bash "${0%/*}/../events-report.sh" -t -N "$folder/trace-5.dat" 2> /dev/null | tr -d '\000' | sed -n 's/.*-143 .* task: .* comm=\([^ ]*\) .*/\1/p' | tail -n 1)
grep -q "\"sync of /mnt/3/frozen by ${comm:-none} 143 on client took" "$work/json" || { echo "the slowest call is not by ${comm:-none} 143"; exit 1; }
# what the recording must tell: of a slow open, four fifths
awk '{ share = $4 / $1 * 100; printf "%s of %d: %.1f %% of %.2f s\n", $2, $3, share, $1 / 1e9; if (share < ($2 == "open" ? 80 : 95)) bad = 1 } END { exit bad || NR != 8 }' "$work/expected"
