# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034,SC2054 # the sourcing script makes and uses the settings; QEMU likes commas
# Sourced: a session of a lab, from booting the guests to storing the recordings. The same for all modes; in mode nested it
# runs in the emulated host (guest/host.sh). nodes, load and explain are those of the cluster; another lab replaces them.
#
# settings: here (folder of these scripts), images (folder with kernel, node.cpio, recorder.cpio), disk (file system
# of the nodes), store (folder for the recordings), and settings_of_session

# The settings to pass to the emulated host.
settings_of_session=(lab mode accel seconds seed patience memory cpus small buffer models events cids tsc_khz recorder source)
nodes=(node1 node2 node3)

# guest NAME CPUS MEMORY INITRAMFS KERNEL_ARGUMENTS QEMU_ARGUMENT...
# Several emulated processors share one thread: QEMU with a thread for each sometimes executes an old instruction after the
# kernel has patched it.
guest()
{
	local name=$1 cpus=$2 memory=$3 initramfs=$4 arguments=$5 cpu=host accelerator=$accel
	shift 5
	((!small)) || arguments+=" lab.small=1"
	[[ $accel == kvm ]] || { cpu=max accelerator+=,thread=single arguments+=" tsc=reliable tsc_early_khz=$tsc_khz"; }
	launch "$name" qemu-system-x86_64 -name "guest=$name,debug-threads=on" \
		-machine microvm,acpi=on,rtc=on -accel "$accelerator" -cpu "$cpu" -smp "$cpus" -m "$memory" \
		-nodefaults -no-user-config -display none -no-reboot -serial stdio \
		-kernel "$images/kernel" -initrd "$images/$initramfs" \
		-append "console=ttyS0 quiet panic=1 reboot=t $arguments" "$@"
}

# add_network NUMBER: a private network without privileges. Node 1's QEMU is the hub; sockets in the folder run connect the
# others to it. Number 4 is the recording guest.
add_network()
{
	local port
	if (($1 == 1)); then
		arguments+=(-netdev hubport,id=net,hubid=0)
		for port in 2 3 4; do
			arguments+=(-netdev "stream,id=wire$port,server=on,addr.type=unix,addr.path=wire$port"
				-netdev "hubport,id=port$port,hubid=0,netdev=wire$port")
		done
	else
		arguments+=(-netdev "stream,id=net,server=off,addr.type=unix,addr.path=wire$1")
	fi
	arguments+=(-device "virtio-net-device,netdev=net,mac=52:54:00:00:00:0$1")
}

# All nodes open one raw file with the file system. This is safe: QEMU caches nothing, so the nodes share the page cache of
# the machine like the cache of a disk array. Only QEMU's lock must be off.
add_disk()
{
	arguments+=(-drive "id=disk,if=none,format=raw,file=$disk,cache=writeback,file.locking=off"
		-device virtio-blk-device,drive=disk,werror=report)
}

start_node()
{
	local number=$1 agent=tcp arguments=()
	add_network "$number"
	add_disk
	if [[ $mode != flat ]]; then
		agent=vsock
		arguments+=(-device "vhost-vsock-device,guest-cid=${cids[number - 1]}")
	fi
	guest "${nodes[number - 1]}" "$cpus" "$memory" node.cpio \
		"lab.node=$number lab.nodes=${#nodes[@]} lab.names=$(IFS=,; echo "${nodes[*]}") lab.agent=$agent lab.seed=$seed" \
		"${arguments[@]}"
}

# In mode flat a guest records, because it must be on the nodes' network; else this machine records.
start_recorder()
{
	local settings arguments=() agents=() number
	for number in "${!nodes[@]}"; do
		if [[ $mode == flat ]]; then
			agents+=("10.0.0.$((number + 1)):823")
		else
			agents+=("${cids[number]}")
		fi
	done
	settings=(agents="$(IFS=,; echo "${agents[*]}")" models="$models" events="$events" buffer="$buffer"
		limit="$((60 * factor * patience))")
	if [[ $mode == flat ]]; then
		add_network 4
		guest recorder 1 512 recorder.cpio "${settings[*]/#/lab.}" "${arguments[@]}" \
			-fsdev "local,id=store,path=$store,security_model=none" \
			-device virtio-9p-device,fsdev=store,mount_tag=store
	else
		mkdir -p "$run/data"
		settings+=(data="$run/data" store="$store")
		launch recorder env "${settings[@]/#/lab_}" PATH="${recorder%/*}:$PATH" IOTRACE_MODELS="$source/events/models" \
			sh "$here/guest/controller.sh"
	fi
}

# The boot time of the first node measures the speed of the machine. Under KVM the nodes start one by one, as an emulated
# host requires; emulated guests are slow, so the others start together.
boot()
{
	local number begin=$SECONDS limit=60 least=1
	[[ $accel == kvm ]] || { limit=300 least=8; }
	[[ $mode == nested ]] && { limit=600 least=20; }
	say "booting ${#nodes[@]} nodes ($memory MiB each)"
	for ((number = 1; number <= ${#nodes[@]}; number++)); do
		start_node "$number"
		((number == 1)) || [[ $accel == kvm ]] || continue
		await up "$limit" "${nodes[number - 1]}"
		((number == 1)) || continue
		measure_factor $((SECONDS - begin)) "$least"
		limit=60
		say "${nodes[0]} took $((SECONDS - begin)) s to boot; all time-outs are multiplied by $((factor * patience))"
	done
	start_recorder
	[[ $mode != flat ]] || await ready 60 recorder
	await ready 60 "${nodes[@]}"
}

# If recording fails, for instance because a guest is too busy, it is repeated with new agents.
connect()
{
	local try
	for try in 1 2 3; do
		say "connecting to the agents"
		send record recorder
		# the check, which records for a moment, and the recording itself
		if await_either recording ended 240 recorder; then
			say "recording"
			return
		fi
		say "the recording did not start (try $try): $(tail -n 3 "$consoles/recorder" | head -n 1)"
		send agent "${nodes[@]}"
		await ready 60 "${nodes[@]}"
	done
	failed recorder "iotrace-record could not record"
}

load()
{
	local state
	send go "${nodes[@]}"
	for state in quorate lockspace mounted load; do
		await "$state" 120 "${nodes[@]}"
		say "$(explain "$state")"
	done
	say "recording for $seconds seconds"
	await_time "$seconds"
}

explain()
{
	case $1 in
	quorate) echo "corosync: three nodes are one cluster" ;;
	lockspace) echo "dlm_controld, lockspace test: all nodes have joined and lock" ;;
	mounted) echo "GFS2 is mounted on all nodes" ;;
	load) echo "file load is running on all nodes" ;;
	esac
}

finish()
{
	say "stopping the load"
	send stop "${nodes[@]}"
	await stopped 60 "${nodes[@]}"
	say "stopping the recording"
	send stop recorder
	await recorded 120 recorder
	[[ $(details recorder ended | tail -n 1) == [04] ]] || failed recorder "iotrace-record ended with an error"
	say "iotrace-record: $(details recorder verdict | tail -n 1)"
	say "switching off"
	send off recorder "${nodes[@]}"
	ended 30 recorder "${nodes[@]}"
}

session()
{
	watched=()
	boot
	watched=("${nodes[@]}" recorder)
	connect
	load
	finish
}
