#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Samples of this machine: without tracing (part "alone"), or beside a recording of it.
# usage: record-metrics.sh PROGRAM SOURCE_DIR [alone]
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
[[ -r /proc/stat && -r /proc/diskstats ]] || skip 'no /proc'

# values COUNTER ROW: of the text output "text", in the order of time
values()
{
	awk -v row="\"$2\" $1 " '$2 == "sample" && index($0, row) { print $NF }' text
}

# until_samples N FILE PROCESS: until the file has so many samples
until_samples()
{
	until (($(grep -s -c metrics:load "$2") >= $1)); do kill -0 "$3" 2> /dev/null || return 1; done
}

alone()
{
	local host file sampler
	cd "$work" || exit 2
	host=$(uname -n)
	expect 'samples alone' 0 'metrics-.*txt: [345] samples, .* ms of processor time each' "$record" --metrics-only -o alone --for 2500ms
	file=$(echo alone/metrics-*.txt)
	[[ $(stat -c %a "$file") == 600 ]] || fail "mode of $file: $(stat -c %a "$file")"
	"$analyze" --index off -o text:text alone 2> err || fail "alone: $(cat err)"
	[[ $(values user "$host/load/processors" | wc -l) -ge 1 ]] || fail "no share of processors: $(head text)"
	# an independent source, of memory that does not change
	[[ $(grep -o ' total=[0-9]*' "$file" | sort -u | tr -d ' ') == "total=$(($(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo) * 1024))" ]] ||
		fail "total memory: $(grep -o ' total=[0-9]*' "$file")"

	# a process that was stopped says the true time: three seconds of work are not those of one second
	"$record" --metrics-only -q -o stopped 2> err-stopped & sampler=$!
	until_samples 2 "stopped/${file#*/}" $sampler || fail "stopped: $(cat err-stopped)"
	kill -STOP $sampler
	timeout 3 sh -c 'while :; do :; done'
	kill -CONT $sampler
	until_samples 4 "stopped/${file#*/}" $sampler || fail "continued: $(cat err-stopped)"
	kill -INT $sampler
	wait $sampler || fail "stopped: status $?: $(cat err-stopped)"
	grep -q '1 came late, by up to [1234]\.' err-stopped || fail "the late sample is not said: $(cat err-stopped)"
	"$analyze" --index off -o text:text stopped 2> err || fail "stopped: $(cat err)"
	grep -q 'point "[^"]*/sampler/sampler" note "late"' text || fail 'no point of the late sample'
	awk '$2 == "sample" && / (user|system|irq|iowait|steal|some|full) / && $NF > 101 { print; wrong = 1 } END { exit wrong }' text > wrong ||
		fail "more than all of the time: $(cat wrong)"
	awk '$2 == "sample" && $NF < 0 { print; wrong = 1 } END { exit wrong }' text > wrong || fail "negative: $(cat wrong)"
	refused 'events' '--metrics-only records no events, so -m has no meaning' --metrics-only -m sched
	refused 'a flight' '--flight does not go with --metrics' --metrics --flight 1s

	# a device that comes, goes, and comes again
	cat > devices.sh <<- 'END'
		"$1" --metrics-only -q -o devices & sampler=$!
		more()
		{
			local n=$(cat devices/*.txt 2> /dev/null | grep -c metrics:load)
			until (($(cat devices/*.txt 2> /dev/null | grep -c metrics:load) >= n + 2)); do kill -0 $sampler || exit 1; done
		}
		more
		ip link add d0 type bridge
		more
		ip link del d0
		more
		ip link add d0 type bridge
		more
		kill -INT $sampler
		wait $sampler
	END
	if unshare -n ip link add d0 type bridge 2> /dev/null; then
		expect 'devices' 0 '1 times a device was gone' unshare -n bash devices.sh "$record"
		[[ $(grep -o '"d0" what="[a-z]*"' devices/*.txt | cut -d '"' -f 4 | paste -sd ' ') == 'came gone came' ]] ||
			fail "the device: $(grep d0 devices/*.txt)"
		[[ $(grep -c 'metrics:net .*"d0" received=0 ' devices/*.txt) -ge 2 ]] || fail "no rates of the device: $(grep d0 devices/*.txt)"
	fi

	# a full disk: the file ends with a whole line, and that is said
	mkdir full
	if ((EUID == 0)) && mount -t tmpfs -o size=4k none full 2> /dev/null; then
		expect 'a full disk' 4 'the later ones could not be written: No space left' "$record" --metrics-only -o full/f
		[[ $(tail -c 1 full/f/*.txt | od -An -tx1) == ' 0a' ]] || fail 'the file does not end with a line'
		"$analyze" --index off -o null:/dev/null full/f 2> err || fail "a full disk: $(cat err)"
		umount full
	fi
	ends 'this machine was sampled alone'
}

[[ $3 != alone ]] || alone

can_trace
own_mounts
real_trace_cmd
cd "$work" || exit 2
cat > load.sh <<- 'END'
	marker=$(echo /sys/kernel/tracing/instances/iotrace_*/trace_marker)
	sleep 1.2
	echo begin > "$marker"
	timeout 3 sh -c 'while :; do :; done'
	echo end > "$marker"
	sleep 1.2
END
expect 'metrics beside a recording' 0 'metrics: [5678] samples' "$record" --metrics -e sched:sched_switch -o both -- bash load.sh
[[ $(ls both) == $'metrics.txt\nrecording.json\ntrace.dat' ]] || fail "files: $(ls both)"
[[ $(member both metrics) == metrics.txt ]] || fail "recording.json: $(cat both/recording.json)"
"$analyze" -q --index off -m metrics -m sched --map 1=trace.dat -o text:text -o report,json:json both 2> err || fail "analyze: $(cat err)"

# The samples are on the recording's clock: the share of programs between both marks is that of the one that computes there.
instant()
{
	trace-cmd report -t both/trace.dat 2> /dev/null | sed -nE "s/.* ([0-9]+)\.([0-9]{9}): print: .*$1\$/\1\2/p"
}
begin=$(instant begin) end=$(instant end)
[[ $begin && $end ]] || fail "no marks of the load: $begin $end"
# processors in user mode, by the shares of all, inside and outside of the marks; a share is true up to the next one
awk -v n="$(nproc)" -v begin="$begin" -v end="$end" '
	function add(from, to) {
		if (from >= begin && to <= end) { sum += (to - from) * share; time += to - from }
	}
	index($0, "sample \"node 1/load/processors\" user ") { if (at) add(at, $1); at = $1; share = $NF }
	index($0, "sample \"node 1/load/processors\" system ") { if (at) add(at, $1) }
	END { part = time ? sum / time * n / 100 : 0; print part; exit !(part > 0.6 && part < n + 0.05) }' text > part ||
	fail "$(cat part) processors computed between the marks"
# one node, though only the recording was mapped
! grep -v '^#' text | cut -d '"' -f 2 | grep -v -E '^node 1(/|$)' > others || fail "other nodes: $(head -n 3 others)"
ends "metrics beside a recording: $(cat part) processors computed"
