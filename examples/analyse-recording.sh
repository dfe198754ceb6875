#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts from a bare Debian: installs missing packages, builds the program, and analyses the recording in a folder.
# The examples call it.
# usage: analyse-recording.sh FOLDER [OUT_DIR]     default: out/ at the top of the source tree
set -e
here=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${2:-$source/out}"
out=$(cd "${2:-$source/out}" && pwd)
# shellcheck source=tests/packages.sh
. "$source/tests/packages.sh"

# Shows the progress of the build on one line, on a terminal only.
show_percents()
{
	local line
	while read -r line; do
		[[ -t 2 && $line == \[*%\]* ]] && printf '\r  %s' "${line%%]*}]" >&2
	done
	[[ ! -t 2 ]] || printf '\r         \r' >&2
}

echo "1 of 3: packages" >&2
need "${packages_build[@]}"
mkdir -p "$source/build/install"
cd "$source"
log=build/install/build.log
analyze=$source/build/install/analyzer/iotrace-analyze
echo "2 of 3: the program, some minutes for the first time; see $log" >&2
set -o pipefail
{ LC_ALL=C cmake --preset install && LC_ALL=C cmake --build --preset install -j "$(nproc)" --target iotrace-analyze; } 2>&1 | tee "$log" | show_percents ||
	{ first_error "$log" >&2; echo "The build failed, see $source/$log" >&2; exit 1; }

echo "3 of 3: the analysis" >&2
cd "$here"	# so that the report names the files without a folder
mapfile -t files < <(ls -r trace-*.dat)
names=(--lockspace test,gfs)
[[ $here == */dlm || $here == */fileio ]] || names=()
outputs=(-o "slog2:$out/iotrace.slog2" -o "paje:$out/iotrace.paje" -o "report:$out/report.txt")
page="iotrace.html    is missing, as esbuild was missing when the program was built"
if "$analyze" --formats | grep -q '^html'; then
	outputs+=(-o "html:$out/iotrace.html")
	page="iotrace.html    for any browser"
fi
"$analyze" "${names[@]}" "${outputs[@]}" "${files[@]}" trace.dat
cat "$out/report.txt"
cat << EOF

In $out:
  $page
  iotrace.slog2   for Jumpshot; iotrace.slog2.rows.tsv has the names of its rows
  iotrace.paje    for ViTE and PajeNG
  report.txt      the report above
EOF
