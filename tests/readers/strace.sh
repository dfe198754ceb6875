#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: strace.sh ANALYZE
# Logs of strace: one whose times are known by hand, and one of real programs, whose calls strace counts itself (strace -c) and
# awk adds up. Without strace, or the right to trace, the second part is skipped.
. "${0%/*}/readers-lib.sh"
analyze=$1

# texts LOG: spans and points of the threads
texts()
{
	"$analyze" -q --index off -o text:- "$1" 2> "$dir/stderr" | sed -nE 's/^179567816500([0-9]{7}) span ("[^"]*\/[^"]*") io /\1 \2 /p' | sort
}

# Threads 100 and 101 of one process, which child 200 leaves for another program. Thread 101 reads in two parts, with the length in
# the second one. The last part of a read of 100 comes after more lines than are searched: its length is not known, its end is.
{
	sed -E 's/^([0-9]+) ([0-9]+) /\1 1795678165.00\2 /' << 'END'
100 0000000 execve("/usr/bin/prog", ["prog"], 0x7ffd /* 41 vars */) = 0 <0.000000100>
100 0001000 openat(AT_FDCWD</d>, "x", O_RDWR|O_CREAT, 0644) = 3</d/x> <0.000000500>
100 0002000 clone3({flags=CLONE_VM|CLONE_THREAD, child_tid=0x7f} => {parent_tid=[101]}, 88) = 101 <0.000000100>
101 0003000 pread64(3</d/x>,  <unfinished ...>
100 0004000 write(3</d/x>, "ab, (\"c\n"..., 40) = 40 <0.000000200>
101 0005000 <... pread64 resumed>"abc", 64, 8) = 3 <0.000001900>
100 0006000 vfork( <unfinished ...>
200 0006500 execve("/opt/other-program-with-a-long-name", ["o"], 0x7f /* 1 var */) = 0 <0.000000100>
100 0006700 <... vfork resumed>) = 200 <0.000000600>
200 0007000 flock(3</d/x>, LOCK_EX) = 0 <0.000000300>
100 0007100 unlink("/d/none") = -1 ENOENT (No such file or directory) <0.000000100>
100 0008000 close(3</d/x>) = 0 <0.000005000>
100 0009000 sync() = 0 <0.000000100>
200 0009500 exit_group(0) = ?
200 0009600 +++ exited with 0 +++
100 0010000 read(4<pipe:[7]>,  <unfinished ...>
END
	for ((i = 0; i < 2000; i++)); do
		printf '101 1795678165.002000%03d getppid() = 7 <0.000000001>\n' $((i / 10))
	done
	echo '100 1795678165.003000000 <... read resumed>"abcd", 9) = 4 <0.001990000>'
} > "$dir/known.log"
cat > "$dir/expected" << 'END'
0001000 "known/prog 100/prog 100" "open" 500 op="openat" path="/d/x" fd=-100 flags="O_RDWR|O_CREAT" result="3"
0003000 "known/prog 100/prog 101" "read" 1900 op="pread64" path="/d/x" fd=3 pos=8 len=64 reached=-1 result="3"
0004000 "known/prog 100/prog 100" "write" 200 op="write" path="/d/x" fd=3 len=40 reached=40 result="40"
0007000 "known/other-program-w 200/other-program-w 200" "lock wait" 300 op="flock" path="/d/x" fd=3 flags="write" result="0"
0007100 "known/prog 100/prog 100" "meta failed" 100 flags=failed op="unlink" path="/d/none" fd=-100 result="ENOENT"
0008000 "known/prog 100/prog 100" "close" 1000 op="close" path="/d/x" fd=3 result="0"
0009000 "known/prog 100/prog 100" "sync" 100 op="sync" fd=-1 pos=-1 reached=-1 result="0"
0010000 "known/prog 100/prog 100" "read" 1990000 op="read" path="pipe:[7]" fd=4 pos=-1 reached=-1 result="4"
END
texts "$dir/known.log" | sed 's/ path="0:0"//' > "$dir/got"
agree spans
# execve, clone3, vfork, execve, exit_group and 2000 getppid
counted() { # COUNTER NUMBER LOG
	"$analyze" -q --index off -o report,json:- "$3" | grep -q "\"count\":$2,\"meaning\":\"[^\"]*\",\"inputs\":\[[^]]*\],\"counter\":\"$1\"" && return
	echo "strace: not counted: $1 $2" >&2
	exit 1
}
counted calls_slowed 1 "$dir/known.log"
counted calls_not_drawn 2005 "$dir/known.log"

# Whether it begins and ends with its program: its first line runs it, and all threads end.
complete() { # SAID LOG
	[[ $("$analyze" -v --index off -o report,json:- "$2" 2> /dev/null) == *"\"strace, 9 digits of a second$1\""* ]] && return
	echo "strace: $2 is not \"$1\"" >&2
	exit 1
}
complete ', complete at its begin' "$dir/known.log"
printf '100 1795678165.003%s +++ exited with 0 +++\n' 000001 000002 | sed '2s/^100/101/' | cat "$dir/known.log" - > "$dir/whole.log"
complete ', complete' "$dir/whole.log"
tail -n +2 "$dir/whole.log" > "$dir/attached.log"
complete ', complete at its end' "$dir/attached.log"
(cat "$dir/whole.log" && echo 'strange') > "$dir/strange.log"
complete '' "$dir/strange.log"

# what cannot be read, and a log that is cut in its last line
refused()
{
	local text=$1 said=$2 status
	echo "$text" > "$dir/bad.log"
	"$analyze" -o text:- "$dir/bad.log" > "$dir/out" 2>&1
	status=$?
	[[ $status == 2 ]] && grep -q "$said" "$dir/out" && return
	echo "strace: status $status of: $text" >&2
	cat "$dir/out" >&2
	exit 1
}
refused 'execve("/usr/bin/true", ["true"], 0x7f /* 9 vars */) = 0' 'bad.log is a log of strace without times'
refused '17 12:00:01 execve("/usr/bin/true", ["true"], 0x7f /* 9 vars */) = 0' 'bad.log is a log of strace without times'
refused '17 1795678165.000001 execve("/usr/bin/true", ["true"], 0x7f /* 9 vars */) = 0' 'without the durations of calls; record again with: strace -f'
head -c 900 "$dir/known.log" > "$dir/cut.log"
"$analyze" -q --index off -o text:"$dir/out" "$dir/cut.log"
[[ $? == 2 ]] && grep -q '"open" 500' "$dir/out" || { echo 'strace: a log that is cut' >&2; exit 1; }
counted lines_skipped 1 "$dir/cut.log"
sed 's/<[/p][^>]*>//g' "$dir/known.log" > "$dir/bare.log"
counted descriptor_unnamed 6 "$dir/bare.log"

# Without -y: files by the descriptors that calls open, duplicate, pass to children and close. The child 200 of 100 keeps 3 and 5
# in its exec, not 4 (O_CLOEXEC); 100 closes 3 after the child was made. A path below a directory that nothing tells is not known.
sed -E 's/^([0-9]+) ([0-9]+) /\1 1795678165.00\2 /' > "$dir/plain.log" << 'END'
100 0000000 execve("/usr/bin/prog", ["prog"], 0x7ffd /* 41 vars */) = 0 <0.000000100>
100 0001000 openat(AT_FDCWD, "/d/x", O_RDWR) = 3 <0.000000100>
100 0002000 openat(AT_FDCWD, "/d/y", O_RDONLY|O_CLOEXEC) = 4 <0.000000100>
100 0003000 openat(AT_FDCWD, "rel", O_RDONLY) = 7 <0.000000100>
100 0003100 read(7, "", 1) = 0 <0.000000100>
100 0003200 chdir("/d/sub") = 0 <0.000000100>
100 0003300 openat(AT_FDCWD, "rel", O_RDONLY) = 7 <0.000000100>
100 0003400 read(7, "", 1) = 0 <0.000000100>
100 0004000 dup2(3, 5) = 5 <0.000000100>
100 0005000 vfork( <unfinished ...>
200 0005500 read(4, "", 1) = 0 <0.000000100>
200 0006000 execve("/opt/other", ["o"], 0x7f /* 1 var */) = 0 <0.000000100>
100 0006100 <... vfork resumed>) = 200 <0.000001100>
100 0006200 close(3) = 0 <0.000000100>
200 0007000 read(3, "", 1) = 0 <0.000000100>
200 0007100 read(4, "", 1) = -1 EBADF (Bad file descriptor) <0.000000100>
200 0007200 read(5, "", 1) = 0 <0.000000100>
100 0008000 read(3, "", 1) = -1 EBADF (Bad file descriptor) <0.000000100>
100 0008100 openat(AT_FDCWD, "/d/z", O_RDONLY) = 3 <0.000000100>
100 0008200 fcntl(3, F_DUPFD_CLOEXEC, 10) = 10 <0.000000100>
100 0008300 openat(5, "below", O_RDONLY) = 8 <0.000000100>
100 0008400 read(10, "", 1) = 0 <0.000000100>
100 0008500 read(8, "", 1) = 0 <0.000000100>
END
printf '%s\n' '0003100 100 ' '0003400 100 /d/sub/rel' '0005500 200 /d/y' '0007000 200 /d/x' '0007100 200 ' '0007200 200 /d/x' '0008000 100 ' \
	'0008400 100 /d/z' '0008500 100 /d/x/below' > "$dir/expected"
texts "$dir/plain.log" | sed -nE 's/^([0-9]+) "[^"]* ([0-9]+)" "read[^"]*" (.*)/\1 \2 \3/p' |
	awk '{ print $1, $2, match($0, / path="[^"]*"/) ? substr($0, RSTART + 7, RLENGTH - 8) : "" }' | sed 's/ 0:0$/ /' > "$dir/got"
agree 'files of descriptors without -y'

# Two machines: a client sends 5, 3 and 4 bytes of one connection, the server receives 5, 7 and answers 6, which the client receives as 2
# and 4. Sends and receives that begin with the same byte are joined. The server names an address of IPv4 in the form of IPv6.
# It listens on 127.0.0.1, too: that connection is of its own machine, although the client has one of the same name. A connection
# that was there before (7) is not counted.
lines() # SECOND: lines of one thread with a time each, begin and duration in microseconds
{
	sed -E "s/^([0-9]+) ([0-9]+) ([0-9]+) (.*)/\1 1795678165.00\2 \4 <0.000\3>/"
}
lines > "$dir/client.log" << 'END'
100 0000 001 execve("/usr/bin/client", ["client"], 0x7ffd /* 41 vars */) = 0
100 0010 001 brk(NULL) = 0x55
100 0100 009 connect(3<TCP:[4711]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("10.0.0.2")}, 16) = 0
100 1000 050 sendto(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, "abcde", 5, 0, NULL, 0) = 5
100 1100 010 write(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, "abc", 3) = 3
100 1200 010 sendto(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, "x", 1, 0, NULL, 0) = -1 EAGAIN (Resource temporarily unavailable)
100 1300 010 sendmsg(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, {msg_iov=[{iov_base="abcd", iov_len=4}]}, 0) = 4
100 3000 100 recvfrom(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, "ab", 2, MSG_PEEK, NULL, NULL) = 2
100 3200 010 read(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, "ab", 2) = 2
100 3300 010 read(3<TCP:[10.0.0.1:5000->10.0.0.2:80]>, "cdef", 9) = 4
100 3400 010 connect(5<TCP:[4712]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 EINPROGRESS (Now)
100 3500 010 write(5<TCP:[127.0.0.1:6000->127.0.0.1:80]>, "local", 5) = 5
100 3600 010 write(7<TCP:[10.0.0.1:7000->10.0.0.2:80]>, "old", 3) = 3
100 3700 010 +++ exited with 0 +++
END
lines > "$dir/server.log" << 'END'
200 0000 001 execve("/usr/bin/server", ["server"], 0x7ffd /* 41 vars */) = 0
200 0010 001 brk(NULL) = 0x55
200 0200 009 accept4(3<TCPv6:[[::]:80]>, {sa_family=AF_INET6}, [28], 0) = 4<TCPv6:[[::ffff:10.0.0.2]:80->[::ffff:10.0.0.1]:5000]>
200 1020 100 read(4<TCPv6:[[::ffff:10.0.0.2]:80->[::ffff:10.0.0.1]:5000]>, "abcde", 5) = 5
200 1400 100 recvfrom(4<TCPv6:[[::ffff:10.0.0.2]:80->[::ffff:10.0.0.1]:5000]>, "abcabcd", 99, 0, NULL, NULL) = 7
200 2000 010 writev(4<TCPv6:[[::ffff:10.0.0.2]:80->[::ffff:10.0.0.1]:5000]>, [{iov_base="abcdef", iov_len=6}], 1) = 6
200 3400 010 accept(6<TCP:[127.0.0.1:80]>, {sa_family=AF_INET}, [16]) = 7<TCP:[127.0.0.1:80->127.0.0.1:6000]>
200 3510 010 read(7<TCP:[127.0.0.1:80->127.0.0.1:6000]>, "other", 5) = 5
200 3610 010 read(8<TCP:[10.0.0.2:80->10.0.0.1:7000]>, "old", 3) = 3
200 3700 010 +++ exited with 0 +++
END
sed -i -E 's/(\.00[0-9]{4}) /\1000 /; s/ <0\.000([0-9]{3})>$/ <0.000\1000>/; /\+\+\+/s/ <.*//' "$dir/client.log" "$dir/server.log"
links()
{
	"$analyze" -q --index off -o text:- "$@" 2> "$dir/stderr" | sed -nE 's/^179567816500([0-9]{7}) link ("[^"]*") socket "socket" ([0-9]+) ("[^"]*") (.*)/\1 \2 \3 \4 \5/p' | sort
}
cat > "$dir/expected" << 'END'
1000000 "client/client 100/client 100" 120000 "server/server 200/server 200" from="10.0.0.1:5000" to="10.0.0.2:80"
1100000 "client/client 100/client 100" 400000 "server/server 200/server 200" from="10.0.0.1:5000" to="10.0.0.2:80" first=5
2000000 "server/server 200/server 200" 1210000 "client/client 100/client 100" from="10.0.0.2:80" to="10.0.0.1:5000"
END
links "$dir/client.log" "$dir/server.log" > "$dir/got"
agree 'messages between two logs'
# accept in two parts, near and far from each other
for ((n = 0; n <= 2000; n += 2000)); do
	awk -v n=$n '/accept4/ { head = $1 " " $2; rest = $0; sub(/^[^,]*,/, "", rest); sub(/^[0-9]+ [0-9.]+ /, ""); sub(/,.*/, ",")
		print head, $0 "  <unfinished ...>"
		for (i = 0; i < n; i++) print "201", substr(head, 5), "getppid() = 7 <0.000000001>"
		print head, "<... accept4 resumed>" rest; next } { print }' "$dir/server.log" > "$dir/parts.log"
	links "$dir/client.log" "$dir/parts.log" | sed 's/parts/server/' > "$dir/got"
	agree "messages, with an accept in two parts and $n lines between"
done
# a log that is not whole: without its first line, of selected calls, with a child that is not in it, or with descriptors that are passed
for broken in 1d 2d '2a100 1795678165.000500000 vfork() = 101 <0.000001000>' \
	'2a100 1795678165.000500000 sendmsg(9<UNIX-STREAM:[1->2]>, {msg_control=[{cmsg_type=SCM_RIGHTS, cmsg_data=[3]}]}, 0) = 1 <0.000001000>'; do
	sed "$broken" "$dir/client.log" > "$dir/other.log"
	[[ -z $(links "$dir/other.log" "$dir/server.log") ]] || { echo "strace: links of a log that is not whole: $broken" >&2; exit 1; }
done

# strace -ff: a file for each thread, without thread ids in its lines. 70 children of 1000 (more than are kept open) that open and close by
# turns, as files and as one log. The files are given all, or one of them, or their folder; a log of another name is not theirs.
mkdir "$dir/one" "$dir/many"
{
	echo '1000 1795678165.000000000 execve("/usr/bin/prog", ["prog"], 0x7ffd /* 41 vars */) = 0 <0.000000100>'
	for ((i = 1; i <= 70; i++)); do
		printf '1000 1795678165.001%06d clone(child_stack=NULL, flags=SIGCHLD) = %d <0.000000010>\n' $((i * 100)) $((1000 + i))
	done
	for ((round = 0; round < 3; round++)); do
		for ((i = 70; i >= 1; i--)); do
			printf '%d 1795678165.00%d%06d openat(AT_FDCWD</d>, "f%d", O_RDONLY) = 3</d/f%d> <0.000000010>\n' \
				$((1000 + i)) $((round + 2)) $((99000 - i * 100)) $i $i
			printf '%d 1795678165.00%d%06d close(3</d/f%d>) = 0 <0.000000010>\n' $((1000 + i)) $((round + 2)) $((99050 - i * 100)) $i
		done
	done
} > "$dir/one/log"
awk -v folder="$dir/many" '{ file = folder "/log." $1; sub(/^[0-9]+ /, ""); print > file }' "$dir/one/log"
sed 's/^/7 /' "$dir/many/log.1001" > "$dir/many/log.7" # of strace -f: it names its thread
for log in many/log.1005 many; do
	texts "$dir/one/log" > "$dir/expected"
	texts "$dir/$log" > "$dir/got"
	agree "spans of $log"
done
[[ $(wc -l < "$dir/expected") == 420 ]] || { echo "strace: $(wc -l < "$dir/expected") spans of 70 threads" >&2; exit 1; }
rm "$dir/many/log.7"
"$analyze" -q --index off -o text:- "$dir"/many/log.* > "$dir/got" 2> /dev/null
"$analyze" -q --index off -o text:- "$dir/one/log" > "$dir/expected" 2> /dev/null
agree 'lines of the files of strace -ff'

# A real program with threads, children, locks and renames; its calls are counted by awk, from the same log.
command -v strace > /dev/null && strace -o /dev/null true 2> /dev/null || exit 77
mkdir "$dir/work"
(cd "$dir/work" && strace -f -yy --absolute-timestamps=format:unix,precision:ns --syscall-times=ns -o "$dir/real.log" \
	bash -c 'cd "$PWD"; tar cf x.tar /etc/apt; (cat x.tar | head -c 100 > y) & sort /etc/services > s; wait; flock y mv y z; rm x.tar; ls /tmp > l' \
	2> /dev/null)
# calls by name that returned, and the bytes of read and write
awk '{ sub(/^[0-9]+ +[0-9.]+ /, "") }
	/<unfinished \.\.\.>$/ || /^(\+\+\+|---)/ { next }
	{ if (sub(/^<\.\.\. /, "")) { call = $0; sub(/ resumed>.*/, "", call) } else { call = $0; sub(/\(.*/, "", call) }
		result = $0; sub(/ <[0-9.]+>$/, "", result); sub(/.*\) += /, "", result); sub(/[ <].*/, "", result) }
	call ~ /^(openat|read|write|pread64|close|unlinkat|renameat2|newfstatat|statx|getdents64|flock|access|lgetxattr|getxattr)$/ {
		n[call]++; if (result >= 0) bytes[call] += result }
	END { for (call in n) print call, n[call], call ~ /read|write/ ? bytes[call] : "-" }' "$dir/real.log" | sort > "$dir/expected"
"$analyze" -q --index off -o jsonl:- "$dir/real.log" 2> /dev/null > "$dir/items"
sed -nE 's/.*"type":"io".*"op":"([a-z0-9]+)".*"result":"?(-?[A-Z0-9]+).*/\1 \2/p' "$dir/items" |
	awk '$1 ~ /^(openat|read|write|pread64|close|unlinkat|renameat2|newfstatat|statx|getdents64|flock|access|lgetxattr|getxattr)$/ {
		n[$1]++; if ($2 ~ /^[0-9]/) bytes[$1] += $2 }
	END { for (call in n) print call, n[call], call ~ /read|write/ ? bytes[call] : "-" }' | sort > "$dir/got"
agree 'kinds of calls'
# strace -ff of it, against the log that strace itself makes of the files
(mkdir "$dir/ff" && cd "$dir/work" && strace -ff -yy --absolute-timestamps=format:unix,precision:ns --syscall-times=ns -o "$dir/ff/real" \
	bash -c 'tar cf x.tar /etc/apt; (cat x.tar | head -c 100 > y) & sort /etc/services > s; wait; rm x.tar' 2> /dev/null)
if command -v strace-log-merge > /dev/null; then
	mkdir "$dir/merged"
	(cd "$dir/ff" && strace-log-merge real) > "$dir/merged/real"
	"$analyze" -q --index off -o text:- "$dir/merged/real" 2> /dev/null > "$dir/expected"
	"$analyze" -q --index off -o text:- "$dir"/ff/real.* 2> /dev/null > "$dir/got"
	agree 'lines of strace -ff and strace-log-merge'
fi
# the same log without the names of descriptors: no file is another one; strace -y names the file that a link leads to
sed -E 's/([0-9]|AT_FDCWD)<[^>]*(->[^>]*)?>+/\1/g' "$dir/real.log" > "$dir/stripped.log"
for log in real stripped; do
	"$analyze" -q --index off -o text:- "$dir/$log.log" 2> /dev/null | sed -nE 's/^([0-9]+) span "[^"]*\/[^"]* ([0-9]+)" io "[^"]*" [0-9]+ .*op="([a-z0-9_]+)".* path="(\/[^"]*)".*/\1 \2 \3 \4/p' |
		while read -r time thread call path; do echo "$time $thread $call $(realpath -m "$path")"; done | sort > "$dir/$log.files"
done
comm -13 "$dir/real.files" "$dir/stripped.files" > "$dir/wrong"
[[ ! -s $dir/wrong ]] || { echo "strace: without -y another file than with it" >&2; head "$dir/wrong" >&2; exit 1; }
n=$(wc -l < "$dir/stripped.files") all=$(wc -l < "$dir/real.files")
((n * 10 > all * 7)) || { echo "strace: only $n of $all calls have their file without -y" >&2; exit 1; }
echo "$n of $all files agree without -y"
