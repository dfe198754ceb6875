#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs tests of iotrace-record in one emulated guest with Debian's kernel and iotrace.ko, whose tracing they can change.
# usage: record.sh OUT_DIR PROGRAM SOURCE_DIR TEST...     TEST: left for tests/record/record-left.sh, and so on
# Settings: those of here.sh
# Leaves TEST.log and TEST.status in OUT_DIR/guest/share. Status: 0 the guest ran to its end, 1 not, 77 a program is missing.
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "$1") program=$2 source=$3
shift 3

skip()
{
	echo "skipped: $*; tests/run.sh installs the packages"
	mkdir -p "$out" && echo "$*" > "$out/skipped"
	exit 77
}

rm -rf "$out"
mkdir -p "$out/events"
kernel=${VM_KERNEL:-$(printf '%s\n' /boot/vmlinuz-6.1.* | sort -V | tail -n 1 | sed 's/.*vmlinuz-//')}
[[ -e /lib/modules/$kernel/build ]] || skip "there is no kernel 6.1 with its headers (linux-image-amd64, linux-headers-amd64)"
for tool in strace trace-cmd; do
	command -v $tool > /dev/null || skip "there is no $tool"
done
cp -r "$source"/events/*.h "$source/events/module" "$out/events/"
make -C "$out/events/module" KVERSION="$kernel" > "$out/module.log" 2>&1 || { cat "$out/module.log"; exit 1; }
cat > "$out/tests.sh" <<- END
	export RECORD_MODULE=$out/events/module/iotrace.ko
	insmod \$RECORD_MODULE
	for test in $*; do
		timeout -s KILL 6000 bash $source/tests/record/record-\$test.sh $program $source > /run/out/\$test.log 2>&1
		echo \$? > /run/out/\$test.status
	done
END
VM_KERNEL=$kernel bash "$here/here.sh" "$out/guest" bash "$out/tests.sh"
status=$?
((status != 77)) || echo "a program is missing" > "$out/skipped"
exit $status
