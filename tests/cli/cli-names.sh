#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --names: an index that was made with other names is not used, and the selection knows names. What the files say is proved by
# golden cases (92-*).
# usage: cli-names.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export IOTRACE_MODELS=$source/events/models IOTRACE_INDEX_DENSE=1

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

cd "$work" || exit 2
mkdir run
for i in 1 2; do
	printf 'iotrace-text 1\nhostname n%d\n' $i
	for ((t = 1000; t < 3000; t += 100)); do
		printf '%d 0 42 write_start id=%d ino=77 pos=0 len=5 tgid=42 fd=3 dev=0x800001 flags=0 op=6\n%d 0 42 write_end id=%d ret=5 pos=5\n' \
			$t $t $((t + 50)) $t
	done
done | awk '/iotrace-text/ { n++ } { print > ("run/n" n ".txt") }'

# sites with the same words in the same order, so that nothing but what they say differs
printf '[level rack]\nin = root\n[node a]\nhost = n1\nrack = r1\n[node b]\nhost = n2\nrack = %s\n[node c]\nrack = %s\n' r2 r1 > one
printf '[level rack]\nin = root\n[node a]\nhost = n1\nrack = r1\n[node b]\nhost = n2\nrack = %s\n[node c]\nrack = %s\n' r1 r2 > other
window=(--from 0.0000012 --to 0.0000014 -o text:-)
"$program" -q --names one --index index -o null:none run/n?.txt
for names in one other one; do
	"$program" -q --names $names --index off "${window[@]}" run/n?.txt > off
	"$program" -q --names $names --index index "${window[@]}" run/n?.txt > on
	cmp off on || fail "--names $names with an index: $(diff off on)"
done
grep -q '"r2/b/process 42/task 42"' off || fail "no row r2/b: $(cat off)"

# --node and --select take names, and a wrong one lists each node once
printf '[node 1]\nname = alpha\nhost = n1 n2\n' > joined
sed -i 's/write/read/' run/n2.txt
for node in alpha 1; do
	"$program" -q --names joined --index off --node $node -o text:- run/n?.txt > shown 2>&1
	[[ $(grep -c '^[0-9]* span "alpha/' shown) == 40 ]] || fail "--node $node: $(head -5 shown)"
done
"$program" -q --names joined --index off --node beta -o text:- run/n?.txt > shown 2>&1 && fail '--node beta succeeds'
grep -q 'there is no node "beta"; the nodes are 1$' shown || fail "--node beta: $(cat shown)"

# a rack is no resource: what compare calls a place is the same without and with racks
"$program" -q --index off -o summary:plain run/n1.txt
"$program" -q --names one --index off -o summary:racks run/n1.txt
for summary in plain racks; do
	grep -o '"place":"[^"]*"' $summary > $summary.places || fail "$summary: no places"
done
cmp plain.places racks.places || fail "places with racks: $(cat racks.places)"

# a finding is cut out, though its rows have other names
printf '%s\n' 'iotrace-text 1' 'error 500' \
	'1000 0 41 dlm_lock_start ls_id=1 lkb_id=1 mode=5 flags=0 res_name="A"' \
	'1100 0 41 dlm_lock_end ls_id=1 lkb_id=1 mode=5 flags=0 error=0 res_name="A"' \
	'1500 0 9 dlm_ast ls_id=1 lkb_id=1 sb_flags=0 sb_status=0 res_name="A"' '30000 0 9 marker' > x.txt
printf '%s\n' 'iotrace-text 1' 'error 500' \
	'4000 0 42 dlm_lock_start ls_id=1 lkb_id=7 mode=3 flags=0 res_name="A"' \
	'4100 0 42 dlm_lock_end ls_id=1 lkb_id=7 mode=3 flags=0 error=0 res_name="A"' \
	'6000 0 9 dlm_ast ls_id=1 lkb_id=7 sb_flags=0 sb_status=0 res_name="A"' '20000 0 9 marker' > y.txt
printf '[node 1]\nname = alpha\nrecording = x.txt\n[node 2]\nname = beta\nrecording = y.txt\n' > two
"$program" check -q --names two --index off --cut 1:part x.txt y.txt > shown 2>&1
grep -q '0x1/A/beta' shown || fail "no finding: $(cat shown)"
[[ -e part/recording.json ]] || fail "--cut: $(cat shown)"

# the file goes before the nodes in recording.json
printf '{ "format": "iotrace-recording", "version": 1, "machines": [ { "name": "n1", "file": "n1.txt", "node": "7" },
 { "name": "n2", "file": "n2.txt", "node": "8" } ] }' > run/recording.json
printf '[node 1]\nname = alpha\nhost = n1\n[node 8]\nname = beta\n' > some
"$program" -q --names some --index off -o text:- run > shown 2>&1 || fail "recording.json: $(cat shown)"
for node in alpha beta; do
	grep -q "^[0-9]* span \"$node/" shown || fail "recording.json: no rows of $node: $(head -5 shown)"
done

# options of a second file replace those of the first one
"$program" -q --names other --names one --index off "${window[@]}" run/n?.txt > shown || fail "two files: $(cat shown)"
grep -q '"r2/b/' shown || fail "the last file does not count: $(cat shown)"

((failures)) && exit 1
echo "passed"
