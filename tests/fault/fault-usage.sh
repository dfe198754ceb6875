#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong command lines: status 1, one sentence with the option, its value and the expectation.
# shellcheck source-path=SCRIPTDIR source=fault-lib.sh
. "${0%/*}/fault-lib.sh"

text_recording one > "$in/one"
text_recording two > "$in/two"
a=$in/one b=$in/two

refuse 'no files' 1 'no recordings' -- -o text:x
refuse 'unknown option' 1 '--tpo' 'did you mean --top?' -- --tpo 3 "$a"
refuse 'unknown option, nothing near' 1 '--zzzzzz' '--help' -- --zzzzzz "$a"
refuse 'unknown letter' 1 'no option -x' -- -qx "$a"
refuse 'missing value' 1 '--top' 'N' -- "$a" --top
refuse 'missing value of a letter' 1 '-o' 'FORMAT:PATH' -- "$a" -o
refuse 'value for a flag' 1 '--strict' '"3"' -- --strict=3 "$a"
refuse 'not a number' 1 '--top' '"few"' 'whole number' -- --top few "$a"
refuse 'number too small' 1 '--top' '"0"' 'from 1' -- --top=0 "$a"
refuse 'number with a tail' 1 '--threads' '"2x"' -- --threads 2x "$a"
refuse 'not a size' 1 '--memory' '"much"' '256M' -- --memory much "$a"
refuse 'not a time' 1 '--slower-than' '"5 hours"' '1.5ms' -- --slower-than '5 hours' "$a"
refuse 'not an instant' 1 '--from' '"now"' 'seconds' -- --from now "$a"
refuse 'from after to' 1 '--from 3' '--to 2500ms' -- --from 3 --to 2500ms "$a"
refuse 'from equals to' 1 '--from @7' '--to @7' -- --from @7 --to @7 "$a"
refuse 'SLOG2 to standard output' 1 'slog2:-' 'give a file name' -- -o slog2:- "$a"
refuse 'not one of the choices, other spelling' 1 '--color' '"red"' 'auto, always, never' -- --color red "$a"
refuse 'not one of the choices' 1 '--colour' '"red"' 'auto, always, never' -- --colour red "$a"
refuse 'unknown reader' 1 '--reader' '"xls"' 'dat' -- --reader xls "$a"
refuse 'policies: one that looks and one that does not' 1 '--causality' 'off and rounds contradict' 'no rule' -- --causality off,rounds "$a"
refuse 'policies: order as recorded, and valid' 1 '--causality' 'report and adjust contradict' 'order as recorded' -- --causality adjust,report "$a"
refuse 'policies: rounds of the order as recorded' 1 '--causality' 'report and rounds contradict' -- --causality report,rounds "$a"
refuse 'policies: times as recorded, and later' 1 '--causality' 'hold and adjust contradict' 'times as recorded' -- --causality hold,rounds,adjust "$a"
refuse 'policies: one twice' 1 '--causality' 'adjust is named twice' -- --causality adjust,rounds,adjust "$a"
refuse 'policies: spread without adjust' 1 '--causality' '"spread=5%"' 'policy rounds' -- --causality rounds,spread=5%,strict "$a"
refuse 'policies: an option first' 1 '--causality' '"spread"' 'there are report' -- --causality spread,adjust "$a"
refuse 'empty node' 1 '--node' '"1,,2"' -- --node 1,,2 "$a"
refuse 'empty pattern' 1 '--select' -- --select '' "$a"
refuse 'standard input' 1 'standard input' -- -
refuse 'unknown sort key' 1 '--sort' '"size"' 'pending' -- --list --sort size "$a"
refuse 'sort without list' 1 '--sort' '--list' -- --sort name "$a"

refuse 'unknown format' 1 '-o' '"pej:x"' 'did you mean paje?' 'slog2' 'report' -- -o pej:x "$a"
refuse 'no format' 1 '-o' '"out.slog2"' 'FORMAT:PATH' -- -o out.slog2 "$a"
refuse 'no path' 1 '-o' '"text:"' 'FORMAT:PATH' -- -o text: "$a"
refuse 'unknown option of a format' 1 '-o' '"text,nice:x"' '"nice"' -- -o text,nice:x "$a"
refuse 'two outputs for one file' 1 'x' 'text' 'paje' -- -o text:x -o paje:./x "$a"
refuse 'events and none' 1 '--events' '--no-events' -- --events --no-events "$a"
refuse 'two outputs for standard output' 1 'standard output' -- -o text:- -o report:- "$a"
refuse 'output onto a recording' 1 "$a" 'overwrite' -- -o "text:$a" "$a" "$b"
ln -s "$a" "$in/link"
refuse 'output onto a recording by another name' 1 "$a" 'overwrite' -- -o "text:$in/link" "$a"

refuse 'map without =' 1 '--map' '"1"' 'NODE=WHAT' -- --map 1 "$a"
refuse 'map without node' 1 '--map' '"=one"' 'NODE=WHAT' -- --map =one "$a"
refuse 'map without what' 1 '--map' '"1="' 'NODE=WHAT' -- --map 1= "$a"
refuse 'map with an empty pair' 1 '--map' 'NODE=WHAT' -- --map 1=one,,2=two "$a"
refuse 'map with blanks only' 1 '--map' '" = "' 'NODE=WHAT' -- --map ' = ' "$a"
refuse 'one node, the same events, after a blank' 1 '--map' 'both node "1"' "$a" "$b" -- --map '1=one, 1 = two' "$a" "$b"
refuse 'map the wrong way round' 1 '--map one=1' 'did you mean 1=one?' -- --map one=1 "$a" "$b"
refuse 'map of an input that is not there' 1 '--map 1=3' 'no input "3"; the inputs are' -- --map 1=3 "$a" "$b"
refuse 'one node, the same events' 1 '--map' 'both node "1"' "$a" "$b" -- --map 1=one,1=two "$a" "$b"
refuse 'what mapped twice' 1 '--map' 'one' 'node 1' 'node 2' -- --map 1=one --map 2=one "$a"
refuse 'file given twice' 1 "$a" 'twice' -- -o text:x "$a" "$b" "$a"
refuse 'file given twice by another name' 1 "$in/link" "$a" 'twice' -- -o text:x "$a" "$in/link"
refuse 'model given twice' 1 '-m' '"dlm"' -- -m dlm -m dlm "$a"

# a control character must not break the line
refuse 'name with a line feed' 2 'such?file' -- -o text:x $'no\nsuch\nfile'
summary
