#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The table of EVENTS.md: the cost of one-byte reads and writes in the guest, plain and watched in several ways.
# usage: overhead.sh OUT_DIR
# Measured twice: in emulated time, and with a clock that advances by one nanosecond with each instruction (QEMU's icount),
# which counts instructions and does not depend on the load of the machine.
here=$(cd "$(dirname "$0")" && pwd)
out=$1

# medians FILE: "WAY MEDIAN" in the order of the ways
medians()
{
	awk '!($1 in n) { way[++ways] = $1 }
		{ n[$1]++; print $1, $2 | "sort -k1,1 -k2,2n" }
		END { close("sort -k1,1 -k2,2n"); for (i = 1; i <= ways; i++) print "order", way[i], n[way[i]] }' "$1" |
		awk '$1 == "order" { print $2, value[$2, int(($3 + 1) / 2)] } $1 != "order" { value[$1, ++count[$1]] = $2 }'
}

for clock in emulated instructions; do
	VM_QEMU=
	[[ $clock == instructions ]] && VM_QEMU="-smp 1 -icount shift=0,sleep=off"
	export VM_QEMU VM_DEBUG=no
	bash "$here/vm.sh" "$out/$clock" "$here/bench/overhead-guest.sh" || exit
	medians "$out/$clock/share/out/overhead-guest/times" > "$out/$clock.medians" || exit
done
paste -d ' ' "$out/emulated.medians" "$out/instructions.medians" | awk '
	NR == 1 { plain = $2; instructions = $4 }
	{ printf "%-16s %8d ns %8.2f x %8d instructions %8.2f x %8d more\n", $1, $2, $2 / plain, $4, $4 / instructions, $4 - instructions }'
