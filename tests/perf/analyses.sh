#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What all analyses cost: instructions of the analyser with SLOG2, Pajé, report, contention and holders, over its instructions
# with SLOG2 and Pajé alone. valgrind counts instructions, so the figure is the same on a busy machine. One thread, no index.
# Judges nothing.
#
# usage: analyses.sh [-b BUILD-DIR] [-e EVENTS] [-c "CASE ..."] [-d SCRATCH-DIR]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C

build=$here/../../build/release events=1000000 cases="cluster_zstd dense" scratch=${TMPDIR:-/tmp}
while [ $# -gt 0 ]; do
	case $1 in
	-b) build=$2 ;;
	-e) events=$2 ;;
	-c) cases=$2 ;;
	-d) scratch=$2 ;;
	*) sed -n '/^# usage/s/^# //p' "$0" >&2; exit 1 ;;
	esac
	shift 2
done
command -v valgrind >/dev/null || { echo "${0##*/}: valgrind is missing" >&2; exit 1; }
dir=$(mktemp -d "$scratch/analyses.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# instructions ARGUMENT...
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/analyzer/iotrace-analyze" -q --threads 1 --index off \
		-o "slog2:$dir/out.slog2" -o "paje,events,counters:$dir/out.paje" "$@" 2>"$dir/messages" ||
		{ cat "$dir/messages" >&2; exit 1; }
	sed -n 's/.*Collected : //p' "$dir/messages"
}

for name in $cases; do
	make_case "$build/tests/perf/gen-dat" case "$name" "$dir/trace" --events "$events"
	alone=$(instructions "$dir"/trace*.dat)
	all=$(instructions --derive contention --derive holders -o "report:$dir/out.txt" "$dir"/trace*.dat)
	awk -v name="$name" -v alone="$alone" -v all="$all" 'BEGIN {
		printf "%s: %.0f million instructions without analyses, %.0f with, %.2f times\n", name, alone / 1e6, all / 1e6, all / alone }'
	rm -f "$dir"/trace*.dat
done
