#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What iotrace-record --metrics costs: processor time of SECONDS samples of this machine, of the whole process. For the preset
# release; a quiet machine is not needed, as other processes do not count.
# usage: metrics.sh PROGRAM [SECONDS]     default: 60
program=$1 seconds=${2:-60}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$program" --metrics-only -q -o "$work/out" --for "${seconds}s" 2> "$work/err" & process=$!
while sleep 1 && kill -0 $process 2> /dev/null; do
	# user and system time, in ticks of 10 ms, after the name in parentheses
	awk '{ sub(/.*\) /, ""); print $12 + $13 }' /proc/$process/stat > "$work/now" 2> /dev/null && [[ -s $work/now ]] && mv "$work/now" "$work/ticks"
done
wait $process || { cat "$work/err"; exit 1; }
cat "$work/err"
echo "whole process: $(($(< "$work/ticks") * 10)) ms in $seconds s, $(nproc) processors, $(stat -c %s "$work"/out/*) bytes"
