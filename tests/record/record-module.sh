#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Filters of the real iotrace.ko: only calls in the cgroup, and on the mounted file system, are recorded; the settings are
# restored afterwards, after SIGKILL at the next start; a second recording with filters is refused.
# usage: record-module.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
[[ -e /sys/module/iotrace ]] || skip "iotrace.ko is not loaded"
again RECORD_MOUNTS unshare -m
real_trace_cmd
cd "$work" || exit 2
parameters=/sys/module/iotrace/parameters
group=/sys/fs/cgroup/iotrace_test_$$
mkdir $group a b || skip "no cgroup"
trap 'echo > $parameters/cgroup; echo > $parameters/mounts; umount a b; rmdir $group; rm -rf "$work"' EXIT
mount -t tmpfs none a
mount -t tmpfs none b

# before and after TEXT...: the parameters have these values, cgroup and mounts
has()
{
	[[ $(cat $parameters/cgroup) == "$2" && $(cat $parameters/mounts) == "$3" ]] || fail "$1: $(head $parameters/{cgroup,mounts})"
}

# paths FOLDER: paths below the test's folder that a recording has
paths()
{
	"$analyze" --index off -m fileio -o text:- "$1" 2> /dev/null | sed -n "s|.* io \"write\" .*path=\"$work/\([^\"]*\)\".*|\1|p" | sort | xargs
}

writes="echo x > $work/a/x; echo y > $work/b/y"
expect 'no filter' 0 complete "$record" -m fileio -o none -- sh -c "$writes"
[[ $(paths none) == 'a/x b/y' ]] || fail "without filter: $(paths none)"
expect 'mount' 0 complete "$record" -m fileio --mount "$work/a" -o mount -- sh -c "$writes; cat $parameters/mounts"
[[ $(paths mount) == a/x ]] || fail "--mount: $(paths mount)"
grep -qx "$work/a" out || fail "--mount while it recorded: $(cat out)"
has 'after --mount' '' ''

# with a filter of somebody else, which is set again
echo "$work/b" > $parameters/mounts
expect 'cgroup' 0 complete "$record" -m fileio --cgroup $group -o cgroup -- sh -c \
	"(echo 0 > $group/cgroup.procs; echo in > $work/b/in; echo in > $work/a/in); echo out > $work/b/out"
[[ $(paths cgroup) == b/in ]] || fail "--cgroup: $(paths cgroup)"
has 'after --cgroup' '' "$work/b"

refused 'no cgroup' 'iotrace.ko does not accept /none .* dmesg says why' -q -m fileio --cgroup /none -o refused
has 'after a refusal' '' "$work/b"

# two at once
"$record" -m fileio --cgroup $group -o first 2> err1 & first=$!
wait_recording err1 $first
refused 'a second one' "another iotrace-record (process $first) has set filters of iotrace.ko" -q -m fileio --mount "$work/a" -o second
has 'two at once' "/${group##*/}" "$work/b"
kill -9 $first
{ wait $first; } 2> /dev/null
expect 'the next start' 0 complete "$record" -e sched:sched_switch -o next --for 10ms
has 'after SIGKILL' '' "$work/b"
ends "filters of iotrace.ko hold for one recording and are restored"
