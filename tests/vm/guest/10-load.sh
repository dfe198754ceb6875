# SPDX-License-Identifier: GPL-2.0-or-later
# The module loads; its events have formats; a first recording.
. ./vm-lib.sh
load || fail "insmod"
mkdir -p "$OUT/formats"
for event in /sys/kernel/tracing/events/iotrace/*/; do
	cat "$event/format" > "$OUT/formats/$(basename "$event")"
done
record first dd if=/root/iotrace.ko of=/mnt/copy bs=4096 count=3 || fail "dd"
rmmod iotrace || fail "rmmod"
