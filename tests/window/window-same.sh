#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Windows of a real recording: all outputs have the same bytes for any number of threads, any memory and both readers, also
# the report with its counters, although reading ends soon after the window and threads read ahead.
#
# usage: window-same.sh ANALYZE RECORDING...
set -euo pipefail
analyze=$(readlink -f "$1")
shift
mapfile -t recordings < <(readlink -f "$@")
. "$(dirname "$0")/window-lib.sh"

for window in "--to 0.5" "--from 10 --to 11" "--from 99.5 --to 100" "--from 100 --to 170 --top 3" "--from 500"; do
	read -ra options <<<"$window"
	analyse first --index off "${options[@]}" --threads 1 "${recordings[@]}"
	for variant in "--threads 2" "--threads 8" "--threads 8 --memory 64K" "--threads 1 --memory 64K" \
		"--reader libtracecmd"; do
		read -ra more <<<"$variant"
		analyse other --index off "${options[@]}" "${more[@]}" "${recordings[@]}"
		same "$window with $variant" first other
	done
done
exit $failed
