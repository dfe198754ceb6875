#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a program in an emulated guest with Debian's kernel, whose root is the file system of this machine, read-only: for
# programs that change the kernel's tracing. The guest has a /run of its own, and TMPDIR in it.
# usage: here.sh OUT_DIR PROGRAM [ARGUMENT...]     the program's output: OUT_DIR/log; files that it leaves: OUT_DIR/share
# Settings: VM_KERNEL, VM_TIMEOUT, VM_APPEND as in vm.sh; VM_ENVIRONMENT: words NAME=VALUE for the program
# Status: that of the program; 77 a program of this machine is missing; 1 the guest did not run to its end
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "$1")
shift

skip()
{
	echo "skipped: $*; tests/run.sh installs the packages"
	exit 77
}

for tool in qemu-system-x86_64 busybox cpio modprobe depmod; do
	command -v "$tool" > /dev/null || skip "there is no $tool"
done
# the guest has no libraries when it starts
! ldd "$(command -v busybox)" > /dev/null 2>&1 || skip "busybox is not linked statically (package busybox-static)"
kernel=${VM_KERNEL:-$(printf '%s\n' /boot/vmlinuz-6.1.* | sort -V | tail -n 1 | sed 's/.*vmlinuz-//')}
[[ -r /boot/vmlinuz-$kernel ]] || skip "there is no readable kernel 6.1 in /boot (linux-image-amd64)"
rm -rf "$out"
mkdir -p "$out/share" || exit 1
bash "$here/vm-root.sh" "$out/root.cpio.gz" "$kernel" "" "virtio_pci 9pnet_virtio 9p vsock_loopback" "" "$here/here-init.sh" ||
	{ echo "the root file system of the guest cannot be made"; exit 1; }
{
	echo "export LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TMPDIR=/run/tmp $VM_ENVIRONMENT"
	echo "cd /run/tmp"
	printf '%q ' "$@"
	printf '> /run/out/log 2>&1 < /dev/null\necho $? > /run/out/status\n'
} > "$out/share/run"
timeout --foreground "${VM_TIMEOUT:-2400}" qemu-system-x86_64 -machine q35 -accel tcg,thread=single -cpu max -smp 2 -m 1536 \
	-nodefaults -no-user-config -display none -no-reboot -kernel "/boot/vmlinuz-$kernel" -initrd "$out/root.cpio.gz" \
	-append "console=ttyS0 quiet no_timer_check panic=-1 oops=panic $VM_APPEND" -serial "file:$out/console" \
	-fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=root,mount_tag=root \
	-fsdev "local,id=out,path=$out/share,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=out \
	< /dev/null > "$out/qemu.log" 2>&1
[[ -e $out/share/status ]] || { tail -n 20 "$out/console"; cat "$out/qemu.log"; echo "the guest did not run to its end"; exit 1; }
cat "$out/share/log"
! grep -E 'WARNING:|BUG:|Oops|Call Trace' "$out/console" || exit 1
exit "$(cat "$out/share/status")"
