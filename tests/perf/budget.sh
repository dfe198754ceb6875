#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The budget: how many instructions the analyser may take, for each event and for each run, in the cases of budget.tsv.
# Callgrind counts them, so the figure is the same on a busy machine (0.04 % apart). Two sizes of a case give both figures:
# the difference is the cost of its events, the rest is the cost of a run.
#
# A figure more than 2 % above its budget fails; the figure of a run only if the smaller recording takes more than 0.5 % more in
# all, because the line through both sizes gives a run what it takes from the events. More than 5 % below it, the budget should be
# lowered: then nothing that was won can be lost again. All figures are shown with their growth since the first one that was ever
# counted.
#
# Compilers and libraries make different instructions. budget.tsv names the combinations for which it holds; with another one
# nothing can be compared, and the script says so and ends with 77.
#
# With -w the figures that differ become the budget. A higher one needs REASON, which becomes a line of budget.tsv.
#
# usage: budget.sh [-b BUILD-DIR] [-j JOBS] [-d SCRATCH-DIR] [-w REASON]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C

table=$here/budget.tsv build=$here/../../build/release jobs=$(nproc) scratch=${TMPDIR:-/tmp} write=0 reason=
while [ $# -gt 0 ]; do
	case $1 in
	-b) build=$2 ;;
	-j) jobs=$2 ;;
	-d) scratch=$2 ;;
	-w) write=1 reason=$2 ;;
	*) sed -n '/^# usage/s/^# //p' "$0" >&2; exit 2 ;;
	esac
	shift 2
done
small=20000 large=100000
analyze=$(readlink -f "$build/analyzer/iotrace-analyze") gen=$(readlink -f "$build/tests/perf/gen-dat")

# version PACKAGE... - the installed version of the first package that there is
version()
{
	dpkg-query -W -f '${Version}\n' "$@" 2>/dev/null | sed -n 1p
}

# Valgrind shows the program at most AVX2, whatever the processor has.
cpu()
{
	grep -q -w avx2 /proc/cpuinfo && echo avx2 || echo sse2
}

command -v valgrind >/dev/null || { echo "skipped: valgrind is missing"; exit 77; }
machine="$(uname -m) $(cpu) gcc=$(gcc -dumpfullversion) libc6=$(version libc6) glib=$(version libglib2.0-0 libglib2.0-0t64) zstd=$(version libzstd1) valgrind=$(version valgrind)"
combination=$(awk -F '\t' -v machine="$machine" '$1 == "machine" && $3 == machine { print $2 }' "$table")
if [ -z "$combination" ] && [ "$write" = 0 ]; then
	echo "skipped: budget.tsv has no figures for $machine"
	exit 77
fi

dir=$(mktemp -d "$scratch/budget.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# set_options PROGRAM NAME - fill the array `options` with what the program writes
set_options()
{
	case $1 in
	null) options=(-o null:/dev/null) ;;
	timelines) options=(-o "slog2:$dir/$2.slog2" -o "paje,events,counters:$dir/$2.paje") ;;
	page) options=(-o "html:$dir/$2.html") ;;
	database) options=(-o "sqlite:$dir/$2.sqlite") ;;
	report) options=(-o "report,tables:$dir/$2.txt") ;;
	analyses) options=(--derive contention --derive holders --derive bounds --derive check -o "report,tables:$dir/$2.txt") ;;
	*) echo "no such program: $1" >&2; exit 2 ;;
	esac
}

# count CASE PROGRAM EVENTS - a line "CASE PROGRAM EVENTS INSTRUCTIONS"
count()
{
	local name=$1-$2-$3 options

	set_options "$2" "$name"
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$analyze" -q --threads 2 --index off "${options[@]}" \
		"$dir/$1-$3"/*.dat >"$dir/$name.log" 2>&1 || { cat "$dir/$name.log" >&2; return 1; }
	echo "$1 $2 $3 $(sed -n 's/.*Collected : //p' "$dir/$name.log")"
	rm -f "$dir/$name".*
}

rows=$(awk -F '\t' '$1 == "budget" { print $3, $4 }' "$table" | sort -u)
[ -n "$rows" ] || { echo "budget.tsv has no row" >&2; exit 2; }
for name in $(cut -d ' ' -f 1 <<<"$rows" | sort -u); do
	for events in $small $large; do
		mkdir "$dir/$name-$events"
		make_case "$gen" case "$name" "$dir/$name-$events/trace" --events $events --seed 1
	done
done
while read -r name program; do
	for events in $large $small; do
		while (($(jobs -r -p | wc -l) >= jobs)); do
			wait -n || :
		done
		count "$name" "$program" "$events" >"$dir/count.$name.$program.$events" &
	done
done <<<"$rows"
wait
cat "$dir"/count.* >"$dir/counts"
[ "$(wc -l <"$dir/counts")" = $((2 * $(wc -l <<<"$rows"))) ] || { echo "budget: a run failed" >&2; exit 1; }

judge="$here/budget.awk"
if [ "$write" = 0 ]; then
	exec awk -f "$judge" -v combination="$combination" -v small=$small -v large=$large "$dir/counts" "$table"
fi
awk -f "$judge" -v combination="$combination" -v small=$small -v large=$large -v write=1 -v reason="$reason" \
	-v machine="$machine" -v out="$dir/table" "$dir/counts" "$table"
cat "$dir/table" >"$table"
bash "$here/figures.sh" --budget
