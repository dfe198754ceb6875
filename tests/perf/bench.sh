#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Benchmark: the analyser against `trace-cmd report` and a bare loop on libtracecmd, on one machine in one run, over
# generated recordings. Rounds of all programs are interleaved; medians are shown. Judges nothing. Where they are there: what
# KernelShark does before it draws, and how long Perfetto's trace processor (trace_processor_shell) takes to load our own output.
#
# usage: bench.sh [-b BUILD-DIR] [-e EVENTS] [-r ROUNDS] [-c "CASE ..."] [-d SCRATCH-DIR] [--tsv FILE]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C

build=$here/../../build/release events=1000000 rounds=5 report_rounds=3 scratch=${TMPDIR:-/tmp} tsv=
while [ $# -gt 0 ]; do
	case $1 in
	-b) build=$2 ;;
	-e) events=$2 ;;
	-r) rounds=$2 ;;
	-c) cases=$2 ;;
	-d) scratch=$2 ;;
	--tsv) tsv=$2 ;;
	*) sed -n '/^# usage/s/^# //p' "$0" >&2; exit 1 ;;
	esac
	shift 2
done
report_rounds=$((rounds < report_rounds ? rounds : report_rounds))
perf=$build/tests/perf
analyze=$build/analyzer/iotrace-analyze
dir=$(mktemp -d "$scratch/bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT

programs="report libtracecmd unpack source-dat source-dat-2 source-libtracecmd"
if [ -x "$analyze" ]; then
	programs="$programs analyze-null analyze-slog2-paje"
else
	echo "no $analyze: only the readers are measured" >&2
fi

if [ -x "$perf/loop-kshark" ]; then
	programs="$programs kernelshark"
else
	echo "no libkshark: the loading of KernelShark is not measured" >&2
fi
if [ -x "$analyze" ] && type -P trace_processor_shell > /dev/null; then
	programs="$programs trace-processor"
else
	echo "no trace_processor_shell: the loading of Perfetto is not measured" >&2
fi

# command PROGRAM FILE... - fill the array `command`
set_command()
{
	local program=$1 file
	shift
	case $program in
	report)
		command=(trace-cmd report)
		for file; do
			command+=(-i "$file")
		done ;;
	kernelshark) command=("$perf/loop-kshark" "$@") ;;
	trace-processor)
		echo 'select count(*) from slice;' >"$dir/query"
		[ -e "$dir/perfetto-$name" ] || "$analyze" -q -o "perfetto:$dir/perfetto-$name" "$@"
		command=(trace_processor_shell -q "$dir/query" "$dir/perfetto-$name") ;;
	libtracecmd) command=("$perf/loop-libtracecmd" "$@") ;;
	unpack) command=("$perf/loop-unpack" "$@") ;;
	source-dat-2) command=("$perf/loop-source" --threads=2 dat "$@") ;;
	source-*) command=("$perf/loop-source" "${program#source-}" "$@") ;;
	analyze-null) command=("$analyze" -q -o "null:/dev/null" "$@") ;;
	analyze-slog2-paje)
		command=("$analyze" -q -o "slog2:$dir/out.slog2" -o "paje,events,counters:$dir/out.paje" "$@") ;;
	esac
}

# wanted PROGRAM ROUND - trace-cmd report is slow, and not run in all rounds
wanted()
{
	[ "$1" != report ] || [ "$2" -le "$report_rounds" ]
}

# One run: "CASE PROGRAM WALL USER SYSTEM KIB" to the results
run()
{
	local name=$1 program=$2 round=$3 out=/dev/null
	shift 3
	set_command "$program" "$@"
	rm -f "$dir"/out.* # to give back the memory of old results is not the program's work
	if [ "$round" = 1 ] && { [ "$program" = libtracecmd ] || [ "${program%%-*}" = source ]; }; then
		out=$dir/sums.$program
	fi
	if ! "$perf/measure" -o "$out" "${command[@]}" >"$dir/measured" 2>"$dir/messages"; then
		echo "$name: $program failed:" >&2
		head -5 "$dir/messages" >&2
		exit 1
	fi
	echo "$name $program $(cat "$dir/measured")" >>"$dir/results"
}

# The loops must have done the same work.
compare_sums()
{
	local program
	for program in source-dat source-dat-2 source-libtracecmd; do
		if ! diff "$dir/sums.libtracecmd" "$dir/sums.$program" >&2; then
			echo "$1: $program read something else than libtracecmd" >&2
			exit 1
		fi
	done
}

for name in $cases; do
	rm -f "$dir"/trace*.dat
	make_case "$perf/gen-dat" case "$name" "$dir/trace" --events "$events"
	files=("$dir"/trace*.dat)
	cat "${files[@]}" >/dev/null
	echo "$name: $events events, $(du -cm "${files[@]}" | tail -1 | cut -f1) MiB in ${#files[@]} files" >&2
	for round in $(seq "$rounds"); do
		for program in $programs; do
			if wanted "$program" "$round"; then
				run "$name" "$program" "$round" "${files[@]}"
			fi
		done
	done
	compare_sums "$name"
done

# medians and ratios
awk -v events="$events" "$awk_median"'
{
	key = $1 " " $2
	if (!(key in n))
		order[++keys] = key
	n[key]++
	wall[key] = wall[key] " " $3
	cpu[key] = cpu[key] " " $4 + $5
	rss[key] = rss[key] " " $6
}
END {
	print "case\tprogram\truns\tseconds\tcpu_seconds\tevents_per_s\tpeak_rss_kib\tx_report\tx_libtracecmd"
	for (i = 1; i <= keys; i++) {
		key = order[i]
		split(key, part, " ")
		w = median(wall[key])
		report = median(wall[part[1] " report"])
		library = median(wall[part[1] " libtracecmd"])
		w = w > 0 ? w : 0.0005
		printf "%s\t%s\t%d\t%.3f\t%.3f\t%.0f\t%d\t%.2f\t%.2f\n", part[1], part[2], n[key], w,
			median(cpu[key]), events / w, median(rss[key]), report / w, library / w
	}
}' "$dir/results" >"$dir/table"

[ -z "$tsv" ] || cp "$dir/table" "$tsv"
awk -F'\t' '{ printf "%-13s %-19s %5s %9s %12s %13s %13s %9s %14s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }' \
	"$dir/table"
