#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged copies of a recording: nothing is proved but races that any damage leaves true (untrue.awk), and no event moves that the undamaged
# recording does not move, nor further.
# usage: damage.sh ANALYZE DAMAGE_DAT SAMPLES FOLDER
# IOTRACE_SEED=N: the number of the first sample. A failure prints the numbers of its samples.
#
# If the reader reports nothing, bytes were changed without a trace: no program can know that, so these samples are counted apart.
export LC_ALL=C
analyze=$1 damage=$2 samples=$3 folder=$4 seed=${IOTRACE_SEED:-1}
[[ -d $folder ]] || { echo "there is no $folder"; exit 77; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
kinds=(blank flip page lost begin end missing)
tried=0 failed=0 apart=0 none=0

# the recordings of its machines; that of their host has no events that are drawn
files=("$folder"/trace-*.dat)
[[ -e ${files[0]} ]] || files=("$folder"/*.dat)

# run NAME FILE... - findings to NAME.found, events that moved to NAME.moved: recorded time and shift
run() {
	local name=$dir/$1
	shift
	rm -f "$name.text" "$name.found"
	"$analyze" --index off --causality adjust -o "text:$name.text" -o "check,tsv:$name.found" "$@" 2> "$name.err"
	local status=$?
	# 2: the recording is damaged, or nothing of it is left; 4: a finding is proved
	((status == 0 || status == 2 || status == 4)) || { echo "status $status: $(< "$name.err")"; exit 1; }
	[[ -e $name.text ]] || return 1
	awk '{
		if ($2 != "point" || !match($0, / shift=[0-9]+/))
			next
		shift = substr($0, RSTART + 7, RLENGTH - 7)
		printf "%.0f %s\n", $1 - shift, shift
	}' "$name.text" | sort -u > "$name.moved"
}

run whole "${files[@]}" || { echo "$folder: the undamaged recording: $(cat "$dir/whole.err")"; exit 1; }

for ((i = seed; i < seed + samples; i++)); do
	kind=${kinds[i % ${#kinds[@]}]} which=$((i / ${#kinds[@]} % ${#files[@]}))
	changed=("${files[@]}")
	if [[ $kind == missing ]]; then
		unset "changed[which]"
		((${#changed[@]})) || { ((none++)); continue; }
	else
		"$damage" "$kind" "$i" "${files[which]}" "$dir/${files[which]##*/}" || exit 1
		changed[which]=$dir/${files[which]##*/}
	fi
	if ! run now "${changed[@]}"; then
		# nothing of the recording is left, or the damage is refused
		((none++))
		continue
	fi
	if [[ $kind == blank || $kind == flip || $kind == page ]] &&
		! grep -qE '^# diag (chunk_damaged|page_damaged|event_unknown_id|field_damaged) ' "$dir/now.text"; then
		((apart++))
		continue
	fi
	((tried++))
	proved=$(awk -F'\t' -f "${BASH_SOURCE%/*}/untrue.awk" FS=' ' "$dir/whole.text" FS='\t' "$dir/now.found") || exit 1
	moved=$(awk 'FILENAME ~ /whole/ { if ($2 > most[$1]) most[$1] = $2; next } $2 > most[$1]' "$dir/whole.moved" "$dir/now.moved" | grep -c .)
	if ((proved || moved)); then
		((failed++))
		echo "sample $i ($kind of ${files[which]##*/}): $proved proved and not true, $moved moved"
	fi
done
echo "${folder##*/}: $tried damaged recordings, $failed of them with a proof or a move that is not true; $apart changed without a trace, $none empty"
((tried && !failed))
