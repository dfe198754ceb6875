# SPDX-License-Identifier: GPL-2.0-or-later
# Filters by process, name, cgroup, mount and kind: the calls that pass, the calls that do not, and refused settings.
. ./vm-lib.sh
for name in one two three; do
	echo "$name" > "/mnt/$name"
	echo "$name" > "/tmp/$name"
done

refused 'slots: "3" is not a number from 64 to 1048576' load slots=3
refused 'slots: "many"' load slots=many
refused 'pids: "0" is not a number from 1 to' load pids=0
refused 'pids: there is no process 99999' load comms=sh pids=99999
refused 'comms: "0123456789abcdef" is longer' load comms=0123456789abcdef
refused 'comms: more than 8 names' load comms=a,b,c,d,e,f,g,h,i
refused 'cgroup: there is no cgroup "/none"' load cgroup=/none
refused 'mounts: "tmp" is not an absolute path' load mounts=tmp
refused 'mounts: there is no "/nowhere"' load mounts=/nowhere
refused 'mounts: nothing is mounted at "/tmp"' load mounts=/tmp
refused 'kinds: "files" is none of' load kinds=files
load comms=cat slots=64 || fail "insmod"
[ "$(cat /sys/module/iotrace/parameters/comms)" = cat ] || fail "comms cannot be read"

echo "names"
both()
{
	cat /mnt/one /tmp/one > /dev/null
	dd if=/mnt/two of=/dev/null
}
watch both
seen 'open_start.*path=/mnt/one'
seen 'task: .*comm=cat'
unseen 'path=/mnt/two'
set_to comms '!cat,*'
watch both
unseen 'path=/mnt/one'
seen 'path=/mnt/two'
echo 'x,d?' > /sys/kernel/debug/iotrace/comms
[ "$(cat /sys/module/iotrace/parameters/comms)" = 'x,d?' ] || fail "the file and the parameter differ"
watch both
unseen 'path=/mnt/one'
seen 'path=/mnt/two'
refused 'comms: "0123456789abcdef" is longer' set_to comms 0123456789abcdef
[ "$(cat /sys/kernel/debug/iotrace/comms)" = 'x,d?' ] || fail "a refused value has changed the one before"
set_to comms ''

echo "processes"
mkfifo /tmp/go1 /tmp/go2
sh -c 'sh -c "read x < /tmp/go1; cat /mnt/one > /dev/null" & read x < /tmp/go2; sh -c "cat /mnt/two > /dev/null; true"; wait' &
root=$!
set_to pids "$root"
family()
{
	echo > /tmp/go1
	echo > /tmp/go2
	cat /mnt/three > /dev/null
	wait "$root"
}
watch family
seen 'path=/mnt/one'
seen 'path=/mnt/two'
unseen 'path=/mnt/three'
refused "pids: there is no process $root" set_to pids "$root"
set_to pids ''

echo "cgroup"
mkdir /sys/fs/cgroup/a /sys/fs/cgroup/a/b || fail "no cgroup2"
set_to cgroup /a || fail "cgroup"
grouped()
{
	sh -c 'echo $$ > /sys/fs/cgroup/a/b/cgroup.procs; cat /mnt/one > /dev/null'
	cat /mnt/two > /dev/null
}
watch grouped
seen 'path=/mnt/one'
unseen 'path=/mnt/two'
set_to cgroup ''
rmdir /sys/fs/cgroup/a/b /sys/fs/cgroup/a

echo "mounts"
set_to mounts /mnt || fail "mounts"
places()
{
	both
	(cd /mnt && cat three > /dev/null)
	(cd /tmp && cat three > /dev/null)
	cat < /tmp/two > /dev/null
	sync
}
watch places
seen 'path=/mnt/one'
seen 'path=three'
seen 'read_start.*op=read'
unseen 'path=/tmp'
unseen 'op=sync'
mnt=$(printf 'dev=%d:%d' $(stat -c '0x%t 0x%T' /dev/vda))
[ "$(grep -c 'path=three' /tmp/trace)" = 1 ] || fail "a relative path outside is seen"
grep 'read_start' /tmp/trace | grep -v "$mnt" && fail "another device is seen"
set_to mounts ''

echo "kinds"
set_to kinds fifo,char
kinds()
{
	echo | cat > /dev/null
	cat < /mnt/one > /dev/null
	dd if=/dev/zero of=/dev/null count=1
}
watch kinds
seen 'read_start.*kind=010000$'
seen 'read_start.*kind=020000$'
unseen '_start.*kind=0100000$'
set_to kinds ''
watch kinds
seen 'read_start.*kind=0100000$'
unseen 'read_start.*kind=010000$'
rmmod iotrace || fail "rmmod"
