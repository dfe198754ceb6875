# SPDX-License-Identifier: GPL-2.0-or-later
# /dev/iotrace under abuse: an errno and never an oops; events are whole, and exactly those that were taken.
. ./vm-lib.sh
trace=/sys/kernel/tracing/instances/calls

events()
{
	for event in start end 'done' notify; do
		echo "$1" > "$trace/events/iotrace/call_$event/enable" || fail "call_$event cannot be switched to $1"
	done
}

# begin: an empty trace of the call events
begin()
{
	mkdir -p "$trace" || fail "no instance"
	echo 8000 > $trace/buffer_size_kb
	echo nocontext-info > $trace/trace_options
	events 1
}

finish()
{
	events 0
	rmdir "$trace" || fail "the instance stays"
}

# The number of events, whether or not the buffer still has them.
count()
{
	cat $trace/per_cpu/cpu*/stats | awk '/^(entries|overrun|dropped events):/ { n += $NF } END { print n }'
}

# lines: the trace
lines()
{
	grep -v '^#' $trace/trace
}

# whole NAME: every event of calls-storm is intact, with its id in all texts, and occurs once
whole()
{
	lines | awk '
	BEGIN { split("start end done notify", kinds) }
	{
		id = $2
		sub(/^id=/, "", id)
		line = sprintf("call_%s: id=%s domain=d%s resource=%" (id % 300 + 1) "s op=o%s mode=0 status=0 object=%s flags=0x0 tgid=",
			kinds[id % 4 + 1], id, id, id, id, id)
		if (index($0, line) != 1 || seen[id]++) {
			print "torn or twice: " $0
			bad = 1
		}
	}
	END { exit bad || NR == 0 }' || fail "$1: see above"
}

# storm NAME ARGUMENT...: expects as many events as calls-storm counted; keeps the trace
storm()
{
	local name=$1 expected got
	shift
	begin
	expected=$(calls-storm-static "$@") || fail "calls-storm $*"
	got=$(count)
	[ "$got" = "$expected" ] || fail "$name: $got events of $expected that were taken"
	echo "$name: $got events"
}

busy()
{
	rmmod iotrace 2> /dev/null && fail "unloaded while $*"
	[ -c /dev/iotrace ] || fail "the device went while $*"
}

# Up to kernel 6.6, resizing an instance keeps the main buffer from ever growing to its default size (7 KiB until then).
echo 1408 > /sys/kernel/tracing/buffer_size_kb
load || fail "insmod"

# one by one
begin
calls-abuse-static > "$OUT/expected" || fail "calls-abuse"
lines > "$OUT/trace"
finish
cmp "$OUT/expected" "$OUT/trace" || { diff "$OUT/expected" "$OUT/trace" | head -n 20; fail "events differ"; }
echo "abuse: $(grep -c '^call_' "$OUT/trace") events"

# many at once
storm flood flood 2 300 16
whole flood
finish
storm signal signal 10000
whole signal
finish
for case in "single flood 2 5000 1" "batches flood 2 3600 34" "flip flip 5000" "close close 5000"; do
	# shellcheck disable=SC2086 # words
	storm $case
	finish
done
begin
calls-storm-static kill > /dev/null || fail "calls-storm kill"
whole kill
finish

# while it is used the module stays
(exec 3<> /dev/iotrace; busy "it is open")
rmmod iotrace || fail "rmmod after close"
