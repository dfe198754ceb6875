# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the scripts in tests/vm/guest, which source it in the guest; the shell is busybox's.
# shellcheck shell=sh disable=SC3043 # busybox knows local

# fail TEXT: ends the test
fail()
{
	echo "FAILED: $*"
	exit 1
}

# load [PARAMETER=VALUE...]: the module
load()
{
	insmod /root/iotrace.ko "$@"
}

# record NAME COMMAND [ARGUMENT...]: through the agent and VSOCK; leaves $OUT/NAME.dat. EVENTS: default all of iotrace
record()
{
	local name=$1 agent status
	shift
	trace-cmd agent --debug > "/tmp/agent-$name" 2>&1 &
	agent=$!
	# The agent listens when it waits in accept(); its messages are buffered.
	until grep -q accept "/proc/$agent/wchan"; do
		kill -0 "$agent" || fail "the agent ended: $(cat "/tmp/agent-$name")"
		usleep 10000
	done
	# With --debug it waits longer than 5 s for an answer, as an emulated guest requires.
	# shellcheck disable=SC2086 # several events
	trace-cmd record --debug -o "/tmp/$name-host.dat" --tsync-interval -1 -A 1 ${EVENTS:--e iotrace} "$@" > "/tmp/record-$name" 2>&1
	status=$?
	kill "$agent" 2> /dev/null
	wait "$agent" 2> /dev/null
	mv "/tmp/$name-host-1.dat" "$OUT/$name.dat" || { cat "/tmp/agent-$name" "/tmp/record-$name"; fail "nothing recorded"; }
	return $status
}

# watch COMMAND [ARGUMENT...]: leaves all events during the command in /tmp/trace; quicker than record.
# WATCH: names of the events, as a pattern; default: all
watch()
{
	local tracing=/sys/kernel/tracing/instances/watch event
	mkdir -p "$tracing"
	for event in $tracing/events/iotrace/${WATCH:-*}/enable; do
		echo 1 > "$event"
	done
	"$@"
	echo 0 > "$tracing/events/iotrace/enable"
	cat "$tracing/trace" > /tmp/trace
	rmdir "$tracing"
}

# seen PATTERN, unseen PATTERN: does an event of the last watch match?
seen()
{
	grep -q -e "$1" /tmp/trace || { grep -v '^#' /tmp/trace | tail -n 50; fail "not seen: $1"; }
}

unseen()
{
	! grep -e "$1" /tmp/trace || fail "seen: $1"
}

# refused TEXT COMMAND...: the command fails and adds the text to the kernel's log
refused()
{
	local text=$1 lines
	shift
	lines=$(dmesg | wc -l)
	"$@" 2> /dev/null && fail "not refused: $*"
	dmesg | tail -n "+$((lines + 1))" | grep -F "iotrace: $text" || fail "no reason given for: $*"
}

# set_to NAME VALUE: a setting of the loaded module, by its parameter
set_to()
{
	echo "$2" > "/sys/module/iotrace/parameters/$1"
}

# stat_of NAME: a counter of the module
stat_of()
{
	awk -v name="$1" '$1 == name { print $2 }' /sys/kernel/debug/iotrace/stats
}
