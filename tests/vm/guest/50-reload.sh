# SPDX-License-Identifier: GPL-2.0-or-later
# Loads and unloads the module 200 times while programs do only file I/O; every second time while events are enabled. The
# programs pause now and then: only then do the emulated CPUs take turns, and each waits for the other to patch code.
. ./vm-lib.sh
mkdir -p /mnt/load
sh -c 'while :; do file-calls-static /mnt/load > /dev/null; usleep 1000; done' &
first=$!
sh -c 'while :; do dd if=/root/iotrace.ko of=/tmp/load bs=100 count=100 2> /dev/null; usleep 1000; done' &
second=$!
renice -n 19 -p "$first" "$second"
events=/sys/kernel/tracing/events/iotrace
count=0
while [ "$count" -lt 200 ]; do
	if [ $((count % 4)) -lt 2 ]; then
		load || fail "insmod $count"
	else
		load comms='!nobody' pids="$first,$second" || fail "insmod $count"
	fi
	which="read_start/enable read_end/enable"
	[ $((count % 20)) = 0 ] && which=enable
	for event in $which; do
		echo 1 > "$events/$event"
	done
	[ $((count % 20)) = 10 ] &&
		echo "$count times, $(grep -c '_start: ' /sys/kernel/tracing/trace) calls seen, $(cut -d' ' -f1 /proc/uptime) s"
	for event in $which; do
		[ $((count % 2)) = 0 ] || echo 0 > "$events/$event"
	done
	rmmod iotrace || fail "rmmod $count"
	count=$((count + 1))
done
kill "$first" "$second"
wait
