#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts from a bare Debian: installs missing packages, builds the program, makes a page of each recording in this folder,
# and prints the scheduler states of each thread.
# usage: analyse.sh [OUT_DIR]     default: out/ at the top of the source tree
set -e
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
mkdir -p "${1:-$source/out}"
out=$(cd "${1:-$source/out}" && pwd)
# shellcheck source=tests/packages.sh
. "$source/tests/packages.sh"
need "${packages_build[@]}"
cd "$source"
{ LC_ALL=C cmake --preset install && LC_ALL=C cmake --build --preset install -j "$(nproc)" --target iotrace-analyze; } > "$out/build.log" 2>&1 ||
	{ first_error "$out/build.log" >&2; echo "The build failed, see $out/build.log" >&2; exit 1; }
cd "$here"
for game in alone disturbed; do
	echo
	echo "== $game"
	"$source/build/install/analyzer/iotrace-analyze" -m sched -o "html:$out/$game.html" -o report,tables:- "$game.dat"
done
echo
echo "$out/alone.html and $out/disturbed.html are the same as pictures, for any browser."
