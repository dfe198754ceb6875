#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: ctf-kernel.sh ANALYZE KERNEL
# Traces as LTTng's kernel tracer writes them, without a library (KERNEL: ctf-kernel), against text recordings of the same events with the names of the
# kernel: the models sched, syscalls and block draw the same. The thread of an event comes from the context tid, or from sched_switch.
. "${0%/*}/readers-lib.sh"
analyze=$1 kernel=$2
"$analyze" --version | grep -q ', libbabeltrace2' || exit 77
for ((seed = 1; seed <= 10; seed++)); do
	tid=
	((seed % 2)) && tid=tid
	"$kernel" "$dir/node" $seed 2000 $tid > "$dir/node.txt" || exit 1
	for input in node.txt node; do
		timeout 60 "$analyze" -q --index off -m sched -m syscalls -m block -o "text:$dir/text" "$dir/$input" || exit 1
		sort "$dir/text" > "$dir/$input.items"
	done
	mv "$dir/node.txt.items" "$dir/expected"
	mv "$dir/node.items" "$dir/got"
	(agree "items of trace $seed") > "$dir/said" 2>&1 || { tail -n 20 "$dir/said"; exit 1; }
	for word in '" cpu "' '" io "open' '" io "read' ' block-request "write' ' block-request "discard' ' link '; do
		grep -q -- "$word" "$dir/got" || { echo "ctf-kernel: no item with $word" >&2; exit 1; }
	done
	rm -r "$dir/node"
done
