#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: ganglia.sh ANALYZE DATA SERIES
# Dumps of gmond: a real series, and random ones, have the samples, values, gaps and hosts that a second reader finds. Then damaged ones, which are
# read as far as they are whole.
. "${0%/*}/readers-lib.sh"
analyze=$1 data=$2 series=$3

# every event as a point
{
	printf '%s\n' '[model]' 'name = raw' 'title = Events of Ganglia' 'system = ganglia' '[container node]' 'in = root' 'id = {@node}' 'name = {@node_name}' \
		'role = node' '[view Events]' 'columns = node' '[real real]' 'event = real' 'fields = value'
	for event in sample:period:int value:value:int real:value:real gap:what:text unknown:real:int host_note:what:text; do
		IFS=: read -r event attr type <<< "$event"
		more=() path='{cluster}/{host}/{group}/{title}'
		[[ $event == gap ]] && more=(real)
		[[ $event == host_note ]] && path='{cluster}/{host}'
		printf '%s\n' "[points $event]" 'on = node' "attrs = of:text $attr:$type ${more[*]/%/:int}" "value $event = red" "[point $event]" "event = $event" \
			"points = $event" "value = $event" "set of = $path" "set $attr = $([[ $type == text ]] && echo "{$attr}" || echo "$attr")" "${more[@]/%*/set real = real}"
	done
} > "$dir/raw.model"
items="$(cat "$here/text-items.awk")"

# events TEXT - the points of the model raw as lines of ganglia-read.awk
events()
{
	awk "$items"'
		kind == "point" {
			more = attr["period"]
			if (cat == "value" || cat == "real") { cat = "value"; more = sprintf("%.15g", attr["value"]) }
			if (cat == "unknown") more = attr["real"] + 0
			if (cat == "gap") more = attr["what"] " " attr["real"] + 0
			if (cat == "host_note") { cat = "host"; more = attr["what"] }
			print time " " cat " " attr["of"] (more == "" ? "" : " " more)
		}
		END { while ((getline line < TEXT) > 0) if (line ~ /^# diag values_no_number /) { sub(/.* /, "", line); texts = line }; print "texts " texts + 0 }
	' TEXT="$1" "$1" | sort
}

# same FILE WHAT [INPUT] - the program finds in FILE, or in INPUT, which has the same dumps, what the second reader does
same()
{
	awk -f "$here/ganglia-read.awk" "$1" | iconv -f latin1 -t utf-8 | sort > "$dir/expected" || exit 1
	"$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "${3-$1}" || exit 1
	events "$dir/text" > "$dir/got"
	(agree "events of $2") > "$dir/said" 2>&1 || { head -n 20 "$dir/said"; exit 1; }
	cat "$dir/got" >> "$dir/all"
}

gunzip -c "$data/gmond.xml.gz" > "$dir/gmond.xml" || exit 1
same "$dir/gmond.xml" 'gmond'
reals_as_texts "$dir/raw.model" > "$dir/texts.model"
"$analyze" -q --index off -m "$dir/texts.model" -o "text:$dir/text" "$dir/gmond.xml" && grep -q ' value="[0-9.]*\.[0-9]*"' "$dir/text" || exit 1
events "$dir/text" > "$dir/got"
agree 'real numbers as texts'
# in Pajé, from the second sample to the third (PajeNG keeps 24 bits of a value)
if command -v pj_dump > /dev/null; then
	"$analyze" -q --index off -o "paje,counters:$dir/paje" "$dir/gmond.xml" && pj_dump -o -u -l 9 "$dir/paje" > "$dir/dump" || exit 1
	grep -q '^Variable, cpu_user (%), value, 6.000000000, 10.000000000, 4.000000000, 87.80000' "$dir/dump" || { echo 'ganglia: no cpu_user in Pajé' >&2; exit 1; }
fi
# a file for each dump, in a folder; a name that counts is not sorted by its digits
mkdir "$dir/dumps"
awk -v dir="$dir/dumps" '/^<\?xml/ { n++ } { print > (dir "/dump-" n ".xml") }' "$dir/gmond.xml"
same "$dir/gmond.xml" 'the folder' "$dir/dumps"

for ((seed = 1; seed <= series; seed++)); do
	awk -v seed=$seed -f "$here/ganglia-make.awk" > "$dir/of$seed.xml" || exit 1
	same "$dir/of$seed.xml" "series $seed"
done
awk '{ n[$2]++ } END { for (kind in n) print n[kind], kind }' "$dir/all" | sort -k2 | grep -v ' [0-9]*$'
for what in 'gap .* too old' 'gap .* gone' 'unknown' 'host .* silent' 'host .* gone' 'heard of again' 'n3ä' '"own"'; do
	grep -q -- "$what" "$dir/all" || { echo "ganglia: no series has: $what" >&2; exit 1; }
done

RANDOM=1
declare -A statuses=()
for ((i = 0; i < series; i++)); do
	cp "$dir/of$((1 + i)).xml" "$dir/bad.xml"
	damage $i "$dir/bad.xml"
	"$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "$dir/bad.xml" 2> "$dir/stderr"
	status=$?
	statuses[$status]=$((${statuses[$status]-0} + 1))
	[[ $status == 0 || ($status == 2 && $(wc -l < "$dir/stderr") == 1) ]] && continue
	echo "ganglia: status $status of series $((1 + i)), damaged at $at" >&2
	cat "$dir/stderr" >&2
	exit 1
done
[[ ${statuses[2]-} ]] || { echo 'ganglia: no damage was seen' >&2; exit 1; }
echo "damaged: ${statuses[0]-0} read, ${statuses[2]} with status 2"
# without the end of the second dump, its first host and the dumps after it are there
awk '/<\/GANGLIA_XML>/ && ++n == 2 { next } { print }' "$dir/gmond.xml" > "$dir/cut.xml"
"$analyze" -q --index off -m "$dir/raw.model" -o "text:$dir/text" "$dir/cut.xml" 2> "$dir/stderr"
[[ $? == 2 ]] && grep -q '^# diag file_cut 1$' "$dir/text" || { echo 'ganglia: a dump that was cut' >&2; exit 1; }
awk -f "$here/ganglia-read.awk" "$dir/gmond.xml" | sort > "$dir/expected"
events "$dir/text" > "$dir/got"
agree 'events in spite of a cut'
# no dump at all
sed 's/LOCALTIME="[0-9]*"//' "$dir/gmond.xml" > "$dir/none.xml"
"$analyze" -q "$dir/none.xml" 2> "$dir/stderr"
[[ $? == 2 && $(wc -l < "$dir/stderr") == 1 ]] && grep -q 'no dump of gmond' "$dir/stderr" || { echo 'ganglia: no time:' >&2; cat "$dir/stderr" >&2; exit 1; }
