# SPDX-License-Identifier: GPL-2.0-or-later
# Requests of io_uring without a completion: none keeps its slot, and none gets the completion of another one.
. ./vm-lib.sh
head -c 4096 /dev/zero > /mnt/file
load slots=64 comms=uring-odd || fail "insmod"
WATCH='aio_*'

# ids EVENT: of the last watch, sorted
ids()
{
	grep -o " $1: id=[0-9]*" /tmp/trace | sed 's/.*=//' | sort
}

# answered N: N requests have begun, each was done once, and no others were done
answered()
{
	[ "$(ids aio_start | uniq | wc -l)" = "$1" ] || fail "$(ids aio_start | wc -l) starts instead of $1"
	[ "$(ids aio_start)" = "$(ids aio_done)" ] || fail "starts and ends differ"
}

echo "completions that nobody wants"
for i in 1 2 3; do
	watch uring-odd skip /mnt/file 200 || fail "skip"
	[ "$(ids aio_skip | uniq | wc -l)" = 200 ] || fail "$(ids aio_skip | wc -l) of 200 requests that skip their completion"
	seen 'aio_skip: .*op=io_uring read.*len=1 '
	seen 'aio_done: .*ret=2 pos=2'
	answered 1
done
[ "$(stat_of no_slot)" = 0 ] || fail "requests without a completion take slots from others: $(stat_of no_slot)"

echo "a linked request that is cancelled without a completion"
watch uring-odd cancelled /mnt/file || fail "cancelled"
[ "$(ids aio_start | wc -l)" = 1 ] || fail "the read that is cancelled is not seen"
seen 'aio_start: .*len=4 '
unseen 'aio_done'
[ "$(stat_of unanswered)" = 1 ] || fail "$(stat_of unanswered) instead of 1 requests counted as unanswered"
dmesg | grep 'iotrace: 1 requests of io_uring without a completion' || fail "it is not in the log"

rmmod iotrace || fail "rmmod"
# a ring has an eighth of the slots: 32, as many as reads are submitted at once
load slots=256 comms=uring-odd || fail "insmod"
echo "completions that are put aside"
watch uring-odd overflow /mnt/file || fail "overflow"
answered 128
for ret in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(grep -c "aio_done: .*ret=$ret pos=$ret\$" /tmp/trace)" = 1 ] || fail "result $ret is not seen once"
done
[ "$(stat_of unanswered)" = 0 ] || fail "$(stat_of unanswered) requests counted as unanswered"
[ "$(stat_of ring_full)" = 0 ] || fail "$(stat_of ring_full) requests beyond the share of a ring"
[ "$(stat_of no_slot)" = 0 ] || fail "no slot for $(stat_of no_slot) requests"

echo "requests that never complete"
set_to kinds fifo
# after the program has ended its slots are free again
for i in 1 2 3; do
	watch uring-odd crowd /mnt/file 50 || fail "crowd"
	[ "$(ids aio_start | uniq | wc -l)" = 32 ] || fail "$(ids aio_start | wc -l) of 50 requests instead of 32"
	[ "$(stat_of ring_full)" = $((18 * i)) ] || fail "$(stat_of ring_full) requests are counted"
done
[ "$(stat_of no_slot)" = 0 ] || fail "no slot for $(stat_of no_slot) requests"
rmmod iotrace || fail "rmmod"
