#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# First and only process of the guest: mounts what tests need, runs them one after the other, powers off.
export PATH=/bin:/sbin:/usr/bin:/usr/sbin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tracefs none /sys/kernel/tracing
mount -t debugfs none /sys/kernel/debug
mount -t cgroup2 none /sys/fs/cgroup
mkdir -p /dev/shm
mount -t tmpfs none /dev/shm
for module in virtio_pci 9pnet_virtio 9p virtio_blk crc32c_generic ext4 loop vsock_loopback; do
	modprobe "$module" 2> /dev/null
done
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 host /host || poweroff -f
mount -t ext4 /dev/vda /mnt || echo "vm: no disk"
ifconfig lo 127.0.0.1 up
cd /host || poweroff -f
# The module file is read and the log is written by the guest: neither must appear in what tests record.
cp iotrace.ko /root/
cp bin/* /usr/bin/

for test in tests/*.sh; do
	name=${test##*/}
	export NAME="${name%.sh}"
	export OUT="/host/out/$NAME"
	mkdir -p "$OUT"
	echo "vm: $NAME $(cut -d' ' -f1 /proc/uptime)"
	timeout -s KILL 600 sh "tests/$name" > "/tmp/$NAME.log" 2>&1
	status=$?
	cp "/tmp/$NAME.log" "$OUT/log"
	# Leftovers of a test must not make others fail.
	grep -q '^iotrace ' /proc/modules && rmmod iotrace
	echo "$status" > "$OUT/status"
done
dmesg > /host/out/dmesg
echo "vm: done $(cut -d' ' -f1 /proc/uptime)"
sync
poweroff -f
