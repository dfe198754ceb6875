#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# This build against the first one (470155c, which had no links, ties and repairs), by turns on the same generated recordings: elapsed
# and processor seconds, the least of all rounds, and peak memory, each with the ratio. The first one is built in a work tree of
# its own, from the history of this one. Judges nothing; a busy machine shows in "elapsed".
#
# usage: against-first.sh [-b BUILD-DIR] [-f BUILD-DIR-OF-THE-FIRST] [-e EVENTS] [-r ROUNDS] [-c "CASE ..."] [-d SCRATCH-DIR]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C
first_commit=470155c

build=$here/../../build/release first=$here/../../build/first events=1000000 rounds=5 scratch=${TMPDIR:-/tmp}
cases="cluster_zstd rare_1 dense io_zstd"
while (($#)); do
	case $1 in
	-b) build=$2 ;;
	-f) first=$2 ;;
	-e) events=$2 ;;
	-r) rounds=$2 ;;
	-c) cases=$2 ;;
	-d) scratch=$2 ;;
	*) sed -n '/^# usage/s/^# //p' "$0" >&2; exit 1 ;;
	esac
	shift 2
done
perf=$build/tests/perf
dir=$(mktemp -d "$scratch/first.XXXXXX")
trap 'rm -rf "$dir"' EXIT

if [[ ! -x $first/analyzer/iotrace-analyze ]]; then
	echo "building $first_commit in $first" >&2
	mkdir -p "$first"
	# its models are read from there
	git -C "$here" worktree add --force --detach "$first/source" "$first_commit" > /dev/null 2>&1 ||
		{ echo "against-first.sh: the history of this folder has no commit $first_commit; -f names a build of it" >&2; exit 1; }
	{ cmake -S "$first/source" -B "$first" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON &&
		cmake --build "$first" --target iotrace-analyze -j "$(nproc)"; } > "$dir/build.log" 2>&1 || { tail -20 "$dir/build.log" >&2; exit 1; }
fi

# programs: the first one and this one without output and with SLOG2 and Pajé; this one with the one model that the case needs and
# without links; alone the report, the page; and the bare reader with two threads
set_command()
{
	local analyze=$build/analyzer/iotrace-analyze model=fileio
	[[ $name != cluster* && $name != dense ]] || model=dlm
	case $1 in
	first-*) analyze=$first/analyzer/iotrace-analyze ;;
	esac
	case $1 in
	*-null) command=("$analyze" -q -o null:/dev/null "${files[@]}") ;;
	# events and counters were the default then
	first-timelines) command=("$analyze" -q -o "slog2:$dir/out.slog2" -o "paje:$dir/out.paje" "${files[@]}") ;;
	*-timelines) command=("$analyze" -q -o "slog2:$dir/out.slog2" -o "paje,events,counters:$dir/out.paje" "${files[@]}") ;;
	*-bare) command=("$analyze" -q --no-links -m "$model" -o null:/dev/null "${files[@]}") ;;
	*-report) command=("$analyze" -q -o "report:$dir/out.txt" "${files[@]}") ;;
	*-page) command=("$analyze" -q -o "html:$dir/out.html" "${files[@]}") ;;
	reader) command=("$perf/loop-source" --threads=2 dat "${files[@]}") ;;
	esac
	# an index would make later rounds another work
	[[ $1 == reader || $1 == first-* && ! $first_index ]] || command+=(--index off)
}
first_index=$("$first/analyzer/iotrace-analyze" --help | grep -e --index)

programs="first-null own-null first-timelines own-timelines own-bare own-report own-page reader"
for name in $cases; do
	rm -f "$dir"/trace*.dat
	make_case "$perf/gen-dat" case "$name" "$dir/trace" --events "$events"
	files=("$dir"/trace*.dat)
	cat "${files[@]}" > /dev/null
	for ((round = 0; round < rounds; round++)); do
		for program in $programs; do
			set_command "$program"
			rm -f "$dir"/out.*
			"$perf/measure" "${command[@]}" > "$dir/measured" 2> "$dir/messages" ||
				{ echo "$name: $program failed:" >&2; head -5 "$dir/messages" >&2; exit 1; }
			echo "$name $program $(cat "$dir/measured")" >> "$dir/results"
		done
	done
done

awk '
function least(list, key, value) { if (!(key in list) || value < list[key]) list[key] = value }
{ key = $1 " " $2; least(wall, key, $3); least(cpu, key, $4 + $5); least(rss, key, $6); if (!seen[$1]++) order[++n] = $1 }
function line(what, a, b, aim) {
	printf "%-13s %-38s %7.2f %7.2f %5.2f   %7.2f %7.2f %5.2f   %6.1f %6.1f %5.2f   %s\n", name, what, cpu[name " " b], cpu[name " " a],
		cpu[name " " a] / cpu[name " " b], wall[name " " b], wall[name " " a], wall[name " " a] / wall[name " " b],
		rss[name " " b] / 1024, rss[name " " a] / 1024, rss[name " " a] / rss[name " " b], aim
}
END {
	printf "%-13s %-38s %21s   %21s   %20s   %s\n", "case", "", "processor s", "elapsed s", "MiB", "aims: processor, elapsed, memory"
	for (i = 1; i <= n; i++) {
		name = order[i]
		line("no output, of the first", "own-null", "first-null", "1.15, 1.0, 1.15")
		line("SLOG2 and Paje, of the first", "own-timelines", "first-timelines", "1.15, 1.0, 1.15")
		line("one model, no links, of the first", "own-bare", "first-null", "0.95")
		line("report, of SLOG2 and Paje", "own-report", "own-timelines", "cluster 1.5, dense 2.5")
		line("page, of SLOG2 and Paje", "own-page", "own-timelines", "cluster 1.5, dense 2.5")
		line("no output, of the bare reader", "own-null", "reader", "rare_1 1.1")
	}
}' "$dir/results"
