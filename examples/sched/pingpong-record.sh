#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the recordings in this folder again: the ping-pong alone, and with an intruder on pong's CPU. Needs root, a C
# compiler, trace-cmd and two CPUs.
set -e
cd "$(dirname "$0")"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
cc -O1 -Wall -o "$program" pingpong.c

# only the threads of the program, so that the files stay small
names='background intruder ping pong pingpong'
about() { # FIELD...: a filter for events with one of the names in one of the fields
	for field; do for name in $names; do printf '%s%s == "%s"' "$or" "$field" "$name"; or=' || '; done; done
}
record() { # FILE ARGUMENT...
	file=$1
	shift
	trace-cmd record -q -o "$file" -B pingpong \
		-e sched:sched_switch -f "$(about prev_comm next_comm)" \
		-e sched:sched_waking -f "$(about comm)" -e sched:sched_wakeup -f "$(about comm)" \
		-e sched:sched_wakeup_new -f "$(about comm)" -e sched:sched_process_exit -f "$(about comm)" \
		-e sched:sched_process_fork -f "$(about parent_comm)" "$program" "$@"
}
record alone.dat 300
record disturbed.dat 300 intruder
