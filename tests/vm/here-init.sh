#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# First process of the guest of here.sh: its root becomes the file system of the machine outside, which cannot be written to.
export PATH=/bin:/sbin:/usr/bin:/usr/sbin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
for module in virtio_pci 9pnet_virtio 9p vsock_loopback; do
	modprobe "$module"
done
root=/host
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,ro,cache=loose root $root || poweroff -f
mount -t proc none $root/proc
mount -t sysfs none $root/sys
mount -t tracefs none $root/sys/kernel/tracing
mount -t debugfs none $root/sys/kernel/debug
mount -t cgroup2 none $root/sys/fs/cgroup
mount -t devtmpfs none $root/dev
mkdir -p $root/dev/shm $root/dev/pts
mount -t tmpfs none $root/dev/shm
mount -t devpts none $root/dev/pts
mount -t tmpfs none $root/run
mkdir $root/run/out $root/run/tmp
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 out $root/run/out || poweroff -f
ifconfig lo 127.0.0.1 up
hostname guest
chroot $root /bin/bash /run/out/run > /dev/console 2>&1 < /dev/null
sync
poweroff -f
