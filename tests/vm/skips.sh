#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A busybox with libraries makes no guest: the guests are skipped with a sentence, instead of a panic.
# usage: skips.sh
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failures=0
ldd "$(command -v busybox)" > /dev/null 2>&1 && { echo 'skipped: busybox is not static here'; exit 77; }
for tool in qemu-system-x86_64 cpio modprobe depmod strace trace-cmd mke2fs make; do
	command -v $tool > /dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
mkdir "$work/bin"
ln -s "$(command -v ls)" "$work/bin/busybox"
for command in "here.sh $work/out true" "vm.sh $work/out none"; do
	# shellcheck disable=SC2086 # words
	PATH=$work/bin:$PATH bash "$here"/$command > "$work/log" 2>&1
	status=$?
	((status == 77)) && grep -q '^skipped: busybox is not linked statically (package busybox-static)' "$work/log" || {
		echo "FAILED: $command: status $status: $(cat "$work/log")"
		failures=$((failures + 1))
	}
done
((failures)) || echo 'a busybox with libraries is named'
exit $((failures > 0))
