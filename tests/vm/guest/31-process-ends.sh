# SPDX-License-Identifier: GPL-2.0-or-later
# A process that has ended when it is named, but is still there for its parent: the next one of its number is not recorded.
. ./vm-lib.sh
echo one > /mnt/one
load || fail "insmod"
watch ended-process-static /sys/module/iotrace/parameters/pids /mnt/one || fail "ended-process"
unseen 'path=/mnt/one'
rmmod iotrace || fail "rmmod"
