# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel whose io_uring is not as expected: the log says so, and everything else is recorded.
. ./vm-lib.sh

mkdir -p /mnt/off

# other NAME TEXT...: that variant of the module loads, the kernel's log has the texts, and requests are not recorded
other()
{
	local lines name=$1 text
	shift
	lines=$(dmesg | wc -l)
	insmod "/host/iotrace-$name.ko" || fail "$name: insmod"
	for text; do
		dmesg | tail -n "+$((lines + 1))" | grep -F "iotrace: $text" || fail "$name: the log does not say: $text"
	done
	watch uring-calls /mnt/off
	seen 'path=ring '
	seen 'open_end.*ret='
	unseen 'aio_'
	echo 1 > /sys/kernel/tracing/events/iotrace/aio_start/enable
	rmmod iotrace || fail "$name: rmmod while an event of io_uring is on"
}

other renamed 'this kernel has no tracepoint io_uring_submit_other' 'requests of io_uring are not recorded'
other moved 'in this kernel struct io_rw has no member kiocb at byte 8' 'requests of io_uring are not recorded'

load || fail "insmod"
dmesg | tail -n 1 | grep 'description' && fail "the kernel describes itself, but that was not read"
watch uring-calls /mnt/off
seen 'aio_start'
rmmod iotrace
mount -t tmpfs none /sys/kernel/btf || fail "mount"
load || fail "insmod without a description of the kernel"
dmesg | grep -F 'iotrace: no description of this kernel (/sys/kernel/btf/vmlinux, error -2): requests of io_uring are read as in Linux' ||
	fail "the log does not say by what requests are read"
watch uring-calls /mnt/off
seen 'aio_start'
umount /sys/kernel/btf
rmmod iotrace || fail "rmmod"
