#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The model net on this kernel: a slow queue between two networks drops packets of a TCP connection, which sends them again. Packets that
# were dropped and sent again, and bytes in both directions, are those that the kernel's own counters say.
# usage: record-net.sh PROGRAM SOURCE_DIR
# shellcheck source=tests/record/record-lib.sh
. "$(dirname "$0")/record-lib.sh"
own_network
real_trace_cmd
command -v tc > /dev/null || skip 'no tc (package iproute2)'
[[ -d $tracefs/events/net && -d $tracefs/events/qdisc && -d $tracefs/events/tcp ]] || skip 'the kernel has no events of the network'

# namespace NAME: a network of a process that sleeps, in which nothing but the connection sends packets; NAME becomes the command prefix to run
# something there
sleepers=()
trap 'kill "${sleepers[@]}"; rm -rf "$work"' EXIT
namespace()
{
	local -n prefix=$1
	unshare -n sleep infinity &
	sleepers+=($!)
	until [[ $(readlink "/proc/$!/ns/net") != "$(readlink /proc/self/ns/net)" ]]; do :; done
	prefix=(nsenter "--net=/proc/$!/ns/net")
	"${prefix[@]}" sh -c 'echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6; echo 1 > /proc/sys/net/ipv4/ip_forward'
}

# address ADDRESS DEVICE COMMAND...: the device of the network in which the command runs
address()
{
	"${@:3}" ip link set "$2" addrgenmode none up
	"${@:3}" ip addr add "$1/24" dev "$2"
}

# v0 here - v1 on a router, w0 there with a slow queue - w1 on the server
echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
ip link add v0 type veth peer name v1 2> /dev/null || skip 'no veth'
namespace router
namespace server
ip link set v1 netns "${sleepers[0]}"
"${router[@]}" ip link add w0 type veth peer name w1
"${router[@]}" ip link set w1 netns "${sleepers[1]}"
"${router[@]}" tc qdisc add dev w0 root tbf rate 20mbit burst 4k limit 12k 2> /dev/null || skip 'no tbf'
# a packet of the driver is one segment, so the kernel counts what the events count
ip link set v0 gso_max_segs 1
address 10.9.8.1 v0
address 10.9.8.2 v1 "${router[@]}"
address 10.9.7.1 w0 "${router[@]}"
address 10.9.7.2 w1 "${server[@]}"
ip route add 10.9.7.0/24 via 10.9.8.2
"${server[@]}" ip route add 10.9.8.0/24 via 10.9.7.1

cat > "$work/server.js" << 'END'
const net = require("net")
const server = net.createServer(socket => {
	let n = 0
	socket.on("data", data => { n += data.length })
	socket.on("end", () => { socket.end(String(n)); server.close() })
})
server.listen(7777, "10.9.7.2", () => console.log("listening"))
END
cat > "$work/client.js" << 'END'
const socket = require("net").connect(7777, "10.9.7.2", () => socket.end(Buffer.alloc(400000)))
socket.on("data", data => console.log("received " + data))
END
# of the interface v0: bytes that it received, as the event has them, without the 14 of each packet for Ethernet, and sent; of TCP:
# segments that were sent again
counters()
{
	awk '$1 == "v0:" { print $2 - 14 * $3, $10 }' /proc/net/dev
	awk '$1 == "Tcp:" && !n++ { for (i = 2; i <= NF; i++) if ($i == "RetransSegs") at = i; next } $1 == "Tcp:" { print $at }' /proc/net/snmp
}
export -f counters
cat > "$work/load" << END
"\$@" node $work/server.js > $work/server.out &
until grep -q listening $work/server.out 2> /dev/null; do kill -0 \$! || exit 1; done
node $work/client.js > $work/client.out
wait
END
counters > "$work/before"
"$record" -q -m net -o "$work/recording" -- bash "$work/load" "${server[@]}" > "$work/out" 2> "$work/err" || fail "iotrace-record: $(cat "$work/err")"
counters > "$work/after"
dropped=$("${router[@]}" tc -s qdisc show dev w0 | sed -n -E 's/.*\(dropped ([0-9]+),.*/\1/p')
paste -d ' ' "$work/before" "$work/after" | awk 'NF == 4 { print "bytes received", $3 - $1; print "bytes sent", $4 - $2; next } { print "sent again", $2 - $1 }' > "$work/expected"
echo "dropped $dropped" >> "$work/expected"
grep -q '^received 400000$' "$work/client.out" || fail "the load: $(cat "$work/client.out" "$work/err")"
((dropped > 0)) || fail 'the queue has dropped nothing'

"$analyze" -q --index off -m net -o "text:$work/text" "$work/recording" || fail "iotrace-analyze: status $?"
awk -F'"' '
	/ sample / && $2 ~ /\/v0$/ { split($3, value, " "); last[value[1]] = value[2] }
	/ point / && $2 ~ /\/w0$/ && /"QDISC_DROP"/ { drops++ }
	/ point / && $2 ~ /\/10\.9\.8\.1:[0-9]+ to 10\.9\.7\.2:7777$/ && $4 == "retransmitted" { again++ }
	END {
		print "bytes received", last["bytes_received"] + 0
		print "bytes sent", last["bytes_sent"] + 0
		print "sent again", again + 0
		print "dropped", drops + 0
	}' "$work/text" > "$work/found"
diff "$work/expected" "$work/found" || fail 'other numbers than those of the kernel'
ends "$(paste -sd ',' "$work/found" | sed 's/,/, /g'), as the kernel counts"
