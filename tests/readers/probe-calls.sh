#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# File I/O by system calls, with an event that iotrace-record has made: a kept recording, compared with strace, with both readers.
# It does not say which threads share descriptors, so only open has a path; record-probe compares the paths of a new recording.
# usage: probe-calls.sh PROGRAM SOURCE_DIR
program=$1 data=$2/tests/data/probe awks=$2/tests/readers
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
awk -f "$awks/strace-calls.awk" "$data/calls" | sed -E '/^open /!s/^([a-z0-9]+ [0-9]+) [^ ]+ /\1  /' > "$dir/wanted"
(($(wc -l < "$dir/wanted") > 15)) || { echo "FAILED: only $(wc -l < "$dir/wanted") calls in $data/calls"; exit 1; }
for reader in dat libtracecmd; do
	# the model is found by the system of the made event
	"$program" --index off --reader "$reader" -o "text:$dir/text" "$data/trace.dat" || { echo "FAILED: $reader: status $?"; exit 1; }
	awk -f "$awks/probe-calls.awk" "$dir/text" > "$dir/got"
	diff "$dir/wanted" "$dir/got" || { echo "FAILED: $reader: not what strace saw"; exit 1; }
done
echo "$(wc -l < "$dir/wanted") calls are those of strace"
