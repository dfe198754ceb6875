#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A damage that leaves no gap, such as a field that points outside its event: what the damaged recording says may be wrong, so no hold,
# chain or deadlock of its machine is called proved; those of the other machines are what they were.
# usage: proved.sh ANALYZE DAMAGE_DAT FOLDER
export LC_ALL=C
analyze=$1 damage=$2 folder=$3
[[ -e $folder/trace-4.dat ]] || { echo "there is no $folder/trace-4.dat"; exit 77; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

# rows FILE - TABLE, "node 2" or "others", and how many rows are proved for them
rows()
{
	perl -ne '
		$table = $1 if /^"(\w+)":\{"title"/;
		next unless /^\{/;
		my $proved = /"certainty":"proved"|"deadlock":"proved"/ || (/"proved":([\d.]+)/ && $1 > 0);
		# rows of resources do not name all their machines
		my ($waiter) = /"waiter":"(?:[^"]*\/)?(node \d)/;
		my ($other) = /"(?:because|holder)":"(node \d)/;
		my $node = $table eq "blame_resources" ? "all" : "$waiter $other" =~ /node 2/ ||
			($table =~ /^(chains|cycles)$/ && /node 2/) ? "node 2" : "others";
		$n{"$table $node"}++ if $proved;
		END { print "$_ $n{$_}\n" for sort keys %n }' "$1"
}

for ((i = 1; i <= 60; i++)); do
	"$damage" page $i "$folder/trace-4.dat" "$dir/trace-4.dat" || exit 1
	"$analyze" -q --index off -o "report,json:$dir/damaged" "$folder/trace-5.dat" "$dir/trace-4.dat" "$folder/trace-3.dat" 2> "$dir/err"
	(($? == 0 || $? == 2)) || { echo "sample $i: $(< "$dir/err")"; exit 1; }
	grep -q '"field_damaged"' "$dir/damaged" && ! grep -q '"gaps"' "$dir/damaged" && break
done
((i <= 60)) || { echo "no sample is damaged without a gap"; exit 1; }
"$analyze" -q --index off -o "report,json:$dir/whole" "$folder"/trace-{5,4,3}.dat || exit 1
rows "$dir/whole" > "$dir/whole.rows"
rows "$dir/damaged" > "$dir/damaged.rows"
for table in holders blame; do
	for node in 'node 2' others; do
		grep -q "^$table $node " "$dir/whole.rows" || { echo "$table: nothing is proved for $node of the whole recording"; failed=1; }
	done
	grep -q "^$table others " "$dir/damaged.rows" || { echo "$table: nothing is proved for the machines that are not damaged"; failed=1; }
done
grep 'node 2 ' "$dir/damaged.rows" && { echo "sample $i: proved by a damaged recording"; failed=1; }
echo "sample $i"
exit $failed
