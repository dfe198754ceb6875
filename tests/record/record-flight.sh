#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The flight recorder: a dump has the events that the instance showed before, in trace-cmd and in the analyzer; it keeps the
# last seconds within its memory; events, signals and commands make it dump; nothing is left.
# usage: record-flight.sh PROGRAM SOURCE_DIR
# shellcheck source=record-lib.sh
. "${0%/*}/record-lib.sh" "$@"
for words in '--flight 0:nothing would be recorded' '--flight 1s -A 5:does not go with -A' '--flight 1s --size 2M:does not go with --size' \
	'--flight 1s -b 100:does not go with -b' '--flight 1s --dry-run:does not go with --dry-run' '--flight 1s --view:does not go with --view' \
	'--memory 2M:--memory needs --flight' '--dumps 2:--dumps needs --flight' '--dump-on a.b:--dump-on needs --flight' \
	'--flight 1s --memory 1:at least 1M' '--flight 1s --dumps 0:not a number'; do
	# shellcheck disable=SC2086 # several words
	refused "${words%%:*}" "${words#*:}" ${words%%:*}
done
can_trace
cd "$work" || exit 2
settings > before

# start NAME OPTION...: a flight recorder into the folder NAME; $recorder and $instance
start()
{
	local name=$1 messages=err-${1##*/}
	shift
	"$record" -o "$name" "$@" 2> "$messages" & recorder=$!
	wait_recording "$messages" $recorder || fail "$name: $(cat "$messages")"
	instance=$tracefs/instances/iotrace_$recorder
}

# end STATUS: Ctrl-C
end()
{
	local status
	kill -INT $recorder
	wait $recorder
	status=$?
	((status == $1)) || fail "status $status instead of $1: $(cat err-*)"
	[[ ! -e $instance ]] || fail 'the instance is still there'
}

# "CPU TIME EVENT" of the text of the kernel or of trace-cmd, which has another name for texts that programs write, such as marks of the clocks
lines()
{
	awk '{ for (i = 2; i < NF; i++) if ($i ~ /^\[[0-9]+\]$/) break
		for (k = i + 1; k < NF; k++) if ($k ~ /^[0-9]+\.[0-9]+:$/) {
			sub(/^tracing_mark_write:$/, "print:", $(k + 1))
			print $i, $k, $(k + 1)
			break
		} }'
}

# about NS SECONDS: the same time, of which SECONDS have six digits
about()
{
	awk -v ns="$1" -v seconds="$2" 'BEGIN { sub(/\./, "", seconds); d = ns / 1000 - seconds; exit !(d >= -1 && d <= 1) }'
}

# The same events before and after: the instance stands still, its text is read, then it is dumped.
start same --flight 20s -m sched --memory 8M
for ((i = 0; i < 200; i++)); do /bin/true; done
echo 0 > "$instance/tracing_on"
cat "$instance/trace" > text
expect 'a dump' 0 "$work/same/dump-1" "$record" --dump
lines < text | sort > shown
trace-cmd report same/dump-1/trace.dat 2> /dev/null | lines | sort > dumped
(($(wc -l < shown) > 1000)) || fail "only $(wc -l < shown) events"
diff shown dumped > difference || fail "trace-cmd report: $(head -n 5 difference)"
"$analyze" --index off -m sched -o report,tables:report same/dump-1 2> err || fail "analyze: $(cat err)"
events=$(grep -vc ' print:$' shown)
[[ $(member same/dump-1 events) == "$events" ]] || fail "$(member same/dump-1 events) events instead of $events"
# arguments of an event, by hand from the text of the kernel: the woken thread of each wakeup
awk '/ sched_wakeup: / { for (i = 1; i <= NF; i++) if ($i ~ /^pid=/) print substr($i, 5) }' text | sort > woken
trace-cmd report -R same/dump-1/trace.dat 2> /dev/null | awk '/sched_wakeup:/ { for (i = 1; i <= NF; i++) if ($i ~ /^pid=/) print substr($i, 5) }' |
	while read -r number; do echo $((number)); done | sort > woken-dumped
cmp woken woken-dumped || fail 'the fields of sched_wakeup differ'
first=$(sort -k 2 shown | sed -n '1s/.* \([0-9.]*\):.*/\1/p')
about "$(member same/dump-1 complete_from_ns)" "$first" || fail "complete from $(member same/dump-1 complete_from_ns), first event $first"

# The second dump has later events only.
for ((i = 0; i < 200; i++)); do /bin/true; done
kill -USR1 $recorder
until grep -q 'dump-2: complete (SIGUSR1)' err-same; do kill -0 $recorder || break; done
begin=$(member same/dump-1 gap_end_ns)
trace-cmd report -t same/dump-2/trace.dat 2> /dev/null | lines | awk -v begin="$begin" '{ gsub(/[.:]/, "", $2); if ($2 < begin) early++; n++ }
	END { if (early || n < 100) print early + 0, "of", n, "events are of the first dump" }' > early
[[ ! -s early ]] || fail "$(cat early)"
[[ $(member same/dump-2 gap_begin_ns) -gt $begin && $(member same/dump-2 gap_end_ns) -gt $(member same/dump-2 gap_begin_ns) ]] ||
	fail "gaps: $(grep -h gap_ same/*/recording.json)"
end 0

# More events than the memory holds: old ones are overwritten, which is no loss, and the memory is not exceeded.
start small --flight 60min -m sched --memory 1M
while :; do
	for ((i = 0; i < 200; i++)); do /bin/true; done
	grep -h '^overrun: [1-9]' "$instance"/per_cpu/cpu*/stats > /dev/null && break
	kill -0 $recorder || break
done
(($(cat "$instance"/per_cpu/cpu*/buffer_size_kb | paste -sd +) <= 1024)) || fail "$(cat "$instance"/per_cpu/cpu*/buffer_size_kb) KiB"
echo 0 > "$instance/tracing_on"
lines < "$instance/trace" | sort > shown
oldest=$(for file in "$instance"/per_cpu/cpu*/stats; do awk '/^overrun/ { n = $2 } /^oldest/ && n { sub(/.*: */, ""); print }' "$file"; done | sort -n | tail -n 1)
expect 'an overwritten ring' 0 dump-1 "$record" --dump
trace-cmd report small/dump-1/trace.dat 2> /dev/null | lines | sort > dumped
diff shown dumped > difference || fail "overwritten: $(head -n 5 difference)"
[[ $(member small/dump-1 verdict) == complete ]] || fail "overwritten: $(member small/dump-1 verdict)"
about "$(member small/dump-1 complete_from_ns)" "$oldest" || fail "complete from $(member small/dump-1 complete_from_ns) instead of $oldest"
end 0

# The memory follows the rate: it grows from the first size.
start grow --flight 1000s -m sched --memory 64M
size=$(cat "$instance/per_cpu/cpu0/buffer_size_kb")
while (($(cat "$instance/per_cpu/cpu0/buffer_size_kb") == size)); do
	taskset -c 0 /bin/true
	kill -0 $recorder || break
done
(($(cat "$instance"/per_cpu/cpu*/buffer_size_kb | paste -sd +) <= 65536)) || fail "grown to $(cat "$instance"/per_cpu/cpu*/buffer_size_kb) KiB"
end 1
grep -q 'nothing was dumped' err-grow || fail "no dump: $(cat err-grow)"
[[ ! -e grow ]] || fail 'no dump: a folder was left'

# an event stops the ring and is its last one; at most --dumps
start event --flight 20s -m sched --dump-on 'sched:sched_process_exec if filename == "'"$work"'/wanted"' --dumps 2
cp /bin/true wanted && cp /bin/true other
./other
for number in 1 2; do
	"$work/wanted"
	until grep -q "dump-$number: complete" err-event; do kill -0 $recorder || break; done
done
until grep -q 'as many dumps as --dumps' err-event; do kill -0 $recorder || break; done
"$work/wanted"
[[ $(cat "$instance/tracing_on") == 1 ]] || fail 'the ring stands still after the last dump'
end 0
[[ $(ls event) == $'dump-1\ndump-2' ]] || fail "dumps of an event: $(ls event)"
trace-cmd report event/dump-1/trace.dat 2> /dev/null | tail -n 1 | grep -q "sched_process_exec: .*$work/wanted" ||
	fail "the last event: $(trace-cmd report event/dump-1/trace.dat 2> /dev/null | tail -n 1)"

# Marks of the clocks place another recording of the machine, known by its host and boot: a text between two readings of the real time
start marked --flight 4s -m sched
until (($(grep -c 'iotrace-clocks mono=.* boot_id=' "$instance/trace") >= 16)); do kill -0 $recorder || fail "no marks: $(cat err-marked)"; done
before=$(date +%s%N)
echo "here it is" > "$instance/trace_marker"
after=$(date +%s%N)
expect 'a dump with marks' 0 dump-1 "$record" --dump
end 0
printf 'iotrace-text 1\nhostname %s\nboot %s\nclock real\n%s 0 0 metrics:blocked group="load" blocked=1\n%s 0 0 metrics:blocked group="load" blocked=2\n' \
	"$(uname -n)" "$(cat /proc/sys/kernel/random/boot_id)" "$before" "$after" > metrics.txt
"$analyze" -q --index off -o text:placed marked/dump-1/trace.dat metrics.txt 2> err || fail "analyze: $(cat err)"
trace-cmd report -t marked/dump-1/trace.dat 2> /dev/null | sed -nE 's/.* ([0-9]+)\.([0-9]{9}): print: .*here it is.*/\1\2/p' > there
# a log of the real time is off by less than 1 ms, and by years if it is not placed
awk -v there="$(cat there)" '
	$2 == "sample" && $4 == "blocked" { time[++n] = $1; node[n] = $3 }
	END {
		early = there - time[1]
		late = time[2] - there
		if (n != 2 || !there || early < -1e6 || late < -1e6 || early > 1e9 || late > 1e9)
			print n + 0 " samples, " early " ns before and " late " ns after the text"
	}' placed > wrong
[[ ! -s wrong ]] || fail "marks of a flight: $(cat wrong)"
(($(grep -v '^#' placed | cut -d '"' -f 2 | cut -d / -f 1 | sort -u | wc -l) == 1)) || fail "two nodes: $(cat err; grep '^#' placed)"

# a command: its end dumps, and its status counts
expect 'a command' 3 'dump-1: complete (the command ended)' "$record" --flight 20s -m sched -o command -- sh -c 'exit 3'
trace-cmd report command/dump-1/trace.dat 2> /dev/null | grep -q 'sched_switch: .* sh:' || fail 'the command is not in its dump'

# bad input
refused 'no event' 'is not SYSTEM:EVENT' --flight 1s -q -m sched -o bad --dump-on nonsense
refused 'an unknown event' 'has no event sched:nosuch' --flight 1s -q -m sched -o bad --dump-on sched:nosuch
refused 'a wrong filter' 'does not accept "if nosuch == 1"' --flight 1s -q -m sched -o bad --dump-on 'sched:sched_switch if nosuch == 1'
[[ ! -e bad ]] || fail 'a folder was left'
refused 'nobody to ask' 'no flight recorder runs' --dump

# a full disk: one sentence, the ring keeps its events, and later dumps work
mkdir disk
mount -t tmpfs -o size=8M none disk 2> /dev/null && {
	start disk/flight --flight 20s -m sched
	refused 'a full disk' 'only .* are free in disk/flight.*make room' --dump
	[[ -z $(ls disk/flight) && $(cat "$instance/tracing_on") == 1 ]] || fail "a full disk: $(ls disk/flight)"
	mount -o remount,size=1G disk
	expect 'room again' 0 dump-2 "$record" --dump
	end 4
	umount disk
} 2> /dev/null

# killed: the next start removes the instance
start killed --flight 20s -m sched
kill -9 $recorder
{ wait $recorder; } 2> /dev/null
expect 'the next start' 0 'an earlier iotrace-record was killed' "$record" --flight 5s -m sched -o next -- true
[[ ! -e $instance ]] || fail 'the instance of the killed one is still there'
settings > after
diff before after > difference || fail "settings: $(head -n 5 difference)"
ends "dumps have the events of the ring, $events"
