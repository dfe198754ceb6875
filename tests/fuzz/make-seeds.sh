#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Seeds: small trace-cmd files of every kind, and the beginnings of real recordings.
# usage: make-seeds.sh GEN_DAT FOLDER [BYTES...]     lengths of the beginnings of the examples' recordings
generate=$1 folder=$2
examples=$(dirname "$0")/../../examples
mkdir -p "$folder" || exit 2
seed=0
for layout in '--version=6' '--compression=none' '--compression=zstd'; do
	for machine in '--endian=le --word=8' '--endian=be --word=4'; do
		for load in '--cpus=1 --events=40' '--cpus=2 --events=300 --loss=400 --load=mixed' \
			'--cpus=1 --events=40 --protocol=ptp --samples=3 --tsc2nsec'; do
			((seed++))
			# shellcheck disable=SC2086 # these are lists of options
			"$generate" $layout $machine $load --seed=$seed "$folder/seed$seed.dat" || exit 1
		done
	done
done
for bytes in "${@:3}"; do
	for recording in dlm/trace-5 dlm/trace fileio/trace-4; do
		head -c "$bytes" "$examples/$recording.dat" > "$folder/${recording/\//-}-$bytes.dat" || exit 1
	done
done
