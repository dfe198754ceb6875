# SPDX-License-Identifier: GPL-2.0-or-later
# For the tests of iotrace-record; sourced. $1: the program, $2: the source folder.
# shellcheck shell=bash
record=$1 source=$2 arguments=("$@")
analyze=${record%/*}/iotrace-analyze
export IOTRACE_MODELS=$source/events/models
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
tracefs=/sys/kernel/tracing

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

skip()
{
	echo "skipped: $*"
	exit 77
}

# kernel_pids - the test records processes by their numbers
kernel_pids()
{
	[[ $(readlink /proc/self/ns/pid) == 'pid:[4026531836]' ]] || skip 'a container: process ids are not those of the kernel'
}

# ends TEXT
ends()
{
	((failures)) || echo "$*"
	exit $((failures > 0))
}

# expect WHAT STATUS PATTERN COMMAND...: status, and a line of standard error that matches; output in $work/out, err
expect()
{
	local what=$1 status=$2 pattern=$3 got
	shift 3
	"$@" > "$work/out" 2> "$work/err"
	got=$?
	((got == status)) || fail "$what: status $got instead of $status: $(cat "$work/err")"
	grep -q -e "$pattern" "$work/err" "$work/out" || fail "$what: no \"$pattern\" in: $(cat "$work/err" "$work/out")"
}

# refused WHAT PATTERN OPTION...: status 2 and one line
refused()
{
	local what=$1 pattern=$2
	shift 2
	expect "$what" 2 "$pattern" "$record" "$@"
	[[ $(wc -l < "$work/err") == 1 ]] || fail "$what: not one line: $(cat "$work/err")"
}

# The value of a member of a recording.json, as jq has it; --arg are not needed. Only for our own files.
member()
{
	awk -v name="\"$2\"" '$1 == name { sub(/^[^:]*: /, ""); sub(/,$/, ""); gsub(/^"|"$/, ""); print; exit }' "$1/recording.json"
}

# again VARIABLE COMMAND...: start the test once more, by COMMAND
again()
{
	local started=$1
	shift
	[[ -z ${!started} ]] || return 0
	export "$started=1"
	rm -rf "$work"
	exec "$@" bash "$0" "${arguments[@]}"
}

# All tests that trace exclude each other, also those of another build tree. --close: programs that outlive a test do not
# keep the lock.
can_trace()
{
	((EUID == 0)) || skip "needs root"
	[[ -w $tracefs/trace_clock ]] || skip "no tracefs that can be written"
	again RECORD_LOCKED flock --close /run/iotrace-record-tests.lock
}

# Mounts of its own, which end with the test. Not possible in a chroot whose root is no mount point.
own_mounts()
{
	[[ -n $RECORD_MOUNTS ]] || unshare -m true 2> /dev/null || skip 'no mount namespaces'
	again RECORD_MOUNTS unshare -m
}

# A network of its own, in which agents on this machine answer with quick ACKs.
own_network()
{
	unshare -mn true 2> /dev/null || skip 'no network namespaces'
	command -v ip > /dev/null || skip 'no ip (package iproute2)'
	again RECORD_NETWORK unshare -mn
	ip link set lo up
	ip route change local 127.0.0.1 dev lo table local src 127.0.0.1 quickack 1 || skip 'no route with quickack'
}

# wait_listen PORT PROCESS: until something listens on the port; fails if the process ends first
wait_listen()
{
	until ss -ltn 2> /dev/null | grep -q ":$1 "; do kill -0 "$2" 2> /dev/null || return 1; done
}

# wait_recording FILE PROCESS: until the standard error of an iotrace-record, in FILE, says that it records
wait_recording()
{
	until grep -qE 'recording into|recorder runs' "$1" 2> /dev/null; do kill -0 "$2" 2> /dev/null || return 1; done
}

# A trace-cmd in $work/bin that starts the real one. On some machines tracing works and the files of the function tracer may
# not be written, although trace-cmd clears them before each recording; there it runs with other files in their places.
real_trace_cmd()
{
	can_trace
	command -v trace-cmd > /dev/null || skip "no trace-cmd"
	mkdir -p "$work/bin"
	real=$(command -v trace-cmd)
	if mkdir $tracefs/instances/iotrace_try_$$ 2> /dev/null &&
		"$real" record -o "$work/try.dat" -B iotrace_try_$$ -e sched:sched_switch true > /dev/null 2>&1; then
		ln -s "$real" "$work/bin/trace-cmd"
	else
		cat > "$work/bin/trace-cmd" <<- END
			#!/bin/bash
			if [[ -z \$IOTRACE_BOUND ]]; then
				IOTRACE_BOUND=1 exec unshare -m "\$0" "\$@"
			fi
			echo 1 > $work/enabled
			: > $work/empty
			mount --bind $work/enabled /proc/sys/kernel/ftrace_enabled
			for file in $tracefs/{,instances/*/}{set_ftrace_{filter,notrace,pid,notrace_pid},set_graph_{function,notrace}}; do
				[[ ! -e \$file ]] || mount --bind $work/empty "\$file"
			done 2> /dev/null
			exec $real "\$@"
		END
		chmod +x "$work/bin/trace-cmd"
		end_of_instance iotrace_try_$$
		mkdir $tracefs/instances/iotrace_try_$$
		"$work/bin/trace-cmd" record -o "$work/try.dat" -B iotrace_try_$$ -e sched:sched_switch true > "$work/log" 2>&1 ||
			skip "trace-cmd does not record here: $(tail -n 1 "$work/log")"
	fi
	end_of_instance iotrace_try_$$
	PATH=$work/bin:$PATH
}

# end_of_instance NAME: remove it, after the recorders that a crashed trace-cmd has left
end_of_instance()
{
	local try
	for ((try = 0; try < 1000; try++)); do
		[[ -d $tracefs/instances/$1 ]] || return 0
		rmdir "$tracefs/instances/$1" 2> /dev/null && return 0
		pkill -9 -x -f -- "trace-cmd record .*-B $1 .*"
	done
	return 1
}

# Every writable file that can be read. Not: the contents of buffers (trace, snapshot) and the log of errors, which cannot be
# restored; trace_options, set_event and events/*/enable above single events, which only show other files.
settings()
{
	local file
	(
		cd $tracefs || exit
		find . -path ./instances -prune -o -type f -perm -u+rw ! -name trace ! -name snapshot ! -name error_log ! -name trace_options \
			! -name set_event ! -path './events/enable' ! -path './events/*/enable' -print
		find ./events -mindepth 3 -name enable
	) | sort > "$work/files"
	(cd $tracefs && xargs grep -H '' < "$work/files" 2> /dev/null)
	ls $tracefs/instances
}
