#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# From a bare Debian 12 to the pictures and the report of the recording in this folder: installs the packages that
# are missing, builds the program, analyses.
# usage: analyse.sh [OUT_DIR]     default: out/ at the top of the source tree
set -e
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
mkdir -p "${1:-$source/out}"
out=$(cd "${1:-$source/out}" && pwd)
# shellcheck source=tests/packages.sh
. "$source/tests/packages.sh"

need "${packages_build[@]}"
mkdir -p "$source/build/release"
cd "$source"
log=build/release/build.log
{ cmake --preset release && cmake --build --preset release -j "$(nproc)" --target iotrace-analyze; } > "$log" 2>&1 ||
	{ tail -n 40 "$log" >&2; echo "The build failed, see $source/$log" >&2; exit 1; }

cd "$here"	# so that the report names the files without a folder
"$source/build/release/analyzer/iotrace-analyze" --map 1=5,2=4,3=3 \
	-o "slog2:$out/iotrace.slog2" -o "paje:$out/iotrace.paje" -o "report:$out/report.txt" \
	trace-5.dat trace-4.dat trace-3.dat trace.dat
cat "$out/report.txt"
echo
echo "In $out: iotrace.slog2 with iotrace.slog2.rows.tsv, iotrace.paje, report.txt"
