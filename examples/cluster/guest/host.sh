#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # settings come from init
# The emulated host of mode nested: offers KVM and VSOCK, then continues in nested.sh. Its root is the file system of the
# machine outside, read-only.
# settings: lab_here (folder of nested.sh), lab_images
for module in virtio_pci 9p 9pnet_virtio "kvm_amd nested=1" vhost_vsock; do
	# shellcheck disable=SC2086 # a module and its parameter
	modprobe $module || { echo "LAB failed module $module"; exit 1; }
done
hostname host
root=/host
mkdir -p "$root"
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,ro,cache=loose root "$root" || { echo "LAB failed mount of the root"; exit 1; }
mount -t proc none "$root/proc"
mount -t sysfs none "$root/sys"
mount -t devtmpfs none "$root/dev"
mkdir -p "$root/dev/pts"
mount -t devpts none "$root/dev/pts"	# iotrace-record runs trace-cmd at a pseudo terminal
mount -t tmpfs none "$root/run"
mount -t tracefs none "$root/sys/kernel/tracing"
mount -t debugfs none "$root/sys/kernel/debug"
# not over /tmp, which may have the images
mkdir -p "$root/run/lab" "$root/run/store"
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 store "$root/run/store" || { echo "LAB failed mount of the store"; exit 1; }
exec chroot "$root" /bin/bash "$lab_here/nested.sh" "$lab_images"
