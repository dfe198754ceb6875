# SPDX-License-Identifier: GPL-2.0-or-later
# What the scripts in tests/vm/guest have in common; sourced by them in the guest, which has a busybox shell.
# shellcheck shell=busybox

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
	# It listens when it waits in accept(); what it says comes through a buffer.
	until grep -q accept "/proc/$agent/wchan"; do
		kill -0 "$agent" || fail "the agent ended: $(cat "/tmp/agent-$name")"
		usleep 10000
	done
	# With --debug it does not give up on an answer after 5 s, which an emulated guest may need.
	# shellcheck disable=SC2086 # several events
	trace-cmd record --debug -o "/tmp/$name-host.dat" --tsync-interval -1 -A 1 ${EVENTS:--e iotrace} "$@" > "/tmp/record-$name" 2>&1
	status=$?
	kill "$agent" 2> /dev/null
	wait "$agent" 2> /dev/null
	mv "/tmp/$name-host-1.dat" "$OUT/$name.dat" || { cat "/tmp/agent-$name" "/tmp/record-$name"; fail "nothing recorded"; }
	return $status
}
