#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: strace-counts.sh ANALYZE THREAD-FILES
# Calls of tar, sqlite3 and a program with threads, as strace counts them itself (strace -C, in the same run), and their bytes and
# paths, as the file system knows them. Without strace, or the right to trace, the test is skipped.
. "${0%/*}/readers-lib.sh"
analyze=$1 threads=$2
command -v strace > /dev/null && command -v sqlite3 > /dev/null && strace -o /dev/null true 2> /dev/null || exit 77

# The calls of the table of strace-table.c that these programs make. Only locks are counted of fcntl, only files of mmap.
names='access|chdir|close|copy_file_range|fallocate|fchmod|fchown|fdatasync|flock|fstat|fsync|ftruncate|getdents64|linkat|lseek|mkdir|newfstatat|openat|pread64|preadv2?|pwrite64|pwritev2?|read|readlink|readlinkat|readv|rename|renameat2|sendfile|stat|statfs|statx|sync_file_range|unlink|unlinkat|utimensat|write|writev'

# trace NAME COMMAND...: a log in NAME.log, strace's own table in NAME.table, and the calls as jsonl in NAME.items
trace()
{
	local log=$1
	(cd "$dir/work" && strace -C -f -yy --absolute-timestamps=format:unix,precision:ns --syscall-times=ns -o "$dir/$log.all" "${@:2}" \
		> /dev/null 2>&1) || { echo "strace-counts: $log: status $?" >&2; exit 1; }
	sed -n '1,/^% time/{/^% time/!p}' "$dir/$log.all" > "$dir/$log.log"
	sed -n '/^% time/,$p' "$dir/$log.all" > "$dir/$log.table"
	"$analyze" -q --index off -o jsonl:- "$dir/$log.log" 2> "$dir/stderr" | grep '"type":"io"' > "$dir/$log.items"
	# columns: % time, seconds, usecs/call, calls, errors if there are some, name
	awk -v names="^($names)\$" '$NF ~ names && $NF != "lseek" && $4 ~ /^[0-9]+$/ { print $NF, $4, NF == 6 ? $5 : 0 }' "$dir/$log.table" |
		sort > "$dir/expected"
	# a call with a source and a target is drawn twice
	grep -vE '"(write|write failed)".*"op":"(sendfile|copy_file_range)"' "$dir/$log.items" |
		sed -nE 's/.*"op":"([a-z0-9_]+)".*"result":"([^"]*).*/\1 \2/p' |
		awk -v names="^($names)\$" '$1 ~ names { n[$1]++; errors[$1] += $2 ~ /^E/ } END { for (name in n) print name, n[name], errors[name] + 0 }' |
		sort > "$dir/got"
	agree "kinds of calls of $log, with their errors"
}

# bytes OPS PATH NAME: the sum of the results of these calls on a file
bytes()
{
	awk -v ops="\"op\":\"($1)\"" -v path="\"path\":\"$2\"" '$0 ~ ops && index($0, path) && match($0, /"result":"?[0-9]+/) {
		text = substr($0, RSTART, RLENGTH); gsub(/[^0-9]/, "", text); sum += text } END { print sum + 0 }' "$dir/$3.items"
}

is()
{
	[[ $2 == "$3" ]] || { echo "strace-counts: $1: $2, expected $3" >&2; exit 1; }
}

mkdir -p "$dir/work/tree/deep"
for ((i = 1; i <= 20; i++)); do
	head -c $((i * 700)) /dev/zero > "$dir/work/tree/deep/file$i"
done
trace tar tar cf x.tar tree
is 'bytes that tar wrote' "$(bytes 'write|writev' "$dir/work/x.tar" tar)" "$(stat -c %s "$dir/work/x.tar")"
for ((i = 1; i <= 20; i++)); do
	is "bytes that tar read of file$i" "$(bytes 'read' "$dir/work/tree/deep/file$i" tar)" $((i * 700))
done
find "$dir/work/tree" | sort > "$dir/expected"
grep '"op":"openat"' "$dir/tar.items" | grep -Eo '"path":"[^"]*' | sed 's/"path":"//' | grep "^$dir/work/tree" | sort > "$dir/got"
agree 'paths that tar opened'

trace sqlite sqlite3 x.db 'CREATE TABLE t(a); BEGIN; INSERT INTO t VALUES(randomblob(100000)); COMMIT; SELECT count(*) FROM t; DROP TABLE t; VACUUM;'
[[ $(bytes 'pwrite64|write' "$dir/work/x.db" sqlite) -ge 100000 ]] || { echo 'strace-counts: sqlite3 has not written its rows' >&2; exit 1; }

trace threads "$threads" "$dir/work"
# thread-files.c: 20 rounds of 100, 30 and 30 bytes, and 10 that are read, in a file of each of 3 threads
for ((i = 0; i < 3; i++)); do
	is "bytes written to own$i" "$(bytes 'write|writev|pwritev' "$dir/work/own$i" threads)" $((20 * (100 + 30 + 30)))
	is "bytes read of own$i" "$(bytes preadv2 "$dir/work/own$i" threads)" $((20 * 10))
done
