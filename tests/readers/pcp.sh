#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: pcp.sh ANALYZE MAKE|- DATA ARCHIVES
# PCP archives: all values, times, rates, instances that come and go, and marks of random archives are those of pmdumplog, and those of a real one
# are those of pmdumplog and pmval. Then damaged archives: they are read up to the damage, or refused with one sentence.
. "${0%/*}/readers-lib.sh"
analyze=$1 make=$2 data=$3 archives=$4
# libpcp_import loses some memory
make() { ASAN_OPTIONS=detect_leaks=0 "$make" "$@"; }
"$analyze" --version | grep -q ', libpcp ' || exit 77
command -v pmdumplog pmval > /dev/null || { echo "skipped: no pmdumplog (package pcp)"; exit 77; }

# Every event as a point; a whole number is a text, too, as points leave out a 0.
{
	printf '%s\n' '[model]' 'name = raw' 'title = Events of archives' 'system = pcp' '[container node]' 'in = root' 'id = {@node}' 'name = {@node_name}' \
		'role = node' '[view Events]' 'columns = node'
	for event in real rate instance_real instance_rate; do
		printf '%s\n' "[real $event]" "event = $event" 'fields = value'
	done
	for event in sample value real rate gap unknown note; do
		for of in '' instance_; do
			[[ $event$of == sampleinstance_ ]] && continue
			case $event in
			sample) attrs=(period:int) ;;
			value) attrs=(value:int) ;;
			real|rate) attrs=(value:real) ;;
			gap) attrs=(what:text number:int lasts:int) ;;
			unknown) attrs=(number:int) ;;
			note) attrs=(what:text) ;;
			esac
			printf '%s\n' "[points $of$event]" 'on = node' "attrs = metric:text instance:text ${attrs[*]}" "value $event = red" "[point $of$event]" \
				"event = $of$event" "points = $of$event" "value = $event" 'set metric = {metric}' "set instance = ${of:+{instance\}}"
			for attr in "${attrs[@]}"; do
				case $attr in
				*:text) echo "set ${attr%:*} = {${attr%:*}}" ;;
				*) echo "set ${attr%:*} = ${attr%:*}" ;;
				esac
			done
		done
	done
} | sed '/^set instance = $/d' > "$dir/raw.model"
items="$(cat "$here/text-items.awk")"

# events DESCRIPTIONS TEXT - the points of the model raw as lines of pcp-read.awk
events()
{
	awk -v described="$1" "$items"'
		BEGIN {
			while ((getline line < described) > 0) {
				split(line, column, " ")
				if (column[1] == "PMID:") { metric = column[3]; gsub(/[()]/, "", metric) }
				if (column[1] == "Data") type_of[metric] = column[3]
			}
		}
		# the nearest number of 32 bits, as pmdumplog prints it
		function f32(x, sign, e, unit) {
			if (x == 0)
				return 0
			sign = x < 0 ? -1 : 1
			x *= sign
			e = int(log(x) / log(2))
			while (2 ^ e > x) e--
			while (2 ^ (e + 1) <= x) e++
			unit = 2 ^ (e - 23)
			return sign * int(x / unit + 0.5) * unit
		}
		kind == "gap" { print time " missing / " dur }
		kind == "point" {
			value = attr["value"] == "" ? 0 : attr["value"]
			of = attr["metric"]
			if (cat == "rate") more = sprintf("%.12g", value)
			else if (cat == "value") more = value
			else if (cat == "real") { cat = "value"; more = type_of[of] == "float" ? sprintf("%.8g", f32(value)) : sprintf("%.16g", value) }
			else if (cat == "gap") more = attr["what"] " " attr["number"] + 0 " " attr["lasts"] + 0
			else if (cat == "unknown") more = attr["number"] + 0
			else if (cat == "note") more = attr["what"]
			else more = attr["period"]
			print time " " cat " " of "/" attr["instance"] (more == "" ? "" : " " more)
		}' "$2" | sort
}

# same ARCHIVE WHAT - the program finds in the archive what pmdumplog does
same()
{
	pmdumplog -d "$1" > "$dir/described" && pmdumplog -xxx -Z UTC "$1" > "$dir/dump" || exit 1
	awk -f "$here/pcp-read.awk" "$dir/described" "$dir/dump" | sort > "$dir/expected"
	timeout 60 "$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "$1.meta" || exit 1
	events "$dir/described" "$dir/text" > "$dir/got"
	(agree "events of $2") > "$dir/said" 2>&1 || { head -n 20 "$dir/said"; exit 1; }
	cat "$dir/got" >> "$dir/all"
	# counters
	while read -r counter pattern; do
		n=$(awk -v counter=$counter '$2 == "diag" && $3 == counter { n = $4 } END { print n + 0 }' "$dir/text")
		[[ $n == $(grep -c -- "$pattern" "$dir/expected") ]] || { echo "pcp: $2: $counter $n" >&2; exit 1; }
	done <<< 'counter_set_back gap .* set back
		values_too_large value .* 9223372036854775807$'
}

tar xzf "$data/pmlogger.tar.gz" -C "$dir" || exit 1
same "$dir/arch" 'the archive of pmlogger'
reals_as_texts "$dir/raw.model" > "$dir/texts.model"
"$analyze" -q --index off -m "$dir/texts.model" -o "text:$dir/text" "$dir/arch.meta" && grep -q ' value="[0-9.]*\.[0-9]*"' "$dir/text" || exit 1
events "$dir/described" "$dir/text" > "$dir/got"
agree 'real numbers as texts'
"$analyze" -q --index off -o "text:$dir/text" "$dir" || exit 1
# rates by pmval, which has floats of 32 bits and prints the end of the interval
pmval -U "$dir/arch" -f 6 kernel.all.cpu.user | awk '$1 ~ /^[0-9]/ && $2 ~ /^[0-9.]+$/ { if ($2 != last) print $2; last = $2 }' > "$dir/expected"
awk '/kernel.all.cpu.user \(time utilization\)" rate / { printf "%.6f\n", $NF }' "$dir/text" > "$dir/got"
agree 'rates of pmval'
grep -q '^1795511901582666000 sample "vm/kernel/kernel.all.load/1 minute" instance_real 8.84$' "$dir/text" || { echo 'pcp: no load of 8.84' >&2; exit 1; }
grep -q '^# diag values_no_number 4$' "$dir/text" || { echo 'pcp: texts are not counted' >&2; exit 1; }

# in Pajé, from the second sample, 1.022515 s after the begin of the archive, to its end (PajeNG keeps 24 bits of a value)
if command -v pj_dump > /dev/null; then
	"$analyze" -q --index off -o "paje,counters:$dir/paje" "$dir/arch" && pj_dump -o -u -l 9 "$dir/paje" > "$dir/dump" || exit 1
	grep -q '^Variable, 1 minute, value, 1.022515000, 6.000676000, 4.978161000, 8.8400' "$dir/dump" || { echo 'pcp: no load in Pajé' >&2; exit 1; }
fi

# An archive is given by any of its files, by its name, as for the tools of PCP, or by its folder.
for path in "$dir/arch" "$dir/arch.0" "$dir/arch.index"; do
	"$analyze" -q --index off -o "text:$dir/other" "$path" || exit 1
	cmp "$dir/text" "$dir/other" || exit 1
done
env PCP_CONF=/nonexistent "$analyze" -q "$dir/arch" > /dev/null 2> "$dir/stderr"
[[ $? == 2 && $(wc -l < "$dir/stderr") == 1 ]] && grep -q 'pcp-conf' "$dir/stderr" || { echo 'pcp: without configuration:' >&2; cat "$dir/stderr" >&2; exit 1; }

[[ $make != - ]] || exit 0
mkdir "$dir/of"
for ((seed = 1; seed <= archives; seed++)); do
	make "$dir/of/$seed" $seed 60 || exit 1
	# some in several volumes
	if ((seed % 4 == 0)); then
		pmlogextract -v 7 "$dir/of/$seed" "$dir/of/parts" 2> /dev/null || exit 1
		rm "$dir/of/$seed".* && (cd "$dir/of" && for file in parts.*; do mv $file $seed.${file#parts.}; done)
		[[ -e $dir/of/$seed.1 ]] && volumes=1
	fi
	same "$dir/of/$seed" "archive $seed"
done
((archives < 4 || volumes)) || { echo 'pcp: no archive has several volumes' >&2; exit 1; }
awk '{ n[$2]++ } END { for (kind in n) print n[kind], kind }' "$dir/all" | sort -k2
# all that this is to test is there
for what in rate came gone 'set back' missing unknown 'sampled no more' 9223372036854775807; do
	grep -q -- "$what" "$dir/all" || { echo "pcp: no archive has: $what" >&2; exit 1; }
done

# Damaged: up to the damage as before, and then a gap; or refused.
RANDOM=1
declare -A statuses=()
for ((i = 0; i < archives; i++)); do
	seed=$((1 + i % archives))
	rm -rf "$dir/bad" && mkdir "$dir/bad" && cp "$dir/of/$seed".* "$dir/bad"
	damage $i "$dir/bad"/*
	timeout 60 "$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "$dir/bad/$seed" 2> "$dir/stderr"
	status=$?
	statuses[$status]=$((${statuses[$status]-0} + 1))
	[[ $status == 0 && ! -s $dir/stderr ]] && continue
	[[ $status == 2 && $(wc -l < "$dir/stderr") == 1 ]] && continue
	echo "pcp: status $status of ${file##*/}, damaged at $at" >&2
	cat "$dir/stderr" >&2
	exit 1
done
[[ ${statuses[2]-} ]] || { echo 'pcp: no damage was seen' >&2; exit 1; }
echo "damaged: ${statuses[0]-0} read, ${statuses[2]} with status 2"
# the description of a metric is that of another number
make "$dir/odd" 1 60
at=$(grep -obUaP '\x3d\x40\x04\x05\x00\x00\x00\x03' "$dir/odd.meta" | head -n 1 | cut -d : -f 1)
[[ $at ]] && byte "$dir/odd.meta" $((at + 3)) 100
"$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "$dir/odd"
[[ $? == 0 ]] && grep -q '^# diag metrics_undescribed 1$' "$dir/text" && ! grep -q 'net.m5' "$dir/text" || { echo 'pcp: a metric without description' >&2; exit 1; }
# a volume that was cut: the part before the cut is there, to the last record, and the rest is a gap
make "$dir/cut" 3 60
pmdumplog -d "$dir/cut" > "$dir/described" && pmdumplog -xxx -Z UTC "$dir/cut" > "$dir/dump"
size=$(stat -c %s "$dir/cut.0")
truncate -s $((size - 10)) "$dir/cut.0"
rm "$dir/cut.index"
"$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "$dir/cut" 2> "$dir/stderr"
[[ $? == 2 ]] && grep -q '^# diag archive_damaged 1$' "$dir/text" || { echo 'pcp: a volume that was cut' >&2; cat "$dir/stderr" >&2; exit 1; }
awk -f "$here/pcp-read.awk" "$dir/described" "$dir/dump" | grep ' value ' | sort > "$dir/whole"
last=$(tail -n 1 "$dir/whole" | cut -d ' ' -f 1)
grep -v "^$last " "$dir/whole" > "$dir/expected"
events "$dir/described" "$dir/text" | grep ' value ' > "$dir/got"
agree 'values before a cut'
