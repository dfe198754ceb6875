# SPDX-License-Identifier: GPL-2.0-or-later
# No slot is lost: more calls at once than slots, killed tasks, exec, 32-bit calls, recording that ends in a call. The cost
# of one call is limited.
. ./vm-lib.sh
load slots=64 kinds=fifo comms=odd-tasks || fail "insmod"

# pairs WHAT: every read of the trace has a start and an end
pairs()
{
	local starts ends
	starts=$(grep -o 'read_start: id=[0-9]*' /tmp/trace | sed 's/.*=//' | sort)
	ends=$(grep -o 'read_end: id=[0-9]*' /tmp/trace | sed 's/.*=//' | sort)
	[ -n "$starts" ] || fail "$1: no read is seen"
	[ "$starts" = "$ends" ] || fail "$1: starts and ends differ"
	[ "$(echo "$starts" | uniq -d)" = "" ] || fail "$1: an id comes twice"
	echo "$1: $(echo "$starts" | wc -l) reads"
}

WATCH='read_*'
watch odd-tasks crowd 200
pairs crowd
count=$(grep -c read_start /tmp/trace)
[ "$((count + $(stat_of no_slot)))" = 200 ] || fail "$count seen and $(stat_of no_slot) without a slot are not 200"
[ "$count" -le 64 ] || fail "more calls than slots"
[ "$count" -ge 32 ] || fail "only $count of 64 slots were used"
dmesg | grep "iotrace: $(stat_of no_slot) calls not recorded" || fail "the loss is not in the log"

watch odd-tasks killed
pairs killed
seen 'read_end.*ret=-512'
watch odd-tasks exec
pairs exec
[ "$(grep -c 'read_end.*ret=-512' /tmp/trace)" = 3 ] || fail "three threads were in a read"
before=$(stat_of no_slot)
for i in 1 2 3; do
	watch odd-tasks crowd 20
	pairs again
done
[ "$(stat_of no_slot)" = "$before" ] || fail "slots are lost"
[ "$(stat_of unended)" = 0 ] || fail "calls without an end: $(stat_of unended)"

[ "$(stat_of compat)" = 0 ] || fail "there was no 32-bit call yet"
watch odd-tasks compat
[ "$(stat_of compat)" = 1 ] || fail "$(stat_of compat) 32-bit calls counted instead of 1"

# One call may close any number of descriptors: some are examined, and the rest is counted.
# closes PIPES FILES RECORDED LEFT
closes()
{
	local before
	before=$(stat_of cut_range)
	watch odd-tasks closes "$1" "$2"
	[ "$(grep -c 'close_start.*op=close_range' /tmp/trace)" = "$3" ] || fail "closes $1 $2: not $3 files"
	[ "$(grep -o 'close_start: id=[0-9]*' /tmp/trace | sed 's/.*=//' | sort)" = \
		"$(grep -o 'close_end: id=[0-9]*' /tmp/trace | sed 's/.*=//' | sort)" ] || fail "closes $1 $2: ends"
	[ "$(($(stat_of cut_range) - before))" = "$4" ] || fail "closes $1 $2: cut_range is not $4 more"
}

set_to kinds regular
WATCH='close_*'
closes 3000 10 10 0
closes 10 1500 1024 476
closes 5000 1 0 905
set_to kinds fifo
WATCH='read_*'

# Calls that begin before recording, or end after it, have one event only, and leave nothing behind.
mkfifo /tmp/late
sh -c 'exec cat < /tmp/late > /dev/null' &
reader=$!
set_to comms cat
exec 3> /tmp/late
until grep -q '^\(0\|40\) ' "/proc/$reader/syscall"; do
	usleep 10000
done
watch sh -c 'echo >&3; until grep -q "^\(0\|40\) " "/proc/$1/syscall"; do usleep 10000; done' - "$reader"
exec 3>&-
wait "$reader"
seen read_start
unseen 'read_end.*ret=1 '
watch true
unseen read_
[ "$(stat_of unended)" = 0 ] || fail "a call of the last recording was taken for one of this"
rmmod iotrace || fail "rmmod"
