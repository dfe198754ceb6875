# SPDX-License-Identifier: GPL-2.0-or-later
# Unloads the module while call events are enabled, and loads it while programs wait for its device and use it.
. ./vm-lib.sh
trace=/sys/kernel/tracing/instances/calls
mkdir -p $trace || fail "no instance"
load || fail "insmod"
calls-storm-static users > "$OUT/users" 2>&1 &
user=$!
i=0
while [ $i -lt 10 ]; do
	for event in start end 'done' notify; do
		echo 1 > "$trace/events/iotrace/call_$event/enable"
	done
	until rmmod iotrace 2> /dev/null; do
		kill -0 $user || fail "calls-storm users: $(cat "$OUT/users")"
	done
	load || fail "insmod $i"
	i=$((i + 1))
done
# It must have been at work all the time.
kill -0 $user || fail "calls-storm users: $(cat "$OUT/users")"
kill $user
wait $user
rmdir $trace || fail "the instance stays"
rmmod iotrace || fail "rmmod"
echo "loaded $i times next to a user of the device"
