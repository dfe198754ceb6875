#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: ctf-input.sh ANALYZE FOLDER
# CTF traces of LTTng-UST, which lost events, and of perf in FOLDER (*.tar.gz), against what babeltrace2 prints of them: all events with time, processor,
# thread and fields, and the number of lost events. Then traces that are cut or not complete, and folders of several traces.
. "${0%/*}/readers-lib.sh"
analyze=$1 data=$2
"$analyze" --version | grep -q ', libbabeltrace2' || exit 77
command -v babeltrace2 > /dev/null || exit 77
for trace in lttng perf; do
	tar -xzf "$data/$trace.tar.gz" -C "$dir" || exit 1
done
run() { timeout 60 "$analyze" -q --index off -m "$dir/points.model" -o "text:$dir/text" "$@"; }

# points SYSTEM EVENT ATTRIBUTE:TYPE... - a model that draws all events with these fields
points()
{
	printf '%s\n' '[model]' "name = $1" 'title = Events' "system = $1" '[container node]' 'in = root' 'id = {@node}' 'name = {@node_name}' 'role = node' \
		'[view Events]' 'columns = node' '[points event]' 'on = node' "attrs = cpu:uint thread:int ${*:3}" 'value event = red' '[point event]' "event = $2" \
		'points = event' 'value = event' 'set cpu = @cpu' 'set thread = @pid'
	for attr in "${@:3}"; do
		case $attr in
		*:text) echo "set ${attr%:*} = {${attr%:*}}" ;;
		*) echo "set ${attr%:*} = ${attr%:*}" ;;
		esac
	done
}

# events TRACE NAME FIELD... - all events of a name as babeltrace2 prints them, as lines of points; the first two fields are processor and thread
events()
{
	timeout -s KILL 60 babeltrace2 --clock-seconds --no-delta "$dir/$1" | awk -v event=" $2: " -v names="${*:3}" '
		index($0, event) {
			line = $1 " point"
			gsub(/[].[]/, "", line)
			sub(/^0+/, "", line)
			n = split($0, word, /[{,] /)
			for (i = 1; i <= n; i++)
				if (split(word[i], pair, / = /) == 2) {
					sub(/ }.*/, "", pair[2])
					value[pair[1]] = pair[2]
				}
			m = split(names, name, " ")
			for (i = 1; i <= m; i++)
				if (value[name[i]] != "0")
					line = line " " (i == 1 ? "cpu" : i == 2 ? "thread" : name[i]) "=" value[name[i]]
			print line
		}' | sort
}

points lamp ask lamp:int s:text txt:text procname:text > "$dir/points.model"
events lttng lamp:ask cpu_id vtid lamp s txt procname 2> "$dir/warnings" > "$dir/expected"
run "$dir/lttng" || exit 1
sed -nE 's/ point "[^"]*" event "event"/ point/p' "$dir/text" | sort > "$dir/got"
agree 'events of LTTng-UST'
sed -nE 's/.*Tracer discarded ([0-9]+) events.*/\1/p' "$dir/warnings" | awk '{ n += $1 } END { print "# diag events_lost " n; print "# diag gaps " NR }' > "$dir/expected"
grep -E '^# diag (events_lost|gaps) ' "$dir/text" > "$dir/got"
agree 'counts of losses'

points sched sched_switch prev_pid:int prev_prio:int prev_state:int next_comm:text next_pid:int next_prio:int > "$dir/points.model"
events perf sched:sched_switch cpu_id perf_tid prev_pid prev_prio prev_state next_comm next_pid next_prio > "$dir/expected"
run "$dir/perf" || exit 1
sed -nE 's/ point "[^"]*" event "event"/ point/p' "$dir/text" | sort > "$dir/got"
agree 'events of perf'
# what there was before is at time 0
timeout -s KILL 60 babeltrace2 --clock-seconds --no-delta "$dir/perf" 2> /dev/null | awk '/^\[0+\.0+\]/ { n++ } END { print "# diag event_undated " n }' > "$dir/expected"
grep '^# diag event_undated' "$dir/text" > "$dir/got"
agree 'counts of events without a time'

# the same trace by any of its names
run "$dir/perf" && cp "$dir/text" "$dir/expected"
for name in "$dir/perf/metadata" "$dir/perf/"; do
	run "$name" && cp "$dir/text" "$dir/got"
	agree "lines of $(basename "$name")"
done

# The library loses some memory when it refuses a trace, in a plugin that is unloaded before the sanitizer looks.
export ASAN_OPTIONS=detect_leaks=0
# refused WHAT SAID: status 2, and one sentence
refused()
{
	run "$dir/bad" 2> "$dir/stderr"
	[[ $? == 2 && $(wc -l < "$dir/stderr") == 1 ]] && grep -q "$2" "$dir/stderr" && return
	echo "ctf-input: $1" >&2
	cat "$dir/stderr" >&2
	exit 1
}
cut_file() { head -c "$2" "$dir/bad/$1" > "$dir/part" && mv "$dir/part" "$dir/bad/$1"; }
bad() { rm -rf "$dir/bad"; cp -r "$dir/$1" "$dir/bad"; }
lttng=$(cd "$dir/lttng" && find . -name metadata)
bad lttng; cut_file "$lttng" 3000
refused 'a part of the metadata of LTTng' 'is damaged: .*metadata is cut'
bad perf; cut_file metadata 3000
refused 'a part of the metadata of perf' 'this CTF trace cannot be read'
bad perf; cut_file perf_stream_1 700
refused 'a part of a stream' 'this CTF trace cannot be read: .*perf_stream_1'
bad perf; rm "$dir"/bad/perf_stream_*
refused 'no streams' 'has no events'
bad perf; rm "$dir/bad/metadata"
refused 'no metadata' 'is a directory without recordings'
rm -rf "$dir/bad"; mkdir "$dir/bad"; cp -r "$dir/perf" "$dir/lttng" "$dir/bad"
refused 'traces of two machines' 'has CTF traces of two machines, .*; name the folder of each machine$'

# A session of LTTng without the context of threads says so.
bad lttng; sed -i 's/vtid/xtid/' "$dir/bad/$lttng"
points lamp ask lamp:int > "$dir/points.model"
run "$dir/bad" || exit 1
n=$(grep -c ' point ' "$dir/text")
grep -q "^# diag thread_unknown $n$" "$dir/text" || { echo 'ctf-input: unknown threads are not counted' >&2; exit 1; }
