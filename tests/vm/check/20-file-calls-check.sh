#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The recordings show every call that the programs list, and no other.
here=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C
for name in regular all; do
	bash "$here/../events-report.sh" -N "$name.dat" 2> /dev/null | awk -f "$here/pairs.awk" > "$name.seen"
	diff "$name.list" "$name.seen" > "$name.diff" || { echo "$name: calls as made (<) and as recorded (>)"; cat -v "$name.diff"; exit 1; }
	echo "$name: $(wc -l < "$name.list") calls as listed"
done
# The report of trace-cmd says so if the reader was too slow.
! trace-cmd report -N regular.dat 2>&1 | grep -m 1 'EVENTS DROPPED'
