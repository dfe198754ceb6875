#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Replays random files of a format (clog2, preload, ganglia, slurm, rastro), and damaged copies of them.
# usage: replay-made.sh FORMAT FUZZ_TARGET [FILES]    or: replay-made.sh FORMAT - FILES FOLDER    only makes the files
here=$(dirname "$0")
format=$1
files=${3:-20}
dir=$4
[[ $dir ]] || { dir=$(mktemp -d) || exit 2; trap 'rm -rf "$dir"' EXIT; }
mkdir -p "$dir" || exit 2
for ((seed = 1; seed <= files; seed++)); do
	LC_ALL=C awk -v seed=$seed -f "$here/../readers/binary.awk" -f "$here/../readers/$format-make.awk" > "$dir/random-$seed.$format" || exit 1
done
[[ $2 == - ]] || "$2" --mutate 100 "$dir"
