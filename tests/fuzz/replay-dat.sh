#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Replays the kept inputs, and damaged copies of small generated files and of beginnings of real recordings.
# usage: replay-dat.sh FUZZ_DAT GEN_DAT
here=$(dirname "$0")
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
bash "$here/make-seeds.sh" "$2" "$dir/seeds" 65536 || exit 1
"$1" --mutate 100 "$dir/seeds" || exit 1
"$1" "$here/corpus/dat"
