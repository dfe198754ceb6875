#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random recordings of clients and servers: every link from a call to its service that the recordings determine must be drawn, and
# no other, and ends without a partner must be stubs. recorded-ends.awk finds them by trying every explanation of the recordings; the
# generator knows which ones are true. Clocks differ, events are lost, recordings begin late and end early, requests are sent again,
# ids are used again. Every recording has its number as seed, so that a failure can be repeated.
# usage: random-calls.sh ANALYZE GEN-DAT MODEL-FOLDER RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") gen=$(readlink -f "$2") models=$(readlink -f "$3") recordings=$4 first=${5:-1}
links=0 ambiguous=0 unmatched=0

# Ids are unique, as those of libiotrace-calls are, or they are used again and only the time decides.
make_model()
{
	local key='unique   = yes' time='within   = 60s'
	grep -qx "$key" "$models/request.model"
	grep -qx "$time" "$models/request.model"
	if ((unique)); then
		sed "s/^$time\$/&\nstubs = yes/" "$models/request.model"
	else
		sed "s/^$key\$/stubs = yes/; s/^$time\$/within = ${within_ns}ns/" "$models/request.model"
	fi >"$dir/request.model"
}

generate()
{
	local guests cpus loss=0 reuse=0 offsets='' i edges=() args
	RANDOM=$seed
	guests=$((1 + RANDOM % 5)) cpus=$((1 + RANDOM % 3)) unique=$((RANDOM % 3 == 0))
	((RANDOM % 2)) || loss=$((RANDOM % 200))
	((unique)) || reuse=$((RANDOM % 300))
	error=$((RANDOM % 4 ? 10 ** (2 + RANDOM % 5) : 0))
	((RANDOM % 8)) || error=1000000000
	for ((i = 0; i < guests; i++)); do
		offset[i + 1]=$((error ? (RANDOM * 32768 + RANDOM) % error - error / 2 : 0))
		offsets=$offsets${offsets:+,}${offset[i + 1]}
	done
	((RANDOM % 4)) || edges+=(--begin "$((1 + RANDOM % guests))=$((1 + RANDOM % 8))")
	((RANDOM % 4)) || edges+=(--death "$((1 + RANDOM % guests))=$((8 + RANDOM % 8))")
	args=(--load rpc --text --seed "$seed" --guests "$guests" --cpus "$cpus" --tasks "$((1 + RANDOM % 3))"
		--events "$((300 + RANDOM % 1500))" --loss "$loss" --reuse "$reuse" --offset "$offsets" --truth "$dir/truth")
	"$gen" "${args[@]}" "${edges[@]}" "$dir/trace"
	# nobody misses what a recording without events lacks
	[[ -z $(grep -L iotrace: "$dir"/trace-*) ]] || "$gen" "${args[@]}" "$dir/trace"
}

# Links, stubs and ambiguous ends that the program found, as recorded-ends.awk writes them. Machines are named after their numbers.
found()
{
	awk '$2 == "link" {
		gsub(/"/, "")
		early = $1
		late = sprintf("%.0f", $1 + $8)
		at = $3
		other = $9
		sub(/\/.*/, "", at)
		sub(/\/.*/, "", other)
		gsub(/node/, "", at)
		gsub(/node/, "", other)
		id = $0
		sub(/.* id=/, "", id)
		sub(/ .*/, "", id)
		if (/unseen/)
			print "unmatched", /to-unseen/ ? "from" : "to", at, early, id
		else if (/ flags=backwards/)
			print "link", late, early, at, other, id
		else
			print "link", early, late, at, other, id
	}' "$dir/text" | sort
}

for ((seed = first; seed < first + recordings; seed++)); do
	rm -f "$dir"/*
	within_ns=2200000
	generate
	make_model
	inputs=() i=2
	while [[ -e $dir/trace-$((++i)).txt ]]; do
		inputs+=("$dir/trace-$i.txt")
	done
	awk -v error="$error" -v within="$within_ns" -v unique="$unique" -f "$here/link-worlds.awk" -f "$here/recorded-ends.awk" \
		"${inputs[@]}" | sort >"$dir/ends"
	"$analyze" -q --index off -m "$dir/request.model" --clock-error "${error}ns" --early-end 100s -o "text:$dir/text" "${inputs[@]}"
	grep -v '^ambiguous' "$dir/ends" >"$dir/wanted" || true
	found >"$dir/found"
	same "links and ends without a partner" "$dir/wanted" "$dir/found"
	n_ambiguous=$(grep -c '^ambiguous' "$dir/ends" || true)
	found_ambiguous=$(sed -n 's/^# diag link_ambiguous //p' "$dir/text")
	((n_ambiguous == ${found_ambiguous:-0})) ||
		{ echo "FAIL: seed $seed: $n_ambiguous ambiguous ends, found ${found_ambiguous:-0}"; exit 1; }
	# every link is true
	awk -F'\t' -v offsets="${offset[*]:1}" 'BEGIN { split(offsets, offset, " ") }
		$1 == "serves" { print "link", sprintf("%.0f", $5 - offset[$2]), sprintf("%.0f", $7 - offset[$3]), $2, $3, $4 }' \
		"$dir/truth" | sort >"$dir/true"
	grep '^link' "$dir/found" | comm -23 - "$dir/true" >"$dir/invented" || true
	[[ ! -s $dir/invented ]] || fail invented "$dir/invented"
	links=$((links + $(grep -c '^link' "$dir/found" || true)))
	unmatched=$((unmatched + $(grep -c '^unmatched' "$dir/found" || true)))
	ambiguous=$((ambiguous + n_ambiguous))
done
echo "$recordings recordings: $links links, $ambiguous ambiguous ends, $unmatched ends without a partner"
((links && ambiguous && unmatched)) || { echo "FAIL: nothing to find"; exit 1; }
