# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# Sourced by tests of this folder: a temporary folder, and the comparison of an own calculation with the program.
set -u
export LC_ALL=C
here=${0%/*} name=${0##*/}
name=${name%.sh}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# agree WHAT - ends the test unless $dir/expected (calculated here) and $dir/got (from the program) have the same lines, at least
# one. WHAT: the noun of a line
agree()
{
	[[ -s $dir/expected ]] || { echo "$name: no $1 in the recording" >&2; exit 1; }
	diff "$dir/expected" "$dir/got" || { echo "$name: $1 differ (< own calculation, > the program)" >&2; exit 1; }
	echo "$(wc -l <"$dir/expected") $1 agree"
}

# dlm_lines FILE... - calls, callbacks and messages of the DLM in order of time, from trace-cmd and anatomy-events.awk; without
# trace-cmd the test is skipped (77)
dlm_lines()
{
	local file report arguments=()
	command -v trace-cmd >/dev/null || exit 77
	for file; do
		report=$dir/${file##*/}.txt
		bash "$here/../events-report.sh" -N -t "$file" 2>/dev/null >"$report" || { echo "$name: trace-cmd cannot read $file" >&2; exit 1; }
		arguments+=("node=$(sed -nE 's/.* dlm_send_message:.* h_nodeid=([0-9]+) .*/\1/p' "$report" | sort -u)" "$report")
	done
	awk -f "$here/anatomy-events.awk" "${arguments[@]}" | sort -s -n -k1,1 >"$dir/lines"
}

# byte FILE AT VALUE - an octal value in place of a byte
byte() { printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

# damage N FILE... - one of the files, chosen by RANDOM, is cut if 3 divides N, and has another byte otherwise; sets file and at
damage()
{
	local n=$1 files=("${@:2}")
	file=${files[RANDOM % ${#files[@]}]}
	at=$((RANDOM % $(stat -c %s "$file")))
	if ((n % 3)); then
		byte "$file" $at $((RANDOM % 4))$((RANDOM % 8))$((RANDOM % 8))
	else
		head -c $at "$file" > "$dir/part" && mv "$dir/part" "$file"
	fi
}

# reals_as_texts MODEL - the model without its sections [real], in which the values of their events are texts
reals_as_texts()
{
	awk '/^\[/ { section = $0 }
		section ~ /^\[real / { next }
		section ~ /^\[point (instance_)?(real|rate)\]$/ { sub(/^set value = value$/, "set value = {value}") }
		{ sub(/value:real/, "value:text"); print }' "$1"
}
