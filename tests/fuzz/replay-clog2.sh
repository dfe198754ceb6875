#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Replays random CLOG2 files, and damaged copies of them.
# usage: replay-clog2.sh FUZZ_CLOG2 [FILES]    or: replay-clog2.sh - FILES FOLDER    only makes the files
here=$(dirname "$0")
files=${2:-20}
dir=$3
[[ $dir ]] || { dir=$(mktemp -d) || exit 2; trap 'rm -rf "$dir"' EXIT; }
mkdir -p "$dir" || exit 2
for ((seed = 1; seed <= files; seed++)); do
	LC_ALL=C awk -v seed=$seed -f "$here/../readers/clog2-make.awk" > "$dir/random-$seed.clog2" || exit 1
done
[[ $1 == - ]] || "$1" --mutate 100 "$dir"
