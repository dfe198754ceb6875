# SPDX-License-Identifier: GPL-2.0-or-later
# Every recorded system call, by a dynamic and a static program; then with files of all kinds, and requests of io_uring and of Linux AIO.
. ./vm-lib.sh
load || fail "insmod"
mkdir -p /mnt/dynamic /mnt/static /mnt/all /mnt/ring /mnt/aio
record regular sh -c 'file-calls /mnt/dynamic > /tmp/list; file-calls-static /mnt/static >> /tmp/list' || fail "file-calls"
cp /tmp/list "$OUT/regular.list"
echo all > /sys/module/iotrace/parameters/kinds || fail "kinds"
record all sh -c 'file-calls-static /mnt/all all > /tmp/list; uring-calls /mnt/ring >> /tmp/list; aio-calls /mnt/aio >> /tmp/list' || fail "file-calls all"
cp /tmp/list "$OUT/all.list"
cat /sys/kernel/debug/iotrace/stats
[ "$(stat_of cut_submit)" = 44 ] || fail "300 requests at once are 44 more than are recorded"
rmmod iotrace || fail "rmmod"
