#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How a real recording of this machine ends by itself: --size, space that runs short, a full disk, losses; and --view.
# usage: record-ends.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
own_mounts
real_trace_cmd
kernel_pids
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

# trace-cmd report 3.1 prints nothing of some recordings of an instance that lost events; of most it does
for ((try = 0; try < 50; try++)); do
	rm -rf two
	expect 'losses' 4 'this machine: .* events were lost; record again.*: -b 64' "${record_storm[@]}" -b 16 --for 300ms -o two
	reported=$(trace-cmd report two/trace.dat 2> /dev/null | grep -c ' sys_enter: ')
	((reported == 0)) || break
done
((reported > 0)) && [[ $(member two events) == "$reported" ]] || fail "losses: $(member two events) events instead of $reported"

mkdir disk
mount -t tmpfs -o size=40M none disk || skip 'no mounts'
# storm_until KIB FOLDER: the storm stands still when so much was recorded, so that a busy machine does not fill the disk
storm_until()
{
	until [[ -e $2 ]] && (($(du -sk "$2" | cut -f 1) > $1)); do kill -0 $recorder || break; done
	kill -STOP $storm
}
"${record_storm[@]}" -o disk/three 2> err & recorder=$!
storm_until 12000 disk/three
wait $recorder
status=$?
kill -CONT $storm
((status == 4)) && grep -q 'only .* are free in disk/three, which joining the files needs' err ||
	fail "space that runs short: status $status: $(cat err)"
[[ $(member disk/three status) == 4 ]] || fail "space that runs short: $(cat disk/three/recording.json)"
(($(member disk/three events) > 10000)) ||
	fail "space that runs short: $(member disk/three events) events: $(ls -l disk/three)"
umount disk

# the same without losses: an early end alone is status 4. The disk becomes full when some events are recorded.
mount -t tmpfs -o size=40M none disk
kill -STOP $storm
"$record" --no-check -q -b 64 -e sched:sched_process_fork -o disk/quiet 2> err & recorder=$!
until compgen -G 'disk/quiet/*.cpu*' > /dev/null; do kill -0 $recorder || break; done
for ((i = 0; i < 100; i++)); do /bin/true; done
head -c $(($(df -k --output=avail disk | tail -n 1) * 1024 - (12 << 20))) /dev/zero > disk/other
wait $recorder
status=$?
kill -CONT $storm
((status == 4)) && grep -q 'only .* are free in disk/quiet' err || fail "ended early: status $status: $(cat err)"
grep -q 'lost' err && fail "ended early: events were lost: $(cat err)"
(($(member disk/quiet events) > 0)) || fail "ended early: $(cat disk/quiet/recording.json)"
umount disk

# not even room for the formats: the raw files stay, and the command that is printed joins them later
mount -t tmpfs -o size=512K none disk
expect 'a full disk' 1 'its raw files are not joined; when there is room: trace-cmd restore ' "${record_storm[@]}" -o disk/four --for 20ms
[[ -n $(ls disk/four/*.cpu*) ]] || fail "a full disk: $(ls disk/four)"
mount -o remount,size=100M disk
eval "$(grep -o 'trace-cmd restore [^;]*' err | head -n 1)" > restore.log 2>&1 || fail "restore: $(cat restore.log)"
trace-cmd report disk/four/restored-trace.dat 2> /dev/null | grep -q sys_enter || fail "restored: $(ls -l disk/four)"
umount disk

# room for the formats, and for a part of the data or all of them: trace-cmd 3.1 ignores the failed writes, and
# removes the raw files. All events are in one file in the end. iotrace-record stands still while the disk becomes full, as
# on a busy machine.
raw_kb=20000
for ((left_kb = 1000; left_kb <= 4200; left_kb += 400)); do
	mount -t tmpfs -o size=40M none disk
	"${record_storm[@]}" -b 1408 -o disk/five 2> err & recorder=$!
	until [[ -n $(find disk -name '*.cpu*' -size +1k) ]]; do kill -0 $recorder || break; done
	kill -STOP $recorder
	storm_until $raw_kb disk/five
	head -c $((($(df -k --output=avail disk | tail -n 1) - left_kb) * 1024)) /dev/zero > disk/other
	kill -CONT $recorder
	wait $recorder
	status=$?
	kill -CONT $storm
	rm disk/other
	if ((status == 1)); then
		events=$(($(cat disk/five/*.cpu* | wc -c) / 69))
		mount -o remount,size=100M disk
		eval "$(grep -o 'trace-cmd restore [^;]*' err | head -n 1)" > restore.log 2>&1 || fail "$left_kb KiB free: restore: $(cat restore.log err)"
		trace-cmd report disk/five/restored-trace.dat 2> /dev/null | grep -q sys_enter || fail "$left_kb KiB free: restored: $(ls -l disk/five)"
	else
		events=$(member disk/five events)
	fi
	((events >= raw_kb * 1024 / 69)) || fail "$left_kb KiB free: $events events, status $status: $(cat err)"
	[[ -z $(ls disk/five/kept-* 2> /dev/null) ]] || fail "$left_kb KiB free: left: $(ls disk/five)"
	umount disk
done

# --view makes the page with the models of the recording; without a display its path is printed
expect '--view' 0 complete env -u DISPLAY -u WAYLAND_DISPLAY "$record" --no-check -m sched --view -o six -- sh -c 'exec sleep 0.1'
[[ -s $(cat out) ]] && grep -q '</html>' "$(cat out)" || fail "--view printed $(cat out): $(cat err)"
[[ ! -s $(cat out) ]] || rm -rf "$(dirname "$(cat out)")"
ends 'recordings end with a reason'
