#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: blame-crowd.sh ANALYZE GEN_DAT
# 420 processes of three nodes want one lock all the time, so some waits have too many locks in their way, of which those that were
# for the shortest times lose their names. The sums by node must be exact still (blame.sh).
. "${0%/*}/readers-lib.sh"
analyze=$1 gen=$2
"$gen" --load dlm --guests 3 --cpus 1 --interest 100 --resources 1 --tasks 140 --events 2600 "$dir/crowd" || exit 1
"$analyze" report,tables "$dir"/crowd-*.dat >"$dir/report.txt" || exit 1
grep -q 'waits had too many locks in their way' "$dir/report.txt" || { echo "$name: no wait had too many locks in its way" >&2; exit 1; }
# the longest waits name no lock without a process
"$analyze" -q -o report,json:"$dir/report.json" "$dir"/crowd-*.dat || exit 1
grep -q '"because":"other holds"' "$dir/report.json" || { echo "$name: no hold of the longest waits has lost its name" >&2; exit 1; }
grep -E '"because":"node[0-9]* [A-Z]*","process":(null|"")' "$dir/report.json" && { echo "$name: a holder without a process" >&2; exit 1; }
"$here/blame.sh" --sums "$analyze" "$dir"/crowd-*.dat
