#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Judges a test of the guest of record.sh by its status. A test that is skipped there has failed: the guest has what it needs.
# usage: record-result.sh OUT_DIR TEST
out=$1/guest/share test=$2
[[ -e $1/skipped ]] && { echo "skipped: $(cat "$1/skipped")"; exit 77; }
[[ -e $out/$test.status ]] || { echo "the guest did not get to $test; see $1/guest/console"; exit 1; }
cat "$out/$test.log"
[[ $(cat "$out/$test.status") == 0 ]]
