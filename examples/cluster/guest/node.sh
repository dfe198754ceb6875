#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154,SC2317 # settings come from init; await calls functions
# A node of the cluster, in a guest. It waits for commands on its console:
#   agent   (re)start trace-cmd's agent       -> LAB ready
#   go      form the cluster, start the load  -> LAB quorate, LAB lockspace, LAB mounted, LAB load
#   stop    end the load                      -> LAB totals ..., LAB stopped
#   off     switch off
# settings: lab_node, lab_nodes, lab_names, lab_agent (vsock or tcp), lab_seed
node=$lab_node
cd /tmp || exit 1
# shellcheck source=examples/cluster/guest/common.sh
. /common.sh

load_modules()
{
	for module in virtio_mmio virtio_net virtio_blk vmw_vsock_virtio_transport configfs dlm; do
		modprobe "$module" || failed "module $module"
	done
	# GFS2 needs libcrc32c, which requires an implementation when it is loaded; newer kernels have one built in
	modprobe crc32c_generic 2> /dev/null
	modprobe gfs2 || failed "module gfs2"
	mount -t configfs none /sys/kernel/config || failed "configfs"
	[ -e /iotrace.ko ] || return 0
	insmod /iotrace.ko || failed "module iotrace: $(dmesg | tail -n 1)"
}

# The token's times suit emulation: a guest may get no processor for seconds.
corosync_conf()
{
	cat <<-END
	totem {
	    version: 2
	    cluster_name: lab
	    transport: udpu
	    crypto_cipher: none
	    crypto_hash: none
	    token: 20000
	    consensus: 24000
	}
	quorum {
	    provider: corosync_votequorum
	}
	logging {
	    to_stderr: yes
	    to_syslog: no
	    to_logfile: no
	}
	nodelist {
	END
	for i in $(seq "$lab_nodes"); do
		printf '    node {\n\tring0_addr: 10.0.0.%d\n\tname: node%d\n\tnodeid: %d\n    }\n' "$i" "$i" "$i"
	done
	echo "}"
}

all_nodes_vote()
{
	corosync-quorumtool -s 2> /dev/null | grep -q "Total votes: *$lab_nodes\$"
}

# Replaces udev: libdlm looks for its devices below /dev/misc.
dlm_devices()
{
	mkdir -p /dev/misc
	for device in dlm-control dlm-monitor dlm_plock dlm_test; do
		ln -sf "../$device" "/dev/misc/$device"
	done
}

# The kernel has the addresses of all nodes, and knows its own.
nodes_are_configured()
{
	[ "$(cat /sys/kernel/config/dlm/cluster/comms/*/addr_list | grep -c AF_INET)" = "$lab_nodes" ] &&
		grep -q 1 /sys/kernel/config/dlm/cluster/comms/*/local
}

form_cluster()
{
	mkdir -p /etc/corosync /var/lib/corosync /run/corosync /var/log/corosync
	corosync_conf > /etc/corosync/corosync.conf
	corosync -f > corosync.log 2>&1 &
	await "corosync" $! corosync.log all_nodes_vote
	echo "LAB quorate"
	dlm_devices
	# no waiting for quorum, no fencing: there is no fencing device
	dlm_controld -D -q 0 -s 0 -f 0 > controld.log 2>&1 &
	await "dlm_controld" $! controld.log nodes_are_configured
}

start_load()
{
	dlmload --seed "$lab_seed" --node "$node" test > dlmload.log 2>&1 &
	dlmload_pid=$!
	await "lockspace test" $! dlmload.log grep -q "^dlmload: running" dlmload.log
	echo "LAB lockspace"
	mkdir -p /mnt
	mount -t gfs2 /dev/vda /mnt || failed "mount of GFS2: $(dmesg | tail -n 1)"
	echo "LAB mounted"
	fileload --seed "$lab_seed" --node "$node" --nodes "$lab_nodes" /mnt > fileload.log 2>&1 &
	fileload_pid=$!
	await "file load" $! fileload.log grep -q "^fileload: running" fileload.log
	echo "LAB load"
}

# Both programs end their round, release their locks, and print their totals.
stop_load()
{
	kill "$fileload_pid" "$dlmload_pid"
	wait "$fileload_pid" || { show fileload.log; failed "fileload"; }
	wait "$dlmload_pid" || { show dlmload.log; failed "dlmload"; }
	sed -n 's/^\([a-z]*load\): totals/LAB totals \1/p' fileload.log dlmload.log
	echo "LAB stopped"
}

load_modules
network
drain_early
start_agent
while read -r command; do
	case $command in
	agent) start_agent ;;
	go) form_cluster && start_load ;;
	stop) stop_load ;;
	off) exit 0 ;;
	esac
done
failed "its console was closed"
