# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2317 # settings come from init; await calls functions
# Sourced by the nodes of all labs: failures, network, trace-cmd's agent.
# settings: lab_node (number of this node), lab_names (NAME,NAME... of all nodes), lab_agent (vsock or tcp)

failed()
{
	echo "LAB failed $*"
	exit 1
}

# show LOG: prints the end of the log on the console
show()
{
	tail -n 15 "$1" | sed "s/^/$1: /"
}

# await WHAT PID LOG COMMAND...: waits until COMMAND succeeds; fails with WHAT if process PID ends before
await()
{
	what=$1 pid=$2 log=$3
	shift 3
	until "$@" > /dev/null 2>&1; do
		kill -0 "$pid" 2> /dev/null || { show "$log"; failed "$what: its program has ended"; }
		sleep 0.3
	done
}

network()
{
	number=0
	echo "127.0.0.1 localhost" > /etc/hosts
	for name in $(echo "$lab_names" | tr ',' ' '); do
		number=$((number + 1))
		echo "10.0.0.$number $name" >> /etc/hosts
		[ "$number" != "$lab_node" ] || hostname "$name"
	done
	ifconfig eth0 "10.0.0.$lab_node" netmask 255.255.255.0 up || failed "network"
	# busybox's shell would prefer its own ip, which does not know quickack.
	# trace-cmd's PTP writes its messages in small pieces; delayed ACKs would spoil the measured offsets
	/bin/ip route change 10.0.0.0/24 dev eth0 quickack 1 || failed "route"
	echo "4096 4194304 4194304" > /proc/sys/net/ipv4/tcp_wmem	# see drain_early
}

# The agent's ready message stays in its buffer, so we check whether the agent waits in accept(2).
agent_listens()
{
	read -r call _ < "/proc/$agent/syscall" && [ "$call" = 43 ]
}

# If a recording stops with much data left to send, trace-cmd 3.1 may write only a part of a page, and all following data are
# displaced. So the node sends when a hundredth of the buffer is full, instead of half, and a socket holds the whole buffer.
drain_early()
{
	echo 1 > /sys/kernel/tracing/buffer_percent || failed "buffer_percent"
}

# An agent without its client leaves a waiting process, and instances of the clock measurement.
start_agent()
{
	killall trace-cmd 2> /dev/null && sleep 1
	for instance in /sys/kernel/tracing/instances/*; do
		[ -d "$instance" ] && rmdir "$instance"
	done
	case $lab_agent in
	tcp) trace-cmd agent --notimeout -N 10.0.0.254 -p 823 > agent.log 2>&1 & ;;
	*) trace-cmd agent --notimeout > agent.log 2>&1 & ;;
	esac
	agent=$!
	await "trace-cmd agent" "$agent" agent.log agent_listens
	echo "LAB ready"
}
