#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Events that iotrace-record makes itself ([probe] in models): refusals; and, on a kernel with event probes, file I/O without
# iotrace.ko, compared with strace, and with iotrace.ko where it is loaded; nothing is left, also after SIGKILL.
# usage: record-probe.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
real_trace_cmd
cd "$work" || exit 2

# model NAME LINE...: a model with one probe and a call that it ends
model()
{
	local name=$1
	shift
	printf '%s\n' '[model]' "name = $name" 'system = probe' '[probe opened]' "$@" '[container thread]' 'in = root' 'id = {@pid}' \
		'name = {@pid}' '[pair open]' 'start = syscalls:sys_enter_openat' 'end = opened' 'key = @pid' > "$name.model"
}

model other 'event = syscalls:sys_enter_openat' 'field flags = flags u64'
model nothing 'event = syscalls:sys_exit_nothing' 'field ret = ret s64'
model field 'event = syscalls:sys_exit_openat' 'field ret = colour s64'
refused 'an agent' '\[probe opened\] is made on the recorded machine, which an agent cannot do' -q -m syscalls -A 127.0.0.1:18299 -o agent
refused 'two probes' '-m ./other.model: an earlier model has another \[probe opened\]' -q -m syscalls,./other.model -o two
if ! grep -q '<attached-group>' $tracefs/README || [[ ! -e $tracefs/synthetic_events ]]; then
	refused 'no probes' 'this kernel has no [a-z]* \(probes\|events\) .* load iotrace.ko' -q -m syscalls -o none
	ends "a kernel without event probes is refused in one sentence"
fi
settings > before
# same WHAT
same()
{
	settings > after
	diff before after > difference || fail "$1: $(head -n 5 difference)"
}

refused 'no event' 'this kernel has no event syscalls:sys_exit_nothing, which \[probe opened\] needs' -q -m ./nothing.model -o event
refused 'no field' 'syscalls:sys_exit_openat has no field colour' -q -m ./field.model -o field
expect 'a name that exists' 2 'the kernel already has an event iotrace_[0-9]*/opened: as root: echo -:iotrace_' bash -c \
	'echo "p:iotrace_$$/opened do_sys_openat2" >> '$tracefs'/dynamic_events; exec "$@"' sh "$record" -q -m syscalls -o name
same 'refusals'

# the check makes the probes, too
expect 'check' 0 'syscalls .* all .* events' "$record" -m syscalls --check
same 'check'

# a program, seen by strace, and by iotrace.ko
awks=$source/tests/readers
[[ ! -e /sys/module/iotrace ]] || models=,fileio
head -c 1000 /dev/zero > from
expect 'a program' 0 complete "$record" -m "syscalls$models" -b 4096 -o one -- strace -s 0 -o calls \
	-e trace=openat,close,dup2,read,pread64,write,pwrite64,fsync,fdatasync dd if="$work/from" of="$work/to" bs=300 conv=fsync
same 'a recording'
"$analyze" --index off -m syscalls -o text:one.txt one || fail "iotrace-analyze: status $?"
awk -f "$awks/probe-calls.awk" one.txt > got
awk -f "$awks/strace-calls.awk" calls > wanted
(($(wc -l < wanted) > 15)) || fail "strace saw only $(wc -l < wanted) calls"
diff wanted got > difference || fail "not what strace saw: $(head -n 20 difference)"

# the same states from iotrace.ko: it sees files only, and gives the path of the kernel
if [[ -n $models ]]; then
	"$analyze" --index off -m fileio -o text:two.txt one || fail "iotrace-analyze: status $?"
	awk -f "$awks/probe-calls.awk" two.txt | grep " $work/" > module
	grep " $work/" got > syscalls
	(($(wc -l < module) > 8)) || fail "iotrace.ko saw only $(wc -l < module) calls on files of the test"
	diff module syscalls > difference || fail "not the states of iotrace.ko: $(head -n 20 difference)"
fi

# SIGKILL while probes are made, used and removed
mkfifo never
exec 5<> never
for ((i = 0; i < ${RECORD_KILLS:-6}; i++)); do
	"$record" -m syscalls -o "killed$i" 2> err & recorder=$!
	read -r -t "$((RANDOM % 4)).$((RANDOM % 10))" <&5
	((i % 2)) || pkill -9 -P $recorder -x trace-cmd
	kill -9 $recorder
	wait $recorder
done 2> /dev/null
expect 'the start after all kills' 0 complete "$record" -e sched:sched_switch -o last --for 10ms
same 'after SIGKILL'
ends "$(wc -l < wanted) calls are those of strace${models:+ and of iotrace.ko}; nothing is left"
