#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154,SC2317 # settings come from init; await calls functions
# The client (node 1) or the server (node 2) of the NFS lab, in a guest. The server exports its disk from the beginning.
# Both wait for commands on their console:
#   agent   (re)start trace-cmd's agent            -> LAB ready
#   stop    print the kernel's counters            -> LAB rpc ..., LAB stopped; client: LAB mountstats ..., LAB totals ...
#   off     switch off
# commands for the client:
#   mount   NFS 4.2 on /mnt/4                      -> LAB mounted
#   load    run nfsload on it                      -> LAB loaded
#   hold    keep the held files open for reading   -> LAB holding
#   mount3  NFS 3 on /mnt/3                        -> LAB mounted3
#   write   start a write to it and wait until it was sent again  -> LAB retransmitted
#   finish  wait until it is answered              -> LAB finished
# commands for the server:
#   touch   write to the files that the client holds, one after the other  -> LAB touched
#   freeze, thaw   stop and resume writing to the disk            -> LAB frozen, LAB thawed
# settings: lab_node, lab_names, lab_agent (vsock or tcp), lab_seed
cd /tmp || exit 1
# shellcheck source=examples/cluster/guest/common.sh
. /common.sh
threads=6 rounds=3 recalls=12 slots=4	# more threads than slots of the session, so that threads wait for a slot

load_modules()
{
	# ext4 needs an implementation of crc32c when it is loaded; newer kernels have one built in
	modprobe crc32c_generic 2> /dev/null
	for module in virtio_mmio virtio_net virtio_blk vmw_vsock_virtio_transport ext4 sunrpc nfsd; do
		modprobe "$module" || failed "module $module"
	done
	modprobe nfs max_session_slots=$slots || failed "module nfs"
	for module in nfsv3 nfsv4; do
		modprobe "$module" || failed "module $module"
	done
	[ -e /iotrace.ko ] || return 0
	insmod /iotrace.ko || failed "module iotrace: $(dmesg | tail -n 1)"
}

# What the programs of NFS look up by name.
names()
{
	printf 'root:x:0:0::/root:/bin/sh\nstatd:x:1:1::/:/bin/sh\n_rpc:x:2:2::/:/bin/sh\n' > /etc/passwd
	echo "root:x:0:" > /etc/group
	printf 'tcp 6 TCP\nudp 17 UDP\n' > /etc/protocols
	printf 'sunrpc 111/tcp\nsunrpc 111/udp\nnfs 2049/tcp\nmountd 20048/tcp\n' > /etc/services
	printf 'rpcbind 100000\nnfs 100003\nmountd 100005\n' > /etc/rpc
	printf 'passwd: files\ngroup: files\nhosts: files\nprotocols: files\nservices: files\nrpc: files\n' > /etc/nsswitch.conf
	ln -sf /proc/mounts /etc/mtab
}

# In its first seconds, which are for clients of a life before, the server refuses to open files.
is_serving()
{
	[ "$(cat /proc/fs/nfsd/threads)" = 8 ] || rpc.nfsd -G 10 -L 3600 8
	[ "$(cat /proc/fs/nfsd/v4_end_grace)" = Y ]
}

# The lease is long: the client renews it several times in a lease, which would be calls in between that nobody expects.
serve()
{
	mkdir -p /export /run/rpcbind /var/lib/nfs/v4recovery /var/lib/nfs/rpc_pipefs
	rm -rf /var/run && ln -s /run /var/run
	mount -t ext4 /dev/vda /export || failed "mount of the disk: $(dmesg | tail -n 1)"
	mount -t nfsd none /proc/fs/nfsd || failed "nfsd"
	touch /var/lib/nfs/etab /var/lib/nfs/rmtab
	echo "/export *(rw,no_root_squash,no_subtree_check,insecure,fsid=0)" > /etc/exports
	rpcbind -f -w > rpcbind.log 2>&1 &
	await "rpcbind" $! rpcbind.log [ -S /run/rpcbind.sock ]
	exportfs -ra > exportfs.log 2>&1 || { show exportfs.log; failed "exportfs"; }
	rpc.mountd -F -p 20048 > mountd.log 2>&1 &
	await "rpc.nfsd" $! mountd.log is_serving
}

# mount_nfs FOLDER SOURCE OPTIONS
mount_nfs()
{
	mkdir -p "$1"
	mount.nfs "$2" "$1" -o "$3,rsize=16384,wsize=16384,proto=tcp,port=2049,hard" > mount.log 2>&1 ||
		{ show mount.log; failed "mount of $2: $(dmesg | tail -n 1)"; }
}

run_load()
{
	nfsload --seed "$lab_seed" --threads $threads --rounds $rounds --held $recalls /mnt/4 > nfsload.log 2>&1 ||
		{ show nfsload.log; failed "nfsload"; }
}

# The shell opens a program's input before it becomes the program.
is_open()
{
	readlink "/proc/$1/fd/0" | grep -q /mnt/4/held
}

hold_files()
{
	for i in $(seq $recalls); do
		sleep 10000 < "/mnt/4/held$i" &
		holders="$holders $!"
		await "open of held$i" $! mount.log is_open $!
	done
}

retransmissions()
{
	sed -n 's/^rpc [0-9]* \([0-9]*\) .*/\1/p' /proc/net/rpc/nfs
}

was_sent_again()
{
	[ "$(retransmissions)" -ge $((sent_again + 2)) ]
}

write_frozen()
{
	sent_again=$(retransmissions)
	dd if=/dev/zero of=/mnt/3/frozen bs=16k count=2 conv=notrunc,fsync > dd.log 2>&1 &
	writer=$!
	await "dd" $writer dd.log was_sent_again
}

# mountstats of the NFS mounts only
counters()
{
	sed 's/^/LAB rpc /' "/proc/net/rpc/$1"
	[ "$1" = nfs ] || return 0
	awk '/^device / { nfs = / with fstype nfs/ } nfs { print "LAB mountstats " $0 }' /proc/self/mountstats
	sed -n 's/^nfsload: totals /LAB totals /p' nfsload.log
	echo "LAB totals held files=$recalls"
	echo "LAB totals frozen writes=2 written=32768"
}

load_modules
names
network
drain_early
counted=nfs
[ "$lab_node" = 1 ] || { counted=nfsd; serve; }
start_agent
while read -r command; do
	case $command in
	agent) start_agent ;;
	mount) mount_nfs /mnt/4 server:/ vers=4.2; echo "LAB mounted" ;;
	load) run_load; echo "LAB loaded" ;;
	hold) hold_files; echo "LAB holding" ;;
	touch)
		for i in $(seq $recalls); do
			echo touched >> "/export/held$i" || failed "write to held$i"
		done
		echo "LAB touched"
		;;
	mount3)
		kill $holders && wait $holders
		mount_nfs /mnt/3 server:/export vers=3,nolock,mountproto=tcp,mountport=20048,timeo=20
		: > /mnt/3/frozen || failed "the file to be frozen"
		echo "LAB mounted3"
		;;
	freeze) fsfreeze --freeze /export || failed "freeze"; echo "LAB frozen" ;;
	write) write_frozen; echo "LAB retransmitted" ;;
	thaw) fsfreeze --unfreeze /export || failed "thaw"; echo "LAB thawed" ;;
	finish) wait $writer || { show dd.log; failed "dd"; }; echo "LAB finished" ;;
	stop) counters $counted; echo "LAB stopped" ;;
	off) exit 0 ;;
	esac
done
failed "its console was closed"
