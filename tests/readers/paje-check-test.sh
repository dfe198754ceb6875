#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# paje-check-test.sh PAJE-CHECK EXAMPLE: paje-check takes the worked example of docs/formats/paje.md, and
# refuses each of its broken variants for the right reason.

check=$1
example=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

complain() {
	printf '%s\n' "$*"
	failed=1
}

# good TITLE FILE: it is accepted
good() {
	"$check" "$2" 2>"$dir/message" || complain "refused, but good: $1: $(cat "$dir/message")"
}

# bad TITLE FILE WORDS: it is refused with a message that holds WORDS
bad() {
	"$check" "$2" >"$dir/message" 2>&1
	status=$?
	if [ $status -ne 1 ]; then
		complain "exit status $status, expected 1: $1"
	elif ! grep -qF -e "$3" "$dir/message"; then
		complain "not refused for '$3': $1: $(cat "$dir/message")"
	fi
	if cmp -s "$example" "$2"; then
		complain "the variant is equal to the example: $1"
	fi
}

# edit WORDS SED...: the example, changed by sed, is refused with WORDS
edit() {
	words=$1
	shift
	sed "$@" "$example" >"$dir/edited"
	bad "$*" "$dir/edited" "$words"
}

# insert WORDS BEFORE LINE: the example with LINE put before the line BEFORE is refused
insert() {
	words=$1 before=$2 line=$3
	awk -v before="$before" -v line="$line" '$0 == before { print line } { print }' \
		"$example" >"$dir/inserted"
	bad "$line" "$dir/inserted" "$words"
}

"$check" --dump "$example" >"$dir/dump" || failed=1
cat >"$dir/expected" <<'END'
link gfs2:test (1)/5 0x1a0/node 2 gfs2:test (1)/5 0x1a0/node 1 "bast" 2000000 400000
point gfs2:test (1)/5 0x1a0/node 1 "bast" 2400000
span gfs2:test (1)/5 0x1a0/node 1 "lock" 1000000 2000000
span gfs2:test (1)/5 0x1a0/node 1 "unlock" 3000000 600000
span gfs2:test (1)/5 0x1a0/node 2 "lock" 2000000 2500000
END
cmp "$dir/expected" "$dir/dump" || failed=1

# definitions of events
edit 'not one that all readers know' 's/PajeNewEvent/PajeNewThing/'
edit 'not one that all readers know' 's/PajePopState/PajeResetState/'
edit 'is used twice' 's/PajePopState 9/PajePopState 8/'
edit 'the number of the event is x' 's/PajePopState 9/PajePopState x/'
edit 'PajePushState has no field Value' '/PajePushState/,/EndEventDef/{/Value/d}'
edit 'PajeDefineLinkType has no field EndContainerType' '/^% EndContainerType/d'
edit 'PajeDestroyContainer has no field Time' '/PajeDestroyContainer/,/EndEventDef/{/Time/d}'
edit 'has no field Key' '/PajeStartLink/,/EndEventDef/s/Key/Kez/'
edit 'field type float' '/PajeSetVariable/,/EndEventDef/s/double/float/'
edit 'the field Value is no double' '/PajeSetVariable/,/EndEventDef/s/double/string/'
edit 'the field Time is no date' '/PajeNewEvent/,/EndEventDef/s/date/double/'
edit 'is there twice' 's/^% Mode string/% LockId int/'
edit 'is an old one' 's/^% Mode string/% EntityType string/'
edit 'inside of a definition' '1,/EndEventDef/{/EndEventDef/d}'
insert 'after the first event' '0 CR CL "Resource"' '%EventDef PajeNewEvent 20'

# lines and words
edit '3 fields instead of 4' 's/^10 0.002400000 EC n1 cb 7/10 0.002400000 EC n1/;/PajeNewEvent/,/EndEventDef/{/LockId/d}'
edit '5 fields instead of 4' 's/^\(12 0.001000000 .*\)/\1 2/'
edit 'no event 77' 's/^12 0.001000000/77 0.001000000/'
edit '# outside of quotes' 's/^0 CL .*/& # comment/'
edit '# outside of quotes' '1i# comment'
edit "' outside of quotes" "s/^\\(14.*\\) 1\$/\\1 '1'/"
edit 'an empty word' 's/"node 1"/""/'
edit 'a quoted word has no end' 's/"node 1"/"node 1/'
edit 'directly after a quoted word' 's/"node 1"/"node \\"1"/'
edit 'an empty line' 's/^0 CR .*/&\n/'
edit 'a control character' 's/node 1/node\x011/'
edit 'a control character' 's/$/\r/'
edit 'more than 20 words' 's/^9 0.003000000 SO n1/& 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17/'
head -c -1 "$example" >"$dir/unterminated"
bad unterminated "$dir/unterminated" 'the last line has no end'
edit 'is quoted' 's/^6 0.000000000 n1 CN r1/6 0.000000000 "n1" CN r1/'
edit 'is quoted' 's/^8 0.001000000 SO n1 ol/8 0.001000000 SO n1 "ol"/'
edit 'does not begin with a letter' 's/\bn1\b/1n/g'
edit 'holds a -' 's/\bn1\b/n-1/g'
edit 'is a keyword' '/^[0-9]/s/\bn1\b/Value/g'
edit 'the name node1 is not quoted' 's/"node 1"/node1/'
edit 'the text EX is not quoted' 's/7 "EX"/7 EX/'
edit 'x7 is no int' 's/7 "EX"/x7 "EX"/'

# types and values
edit 'no type CX' 's/^0 CR CL/0 CR CX/'
edit 'the type SO is there twice' 's/^2 EC CN/2 SO CN/'
edit 'is not a type of containers' 's/^2 EC CN/2 EC SO/'
edit 'the value ol is there twice' 's/^5 ou/5 ol/'
edit 'the value ou was not defined' '/^5 ou/d'
edit 'the value cb was not defined' '/^5 cb/d'
edit 'is not "r g b"' 's/"0.20 0.50 0.90"/"0.20,0.50,0.90"/'
edit 'is not "r g b"' 's/"0.20 0.50 0.90"/"3380e6"/'
edit 'not between 0 and 1' 's/"0.20 0.50 0.90"/"0.20 0.50 1.90"/'
edit 'is not a type of states, events or links' 's/^5 ou SO/5 ou CN/'
edit 'PajeDefineEventType has no alias' '/PajeDefineEventType/,/EndEventDef/{/Alias/d};s/^2 EC CN/2 CN/'

# containers
edit 'the container n1 is there twice' 's/^6 0.000000000 n2/6 0.000000000 n1/'
edit 'inside of one of the wrong type' 's/^6 0.000000000 n2 CN r1/6 0.000000000 n2 CN l1/'
edit 'no container rx' 's/^6 0.000000000 n2 CN r1/6 0.000000000 n2 CN rx/'
edit '1 containers are not destroyed' '/^7 .* l1$/d'
edit 'before those inside' '/^7 .* n2$/d'
edit 'is of another type' 's/^7 0.005000000 CN n1/7 0.005000000 CR n1/'
edit 'destroyed later than others' 's/^7 0.005000000 CL/7 0.006000000 CL/'
edit 'time runs backwards' 's/^7 0.005/7 0.004/'
edit 'an event after the destruction' '$a10 0.005000000 EC n1 cb 7'
edit 'was destroyed' '$a7 0.005000000 CN n1'

# states, events, variables
edit 'a pop without a push' '/^8 0.002000000/d'
edit 'is destroyed in a state' '/^9 0.004500000/d'
edit 'time runs backwards' 's/^9 0.003600000/9 0.002900000/'
insert 'time runs backwards' '9 0.004500000 SO n2' '8 0.002000000 SO n1 ol 7 "EX"'
edit 'not seconds with nine decimals' 's/^9 0.004500000/9 0.0045/'
edit 'not seconds with nine decimals' 's/^9 0.004500000/9 4.5e-3/'
edit 'does not belong on the container r1' 's/^8 0.001000000 SO n1/8 0.001000000 SO r1/'
edit 'PajeNewEvent with the type SO' 's/^10 0.002400000 EC n1 cb/10 0.002400000 SO n1 ol/'
edit 'before it is set' '/^11 /d'
edit 'one is no double' 's/^12 0.001000000 VP r1 1/12 0.001000000 VP r1 one/'
sed 's/^5 ol/1 SP CN "Phase"\n5 pa SP "phase" "1 1 1"\n&/
	s/^9 0.003600000.*/&\n8 0.003700000 SP n1 pa 7 "EX"\n9 0.003800000 SP n1/' \
	"$example" >"$dir/second"
bad 'second type' "$dir/second" 'a second type of states'

# links
edit '1 links have only one end' '/^15 /d'
edit 'is used twice' 's/^15 .*/&\n14 0.002400000 LB r1 n2 lb 1/'
edit 'have different values' 's/^5 lb.*/&\n5 lc LB "c" "1 1 1"/;s/^15 \(.*\) lb 1/15 \1 lc 1/'
edit 'of the wrong type' 's/^4 LB CR CN CN/4 LB CR CN CR/'
edit 'is not one of links' 's/^4 LB CR/4 LB CL/'
awk '/^6 [0-9.]* r1 /{ r = $0 } { print }
	/^6 [0-9.]* n2 /{ sub(/ r1 /, " r2 ", r); print r }
	/^7 .* n2$/{ print "7 0.005000000 CR r2" }' "$example" |
	sed 's/^14 \(.*\) r1 n2/14 \1 r2 n2/;s/^15 \(.*\) r1 n1/15 \1 r2 n1/' >"$dir/owner"
bad owner "$dir/owner" 'the owner of a link is not around its end'
sed 's/^14 .*/&\n14 0.002000000 LB r1 n1 lb 2/
	s/^9 0.003600000.*/&\n15 0.003600000 LB r1 n2 lb 2\n/' "$example" | sed '/^$/d' >"$dir/links"
good 'two links' "$dir/links"

# a state from before the recording may come late, if it is the first on its container
late() {
	sed "s/^9 0.003600000.*/6 0.000000000 n3 CN r1 \"node 3\"\n$1&/;s/^7 .* n1/7 0.005000000 CN n3\n&/" \
		"$example"
}
push='8 0.000000000 SO n3 ol 9 "EX"\n'
pop='9 0.003000000 SO n3\n'
late "$push$push$pop$pop" >"$dir/late"
good late "$dir/late"
late "$push${pop}$push$pop" >"$dir/late"
bad 'late after others' "$dir/late" 'time runs backwards'
sed 's/^% LockId int/% Flags string/;s/ 7 "EX"/ "failed" "EX"/;s/ [789] "\([A-Z]*\)"/ "failed" "\1"/
	s/cb 7/cb "failed"/' "$example" >"$dir/flags"
good flags "$dir/flags"
late "$push$pop" | sed 's/^% LockId int/% Flags string/;s/ [78] "\([A-Z]*\)"/ "failed" "\1"/
	s/cb 7/cb "failed"/;s/ 9 "EX"/ "before" "EX"/' >"$dir/flags"
good 'late with a flag' "$dir/flags"
sed -i 's/"before"/"failed"/' "$dir/flags"
bad 'late with another flag' "$dir/flags" 'time runs backwards'

exit $failed
