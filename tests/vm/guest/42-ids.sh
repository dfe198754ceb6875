# SPDX-License-Identifier: GPL-2.0-or-later
# Ids of file I/O stay below bit 62, which marks those of calls: also with 8192 CPUs and after two years.
. ./vm-lib.sh
insmod /host/iotrace-late.ko || fail "insmod"
WATCH='read_*'
watch dd if=/root/iotrace.ko of=/dev/null bs=100 count=3
grep -o ' read_start: id=[0-9]*' /tmp/trace | sed 's/.*=//' > /tmp/ids
awk '$1 >= 4611686018427387904 { print "too large: " $1; bad = 1 } END { exit bad || NR < 3 }' /tmp/ids || fail "see above"
[ "$(sort -u /tmp/ids | wc -l)" = "$(wc -l < /tmp/ids)" ] || fail "an id comes twice"
rmmod iotrace || fail "rmmod"
