# SPDX-License-Identifier: GPL-2.0-or-later
# The call events of another module, from a task, a soft and a hard interrupt.
. ./vm-lib.sh
trace=/sys/kernel/tracing/instances/calls
load || fail "insmod"

# nobody records
insmod call-source.ko || fail "insmod call-source"
rmmod iotrace 2> /dev/null && fail "unloaded under a module that uses it"
rmmod call-source
dmesg | grep -c 'call-source: kind . recorded: 0' | grep -qx 4 || fail "recorded by nobody: $(dmesg | tail -n 4)"

mkdir -p $trace || fail "no instance"
echo nocontext-info > $trace/trace_options
for event in start end 'done' notify; do
	echo 1 > "$trace/events/iotrace/call_$event/enable"
done
insmod call-source.ko || fail "insmod call-source again"
dmesg | grep -c 'call-source: kind . recorded: 1' | grep -qx 4 || fail "not recorded: $(dmesg | tail -n 4)"
grep -v '^#' $trace/trace > /tmp/events
id=$(sed -n '1s/^call_start: id=\([0-9]*\) .*/\1/p' /tmp/events)
tgid=$(sed -n '1s/.* tgid=//p' /tmp/events)
[ "$tgid" -gt 1 ] && [ "$tgid" != 4711 ] || fail "tgid $tgid"
cat > /tmp/expected << EOF
call_start: id=$id domain=call-source resource=lock 1 op=start mode=5 status=0 object=7 flags=0x40 tgid=$tgid
call_end: id=$id domain=call-source resource=lock 1 op=end mode=5 status=0 object=7 flags=0x40 tgid=$tgid
call_done: id=$id domain=call-source resource=lock 1 op=done mode=5 status=-11 object=7 flags=0x40 tgid=4711
call_notify: id=$id domain= resource= op= mode=-1 status=0 object=0 flags=0x0 tgid=4711
EOF
diff /tmp/expected /tmp/events || fail "events differ"
rmmod call-source
rmdir $trace
rmmod iotrace || fail "rmmod"
