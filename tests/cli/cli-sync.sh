#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Clocks of the inputs: the output sync, its assumptions, and recordings whose samples contradict them. The samples of the
# PTP recording are -198, -129 ns (CPU 0) and 183, -139 ns (CPU 1), 152 and 175 ms apart.
# usage: cli-sync.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
ptp=$source/tests/data/agent/agent-ptp-small.dat

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# a table of the output sync as TSV: NODE COLUMN VALUE
sync()
{
	"$program" --index off -o sync,json:- "$@" 2> messages | perl -ne '
		next unless /^\{"file":"[^"]*","node":"([^"]*)","method"/;
		my $node = $1;
		print "$node\t$1\t$2\n" while /"(\w+)":"?([^",}]*)/g'
}

expect()
{
	grep -qxF -- "$(printf '%s\t%s\t%s' "$1" "$2" "$3")" sync || fail "$1, $2 is not $3: $(grep "$1.$2" sync)"
}

# another machine, whose times are stated
{
	printf 'iotrace-text 1\nclock local\nsync yes\nerror 500\n'
	printf '1698100000000 0 42 dlm_lock_start ls_id=1 lkb_id=1 mode=5 flags=0 res_name="A"\n'
	printf '1698200000000 0 42 dlm_lock_end ls_id=1 lkb_id=1 mode=5 flags=0 error=0 res_name="A"\n'
} > other.txt

# ---- KVM: exact
if [[ -e $source/examples/dlm/trace-3.dat ]]; then
	"$program" sync "$source"/examples/dlm/trace-[345].dat > sync || fail "sync: status $?"
	(($(grep -cE '^  node [123] +kvm .* 1 ns +1 ns +1 ns +exact$' sync) == 3)) || fail "kvm: $(cat sync)"
	(($(grep -cE '^  node [123] +node [123] +2 ns +2 ns +2 ns +exact$' sync) == 3)) || fail "pairs: $(cat sync)"
fi

# ---- PTP
sync other.txt "$ptp" > sync
expect vm method ptp
expect vm samples 2
expect vm residual 348
expect vm grade bounded
expect other bound_end 500
expect other method stated
grep -q 'clock_error\|clock_rate\|clock_drift' messages && fail "good samples: $(cat messages)"

# two samples of one offset that differ by 300 ns cannot both be off by 10 ns only
sync --clock-assume ptp=10ns,rate=0 other.txt "$ptp" > sync
grep -q '1 clock_error_widened' messages || fail "error: $(cat messages)"
expect vm grade bounded

# 69 ns in 152 ms: 453 ppb, of which twice 1 ns explains 13
sync --clock-assume ptp=1ns,drift=100ppb other.txt "$ptp" > sync
grep -q '1 clock_drift' messages || fail "drift: $(cat messages)"
expect vm grade none

# three samples of CPU 0, one of CPU 1: an option of the same size; the rate changes from 5000 to -5000 ppm
perl -e '
	local $/;
	my $data = <STDIN>;
	my $at = index($data, pack("L3q2", 1, 2, 2, 1698028724944, 1698180749872));
	my @times = (1698000000000, 1698100000000, 1698200000000);
	my $option = pack("L2 Lq9 Lq3 q4", 1, 2, 3, @times, 0, 500000, 0, 1, 1, 1, 1, $times[0], 0, 1, 0, 0, 0, 0);
	die if $at < 0;
	substr($data, $at, length $option) = $option;
	print $data' < "$ptp" > bent.dat || fail "no clock samples in $ptp"
sync other.txt bent.dat > sync
expect vm samples 3
expect vm change_ppb 10000000
grep -q '1 clock_rate_widened' messages || grep -q '1 clock_drift' messages || fail "rate: $(cat messages)"
sync --clock-assume drift=6000ppm,ptp=1us other.txt bent.dat > sync
grep -q '1 clock_rate_widened' messages || fail "rate: $(cat messages)"
expect vm grade bounded

# ---- nothing to compare with
"$program" sync other.txt > sync || fail "one input: status $?"
grep -q '^Order' sync && fail "one input has an order between machines"
"$program" report other.txt > report || fail "report: status $?"
grep -q '^Clocks' report && fail "the report of one input has a table of clocks"
"$program" report other.txt "$ptp" > report || fail "report: status $?"
grep -q '^Clocks' report || fail "the report has no table of clocks"
sed 's/sync yes/sync no/' other.txt > alone.txt
sync alone.txt "$ptp" > sync
expect alone grade none

# ---- options and text that are wrong
for value in ptp ptp=x rate=-1 delay=1 ''; do
	"$program" --clock-assume "$value" other.txt > out 2> messages
	status=$?
	((status == 1)) && grep -q -- '--clock-assume' messages || fail "--clock-assume '$value': $status $(cat messages)"
done
sed 's/error 500/error soon/' other.txt > bad.txt
"$program" sync bad.txt > out 2> messages && fail "a bad error is taken"
grep -q 'bad.txt:4:7: a time in ns expected' messages || fail "bad error: $(cat messages)"

exit $((failures > 0))
