# SPDX-License-Identifier: GPL-2.0-or-later
# One-byte reads and writes, watched in all ways, in several rounds; prints "WAY NS" for each.
. ./vm-lib.sh
events=/sys/kernel/tracing/events/iotrace
rounds=5

# run WAY TIMES COMMAND...
run()
{
	local way=$1 times=$2
	shift 2
	echo "$way $("$@" byte-io /dev/shm/bytes "$times" 2> /dev/null)" >> "$OUT/times"
}

loaded()
{
	load "$@" || fail insmod
	echo 1 > "$events/enable"
	echo > /sys/kernel/tracing/trace
}

echo 16384 > /sys/kernel/tracing/buffer_size_kb
for round in $(seq $rounds); do
	run plain 20000
	load || fail insmod
	run idle 20000
	rmmod iotrace
	loaded comms=nobody
	run filtered 20000
	rmmod iotrace
	loaded
	run recorded 20000
	rmmod iotrace
	run strace-other 5000 strace -f --seccomp-bpf -e trace=openat -o /dev/null
	run strace-seccomp 500 strace -f --seccomp-bpf -e trace=read,write -o /dev/null
	run strace 500 strace -f -e trace=read,write -o /dev/null
done
