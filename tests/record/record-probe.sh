#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Events that iotrace-record makes itself ([probe] in models): refusals; and, on a kernel with event probes, file I/O without
# iotrace.ko of a command and its descendants, compared with strace, and with iotrace.ko where it is loaded; nothing is left,
# also after SIGKILL.
# usage: record-probe.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
can_trace
real_trace_cmd
kernel_pids
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
model both 'event = syscalls:sys_exit_openat' 'after = syscalls:sys_enter_openat' 'field flags = after.flags u64'
model field 'event = syscalls:sys_exit_openat' 'field ret = colour s64'
refused 'an agent' '\[probe created\] is made on the recorded machine, which an agent cannot do' -q -m syscalls -A 127.0.0.1:18299 -o agent
refused 'two probes' '-m ./other.model: an earlier model has another \[probe opened\]' -q -m syscalls,./other.model -o two
# a recording of trace-cmd alone: an open ends by sys_exit_openat, and iotrace-analyze finds the model
head -c 1000 /dev/zero > from
trace-cmd record -o plain.dat -e syscalls:sys_enter_openat -e syscalls:sys_exit_openat cat from > log 2>&1 || fail "trace-cmd: $(tail -n 1 log)"
n=$(trace-cmd report plain.dat 2> /dev/null | grep -c '^ *cat-.*sys_exit_openat')
((n)) || skip 'this kernel records no events of system calls'
"$analyze" --index off -o text:plain.txt plain.dat 2> err || fail "plain: $(cat err)"
got=$(grep -E '/cat [0-9]+" io "open( failed)?" ' plain.txt | grep -vc unfinished)
((n == got)) || fail "a recording of trace-cmd: $got opens of cat instead of $n"

# what --dry-run prints can run as it is printed: it has no event that is not there yet
"$record" -m syscalls --dry-run > dry 2> err || fail "--dry-run: $(cat err)"
grep -q 'note: this command records all processes, and no paths' err || fail "--dry-run says nothing: $(cat err)"
grep -q -e '-e syscalls:sys_exit_openat' dry && ! grep -q 'iotrace_[0-9]*:' dry || fail "--dry-run: $(cat dry)"
refused 'a dry run of a model' '\[probe opened\] is an event that iotrace-record makes: no command of trace-cmd' -q -m ./other.model --dry-run
if ! grep -q '<attached-group>' $tracefs/README || [[ ! -e $tracefs/synthetic_events ]]; then
	refused 'no probes' 'this kernel has no [a-z]* \(probes\|events\) .* load iotrace.ko' -q -m ./both.model -o none
	expect 'no paths' 0 'note: this kernel has no [a-z]* \(probes\|events\) .*: calls are recorded without paths' \
		"$record" -m syscalls -o none -- cat /dev/null
	"$analyze" --index off -m syscalls -o text:none.txt none || fail "iotrace-analyze: status $?"
	grep -q 'cat [0-9]*" io "open" [0-9]* op="openat" fd=-100' none.txt || fail "no open of cat: $(head -n 5 none.txt)"
	! grep -q 'path=' none.txt || fail "a path: $(grep -m 1 'path=' none.txt)"
	ends "a kernel without event probes records calls without paths, and says so"
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

# compare NAME COMMAND...: descriptors that are shared, copied, kept and closed have the paths that strace shows; the command and
# its descendants are recorded, nobody else
compare()
{
	local name=$1
	shift
	mkdir -p "files-$name"
	expect "$name" 0 complete "$record" -m syscalls -b 4096 -o "$name" -- "$@" "$work/files-$name"
	same "$name"
	strace -f -y -s 4 -o "$name.strace" "$@" "$work/files-$name" 2> err || fail "$name: strace: $(cat err)"
	"$analyze" --index off -m syscalls -o "text:$name.txt" "$name" || fail "iotrace-analyze: status $?"
	awk -v folder="$work/files-$name" -f "$awks/strace-files.awk" "$name.strace" | sort > wanted
	sed -n 's/.* io ".* op="\([a-z0-9_]*\)" path="\([^"]*\)".*/\1 \2/p' "$name.txt" | grep -F "$work/files-$name/" |
		grep -v '^newf*stat' | sort > got
	(($(wc -l < wanted) > 15)) || fail "$name: strace saw only $(wc -l < wanted) calls"
	diff wanted got > difference || fail "$name: not what strace saw: $(head -n 20 difference)"
	! grep -E '/(iotrace-record|trace-cmd|iotrace-analyze) [0-9]' "$name.txt" || fail "$name: calls of the recorder"
}

if command -v gcc > /dev/null && gcc -pthread -O1 -o thread-files "$source/tests/record/thread-files.c"; then
	compare threads "$work/thread-files"
	# the kernel has counted the calls of which no event was recorded
	grep -A 1 '"name" : "lseek"' threads/recording.json | grep -q '"count" : 37$' ||
		fail "not 37 lseek: $(grep -A 1 lseek threads/recording.json)"
	! grep -qE '"name" : "(read|openat|write|pwritev)"' threads/recording.json || fail 'calls that were recorded are counted as others'
	"$analyze" --index off -m syscalls -o report,tables:- threads > report || fail "iotrace-analyze: status $?"
	grep -q '^No event was lost; .* calls of other kinds .*lseek 37' report || fail "not in the report: $(head -n 3 report)"
fi
# shellcheck disable=SC2016 # for the other shell
compare shell sh -c 'exec 3> "$0/one" 4< "$0/one"; (echo a >&3); sh -c "echo b >&3; read -r word <&4"; exec 3>&-
	echo c > "$0/two"; cat "$0/two" "$0/one" > "$0/three"; for i in 1 2 3 4; do echo $i; done >> "$0/four"; rm "$0/two"'

# a program that was there before: with --all only. It answers the command, so both call while it records
mkfifo ask
exec 7<> ask
while read -r _ <&7; do echo > "$work/done"; done &
other=$!
trap 'kill $other; rm -rf "$work"' EXIT
# shellcheck disable=SC2016 # for the other shell
for all in '' --all; do
	expect "a command beside others $all" 0 complete "$record" -m syscalls -b 4096 $all -o "beside$all" -- \
		sh -c 'rm -f "$0"; echo > "$1"; until [ -e "$0" ]; do :; done' "$work/done" "$work/ask"
	"$analyze" --index off -m syscalls -o text:beside.txt "beside$all" || fail "iotrace-analyze: status $?"
	grep -q '/rm [0-9]*/' beside.txt || fail "$all: no rm"
	! grep -E '/(iotrace-record|trace-cmd) [0-9]' beside.txt || fail "$all: calls of the recorder"
	n=$(grep -c " $other\" io .* path=\"$work/done\"" beside.txt)
	if [[ $all ]]; then ((n)); else ((!n)); fi || fail "$all: $n calls of the other program"
done
kill $other
wait $other 2> /dev/null
trap 'rm -rf "$work"' EXIT
same 'a command beside others'

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
ends "the calls are those of strace${models:+ and of iotrace.ko}; nothing is left"
