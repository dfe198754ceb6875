# SPDX-License-Identifier: GPL-2.0-or-later
# What a file is: names, links, places and renames of one file, one that is read after its deletion, and a new file with an old inode number.
# The event fs tells the file system.
. ./vm-lib.sh
load mounts=/mnt || fail "insmod"
mkdir -p /tmp/bind
record identity sh -c '
	echo a > /mnt/id-one
	cat /mnt/id-one
	ln /mnt/id-one /mnt/id-two
	cat /mnt/id-two
	mount --bind /mnt /tmp/bind
	cat /tmp/bind/id-one
	umount /tmp/bind
	echo b > /mnt/id-old
	stat -c %i /mnt/id-old > /tmp/inodes
	rm /mnt/id-old
	echo c > /mnt/id-new
	stat -c %i /mnt/id-new >> /tmp/inodes
	mv /mnt/id-new /mnt/id-renamed
	cat /mnt/id-renamed
	echo d > /mnt/id-gone
	exec 3< /mnt/id-gone
	rm /mnt/id-gone
	cat <&3' || fail "record"
cp /tmp/inodes "$OUT/inodes"
# of the ext4 file system, at byte 104 of its superblock, which is at byte 1024
hexdump -v -s 1128 -n 16 -e '16/1 "%02x"' /dev/vda > "$OUT/uuid"
rm /mnt/id-one /mnt/id-two /mnt/id-renamed
rmmod iotrace || fail "rmmod"
