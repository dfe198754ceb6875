# SPDX-License-Identifier: GPL-2.0-or-later
# Slots are refused only when nearly all are in use, not as soon as many calls have the same hash.
. ./vm-lib.sh
load slots=256 kinds=fifo comms=odd-tasks || fail "insmod"
WATCH='read_*'
# With one place for each hash, six or seven of 180 find it full.
watch odd-tasks crowd 180
[ "$(stat_of no_slot)" -le 3 ] || fail "$(stat_of no_slot) of 180 calls found no slot among 256"
[ "$(($(grep -c read_start /tmp/trace) + $(stat_of no_slot)))" = 180 ] || fail "180 calls were made"
rmmod iotrace || fail "rmmod"
