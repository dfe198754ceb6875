#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Random messages between machines: every link that the recordings determine must be drawn, and no other. links.awk tries every
# explanation of the recordings. Every recording has its number as seed, so that a failure can be repeated.
# usage: random-links.sh ANALYZE RECORDINGS [FIRST_SEED]
. "$(dirname "$0")/random-lib.sh"
analyze=$(readlink -f "$1") left=$2 seed=${3:-1}
drawn=0 doubtful=0 lone=0

for ((n = 0; n < left; seed++)); do
	rm -f "$dir"/*
	awk -v seed="$seed" -v folder="$dir" -f "$here/link-worlds.awk" -f "$here/links.awk"
	# too many explanations to try them all
	[[ ! -e $dir/skip ]] || continue
	for events in "$dir"/*.events; do
		# the line of a loss stands between its neighbours: all three have the CPU 9
		{ printf 'iotrace-text 1\nsync yes\n'; sort -s -n "$events"; } > "${events%.events}"
	done
	read -ra args < "$dir/args"
	"$analyze" -q --index off -m "$dir/msg.model" -o "text:$dir/text" "${args[@]}"
	sort "$dir/wanted" > "$dir/wanted-links"
	grep ' link ' "$dir/text" | sort > "$dir/links" || true
	same links "$dir/wanted-links" "$dir/links"
	for name in link_ambiguous link_unmatched; do
		echo "$name $(sed -n "s/^# diag $name //p" "$dir/text")"
	done | sed 's/ $/ 0/' > "$dir/found"
	same ends "$dir/ends" "$dir/found"
	# with stubs, the links are the same, ends without a partner are drawn, and nothing is drawn of an ambiguous end
	{
		printf '\nstubs = yes\n'
		grep -q '^within' "$dir/msg.model" || echo 'within = 100s' # required; longer than the recording
	} >> "$dir/msg.model"
	"$analyze" -q --index off -m "$dir/msg.model" -o "text:$dir/text" "${args[@]}"
	grep ' link ' "$dir/text" | grep -v -- '-unseen' | sort > "$dir/links" || true
	same 'links with stubs' "$dir/wanted-links" "$dir/links"
	sort "$dir/named" > "$dir/wanted-ends"
	awk -v many="$(grep -c '^many' "$dir/msg.model")" -f "$here/named-ends.awk" "$dir/text" "$dir"/*.events |
		sort > "$dir/found-ends"
	same 'ends by name' "$dir/wanted-ends" "$dir/found-ends"
	n=$((n + 1))
	drawn=$((drawn + $(wc -l < "$dir/links")))
	doubtful=$((doubtful + $(sed -n 's/^link_ambiguous //p' "$dir/ends")))
	lone=$((lone + $(sed -n 's/^link_unmatched //p' "$dir/ends")))
done
echo "$n recordings: $drawn links, $doubtful ambiguous ends, $lone ends without a partner"
