#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table "Recorders of a program" of events/EVENTS.md: what recording a program's calls on files costs, with libiotrace-preload and with
# the tools that people have. Each load runs with each recorder, by turns; medians. A recorder that is missing, or that may not record
# here, is left out and named. Loads: fio (4 KiB, random, buffered), tar, sqlite3, each on a tmpfs.
# usage: recorders.sh -b BUILD_DIR [-n ROUNDS]
set -u
export LC_ALL=C
build=build/release rounds=5
while getopts b:n: option; do
	case $option in
	b) build=$OPTARG ;;
	n) rounds=$OPTARG ;;
	*) exit 2 ;;
	esac
done
library=$PWD/$build/analyzer/libiotrace-preload.so
[[ $build == /* ]] && library=$build/analyzer/libiotrace-preload.so
[[ -e $library ]] || { echo "there is no $library: build first"; exit 2; }
dir=$(mktemp -d /dev/shm/recorders.XXXXXX) || exit 2
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/work" "$dir/rec"
cd "$dir/work" || exit 2

# ---- loads

load_randread() { fio --name=r --filename=data --size=64m --rw=randread --bs=4k --io_size=128m --ioengine=psync --thread=0 --invalidate=0 --output=/dev/null; }
load_randwrite() { fio --name=w --filename=data --size=64m --rw=randwrite --bs=4k --io_size=128m --ioengine=psync --thread=0 --invalidate=0 --output=/dev/null; }
load_tar() { tar cf all.tar /usr/include; }
load_sqlite3() { rm -f db; sqlite3 db < "$dir/sql"; }
{
	echo 'PRAGMA synchronous=FULL; CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);'
	for ((i = 0; i < 3000; i++)); do echo "INSERT INTO t(b) VALUES(hex(randomblob(50)));"; done
} > "$dir/sql"
export -f load_randread load_randwrite load_tar load_sqlite3
export dir

# ---- recorders: with_NAME LOAD; 77: it cannot record here

with_plain() { bash -c "load_$1"; }
with_preload() { LD_PRELOAD=$library IOTRACE_PRELOAD=$dir/rec/r bash -c "load_$1"; }
with_strace_filter() { strace --seccomp-bpf -f -e trace=file,desc -ttt -T -o "$dir/rec/r" bash -c "load_$1"; }
with_perf_trace() { perf trace -o "$dir/rec/r" -e 'read,write,pread64,pwrite64,openat,close,fsync,fdatasync' bash -c "load_$1"; }
with_bpftrace()
{
	bpftrace -q -o "$dir/rec/r" -c "/bin/bash -c load_$1" -e 'tracepoint:raw_syscalls:sys_enter /pid != 0/ { @s[tid] = nsecs; }
		tracepoint:raw_syscalls:sys_exit /@s[tid]/ { printf("%d %d %d %d\n", tid, args->id, nsecs - @s[tid], args->ret); delete(@s[tid]); }'
}
with_eztrace() { eztrace -o "$dir/rec/ez" -t posixio bash -c "load_$1" > /dev/null 2>&1; }

loads=(randread randwrite tar sqlite3)
recorders=(plain preload strace_filter perf_trace bpftrace eztrace)

# seconds of a run, or nothing if it fails
timed()
{
	local from till
	rm -rf "$dir"/rec/*
	from=$(date +%s%N)
	"with_$1" "$2" > /dev/null 2> "$dir/stderr" || return 1
	till=$(date +%s%N)
	echo "$1 $2 $(((till - from) / 1000)) $(du -sk "$dir/rec" | cut -f 1)" >> "$dir/times"
}

load_randwrite
for recorder in "${recorders[@]}"; do
	command -v "${recorder%%_*}" > /dev/null || [[ $recorder == p[lr]* ]] || { echo "left out: $recorder is not installed"; continue; }
	timed "$recorder" sqlite3 || { echo "left out: $recorder: $(tail -n 1 "$dir/stderr" | cut -c 1-120)"; continue; }
	[[ $recorder == plain || -n $(find "$dir/rec" -size +0 -type f) ]] || { echo "left out: $recorder records nothing"; continue; }
	can+=("$recorder")
done
: > "$dir/times"
for ((round = 0; round < rounds; round++)); do
	for load in "${loads[@]}"; do
		for recorder in "${can[@]}"; do
			timed "$recorder" "$load" || echo "$recorder failed with $load"
		done
	done
done
# the calls that the library sees, for the cost of one
for load in "${loads[@]}"; do
	timed preload "$load"
	echo "calls $load $("$(dirname "$library")/iotrace-analyze" -q --index off -o jsonl:- "$dir/rec/r" | grep -c '"type":"io"')"
done > "$dir/calls"
sort -k1,1 -k2,2 -k3,3n "$dir/times" | awk '
	FNR == NR { calls[$2] = $3; next }
	{ key = $1 " " $2; if (!(key in n)) order[++keys] = key; value[key, ++n[key]] = $3; kib[key] = $4 }
	END {
		printf "%-10s %-14s %10s %9s %9s %9s\n", "LOAD", "RECORDER", "SECONDS", "RATIO", "NS/CALL", "KIB"
		for (i = 1; i <= keys; i++) median[order[i]] = value[order[i], int((n[order[i]] + 1) / 2)]
		for (i = 1; i <= keys; i++) {
			split(order[i], part, " ")
			plain = median["plain " part[2]]
			more = calls[part[2]] ? (median[order[i]] - plain) * 1000 / calls[part[2]] : 0
			printf "%-10s %-14s %10.3f %9.2f %9.0f %9d\n", part[2], part[1], median[order[i]] / 1e6, median[order[i]] / plain, more, kib[order[i]]
		}
	}' "$dir/calls" - | (read -r head; echo "$head"; sort -k1,1 -k3,3n)
echo "calls: $(awk '{ printf "%s %s  ", $2, $3 }' "$dir/calls")"
