#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The recording guest of the flat lab: network, a folder shared with the machine outside, then the controller.
for module in virtio_mmio virtio_net 9p 9pnet_virtio; do
	modprobe "$module" || { echo "LAB failed module $module"; exit 1; }
done
hostname controller
ifconfig eth0 10.0.0.254 netmask 255.255.255.0 up || { echo "LAB failed network"; exit 1; }
# for trace-cmd's PTP, as on the nodes
/bin/ip route change 10.0.0.0/24 dev eth0 quickack 1
# half of the memory, a tmpfs's default, is less than iotrace-record keeps free for large buffers
mount -t tmpfs -o size=90% none /tmp
export lab_data=/tmp lab_store=/store IOTRACE_MODELS=/models
mkdir -p /store
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 store /store || { echo "LAB failed mount of the store"; exit 1; }
echo "LAB ready"
exec sh /controller.sh
