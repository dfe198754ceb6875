#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Clocks recovered from messages (--sync protocol, auto, none): on generated recordings whose true times are known, and on
# the real ones, whose KVM samples are exact.
# usage: cli-recover.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

cat > msg.model <<'END'
[model]
name   = msg
system = msg

[container node]
in   = root
id   = {@node}
name = {@node_name}
role = node

[view Nodes]
columns = node

[links message]
attrs = id:uint
value a = blue

[link message]
links = message
from  = event snd
to    = event rcv
key   = id
unique = yes
on    = node
value = a
set id = id
END

# Two machines A and B, of which A has the true time, and 20 s of messages that need 60 us or more. PERL makes B's clock of
# the time $t in s. true.txt has the true time of each event: NODE ID TIME. The head of both is HEAD.
machines()
{
	rm -f ./*.txt
	perl -e '
		my ($clock, $head, $ways) = @ARGV;
		my (%lines, $random);
		sub event {
			my ($node, $t, $what, $id) = @_;
			my $clock_of = $node eq "A" ? $t : eval $clock;
			push @{$lines{$node}}, [$clock_of, $what, $id];
			printf TRUE "%s %d %.0f\n", $node, $id, $t * 1e9;
		}
		open TRUE, ">true.txt";
		for my $id (1 .. 2000) {
			$random = ($random * 1103515245 + 12345) % 2147483648;
			my ($t, $way) = (100 + $id / 100, 60e-6 + ($random >> 8) / 2**23 * 400e-6);
			my ($from, $to) = $ways eq "one" || $id % 2 ? ("A", "B") : ("B", "A");
			event($from, $t, "snd", $id);
			event($to, $t + $way, "rcv", $id);
		}
		for my $node ("A", "B") {
			open OUT, ">$node.txt";
			print OUT "iotrace-text 1\nclock local\nhostname $node\n$head";
			printf OUT "%.0f 0 1 %s id=%d\n", $_->[0] * 1e9, $_->[1], $_->[2]
				for sort { $a->[0] <=> $b->[0] } @{$lines{$node}};
			close OUT;
		}' "$1" "$2" "$3" || fail "cannot make recordings"
}

# sync ARGS: the output sync in the file sync as lines of COLUMN=VALUE for the pair of A and B, and of NODE COLUMN=VALUE
analyse()
{
	"$program" --index off -m ./msg.model -o text:text -o sync,json:json "$@" 2> messages || fail "$*: $(cat messages)"
	grep '^# diag ' text > counted
	perl -ne 'my $who = /^\{"file":"[^"]*","node":"([^"]*)"/ ? "$1 " : /^\{"node_a":"A","node_b":"B"/ ? "" : next;
		print "$who$1=$2\n" while /"(\w+)":"?([^",}]*)/g' json > sync
}

expect()
{
	grep -qxF -- "$1" sync || fail "not $1: $(grep -F "${1%%=*}=" sync) $(cat messages)"
}

# Times of B in the links differ from the true ones by at most the greatest bound of B; @1: the greatest bound to expect, ns
check_truth()
{
	awk -v most="$1" '
		FILENAME == "sync" && sub(/^B bound_[a-z]*=/, "") && $1 > bound { bound = $1 }
		FILENAME == "true.txt" { truth[$1 " " $2] = $3 }
		FILENAME == "text" && $2 == "link" {
			id = substr($NF, 4); from = substr($3, 2, 1); to = substr($7, 2, 1)
			t = $1; d = $6
			# the first time is that of the earlier end
			back = $0 ~ /flags=[a-z,]*backwards/
			time[from] = back ? t + d : t; time[to] = back ? t : t + d
			away = time["B"] - truth["B " id]; if (away < 0) away = -away
			shift = time["A"] - truth["A " id]; if (shift) bad++
			if (away > worst) worst = away
			n++
		}
		END { exit !(n > 1900 && !bad && worst <= bound && bound <= most) }' sync true.txt text ||
		fail "true times: $(grep bound sync | tr '\n' ' ')"
}

# ---- a constant rate, no synchronisation
machines '$t - 70 + 40e-6 * $t' $'sync no\n' both
analyse --sync protocol A.txt B.txt
expect 'B method=protocol'
expect 'A method=reference'
expect 'grade=bounded'
expect 'backwards=0'
expect 'fewest=0'
grep -q 'clock_recovered 1' counted || fail "not said: $(cat counted)"
grep -q 'unsynchronised\|contradicted' counted && fail "protocol: $(cat counted)"
check_truth 400000
awk -F= '$1 == "B drift_ppb" { ok = $2 < -39000 && $2 > -41000 } END { exit !ok }' sync || fail "drift: $(grep drift sync)"
awk -F= '$1 == "drift_ppb" { ok = $2 > 39000 && $2 < 41000 } END { exit !ok }' sync || fail "drift of the pair: $(grep drift sync)"
expect 'method=protocol'
cp text first
analyse --sync auto A.txt B.txt
expect 'B method=protocol'
cmp -s text first || fail "auto is not protocol"
analyse --threads 1 --memory 64K --sync protocol A.txt B.txt
cmp -s text first || fail "one thread writes other times"
analyse --sync none A.txt B.txt
expect 'grade=none'
analyse --clock-assume rate=0 --sync protocol A.txt B.txt
check_truth 400000
# the user's shift comes after: 1 ms before, each message to B arrives too early
analyse --sync protocol --shift B=-1ms A.txt B.txt
expect 'B method=protocol'
expect 'backwards=1000'
# fewer messages
analyse --max-open 300 --sync protocol A.txt B.txt
grep -q 'clock_messages_left_out' counted || fail "--max-open: $(cat counted)"
expect 'B method=protocol'
expect 'fewest=0'
# a third machine that is silent
printf 'iotrace-text 1\nclock local\nhostname C\nsync no\n100000000000 0 1 snd id=9999\n' > C.txt
analyse --sync protocol A.txt B.txt C.txt
grep -q 'clock_not_recovered 1' counted || fail "silent machine: $(cat counted)"
expect 'C grade=none'
expect 'B method=protocol'

# ---- a rate that changes by 100 ppm: no line, but two working clocks
machines '$t - 70 + 50e-6 * abs($t - 110)' $'sync no\n' both
analyse --sync protocol A.txt B.txt
expect 'grade=bounded'
grep -q 'clock_rate_widened' counted || fail "rate: $(cat counted)"
grep -qE '^fewest=[1-9]' sync || fail "a line explains a bend: $(grep fewest sync)"
check_truth 400000
analyse --clock-assume rate=100ppm --sync protocol A.txt B.txt
grep -q 'clock_rate_widened' counted && fail "rate was stated: $(cat counted)"
expect 'grade=bounded'
check_truth 400000

# ---- a jump of 47 ms, and rates that no clocks have
machines '$t - 70 + ($t > 107 ? 0.047 : 0)' $'sync no\n' both
analyse --sync protocol A.txt B.txt
expect 'grade=contradicted'
grep -q 'clock_pair_contradicted 1' counted || fail "jump: $(cat counted)"
grep -q '^B bound_begin=' sync && grep '^B bound_begin=[0-9]' sync && fail "a jump has a bound"
# A line can explain one side of the jump. Of the 700 messages on the other side every second one runs against the line.
awk -F= '$1 == "fewest" { ok = $2 > 300 && $2 <= 350 } END { exit !ok }' sync || fail "jump: $(grep fewest sync)"
awk -F= '{ v[$1] = $2 } END { exit v["fewest"] != v["backwards"] }' sync || fail "fewest: $(grep -E '^(fewest|backwards)' sync)"
machines '$t * 1.01' $'sync no\n' both
analyse --sync protocol A.txt B.txt
expect 'grade=contradicted'
expect 'fewest=0'
analyse --clock-assume drift=20000ppm --sync protocol A.txt B.txt
expect 'grade=bounded'

# ---- one direction
machines '$t - 70' $'sync no\n' one
analyse --sync protocol A.txt B.txt
expect 'grade=one-sided'
grep '^B bound_begin=[0-9]' sync && fail "one direction has a bound"

# ---- recorded clocks that are right, and clocks that are wrong
machines '$t + 1e-6' $'sync yes\nerror 2000\n' both
analyse A.txt B.txt
cp text first
analyse --sync auto A.txt B.txt
cmp -s text first || fail "auto changed clocks that are right"
expect 'B method=stated'
machines '$t + 5e-3' $'sync yes\nerror 2000\n' both
analyse A.txt B.txt
expect 'grade=contradicted'
analyse --sync auto A.txt B.txt
expect 'B method=protocol'
expect 'grade=bounded'
expect 'backwards=0'
check_truth 400000

# ---- one of three is not synchronised: the other two keep what was recorded, and the order of the files does not matter
# C is like B in true.txt, by its own clock. A and B exchange messages too, and state that their times are off by 500 ns at most.
machines '$t - 70 + 40e-6 * $t' $'sync no\n' both
sed 's/hostname B/hostname C/' B.txt > C.txt
sed -i 's/sync no/sync yes\nerror 500/' A.txt
perl -e '
	print "iotrace-text 1\nclock local\nsync yes\nerror 500\nhostname B\n";
	open OUT, ">>A.txt";
	for my $i (1 .. 900) {
		my $t = 120e9 + $i * 10e6;
		printf OUT "%.0f 0 1 %s id=%d\n", $t, $i % 2 ? "snd" : "rcv", 5000 + $i;
		printf "%.0f 0 1 %s id=%d\n", $i % 2 ? $t + 3e6 : $t - 3e6, $i % 2 ? "rcv" : "snd", 5000 + $i;
	}' > B.txt
orders=("A B C" "A C B" "B A C" "B C A" "C A B" "C B A")
# usage: any_order WHAT ARGS...: FILES of each order are its last arguments; text and sync are those of the first one
any_order()
{
	local order
	for order in "${orders[@]}"; do
		read -ra files <<< "$order"
		analyse "${@:2}" "${files[@]/%/.txt}"
		[[ $order == "${orders[0]}" ]] && cp text first
		cmp -s text first || fail "$1, $order: other bytes"
		expect 'A method=stated'
		expect 'B method=stated'
		expect 'A bound_end=500'
		expect 'B bound_begin=500'
		grep -q '^{"node_a":"\(A","node_b":"B\|B","node_b":"A\)".*"bound_end":1000,"links":900,"proved":900,' json ||
			fail "$1, $order: A and B: $(grep '^{"node_a":' json)"
	done
}
any_order "as recorded"
expect 'C grade=none'
any_order auto --sync auto
expect 'C method=protocol'
expect 'C grade=bounded'
sed -n 's/^C /B /p' sync > as-b
sed 's/"C"/"B"/g' text | grep -v ' id=5...$' > as-b.text
mv as-b sync
mv as-b.text text
check_truth 400000
cp first text
grep -q ' id=5001$' text || fail "the messages of A and B are not drawn"
awk '/ id=5[0-9][0-9][0-9]$/ && $2 == "link" { id = substr($NF, 4) - 5000; n++; if ($6 != 3000000 || $1 != 120e9 + id * 10e6 - (id % 2 ? 0 : 3e6)) bad++ }
	END { exit bad || n != 900 }' text || fail "auto: times of A and B changed: $(grep -m 3 ' id=5' text)"
for order in "${orders[@]}"; do
	read -ra files <<< "$order"
	analyse --sync protocol "${files[@]/%/.txt}"
	[[ $order == "${orders[0]}" ]] && cp text first
	cmp -s text first || fail "protocol, $order: other bytes"
done
# messages contradict the two: then all clocks are found by messages
awk '$2 == "0" { $1 = sprintf("%.0f", $1 + 1e9) } { print }' B.txt > late.txt && mv late.txt B.txt
analyse --sync auto A.txt B.txt C.txt
expect 'A method=reference'
expect 'B method=protocol'

# ---- real recordings: the KVM samples are exact, so the times of every node must be the reference's, within both bounds
# usage: agree NODE_PATTERN ARGS...
agree()
{
	local pattern=$1
	shift
	"$program" --index off -o text:kvm "$@" 2> messages || fail "$*: $(cat messages)"
	"$program" --index off --sync protocol -o text:protocol -o sync,json:json "$@" 2> messages || fail "$*: $(cat messages)"
	perl -e '
		my $pattern = shift;
		my (%bound, $reference, %away, $n);
		open J, "json";
		while (<J>) {
			next unless /^\{"file":"[^"]*","node":"([^"]*)","method":"(\w+)"/;
			my ($node, $method) = ($1, $2);
			$reference = $node if $method eq "reference";
			for my $b (/"bound_\w+":(\d+)/g) { $bound{$node} = $b if $b > ($bound{$node} // 0) }
		}
		# the events of one row have one order with all clocks
		sub instants {
			my %rows;
			open T, shift;
			while (<T>) { push @{$rows{"$2$3"}}, $1 if /^(\d+) (point|span) ("[^"]*")/ }
			return %rows;
		}
		my %kvm = instants("kvm");
		my %protocol = instants("protocol");
		for my $row (keys %kvm) {
			next if @{$kvm{$row}} != @{$protocol{$row} // []};
			my ($node) = $row =~ /$pattern/ or next;
			push @{$away{$node}}, map { $protocol{$row}[$_] - $kvm{$row}[$_] } 0 .. $#{$kvm{$row}};
		}
		my $zero = $away{$reference}[0] // die "nothing of the reference $reference\n";
		for my $node (keys %away) {
			for (@{$away{$node}}) {
				$n++;
				die "$node: " . abs($_ - $zero) . " ns off, bound $bound{$node}\n" if abs($_ - $zero) > $bound{$node} + 1;
			}
		}
		die "only $n instants of " . keys(%away) . " nodes\n" if $n < 1000 || keys %away < 2;
	' "$pattern" || fail "$*: times by messages and by KVM samples differ"
	grep -q '"grade":"\(none\|contradicted\|one-sided\)"' json && fail "$*: $(grep grade json)"
}
if [[ -e $source/examples/dlm/trace-3.dat ]]; then
	agree '/(node \d)' -m dlm "$source"/examples/dlm/trace-[345].dat
	agree '/(node \d)' -m dlm "$source"/examples/fileio/trace-[345].dat
	# one of three recordings without its samples
	if command -v trace-cmd > /dev/null && trace-cmd split -i "$source"/examples/dlm/trace-5.dat -o cut.dat 140 200 > /dev/null 2>&1; then
		mv cut.dat* five.dat
		cp "$source"/examples/dlm/trace-[34].dat .
		for how in "" "--sync auto"; do
			for order in "trace-3 trace-4 five" "five trace-3 trace-4" "trace-4 five trace-3"; do
				read -ra files <<< "$order"
				# shellcheck disable=SC2086
				"$program" -q --index off $how -m dlm -o text:text -o check,tsv:check "${files[@]/%/.dat}" 2> messages
				"$program" --index off $how -m dlm -o sync:sync "${files[@]/%/.dat}" 2> messages
				grep -qE '^  node [23] +node [23] +kvm +0 +2 ns +2 ns +2 ns +857 +857 ' sync || fail "$how $order: $(cat sync)"
				cat text check > one
				[[ -e all$how ]] || cp one "all$how"
				cmp -s one "all$how" || fail "$how $order: other bytes"
			done
		done
		rm -f ./*.dat
	else
		echo "not tested: trace-cmd split"
	fi
	agree '"(server|client)/' -m nfs "$source"/examples/nfs/trace-[45].dat

	# the policy of causality moves no event of the look at the messages
	for policy in off adjust; do
		"$program" --index off -m dlm --sync protocol --causality $policy -o sync,json:$policy \
			"$source"/examples/dlm/trace-[345].dat 2> messages || fail "--causality $policy: $(cat messages)"
		grep '"method":"protocol","samples"' $policy > clocks.$policy
	done
	[[ -s clocks.off ]] && cmp -s clocks.off clocks.adjust || fail "--causality adjust changes the clocks: $(diff clocks.off clocks.adjust)"

	# a window, with an index and without; an index of other clocks is not used
	cp "$source"/examples/dlm/trace-[345].dat .
	window=(--from 60 --to 61 -m dlm trace-3.dat trace-4.dat trace-5.dat)
	"$program" --index off --sync protocol -o text:plain "${window[@]}" 2> messages || fail "window: $(cat messages)"
	for sync in none protocol protocol; do
		"$program" --index ix --sync $sync -o text:indexed "${window[@]}" 2> messages || fail "index: $(cat messages)"
	done
	cmp -s plain indexed || fail "a window by index differs"
fi

"$program" --sync '' A.txt > /dev/null 2> messages && fail "an empty --sync was taken"
grep -q 'protocol, auto or none' messages || fail "empty --sync: $(cat messages)"

((failures)) && exit 1
echo "cli-recover: all as expected"
