#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Growth of the cost of an event and of peak memory with one parameter at a time: number of events, files, CPUs, open calls,
# rows of the picture, and the share of events that the models want. Generated recordings, zstd, interleaved rounds, one
# thread, CPU time: medians. Judges nothing.
#
# usage: scale.sh [-b BUILD-DIR] [-e EVENTS] [-r ROUNDS] [-s "SWEEP ..."] [-d SCRATCH-DIR] [--tsv FILE]
#   EVENTS of all sweeps but "events", which goes to a hundred times as many
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C

build=$here/../../build/release events=1000000 rounds=3 scratch=${TMPDIR:-/tmp} tsv=
while [ $# -gt 0 ]; do
	case $1 in
	-b) build=$2 ;;
	-e) events=$2 ;;
	-r) rounds=$2 ;;
	-s) sweeps=$2 ;;
	-d) scratch=$2 ;;
	--tsv) tsv=$2 ;;
	*) sed -n '/^# usage/,/^set/s/^# //p' "$0" >&2; exit 1 ;;
	esac
	shift 2
done
analyze=$build/analyzer/iotrace-analyze
dir=$(mktemp -d "$scratch/scale.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# run WHAT VALUE EVENTS OUTPUT FILE... - one line of results
run()
{
	local what=$1 value=$2 n=$3 output=$4 outputs
	shift 4
	case $output in
	none) outputs=(-o "null:$dir/out") ;;
	both) outputs=(-o "slog2:$dir/out.slog2" -o "paje,events,counters:$dir/out.paje") ;;
	esac
	"$build/tests/perf/measure" "$analyze" -q --index off --threads 1 "${outputs[@]}" "$@" >"$dir/measured"
	rm -f "$dir"/out*
	echo "$what $value $n $output $(<"$dir/measured")" >>"$dir/results"
}

# point SWEEP VALUE EVENTS OPTION... - the recording of one line of the table
point()
{
	local what=$1 value=$2 n=$3
	shift 3
	"$build/tests/perf/gen-dat" "$@" --events "$n" "$dir/t-$what-${value}n"
	points+=("$what $value $n")
	echo "$what $value: $(cat "$dir/t-$what-${value}n"*.dat | wc -c) bytes" >&2
}

measure_points()
{
	local at what value n
	for ((round = 0; round < rounds; round++)); do
		for at in "${points[@]}"; do
			read -r what value n <<<"$at"
			run "$what" "$value" "$n" none "$dir/t-$what-${value}n"*.dat
			run "$what" "$value" "$n" both "$dir/t-$what-${value}n"*.dat
		done
	done
	rm -f "$dir"/t-*
}

for sweep in $sweeps; do
	points=()
	# shellcheck disable=SC2086 # the settings are words
	case $sweep in
	events)
		for n in "$events" $((events * 10)) $((events * 100)); do
			point events "$n" "$n" $case_cluster_zstd
		done ;;
	files)
		for n in 1 4 16 64; do
			point files "$n" "$events" $scale_base --guests "$n" --cpus 1 --offset 25153412940
		done ;;
	cpus)
		for n in 1 4 16 64; do
			point cpus "$n" "$events" $scale_base --guests 2 --cpus "$n"
		done ;;
	open)
		for n in 4 64 1024 16384; do
			point open "$n" "$events" $scale_base --guests 2 --cpus 4 --tasks "$n"
		done ;;
	rows)
		for n in 16 256 4096 65536; do
			point rows "$n" "$events" $scale_base --guests 2 --cpus 4 --resources "$n"
		done ;;
	interest)
		for n in 1 10 30 100; do
			point interest "$n" "$events" $scale_base --guests 2 --cpus 4 --interest "$n"
		done ;;
	*) echo "no such sweep: $sweep" >&2; exit 1 ;;
	esac
	measure_points
done

awk "$awk_median"'
{
	key = $1 "\t" $2
	if (!(key in events)) {
		order[++n] = key
		events[key] = $3
	}
	cpu[key, $4] = cpu[key, $4] " " $6 + $7
	peak[key, $4] = peak[key, $4] " " $8
}
END {
	print "sweep\tvalue\tns_per_event\tns_with_outputs\tpeak_kib\tpeak_kib_with_outputs"
	for (i = 1; i <= n; i++) {
		key = order[i]
		printf "%s\t%.0f\t%.0f\t%d\t%d\n", key, median(cpu[key, "none"]) / events[key] * 1e9,
			median(cpu[key, "both"]) / events[key] * 1e9, median(peak[key, "none"]), median(peak[key, "both"])
	}
}' "$dir/results" >"$dir/table"
[ -z "$tsv" ] || cp "$dir/table" "$tsv"
awk -F '\t' '{ printf "%-10s %10s %14s %17s %10s %23s\n", $1, $2, $3, $4, $5, $6 }' "$dir/table"
