#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The check before a recording, and filters, which need the formats that the check finds. trace-cmd is a stand-in
# (fake-trace-cmd.sh), whose trial recordings are those of examples/dlm.
# usage: record-check.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
cd "$work" || exit 2
mkdir bin
listener=$(command -v trace-cmd)
ln -s "$source/tests/record/fake-trace-cmd.sh" bin/trace-cmd
PATH=$work/bin:$PATH
export FAKE_ARGS=$work/args FAKE_MODE=good FAKE_PROTOCOL=kvm FAKE_DATA=$source/examples/dlm

# the figures by hand, from examples/dlm and README
expect 'good' 0 '^5: agent records; host node1, kernel 6.1.0-56-amd64, 1 processors, clock tsc2nsec, synchronised by kvm, 2 samples' \
	"$record" --check -m dlm -A 5 -A 4
grep -q '^4: agent records; host node2, ' out || fail "good: $(cat out)"
# these recordings are from before dlm.model had printk:console, which is no module
(($(grep -c '^  dlm *8 of 9 events$' out) == 2)) || fail "good: $(cat out)"
! grep -q 'printk' out err || fail "good: advice about printk: $(cat out err)"
grep -q 'top trace buffer .* lost' err || fail "good: nothing is said about the top buffer: $(cat err)"
expect 'this machine' 0 '^this machine: host ' "$record" --check -e sched:sched_switch
grep -q ' free in ' out && grep -q 'a trial recording has events' out || fail "this machine: $(cat out)"
expect 'samples are no events' 0 '^  metrics *0 of 11 events: --metrics samples them$' "$record" --check -m metrics -e sched:sched_switch
FAKE_MODE=refused expect 'this machine does not record' 2 'this machine: trace-cmd does not record here; it said: Failed to connect' \
	"$record" --check -e sched:sched_switch
FAKE_MODE=never expect 'this machine never records' 2 'this machine: a trial recording did not begin in time' \
	"$record" --check -e sched:sched_switch --limit 300ms
mkdir none && printf 'iotrace-text 1\n' > none/trace.dat
FAKE_DATA=$work/none expect 'no event of this machine' 2 'this machine: a trial recording has no event' "$record" --check -e sched:sched_switch
[[ $(ls $tracefs/instances) != *iotrace_* ]] || fail "instances are left: $(ls $tracefs/instances)"

expect 'a missing module' 0 'warning: 5: events of fileio are missing: modprobe -a iotrace (there)' "$record" --check -m fileio -A 5
expect 'a missing event' 0 'warning: 5: its kernel does not have dlm:dlm_none, which -e needs' "$record" --check -m dlm -e dlm:dlm_none -A 5
FAKE_PROTOCOL=ptp expect 'a busy guest' 0 'warning: 5: its clock is measured by messages (ptp).*start the load later' "$record" --check -m dlm -A 5
mkdir host
cp "$FAKE_DATA/trace.dat" host/ && cp host/trace.dat host/trace-5.dat && cp host/trace.dat host/trace-4.dat
FAKE_DATA=$work/host expect 'no samples' 0 'warning: 5: its clock was not measured' "$record" --check -m sched -A 5
FAKE_DATA=$work/host expect 'one name' 0 'warning: 5 and 4 both call themselves host: .*--map' "$record" --check -m sched -A 5 -A 4

# filters of the module are set on each machine
refused 'a cgroup of a guest' "an agent cannot set.*run on 5: echo '/a b' > /sys/module/iotrace/parameters/cgroup" -m dlm -A 5 --cgroup '/a b'
# 1 processor for each guest of examples/dlm
FAKE_MODE=good expect 'buffers' 0 complete "$record" -q -m dlm -A 5 -A 4 -o sized -- true
paste -sd ' ' args > line
[[ $(grep -o -e '--nosplice -b [0-9]*' line | sort -u) == '--nosplice -b 16384' ]] || fail "buffers: $(cat line)"
rm -r sized

# errors stop before anything is recorded
for mode in refused busy rubbish never; do
	FAKE_MODE=$mode expect "$mode" 2 '77777: no guest with this CID answers' "$record" -m dlm -A 77777 -o rec --limit 300ms
	[[ ! -e rec ]] || fail "$mode: a folder was left"
done
FAKE_DATA=$work/host expect 'no events' 2 '5 has none of the wanted events' "$record" -m dlm -A 5 -o rec
[[ ! -e rec ]] || fail 'no events: a folder was left'
# a listener that is no agent of this version: trace-cmd's own listener stands for it
if [[ -n $listener ]] && unshare -n true 2> /dev/null && command -v ip > /dev/null; then
	cat > versions.sh <<- 'END'
		ip link set lo up
		"$1" listen -p 18233 > listener.log 2>&1 &
		listener=$!
		until ss -ltn | grep -q ':18233 '; do kill -0 $listener || exit 77; done
		shift
		"$@"
		status=$?
		kill $listener
		exit $status
	END
	FAKE_MODE=refused expect 'another version' 2 '127.0.0.1:18233: its agent listens, but did not record: .*same version' \
		bash versions.sh "$listener" "$record" -m dlm -A 127.0.0.1:18233 -o rec
	FAKE_MODE=never expect 'slow TCP' 2 '127.0.0.1:18233: recording did not begin in time: .*quickack 1' \
		bash versions.sh "$listener" "$record" -m dlm -A 127.0.0.1:18233 -o rec --limit 300ms
	FAKE_VERSION=3.3 FAKE_MODE=never expect 'slow TCP, no delay' 2 '127.0.0.1:18233: recording did not begin in time: .*--limit$' \
		bash versions.sh "$listener" "$record" -m dlm -A 127.0.0.1:18233 -o rec --limit 300ms
	FAKE_MODE=never expect 'no agent' 2 '127.0.0.1:18234: no agent runs there: start "trace-cmd agent' \
		bash versions.sh "$listener" "$record" -m dlm -A 127.0.0.1:18234 -o rec --limit 300ms
	[[ ! -e rec ]] || fail 'a folder was left'
fi

# filters: of each event by the fields that it has. 0x77222027 is the number of the lockspace test in examples/dlm
expect 'filters' 0 complete "$record" -m dlm -A 5 -A 4 --pid 5:77 --lockspace test -o rec --for 10ms
paste -sd ' ' args > line
id=$((0x77222027))
for event in dlm_ast dlm_bast dlm_lock_end dlm_lock_start dlm_unlock_end dlm_unlock_start; do
	grep -qF -e "-e dlm:$event -f (common_pid==77)&&(ls_id==$id) " line || fail "filter of $event on 5: $(cat line)"
	grep -qE -e "-A 4@4:823 .*-e dlm:$event -f \(ls_id==$id\)( |$)" line || fail "filter of $event on 4: $(cat line)"
done
grep -qF -e "-e dlm:dlm_recv_message -f (common_pid==77)&&(h_lockspace==$id) " line || fail "filter of messages: $(cat line)"
rm -r rec
expect 'an event without the field' 0 'warning: 5: recorded without filter.*: dlm:dlm_send' "$record" --check -m dlm -e dlm:dlm_send --lockspace test -A 5
ends 'the check names missing things'
