#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the generator's files with trace-cmd: `trace-cmd report` must read every file with the truth's event counts, and
# every time of the truth must be the time of an event of the same lock in the report.
#
# usage: roundtrip.sh GEN-DAT [SCRATCH-DIR]
set -euo pipefail
gen=$1
dir=$(mktemp -d "${2:-${TMPDIR:-/tmp}}/roundtrip.XXXXXX")
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C
failed=0

# "NODE EVENT N" lines of all files of a case, from the report
counts()
{
	local file node
	for file in "$dir"/c*.dat; do
		node=${file##*/c}; node=${node#-}; node=${node%.dat}
		trace-cmd report -N -t "$file" 2>/dev/null | awk -v node="${node:-2}" '
			match($0, /[0-9]: (dlm_[a-z_]+|(read|write|sync)_(start|end)|sched_switch): /) {
				name = substr($0, RSTART + 3, RLENGTH - 5)
				n[name]++
			}
			match($0, /\[[0-9]+ EVENTS DROPPED\]/) {
				lost += substr($0, RSTART + 1, RLENGTH - 2) + 0
			}
			END {
				for (name in n)
					print node - 2, name, n[name]
				if (lost)
					print node - 2, "lost", lost
			}'
	done | sort
}

# "NODE LKB_ID TIME" of the ends of spans (a span open at the end has no end event)
truth_times()
{
	awk -F'\t' 'FNR == NR { if ($1 == "end") end = $2; next }
		$1 == "span" {
			print $2, $5, $7
			if ($8 != end)
				print $2, $5, $8
		}' "$dir/truth" "$dir/truth" | sort -u
}

report_times()
{
	local file node
	for file in "$dir"/c-*.dat; do
		node=${file##*/c-}
		trace-cmd report -N -t "$file" 2>/dev/null | awk -v node=$((${node%.dat} - 2)) '
			match($0, /[0-9]+\.[0-9]+: dlm_(ast|lock_start|unlock_start): /) {
				t = substr($0, RSTART, RLENGTH)
				sub(/:.*/, "", t)
				sub(/\./, "", t)
				match($0, /lkb_id=[0-9a-f]+/)
				print node, substr($0, RSTART + 7, RLENGTH - 7), t
			}'
	done | sort -u
}

check()
{
	local name=$1
	shift
	rm -f "$dir"/*
	"$gen" --truth "$dir/truth" "$@" "$dir/c"
	counts >"$dir/counted"
	awk -F'\t' '$1 == "count" { print $2, $3, $4 }' "$dir/truth" | sort >"$dir/expected"
	# a loss of unknown size is not in the report's numbers
	if grep -q '^gap.*?$' "$dir/truth"; then
		sed -i '/ lost /d' "$dir/counted" "$dir/expected"
	fi
	if ! diff "$dir/expected" "$dir/counted" >"$dir/diff"; then
		echo "FAIL $name: counts differ (< truth, > trace-cmd report)"
		head -20 "$dir/diff"
		failed=1
		return
	fi
	if [ "$name" != "${name%-times}" ]; then
		truth_times >"$dir/times"
		report_times >"$dir/report"
		if [ ! -s "$dir/times" ] || comm -23 "$dir/times" "$dir/report" | grep . >"$dir/diff"; then
			echo "FAIL $name: times of the truth that no event has (NODE LKB_ID TIME)"
			head -20 "$dir/diff"
			failed=1
			return
		fi
	fi
	echo "ok $name: $(awk '{ n += $3 } END { print n }' "$dir/counted") events"
}

small="--events 20000 --guests 2 --host --interest 80 --load mixed"
for endian in le be; do
	for word in 4 8; do
		check "v6-$endian$word" $small --version 6 --endian $endian --word $word
		for compression in none zstd; do
			check "v7-$compression-$endian$word" $small --endian $endian --word $word \
				--compression $compression
		done
	done
done
check page-64k $small --page-size 65536
check page-16k-zstd $small --page-size 16384 --compression zstd
check loss $small --loss 50
check loss-zstd-be4 $small --loss 50 --compression zstd --endian be --word 4
check many-cpus $small --cpus 32
check one-event --events 1
check io --events 20000 --load io
times="--events 50000 --guests 3 --cpus 3 --host --interest 70"
check kvm-times $times
check kvm-tsc-times $times --tsc2nsec --compression zstd
# trace-cmd corrects each CPU with its own samples, so its times are true only if the samples are.
ptp="$times --protocol ptp --sample-error 0"
check ptp-times $ptp --samples 5 --sample-ms 150
check ptp-negative-drift-times $ptp --drift -300 --offset -5000000000,7,1
check v6-be-tsc-ptp-times $ptp --version 6 --endian be --tsc2nsec
exit $failed
