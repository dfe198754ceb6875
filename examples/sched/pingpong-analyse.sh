#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts from a bare Debian 12: installs missing packages, builds the program, makes a page of each recording in this folder,
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
cmake --preset release >"$out/build.log"
cmake --build --preset release -j "$(nproc)" --target iotrace-analyze >>"$out/build.log"
cd "$here"
for game in alone disturbed; do
	echo
	echo "== $game"
	"$source/build/release/analyzer/iotrace-analyze" -m sched -o "html:$out/$game.html" -o report:- "$game.dat"
done
echo
echo "$out/alone.html and $out/disturbed.html are the same as pictures, for any browser."
