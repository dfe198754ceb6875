# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034 # the sourcing script makes and uses the settings
# Sourced by ../cluster/run.sh after its own parts: two guests, an NFS client and a kernel NFS server, instead of a cluster.
nodes=(client server)
# recorded by default; the ends of requests of the page cache are counted by the lab's test
lab_models=nfs,nfsd,block,delegation,sched
lab_events=nfs:nfs_readpage_done,nfs:nfs_writeback_done
lab_results="totals.txt, mountstats.txt, rpc-client.txt and rpc-server.txt"
lab_packages=(nfs-kernel-server nfs-common rpcbind libtirpc-common)
lab_folder=$here/../nfs-lab

build_load()
{
	build_program "$lab_folder/nfsload" -lpthread
}

# Both guests are made of the same files, and have the same modules, so that the same events can be recorded on both.
build_node()
{
	tree_begin
	tree_modules virtio_mmio virtio_net virtio_blk vmw_vsock_virtio_transport ext4 nfsd nfs nfsv3 nfsv4
	! kernel_has crc32c_generic || tree_modules crc32c_generic
	tree_trace_cmd
	tree_programs rpcbind /sbin/rpcbind
	tree_programs nfs-kernel-server /usr/sbin/exportfs /usr/sbin/rpc.mountd /usr/sbin/rpc.nfsd
	tree_programs nfs-common /sbin/mount.nfs
	tree_add "$(file_of libtirpc-common /etc/netconfig)" /etc/netconfig
	ln -s mount.nfs "$tree/sbin/mount.nfs4"
	tree_add "$run/nfsload" /usr/bin/nfsload
	tree_libraries "$run/nfsload"
	tree_add "$here/guest/common.sh" /common.sh
	tree_add "$lab_folder/guest/nfs-node.sh" /role.sh
	[[ ! -e $run/iotrace.ko ]] || tree_add "$run/iotrace.ko" /iotrace.ko
	tree_end node.cpio
}

# The server's file system. The client has the disk, too, and does not touch it.
build_disk()
{
	need_program mke2fs e2fsprogs
	{ truncate -s 128M "$run/disk.img" && mke2fs -q -t ext4 -F "$run/disk.img"; } > "$run/mkfs.log" 2>&1 ||
		die "the server's file system could not be made: $(tail -n 1 "$run/mkfs.log")"
}

# step GUEST COMMAND STATE SENTENCE: gives the guest a command and waits until it is done
step()
{
	send "$2" "$1"
	await "$3" 300 "$1"
	say "$4"
}

# Everything is mounted while it is recorded, so the recording has the addresses of all connections, and the kernel's
# counters, which begin with the boot and the mount, count the same calls as the recording.
load()
{
	step client mount mounted "client: NFS 4.2 is mounted"
	step client load loaded "client: wrote and read files, directly and through the page cache"
	step client hold holding "client: holds files that it may cache (delegations)"
	step server touch touched "server: wrote to these files, so the delegations were recalled"
	step client mount3 mounted3 "client: NFS 3 is mounted"
	step server freeze frozen "server: its file system is frozen"
	step client write retransmitted "client: its write was sent again, as nobody answered"
	step server thaw thawed "server: its file system goes on"
	step client finish finished "client: its write is answered"
}

describe_load()
{
	cd "$out" || exit
	details client totals > totals.txt
	details client mountstats > mountstats.txt
	details client rpc > rpc-client.txt
	details server rpc > rpc-server.txt
}
