#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table "Recorders of a program" of events/EVENTS.md: what recording a program's calls on files costs, with iotrace-record and with
# the tools that people have. Each load runs with each recorder, by turns; medians. RATIO: the whole command, with the recorder's begin and
# end; LOAD ONLY, NS/CALL: only the load. A recorder that is missing, or that may not record
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
models=$PWD/events/models
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
# load NAME: runs it, and writes its microseconds to took; a recorder also begins and ends
load()
{
	local from=${EPOCHREALTIME/./}
	"load_$1"
	echo $((${EPOCHREALTIME/./} - from)) > "$dir/took"
}
export -f load load_randread load_randwrite load_tar load_sqlite3
export dir
echo "load \"\$1\"" > "$dir/run"

iotrace_record() { IOTRACE_MODELS=$models "${library%/*}/iotrace-record" -q -o "$dir/rec/r" "$@"; }

# ---- recorders: with_NAME LOAD; 77: it cannot record here

with_plain() { bash -c "load $1"; }
with_preload() { LD_PRELOAD=$library IOTRACE_PRELOAD=$dir/rec/r bash -c "load $1"; }
with_strace_filter() { strace --seccomp-bpf -f -e trace=file,desc -ttt -T -o "$dir/rec/r" bash -c "load $1"; }
with_perf_trace() { perf trace -o "$dir/rec/r" -e 'read,write,pread64,pwrite64,openat,close,fsync,fdatasync' bash -c "load $1"; }
with_bpftrace()
{
	bpftrace -q -o "$dir/rec/r" -c "/bin/bash $dir/run $1" -e 'tracepoint:raw_syscalls:sys_enter /pid != 0/ { @s[tid] = nsecs; }
		tracepoint:raw_syscalls:sys_exit /@s[tid]/ { printf("%d %d %d %d\n", tid, args->id, nsecs - @s[tid], args->ret); delete(@s[tid]); }'
}
with_syscalls() { iotrace_record -m syscalls -- bash -c "load $1"; }
with_module() { iotrace_record -m fileio -- bash -c "load $1"; }
with_eztrace() { eztrace -o "$dir/rec/ez" -t posixio bash -c "load $1"; }

loads=(randread randwrite tar sqlite3)
recorders=(plain preload module syscalls strace_filter perf_trace bpftrace eztrace)

# timed RECORDER LOAD: adds a line to times: microseconds of the whole and of the load, KiB of the recording
timed()
{
	local from till
	rm -rf "$dir"/{rec/*,took}
	from=$(date +%s%N)
	"with_$1" "$2" > /dev/null 2> "$dir/stderr" || return 1
	till=$(date +%s%N)
	echo "$1 $2 $(((till - from) / 1000)) $(< "$dir/took") $(du -sk "$dir/rec" | cut -f 1)" >> "$dir/times"
}

load_randwrite
for recorder in "${recorders[@]}"; do
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
LC_ALL=C sort -k1,1 -k2,2 -k3,3n "$dir/times" | awk '
	function middle(list,    n, part) { n = split(list, part, " "); sort_numbers(part, n); return part[int((n + 1) / 2)] }
	function sort_numbers(a, n,    i, j, t) {
		for (i = 2; i <= n; i++) { t = a[i]; for (j = i - 1; j > 0 && a[j] + 0 > t + 0; j--) a[j + 1] = a[j]; a[j + 1] = t }
	}
	FNR == NR { calls[$2] = $3; next }
	{ key = $1 " " $2; if (!(key in whole)) order[++keys] = key; whole[key] = whole[key] " " $3; own[key] = own[key] " " $4; kib[key] = $5 }
	END {
		printf "%-10s %-14s %10s %9s %10s %9s %9s\n", "LOAD", "RECORDER", "SECONDS", "RATIO", "LOAD ONLY", "NS/CALL", "KIB"
		for (i = 1; i <= keys; i++) {
			split(order[i], part, " ")
			plain = middle(whole["plain " part[2]]); without = middle(own["plain " part[2]])
			took = middle(whole[order[i]]); with = middle(own[order[i]])
			more = calls[part[2]] ? (with - without) * 1000 / calls[part[2]] : 0
			printf "%-10s %-14s %10.3f %9.2f %10.2f %9.0f %9d\n", part[2], part[1], took / 1e6, took / plain, with / without, more, kib[order[i]]
		}
	}' "$dir/calls" - | (read -r head; echo "$head"; sort -k1,1 -k3,3n)
echo "calls: $(awk '{ printf "%s %s  ", $2, $3 }' "$dir/calls")"
