#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of 1 % of a recording, compared with the whole: three windows of a generated recording, with the index of a run
# over the whole recording. CPU and elapsed time as percent of the whole run, medians of interleaved rounds; one thread, no
# output. Fails only if the reports of a window with and without the index differ.
#
# usage: window.sh ANALYZE GEN-DAT MEASURE [EVENTS [ROUNDS [CASE [SCRATCH-DIR]]]]
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
. "$here/cases.sh"
export LC_ALL=C
analyze=$1 gen=$2 measure=$3 events=${4:-300000} rounds=${5:-1} name=${6:-cluster_zstd}
dir=$(mktemp -d "${7:-${TMPDIR:-/tmp}}/window.XXXXXX")
trap 'rm -rf "$dir"' EXIT
make_case "$gen" case "$name" "$dir/t" --events "$events"
recordings=("$dir"/t*.dat)

# run NAME OPTION... - one line of results
run()
{
	local what=$1
	shift
	"$measure" "$analyze" -q --threads 1 "$@" -o "null:$dir/null" "${recordings[@]}" >"$dir/measured"
	echo "$what $(<"$dir/measured")" >>"$dir/results"
}

length=$("$analyze" -q --index off -o report,tables:- "${recordings[@]}" |
	awk '$1 == "recording" { print $3; exit }')

# window PART - the options for 1 % of the recording that begins at PART
window()
{
	awk -v length_s="$length" -v part="$1" \
		'BEGIN { printf "--from %.9f --to %.9f", length_s * part, length_s * (part + 0.01) }'
}

for ((i = 0; i < rounds; i++)); do
	rm -f "$dir/index"
	run whole --index off
	run making --index "$dir/index"
	for part in 0.1 0.5 0.9; do
		read -ra options <<<"$(window "$part")"
		run "window-$part" --index "$dir/index" "${options[@]}"
	done
done
for part in 0.1 0.5 0.9; do
	read -ra options <<<"$(window "$part")"
	for index in off "$dir/index"; do
		"$analyze" -q --index "$index" "${options[@]}" -o report,all:- "${recordings[@]}" | md5sum
	done | uniq | awk 'END { exit NR != 1 }' || { echo "FAIL: reports of ${options[*]} differ"; exit 1; }
done
size=$(cat "${recordings[@]}" | wc -c)
awk -v events="$events" -v size="$size" -v index_size="$(stat -c %s "$dir/index")" "$awk_median"'
	{ elapsed[$1] = elapsed[$1] " " $2; cpu[$1] = cpu[$1] " " $3 + $4; if ($5 > peak[$1]) peak[$1] = $5 }
	END {
		printf "%d events, %d MB, index %.2f MB\n", events, size / 1e6, index_size / 1e6
		split("whole making window-0.1 window-0.5 window-0.9", names, " ")
		for (i = 1; i <= 5; i++)
			printf "%-10s  cpu %8.3f s %6.2f %%   elapsed %8.3f s %6.2f %%   peak %d KiB\n", names[i],
				median(cpu[names[i]]), 100 * median(cpu[names[i]]) / median(cpu["whole"]),
				median(elapsed[names[i]]), 100 * median(elapsed[names[i]]) / median(elapsed["whole"]),
				peak[names[i]]
	}' "$dir/results"
