#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SLOG2 files of 3000 lines must be at least 20 % smaller than with the SDK's default rules (leaves of 64 KiB, for any number
# of lines). Counts bytes, measures no time.
#
# usage: size-check.sh LOOP-SINKS SLOG2-CHECK
set -euo pipefail
loop=$1 check=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# size NAME LOAD [OPTION...] - write a file and print its bytes
size()
{
	local file=$dir/$1.slog2 load=$2
	shift 2
	"$loop" -r 3000 "$@" slog2 "$load" 400000 "$file" 2>"$dir/said" || { cat "$dir/said" >&2; exit 1; }
	"$check" "$file" >&2 || exit 1
	stat -c %s "$file"
	rm "$file"
}

for load in dlm io; do
	published=$(size published "$load" -o leaf-size=64K)
	ours=$(size ours "$load")
	echo "$load: $ours bytes, $published by the SDK's defaults: $((100 - 100 * ours / published)) % less"
	[ $((ours * 100)) -le $((published * 80)) ] || { echo "$load: not 20 % less" >&2; exit 1; }
done
