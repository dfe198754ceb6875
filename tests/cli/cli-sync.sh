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
	(($(grep -cE '^  node [123] +node [123] +kvm +0 +2 ns +2 ns +2 ns +(857 +857|2853 +2853|2938 +2938) +0 +0 +0 +exact$' sync) == 3)) || fail "pairs: $(cat sync)"
fi

# ---- a wrong clock: messages contradict node 2, so nothing is proved between it and the others; its own holds and those of the others are
# what they were. The messages of the pairs: sync
if [[ -e $source/examples/dlm/trace-3.dat ]]; then
	shifted=(--shift 2=-150ms "$source"/examples/dlm/trace-[345].dat)
	"$program" -q --index off -o report,json:report.json -o sync:sync "${shifted[@]}" 2> messages || fail "shift: status $?"
	(($(grep -cE '^  node [123] +node [123] .* contradicted$' sync) == 2)) || fail "two pairs are contradicted: $(cat sync)"
	perl -ne '
		$table = $1 if /^"(\w+)":\{"title"/;
		next unless /^\{/;
		my ($waiter) = /"waiter":"(?:[^"]*\/)?(node \d)/;
		my ($other) = /"(?:because|holder)":"(node \d)/;
		my $proved = /"certainty":"proved"|"deadlock":"proved"/ || (/"proved":([\d.]+)/ && $1 > 0);
		my $pair = $table =~ /^(chains|cycles)$/ ? /node 2/ && /node [13]/
			 : defined $other && $waiter ne $other && "$waiter$other" =~ /node 2/;
		print "$table: $_" if $pair && $proved;
		$n{$table}++ if $pair;
		$sure{$table}++ if !$pair && $proved;
		END { for (qw(holders blame blame_processes chains cycles)) { print "$_: none of node 2\n" unless $n{$_} }
		      for (qw(holders blame blame_processes cycles)) { print "$_: nothing is proved any more\n" unless $sure{$_} } }
	' report.json > bad
	[[ ! -s bad ]] || fail "proved by a wrong clock: $(head -20 bad)"
	"$program" -q --index off -o check,json:check.json "${shifted[@]}" 2> messages
	grep -q '"grade":"proved".*node 2' check.json && fail "check: $(grep -m 3 '"grade":"proved".*node 2' check.json)"
	grep -q '"grade":"possible".*"rule":"dlm modes".*messages contradict the clocks' check.json || fail "check: no modes"
	grep -q '"grade":"possible".*"rule":"dlm order".*so one of them is wrong' check.json || fail "check: no order: $(head -30 check.json)"
fi

# ---- --causality hold and rounds deliver machines one ahead of the other: links find the same partners
if [[ -e $source/examples/dlm/trace-3.dat ]]; then
	"$program" -q --index off --sync none report,tables "$source"/examples/dlm/trace-[345].dat > report 2> messages
	grep -q 'try --sync auto, or a longer hold' report || fail "no hint: $(grep -A 5 'Rules of order' report)"
	"$program" -q --index off "$source"/examples/dlm/trace-[345].dat | grep -q 'try --sync auto' && fail "a hint without need"
	for policy in off hold rounds; do
		"$program" -q --audit --index off --causality $policy -o report,json:report.json "${shifted[@]}" 2> messages ||
			fail "$policy: status $? $(cat messages)"
		perl -ne '$on ||= /^"link_ends"/; next unless $on && /^\{/; print; exit if /\]/' report.json > links.$policy
		(($(wc -l < links.$policy) > 5)) && cmp -s links.off links.$policy || fail "$policy: $(diff links.off links.$policy | cut -c 1-200)"
	done
fi

# ---- --causality adjust gives many events of a machine one time, but a thread numbers its calls: of the links that the order as recorded
# draws all are there, except answers to a bast, which are told apart by their time
if [[ -e $source/examples/dlm/trace-3.dat ]]; then
	for policy in off adjust; do
		"$program" -q --index off --causality $policy -o text:text.$policy "${shifted[@]}" 2> messages || fail "$policy: status $?"
		perl -ne 'print "$1\n" if /^\d+ link "[^"]*" ([a-z ]+ "[^"]*")/' text.$policy | sort | uniq -c > drawn.$policy
	done
	diff drawn.off drawn.adjust > lost
	(($(awk '{ n += $1 } END { print n }' drawn.off) == 16584)) || fail "links: $(cat drawn.off)"
	[[ $(grep '^[<>]' lost | awk '{ $1 = $1; print }') == $'< 353 cause "answers"\n> 352 cause "answers"' ]] || fail "lost: $(cat lost)"
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

# processors of another frequency than the one that counts for the common clock: rates, from which the drifts of two follow. The samples
# of the three: times and offsets as trace-cmd wrote them, so a rate is 1 + the rise of the offset by the time
ptp_lab=$source/../shared/traces/dlm3-ptp
if [[ -e $ptp_lab ]]; then
	sync "$ptp_lab"/trace-10*.dat > sync
	expect 'node 1' rate 0.434784488
	expect 'node 2' rate 0.434789608
	expect 'node 3' rate 0.434789078
	expect 'node 1' drift_ppb null
	"$program" --index off -o sync,json:- "$ptp_lab"/trace-10*.dat 2> messages |
		perl -ne 'if (/^\{"node_a":"node (\d)","node_b":"node (\d)".*"drift_ppb":(-?\d+)/) {
			my %r = (1, 0.434784488, 2, 0.434789608, 3, 0.434789078);
			my $away = ($r{$1} / $r{$2} - 1) * 1e9 - $3;
			print "$1 $2: $3\n" if abs $away > 5; $n++ }
			END { print "pairs: $n\n" if $n != 3 }' > bad
	[[ ! -s bad ]] || fail "drifts: $(cat bad)"
fi

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

# ---- pairs of clocks of the user
# Node b's clock was 1000 us ahead and lost 100 us while 1 s passed on node a; a lock is asked for at 0.5 s of a and b.
machine()
{
	printf 'iotrace-text 1\nclock mono\nsync no\nhostname %s\n' "$1"
	printf '%s 0 42 dlm_lock_start ls_id=1 lkb_id=1 mode=5 flags=0 res_name="A"\n' "$2"
	printf '%s 0 42 dlm_lock_end ls_id=1 lkb_id=1 mode=5 flags=0 error=0 res_name="A"\n' "$3"
}
machine a 10500000000 10900000000 > a.txt
machine b 10500950000 10900910000 > b.txt
printf '# before\na 10s b 10001000us 5us\n\na 11s b 11000900us 7us # after\n' > pairs
"$program" --index off -o text:- --sync pairs a.txt b.txt 2> messages > text || fail "--sync: $? $(cat messages)"
for node in a b; do
	grep -q "^10500000000 point \"0x1/A/$node\" event \"lock\"" text || fail "--sync: $node: $(cat text)"
	grep -q "^10900000000 point \"0x1/A/$node\" event \"lock return\"" text || fail "--sync: $node: $(cat text)"
done
cp text text.pairs
sync --sync pairs a.txt b.txt > sync
expect b method file
expect b grade bounded
expect b samples 2
grep -q 'clock_unsynchronised' messages && fail "stated clocks are not synchronised: $(cat messages)"
awk '$1 == "b" && $2 == "bound_middle" { found = $3 > 7000 && $3 < 7000 + 2500 + 10 } END { exit !found }' sync ||
	fail "--sync: bound of b: $(grep b.bound sync)"
"$program" --index off -o text:- --shift b=-950us --shift a=+1us a.txt b.txt 2> messages > text || fail "--shift: $?"
grep -q '^10500000000 point "0x1/A/b" event "lock"' text || fail "--shift b: $(cat text)"
grep -q '^10500001000 point "0x1/A/a" event "lock"' text || fail "--shift a: $(cat text)"

# a name is that of a node first, else of a recording: here a.txt is of node b
"$program" --index off -o text:- --map b=a.txt --map 2=b.txt --shift b=+1us a.txt b.txt > text 2> messages || fail "--shift of a node: $? $(cat messages)"
grep -q '^10500001000 point "0x1/A/b" event "lock"' text || fail "--shift of node b: $(cat text)"
grep -q '^10500950000 point "0x1/A/node 2" event "lock"' text || fail "node 2 is not shifted: $(cat text)"
"$program" --index off -o text:- --map 1=a.txt --map 2=b.txt --shift b=-950us --shift "node 1=+1us" a.txt b.txt > text 2> messages || fail "--shift of a file: $? $(cat messages)"
grep -q '^10500001000 point "0x1/A/node 1" event "lock"' text || fail "--shift node 1: $(cat text)"
grep -q '^10500000000 point "0x1/A/node 2" event "lock"' text || fail "--shift of b.txt: $(cat text)"
mkdir other
cp a.txt other
status=0
"$program" --index off -o text:- --map 1=./a.txt --map 2=other/a.txt --shift a=1ms ./a.txt other/a.txt > text 2> messages || status=$?
[[ $status == 1 ]] && grep -q '"a" is no node, and fits 2 recordings; give the path of one' messages || fail "--shift that fits two: $status $(cat messages)"

# a file for the whole session: two lines are about a machine that is no input
printf 'a 10s c 10s\na 10s b 10001000us 5us\na 11s b 11000900us 7us\na 11s c 11s\n' > session
"$program" --index off -o text:got -o report,json:report --sync session a.txt b.txt 2> messages ||
	fail "--sync of a whole session: $(cat messages)"
[[ $(diff text.pairs got) == $'6a7\n> # diag sync_lines_unused 2' ]] || fail "--sync of a whole session: $(diff text.pairs got)"
grep -q '"count":2,.*"counter":"sync_lines_unused"' report || fail "unused lines: $(grep sync_lines report)"

refuse()
{
	"$program" --index off -o text:out "${@:2}" a.txt b.txt > /dev/null 2> messages && fail "taken: ${*:2}"
	grep -q -- "$1" messages || fail "${*:2}: $(cat messages)"
}
echo 'a 10s b 10s' > one
refuse 'one has one pair of clocks of b.txt (node b); two lines are needed' --sync one
echo 'a 10s c 10s' > unknown
refuse 'no pair of clocks of b.txt' --sync unknown
printf 'a 10s b 10s\na 9s b 11s\n' > backwards
refuse 'backwards:2: a clock is not later' --sync backwards
printf 'unit h\n' > unit
refuse 'unit:1: the unit is' --sync unit
printf 'a 10s b\n' > short
refuse 'short:1: a line is REFERENCE' --sync short
printf 'a 1s b 1s\nc 2s b 2s\n' > references
refuse 'references:2: the reference differs' --sync references
printf 'a 1s a 1s\n' > itself
refuse 'itself:1: the machine is the reference itself' --sync itself
refuse 'its machines are c$' --sync unknown
: > empty
refuse 'its machines are none$' --sync empty
printf 'a 1s b -1s\n' > negative
refuse 'negative:1: a line is REFERENCE' --sync negative
printf '\xff\xfe\x00 \x01\n' > binary
refuse 'binary:1: a line is REFERENCE' --sync binary
printf 'a 10s b 10s\na 11s b 11s\n\0\na 12s b 12s\n' > zero
refuse 'zero:3: the line has a byte 0' --sync zero
refuse 'No such file' --sync nothing
refuse 'there is no node or recording "c"; the nodes are a, b' --shift c=1ms
refuse '"b" is not NODE=TIME' --shift b
# times that the common clock cannot hold
refuse 'moves b.txt (node b) to before 0 of the common clock' --shift b=-3600s
refuse 'moves b.txt (node b) to before 0 of the common clock' --shift b=9223372036s
refuse 'b is shifted by more than 292 years' --shift b=9000000000s --shift b=9000000000s
printf 'a 1s b 100s\na 2s b 101s\n' > early
refuse 'moves b.txt (node b) to before 0 of the common clock' --sync early

# ---- nothing to compare with
"$program" sync other.txt > sync || fail "one input: status $?"
grep -q '^Order' sync && fail "one input has an order between machines"
"$program" report,tables other.txt > report || fail "report: status $?"
grep -q '^Clocks' report && fail "the report of one input has a table of clocks"
"$program" report,tables other.txt "$ptp" > report || fail "report: status $?"
grep -q '^Clocks' report || fail "the report has no table of clocks"
sed 's/sync yes/sync no/' other.txt > alone.txt
sync alone.txt "$ptp" > sync
expect alone grade none

# ---- options and text that are wrong
for value in ptp ptp=x rate=-1 delay=1 ''; do
	"$program" --clock-assume "$value" other.txt > out 2> messages
	status=$?
	((status == 1)) && grep -q -- '--clock-assume: "' messages && ! grep -q null messages || fail "--clock-assume '$value': $status $(cat messages)"
done
sed 's/error 500/error soon/' other.txt > bad.txt
"$program" sync bad.txt > out 2> messages && fail "a bad error is taken"
grep -q 'bad.txt:4:7: a time in ns expected' messages || fail "bad error: $(cat messages)"

exit $((failures > 0))
