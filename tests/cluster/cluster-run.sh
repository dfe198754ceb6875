#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A lab end to end: its nodes under load, recorded and analysed; checks the results.
# usage: cluster-run.sh flat|nested|kvm PROGRAM SOURCE_DIR OUT_DIR cluster|nfs [OPTION_OF_THE_LAB...]
mode=$1 program=$2 source_dir=$3 out=$4 lab=$5
options=(--seed 7 "${@:6}")
[[ $lab != nfs ]] || options+=(--lab nfs-lab)
export LC_ALL=C

for tool in qemu-system-x86_64 gcc cpio trace-cmd apt-get; do
	type -P "$tool" > /dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
rm -rf "$out"
mkdir -p "$out/tmp"
TMPDIR=$out/tmp "$source_dir/examples/cluster/run.sh" --mode "$mode" --out "$out" "${options[@]}" --patience 3 --analyzer "$program" || {
	echo "FAILED: the lab ended with status $?"
	exit 1
}
[[ -z $(find "$out/tmp" -mindepth 1) ]] || { echo "FAILED: left over: $(find "$out/tmp" -mindepth 1)"; exit 1; }
! pgrep -f "^[^ ]*qemu-system.*$out/tmp" > /dev/null || { echo "FAILED: an emulator is left over"; exit 1; }
exec bash "${BASH_SOURCE%/*}/$lab-check.sh" "$mode" "$program" "$out" "$out/checked"
