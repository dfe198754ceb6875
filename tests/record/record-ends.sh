#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How a real recording of this machine ends by itself: --size, space that runs short, a full disk, losses; and --view.
# usage: record-ends.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
again RECORD_MOUNTS unshare -m # the disks of the test
real_trace_cmd
cd "$work" || exit 2

# a storm of events, by hundreds of thousands in a second
dd if=/dev/zero of=/dev/null bs=1 2> /dev/null & storm=$!
trap 'kill $storm 2> /dev/null; umount -q "$work/disk"; cd /; rm -rf "$work"' EXIT
record_storm=("$record" --no-check -q -e raw_syscalls:sys_enter --pid $storm)

# ended_by WHAT PATTERN OPTION...: it ends by itself, for this reason, and the file is good; a loss (4) is no matter here
ended_by()
{
	local what=$1 pattern=$2 status
	shift 2
	"${record_storm[@]}" "$@" 2> err
	status=$?
	((status == 0 || status == 4)) || fail "$what: status $status: $(cat err)"
	grep -q -e "$pattern" err || fail "$what: no \"$pattern\" in: $(cat err)"
}

ended_by '--size' 'the size of --size was reached' --size 2M -o one
# an event takes 68 bytes, with its part of the head of a page 69; the file itself is compressed
(($(member one events) >= (2 << 20) / 69)) || fail "--size: $(member one events) events"
member one verdict | grep -q 'size of --size' || fail "--size: $(cat one/recording.json)"

expect 'losses' 4 'this machine: .* events were lost; record again.*: -b 64' "${record_storm[@]}" -b 16 --for 300ms -o two
[[ $(trace-cmd report two/trace.dat 2> /dev/null | grep -c ' sys_enter: ') == "$(member two events)" ]] ||
	fail "losses: $(member two events) events instead of $(trace-cmd report two/trace.dat 2> /dev/null | grep -c ' sys_enter: ')"

mkdir disk
mount -t tmpfs -o size=40M none disk || skip 'no mounts'
ended_by 'space that runs short' 'only .* are free in disk/three, which joining the files needs' -o disk/three
trace-cmd report disk/three/trace.dat 2> report.err | grep -q sys_enter ||
	fail "space that runs short: $(member disk/three events) events: $(ls -l disk/three) $(cat report.err)"
umount disk

# not even room for the formats: the raw files stay, and the command that is printed joins them later
mount -t tmpfs -o size=512K none disk
expect 'a full disk' 1 'its raw files are not joined; when there is room: trace-cmd restore ' "${record_storm[@]}" -o disk/four --for 20ms
[[ -n $(ls disk/four/*.cpu*) ]] || fail "a full disk: $(ls disk/four)"
mount -o remount,size=100M disk
eval "$(grep -o 'trace-cmd restore [^;]*' err | head -n 1)" > restore.log 2>&1 || fail "restore: $(cat restore.log)"
trace-cmd report disk/four/restored-trace.dat 2> /dev/null | grep -q sys_enter || fail "restored: $(ls -l disk/four)"
umount disk

# --view makes the page with the models of the recording; without a display its path is printed
expect '--view' 0 complete env -u DISPLAY -u WAYLAND_DISPLAY "$record" --no-check -m sched --view -o five -- sh -c 'exec sleep 0.1'
[[ -s $(cat out) ]] && grep -q '</html>' "$(cat out)" || fail "--view printed $(cat out): $(cat err)"
[[ ! -s $(cat out) ]] || rm -rf "$(dirname "$(cat out)")"
ends 'recordings end with a reason'
