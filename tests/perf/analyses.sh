#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What all analyses cost: instructions of the analyser with SLOG2, Pajé, report, contention and holders, over its instructions
# with SLOG2 and Pajé alone. valgrind counts instructions, so the figure is the same on a busy machine. One thread, no index.
# With -t, instead, elapsed times with all threads: medians of RUNS interleaved runs. With FILES these are read, instead of cases.
# Judges nothing.
#
# usage: analyses.sh [-b BUILD-DIR] [-e EVENTS] [-c "CASE ..."] [-d SCRATCH-DIR] [-t RUNS] [FILE...]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C

build=$here/../../build/release events=1000000 cases="cluster_zstd dense" scratch=${TMPDIR:-/tmp} runs=0
while [ $# -gt 0 ]; do
	case $1 in
	[^-]*) break ;;
	-b) build=$2 ;;
	-e) events=$2 ;;
	-c) cases=$2 ;;
	-d) scratch=$2 ;;
	-t) runs=$2 ;;
	*) sed -n '/^# usage/s/^# //p' "$0" >&2; exit 1 ;;
	esac
	shift 2
done
((runs)) || command -v valgrind >/dev/null || { echo "${0##*/}: valgrind is missing" >&2; exit 1; }
dir=$(mktemp -d "$scratch/analyses.XXXXXX")
trap 'rm -rf "$dir"' EXIT

outputs=(-q --index off -o "slog2:$dir/out.slog2" -o "paje,events,counters:$dir/out.paje")
analyses=(--derive contention --derive holders -o "report,tables:$dir/out.txt")

# instructions ARGUMENT...
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/analyzer/iotrace-analyze" --threads 1 "${outputs[@]}" "$@" \
		2>"$dir/messages" || { cat "$dir/messages" >&2; exit 1; }
	sed -n 's/.*Collected : //p' "$dir/messages"
}

# microseconds ARGUMENT...
microseconds()
{
	local begin=${EPOCHREALTIME/./}

	"$build/analyzer/iotrace-analyze" "${outputs[@]}" "$@" >&2 || exit 1
	echo $((${EPOCHREALTIME/./} - begin))
}

# compare NAME FILE...
compare()
{
	local name=$1 alone all i

	shift
	if ((runs)); then
		rm -f "$dir/alone" "$dir/all"
		for ((i = 0; i < runs; i++)); do
			microseconds "$@" >>"$dir/alone"
			microseconds "${analyses[@]}" "$@" >>"$dir/all"
		done
		alone=$(sort -n "$dir/alone" | sed -n "$(((runs + 1) / 2))p")
		all=$(sort -n "$dir/all" | sed -n "$(((runs + 1) / 2))p")
		awk -v name="$name" -v alone="$alone" -v all="$all" 'BEGIN {
			printf "%s: %.0f ms without analyses, %.0f with, %.2f times\n", name, alone / 1e3, all / 1e3, all / alone }'
		return
	fi
	alone=$(instructions "$@")
	all=$(instructions "${analyses[@]}" "$@")
	awk -v name="$name" -v alone="$alone" -v all="$all" 'BEGIN {
		printf "%s: %.0f million instructions without analyses, %.0f with, %.2f times\n", name, alone / 1e6, all / 1e6, all / alone }'
}

if (($#)); then
	compare "$1" "$@"
	exit
fi
for name in $cases; do
	make_case "$build/tests/perf/gen-dat" case "$name" "$dir/trace" --events "$events"
	compare "$name" "$dir"/trace*.dat
	rm -f "$dir"/trace*.dat
done
