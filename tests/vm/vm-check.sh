#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Judges a test of the guest: by its status, then by tests/vm/check/NAME.sh, if it exists, in the folder of its results.
# usage: vm-check.sh OUT_DIR NAME [PROGRAM]     PROGRAM: iotrace-analyze; NAME "log": the kernel's log is free of warnings
here=$(cd "$(dirname "$0")" && pwd)
out=$1 name=$2 program=$3
[[ -e $out/skipped ]] && { echo "skipped: $(cat "$out/skipped")"; exit 77; }

if [[ $name == log ]]; then
	[[ -s $out/share/out/dmesg ]] || { echo "there is no log of the kernel in $out"; exit 1; }
	! grep -hE 'WARNING|BUG|Oops|Call Trace|INFO: |general protection|refcount_t|UBSAN|Poison|Redzone|leak' \
		"$out/console" "$out/share/out/dmesg"
	exit
fi

results=$out/share/out/$name
[[ -e $results/status ]] || { echo "the guest did not get to $name; see $out/console"; exit 1; }
cat "$results/log"
[[ $(cat "$results/status") == 0 ]] || { echo "status $(cat "$results/status") in the guest"; exit 1; }
[[ -e $here/check/$name-check.sh ]] || exit 0
cd "$results" || exit 1
exec bash "$here/check/$name-check.sh" "$out" "$program"
