#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Replay the kept inputs, and damages of small generated files and of real recordings that were cut.
# usage: replay-dat.sh FUZZ_DAT GEN_DAT
here=$(dirname "$0")
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
bash "$here/make-seeds.sh" "$2" "$dir/seeds" 65536 || exit 1
"$1" --mutate 100 "$dir/seeds" || exit 1
"$1" "$here/corpus/dat"
