# SPDX-License-Identifier: GPL-2.0-or-later
# The filter mounts selects file systems, however the path is written and whatever the task's root is; and events have the
# location of a file and the container of a task.
. ./vm-lib.sh
for name in one two; do
	echo "$name" > "/mnt/$name"
	echo "$name" > "/tmp/$name"
done
cp /bin/busybox /mnt/busybox
printf /mnt/one > /tmp/inside
printf /tmp/one > /tmp/outside
load mounts=/mnt || fail "insmod"
mnt=$(printf 'dev=%d:%d' $(stat -c '0x%t 0x%T' /dev/vda))

# named: files that are read were opened before, are on the disk, and have a path; no event has a path of a file elsewhere
named()
{
	grep -q read_start /tmp/trace || fail "$1: nothing was read"
	awk -v mnt="$mnt" '
	function field(name) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + 1, RLENGTH - 1) : "" }
	/ open_end: / && /elsewhere=0/ && field("path") != "path=" { known[field("dev") field("ino")] = 1 }
	/ open_end: .* ret=[0-9]/ && /elsewhere=0/ && field("dev") != mnt { print "not on the disk: " $0; bad = 1 }
	/ open_end: .*elsewhere=1/ && !/dev=0:0 ino=0 kind=00 elsewhere=1 gen=0 path=$/ { print "too much is shown: " $0; bad = 1 }
	/ read_start: / && !(field("dev") field("ino") in known) { print "no name: " $0; bad = 1 }
	END { exit bad }' /tmp/trace || fail "$1"
}

echo "a path that is not in memory yet"
watch late-path open /tmp/inside
named late
seen 'path_late: .*path=/mnt/one '
seen 'open_end: .*elsewhere=0 gen=[0-9]* path=/mnt/one$'
unseen 'path=/tmp'
watch late-path stat /tmp/inside
seen 'path_late: .*path=/mnt/one '
seen 'meta_end: .*elsewhere=0'
cd /mnt || fail "cd"
watch late-path open /tmp/outside
unseen 'path=/'
unseen 'read_start'
WATCH='meta*' watch late-path stat /tmp/outside
seen 'meta_end: .*elsewhere=1'
unseen 'path=/'
cd /host || fail "cd"

echo "another root"
watch chroot /mnt /busybox cat /one
named chroot
seen 'open_end: .*path=/one$'

echo "links, and another place of the same file system"
ln -s /mnt/one /tmp/link
ln -s /tmp/one /mnt/out
mkdir -p /tmp/bind
mount --bind /mnt /tmp/bind
watch cat /tmp/link
named link
seen 'path_late: .*path=/tmp/link '
seen 'open_end: .*path=/mnt/one$'
watch cat /tmp/bind/one
named bind
seen 'open_end: .*path=/tmp/bind/one$'
watch cat /tmp/bind/../one
unseen read_start
unseen 'path=/'
watch cat /mnt/out
unseen read_start
seen 'open_start: .*path=/mnt/out '
seen 'open_end: .*elsewhere=1'

echo "another namespace"
watch unshare -m sh -c 'mkdir /tmp/volume; mount --bind /mnt /tmp/volume; umount /tmp/bind; cat /tmp/volume/two /tmp/one'
named namespace
seen 'open_end: .*path=/tmp/volume/two$'
unseen 'path=/tmp/one'
umount /tmp/bind

echo "what fails, what names two paths"
watch cat /mnt/none /tmp/none
seen 'open_start: .*path=/mnt/none '
seen 'open_end: .*ret=-2 .*elsewhere=0'
unseen 'path=/tmp/none'
watch ln -s /mnt/one /tmp/link2
unseen 'op=symlink'
watch sh -c 'cd /mnt && exec ln -s /tmp/one link3'
seen 'op=symlink .*path=/tmp/one path2=link3 '

echo "containers"
set_to mounts ''
set_to comms 'cat,sh'
mkdir /sys/fs/cgroup/box || fail "no cgroup2"
watch unshare -p -f sh -c 'cat /mnt/one; echo $$ > /sys/fs/cgroup/box/cgroup.procs; cat /mnt/two; true'
box=$(stat -c %i /sys/fs/cgroup/box)
top=$(stat -c %i /sys/fs/cgroup)
seen "task: .*comm=sh cgroup=$top .*nspid=1 nstgid=1$"
seen "task: .*comm=sh cgroup=$box .*nspid=1 nstgid=1$"
seen "task: .*comm=cat cgroup=$box .*nspid=3 nstgid=3$"
unseen "comm=cat .*pidns=$(stat -L -c %i /proc/self/ns/pid) "
rmdir /sys/fs/cgroup/box
rmmod iotrace || fail "rmmod"
