#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Both readers on generated recordings: versions, byte orders, sizes of long, page sizes, compression, losses,
# clock corrections.
# usage: source-compare.sh SOURCE_COMPARE GEN_DAT
compare=$1 generate=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
seed=0 bad=0

for layout in '--version=6' '--compression=none' '--compression=zstd'; do
	for endian in le be; do
		for word in 4 8; do
			for load in '--events=1500 --loss=300' \
				'--events=8000 --loss=100 --protocol=ptp --samples=5 --cpus=3' \
				'--events=4000 --loss=200 --page-size=65536 --tsc2nsec --load=mixed --host'; do
				((seed++))
				# shellcheck disable=SC2086 # these are lists of options
				"$generate" $layout --endian=$endian --word=$word $load --seed=$seed \
					"$dir/$seed.dat" || { echo "FAILED: $generate $layout $load"; bad=1; }
			done
		done
	done
done
files=("$dir"/*.dat)
((${#files[@]} >= 36)) || { echo "FAILED: only ${#files[@]} files were generated"; bad=1; }
"$compare" "${files[@]}" > "$dir/log" || bad=1
grep -v ': same:' "$dir/log" && bad=1
# the comparison is worth nothing if there were no losses to compare
awk '{ events += $3; gaps += $5 } END { print events " events, " gaps " gap records"; exit !(events > 100000 && gaps > 100) }' "$dir/log" || bad=1
exit $bad
