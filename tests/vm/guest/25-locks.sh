# SPDX-License-Identifier: GPL-2.0-or-later
# Locks that another process holds: a waiting call lasts until the lock is released, or a signal arrives.
. ./vm-lib.sh
load || fail "insmod"
watch lock-waits /mnt/lock || fail "lock-waits"
# each call on the file: process, operation, waiting or not, position of its start among all starts and ends, result
awk '
function value(name,  text)
{
	text = $0
	sub(".* " name "=", "", text)
	sub(/ .*/, "", text)
	return text
}
/: lock_start: / {
	id = value("id")
	if (!(value("tgid") in who))
		who[value("tgid")] = people++ ? "child" : "parent"
	text[id] = who[value("tgid")] " " value("type") " wait=" value("wait") " start=" value("start") " len=" value("len")
	print "begin " text[id]
}
# the child may have its lock before the releasing call has returned
/: lock_end: / && value("id") in text && !(text[value("id")] ~ /unlock/ && value("ret") == 0) { print "end " text[value("id")] " ret=" value("ret") }' /tmp/trace > /tmp/seen
cat > /tmp/expected <<-END
	begin parent write wait=1 start=0 len=0
	end parent write wait=1 start=0 len=0 ret=0
	begin child write wait=1 start=0 len=0
	begin parent unlock wait=0 start=0 len=0
	end child write wait=1 start=0 len=0 ret=0
	begin parent write wait=1 start=4 len=2
	end parent write wait=1 start=4 len=2 ret=0
	begin child write wait=1 start=4 len=2
	begin parent unlock wait=0 start=4 len=2
	end child write wait=1 start=4 len=2 ret=0
	begin parent write wait=1 start=4 len=2
	end parent write wait=1 start=4 len=2 ret=0
	begin child write wait=1 start=4 len=2
	end child write wait=1 start=4 len=2 ret=-512
	begin parent unlock wait=0 start=4 len=2
END
diff /tmp/expected /tmp/seen || fail "locks as held (-) and as recorded (+)"
rmmod iotrace || fail "rmmod"
