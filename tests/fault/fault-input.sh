#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Unusable recordings.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

good=$examples/trace-5.dat
[[ -e $good ]] || skip_all "no recordings in $examples"
text_recording one > "$in/one"
: > "$in/empty.dat"
printf 'GIF89a and then much else that no reader knows, at all' > "$in/picture.dat"
head -c 100000 /dev/urandom > "$in/noise.dat"
mkdir "$in/folder.dat"

every_output "$program" out.
all=("${outputs[@]}")
refuse 'missing file' 2 'nothing.dat' 'No such file' -- "${all[@]}" "$good" nothing.dat
refuse 'missing file alone' 2 'nothing.dat' 'No such file' -- "${all[@]}" nothing.dat
refuse 'directory' 2 "$in/folder.dat" 'directory' -- "${all[@]}" "$in/folder.dat"
refuse 'empty file' 2 "$in/empty.dat" 'empty' -- "${all[@]}" "$in/empty.dat"
refuse 'not a trace' 2 "$in/picture.dat" -- "${all[@]}" "$good" "$in/picture.dat"
refuse 'noise' 2 "$in/noise.dat" -- "${all[@]}" "$in/noise.dat"
refuse 'dangling link' 2 "$in/dangling.dat" -- "${all[@]}" "$(ln -s nowhere "$in/dangling.dat"; echo "$in/dangling.dat")"

# the outputs, too: a recording is missing, so an older result stays
echo old > out.slog2
run -o slog2:out.slog2 nothing.dat
[[ $(cat out.slog2) == old ]] || fail 'older result: it was touched'
rm -f out.slog2

cp "$good" "$in/secret.dat"
chmod 0 "$in/secret.dat"
if [[ $(id -u) != 0 ]]; then
	refuse 'unreadable file' 2 "$in/secret.dat" 'ermission' -- "${all[@]}" "$in/secret.dat"
else
	skip 'unreadable file: root may read everything'
fi

# nodes of recordings
mkdir "$in/other"
cp "$good" "$in/other/trace-5.dat"
refuse 'two files for one node' 1 "$good" "$in/other/trace-5.dat" '--map' -- "${all[@]}" "$good" "$in/other/trace-5.dat"
# a copy under another name is no other machine
cp "$good" "$in/other/copy.dat"
run --strict --force-map --map "1=$good,2=$in/other/copy.dat" -o text:out.txt "$good" "$in/other/copy.dat"
check_status 'a copy' 4
check_message 'a copy' same_recording
rm -f out.txt
refuse 'two files for one node by map' 1 '--map' 'node 5' -- "${all[@]}" --map 5=4,5=5 "$examples/trace-4.dat" "$good"
refuse 'two nodes for one file by map' 1 'trace-5.dat' '"1"' '"2"' -- "${all[@]}" --map 1=5,2=trace-5.dat "$good"
refuse 'map fits two files' 1 '--map 1=5' '2 inputs' -- "${all[@]}" --map 1=5 "$good" "$in/other/trace-5.dat"
refuse 'a node that is not there' 1 'there is no node "7"; the nodes are 1, 2, 3' -- "${all[@]}" --node 7 "$examples"/trace-[345].dat
refuse 'map names a CID that is not there' 1 '9' -- "${all[@]}" --map 1=5,2=9 "$good"
refuse 'a node that is not there' 1 '--node' '"7"' -- "${all[@]}" --node 7 "$good"

# nothing to show: say which systems are there
cat > "$in/strange" <<END
iotrace-text 1
1000 0 1 kitchen:kettle_on water=3
1500 0 1 kitchen:kettle_off water=3
2000 0 1 garden:rain drops=12
END
refuse 'no event that a model knows' 2 "$in/strange" 'kitchen' 'garden' -- "${all[@]}" "$in/strange"
refuse 'no event of the wanted model' 2 'kitchen' -- "${all[@]}" -m dlm "$in/strange"
# the installed models must not replace the requested ones
sed 's/^system *=.*/system = attic/' "$source_dir/events/models/gfs2.model" > "$in/own.model"
refuse 'no event of an own model' 2 "$in/own.model" 'attic' -- "${all[@]}" -m "$in/own.model" "$in/strange"
if grep -qE 'dlm|fileio' "$scratch/err"; then
	fail 'no event of an own model: other models are named'
fi

# event ids without a description in the file are counted and skipped
if command -v trace-cmd > /dev/null &&
   trace-cmd convert --file-version 6 -i "$good" -o "$in/trace-5.dat" > /dev/null 2>&1; then
	sed -i -E 's/^ID: [0-9]+$/ID: 65535/' "$in/trace-5.dat"
	run -o text:- -m dlm "$in/trace-5.dat"
	check_status 'wrong ids' '0 1 2'
	if ((status == 0)) && ! grep -q '^# diag event_unknown_id ' "$scratch/out"; then
		fail 'wrong ids: not counted'
	fi
	((status == 0)) || check_message 'wrong ids' "$in/trace-5.dat"
	check_clean 'wrong ids'
else
	skip 'wrong ids: trace-cmd cannot convert the recording'
fi
summary
