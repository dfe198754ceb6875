#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The report and the list as people see them: on terminals of several widths, in a pipe, for recordings that do not belong
# together, and for windows.
# usage: cli-report.sh PROGRAM SOURCE_DIR
program=$1 examples=$2/examples
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
[[ -e $examples/dlm/trace-3.dat ]] || { echo "skipped: no recordings in $examples"; exit 77; }
cp "$examples"/dlm/trace-[345].dat .
cp "$examples/fileio/trace-5.dat" file-5.dat
cp "$examples/fileio/trace-4.dat" other-4.dat
unset NO_COLOR
recordings=(trace-5.dat trace-4.dat trace-3.dat)

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

report()
{
	"$program" --index off -o report,tables:- "$@"
}

# ---- into a pipe: every column, whatever COLUMNS says; a number is one word
COLUMNS=40 report "${recordings[@]}" > report || fail "report: status $?"
grep -q 'no room for' report && fail "a pipe does not get all columns"
awk '$1 == "trace-5.dat" { events = $7 } END { exit events != 19270 }' report || fail "EVENTS is not one word"
grep -q 'node-seconds' report || fail "sums over nodes are not explained"
grep -nE '[0-9] [0-9]{3}( |$)' report && fail "a blank inside of a number"

# ---- on a terminal: no line is wider than the terminal, and omitted columns are named
if command -v script > /dev/null; then
	export TERM=xterm
	for columns in 60 80 132 250; do
		for format in report,tables list; do
			script -qec "stty cols $columns; $program --index off -o $format:- ${recordings[*]} file-5.dat \
				--force-map --map 1=trace-5.dat,2=trace-4.dat,3=trace-3.dat,4=file-5.dat 2> /dev/null" /dev/null \
				< /dev/null | tr -d '\r' > shown
			sed 's/\x1b\[[0-9;]*m//g' shown > plain
			(($(wc -l < plain) > 60)) || fail "$format, $columns columns: $(head -n 3 plain)"
			LC_ALL=C.UTF-8 awk -v columns="$columns" 'length($0) > columns' plain > wide
			[[ ! -s wide ]] || fail "$format, $columns columns: $(head -n 2 wide)"
		done
		script -qec "stty cols $columns; $program --index off -o report,tables:- ${recordings[*]}" /dev/null \
			< /dev/null | grep -c 'no room for' > "left-out-$columns"
	done
	[[ $(< left-out-80) -gt 0 && $(< left-out-250) == 0 ]] || fail "left out: $(head left-out-*)"
	colours=$(NO_COLOR=1 script -qec "$program --index off -o report,tables:- ${recordings[*]}" /dev/null < /dev/null | grep -c $'\033\[[0-9;]*m')
	[[ $colours == 0 ]] || fail "NO_COLOR: $colours lines with colours"
fi

# ---- JSON has the numbers of the text: results, and the states of every resource in the units of the text
"$program" --index off -o report,all:report -o report,all,json:report.json -o list,tsv:list.tsv -o list,json:list.json \
	"${recordings[@]}" || fail "report,json: status $?"
# json_rows TABLE FILE - its rows, one a line
json_rows()
{
	awk -v table="\"$1\":{" 'index($0, table) == 1 { on = 1; next } on && !/^\{/ { exit } on' "$2"
}
# json_value NAME - the number or string of a member in each line
json_value()
{
	sed -E "s/.*[{,]\"$1\":(\"(([^\"\\\\]|\\\\.)*)\"|([^,}]*)).*/\2\4/"
}
awk '/^Results/ { on = 1; next } /^$/ { on = 0 } on && !/EVENT/ { n = 0
	for (i = 2; i <= NF && n < 2; i++) if ($i ~ /^([0-9]+|-)$/) v[n++] = $i == "-" ? 0 : $i
	print v[0], v[1] }' report > results.text
json_rows results report.json > rows
paste -d' ' <(json_value count < rows) <(json_value failed < rows) > results.json
{ [[ $(wc -l < results.text) -ge 8 ]] && cmp -s results.text results.json; } || fail "report,json: $(diff results.text results.json | head -n 4)"
awk '/^Resources/ { on = 1; next } /^$/ { on = 0 } on && !/LOCKSPACE|times add up|checksum/ { sub(/^ +/, ""); sub(/ [0-9<]+%/, "")
	match($0, /  +([0-9.]+ [mun]?s|-) /); print substr($0, RSTART + 2) }' report | awk '{ print $1 == "-" ? "-" : $1 " " $2 }' > waited.text
json_rows states_resource report.json | json_value waited | awk '
	$1 == 0 { print "-"; next }
	{ v = $1; u = "ns" }
	v >= 999.5 { v /= 1000; u = "us" } v >= 999.5 { v /= 1000; u = "ms" } v >= 999.5 { v /= 1000; u = "s" }
	u == "ns" { print v, u; next }
	{ printf v < 9.995 ? "%.2f %s\n" : v < 99.95 ? "%.1f %s\n" : "%.0f %s\n", v, u }' > waited.json
{ [[ $(wc -l < waited.text) -ge 100 ]] && cmp -s waited.text waited.json; } || fail "report,json, waited: $(diff waited.text waited.json | head -n 4)"
json_rows list_resource list.json > rows
paste <(json_value type < rows) <(json_value place < rows) <(json_value calls < rows) <(json_value pending < rows) \
	<(json_value worst < rows) > list.cut
sed 1d list.tsv | cut -f1-5 | cmp -s - list.cut || fail "list,json: $(sed 1d list.tsv | cut -f1-5 | diff - list.cut | head -n 4)"
"$program" --index off -o list,json,tsv:- "${recordings[@]}" > both 2> err
[[ $? == 1 && ! -s both && $(< err) == *"not both"* ]] || fail "list,json,tsv: $(cat err)"

# ---- the short report: at most 40 lines and as wide as the terminal, in a pipe and in a file 100 columns
# short NAME ARGUMENT...: the report of a recording, into the file short.NAME
short()
{
	local name=$1

	shift
	"$program" -q --index off -o report:- "$@" > "short.$name" || fail "short $name: status $?"
	(($(wc -l < "short.$name") <= 40 && $(wc -l < "short.$name") >= 8)) || fail "short $name: $(wc -l < "short.$name") lines"
	LC_ALL=C.UTF-8 awk 'length($0) > 100' "short.$name" > wide
	[[ ! -s wide ]] || fail "short $name: $(cat wide)"
	[[ $(grep -c '^More: list.*report,tables.*report,all' "short.$name") == 1 ]] || fail "short $name: no way to more: $(cat "short.$name")"
	"$program" -q --index off -o report:in-file "$@" && cmp -s in-file "short.$name" || fail "short $name: the file differs from the pipe"
	type -P script > /dev/null || return
	for columns in 80 $([[ $name != fileio ]] || echo 40 132); do
		script -qec "stty cols $columns; $program -q --index off -o report:- $*" /dev/null < /dev/null | tr -d '\r' |
			sed 's/\x1b\[[0-9;]*m//g' > shown
		LC_ALL=C.UTF-8 awk -v columns="$columns" 'length($0) > columns' shown > wide
		[[ ! -s wide ]] || fail "short $name, $columns columns: $(cat wide)"
		((columns < 80 || $(wc -l < shown) <= 40)) || fail "short $name, $columns columns: $(wc -l < shown) lines"
	done
}
# human: durations in ns as people see them
human()
{
	awk '{ v = $1; u = "ns" }
	v >= 999.5 { v /= 1000; u = "us" } v >= 999.5 { v /= 1000; u = "ms" } v >= 999.5 { v /= 1000; u = "s" }
	{ printf u == "ns" ? "%d %s\n" : v < 9.995 ? "%.2f %s\n" : v < 99.95 ? "%.1f %s\n" : "%.0f %s\n", v, u }'
}
# section NAME HEADING: the lines of a part of the short report, each row on one line
section()
{
	awk -v heading="$2" '$0 == heading { on = 1; next } /^$/ { on = 0 }
		on && /^  [^ ]/ { if (row) print row; row = $0; next } on { row = row " " $0 } END { if (row) print row }' "short.$1" |
		sed -E 's/ +/ /g; s/^ //'
}
short dlm "${recordings[@]}"
short fileio "$examples/fileio"
short nfs "$examples/nfs"
short sched -m sched "$examples/sched/disturbed.dat"
head -n 1 short.dlm | grep -q '^Most waited for: 0x77222027/res01, 61.3 s: by node 1 64 %, node 3 31 %, node 2 5 %; causes: ' || fail "short dlm: $(head -n 1 short.dlm)"
# five calls and five waits with the verdict's, against the spans in the text output
"$program" -q --index off -o text:spans --no-links "$examples/fileio" || fail "spans: status $?"
sed -nE 's/^[0-9]+ span "[^"]*" io "[^"]*" ([0-9]+) .*/\1/p' spans | sort -nr | head -n 5 | human > calls.text
{ head -n 2 short.fileio | paste -sd ' '; section fileio 'The next slowest calls'; } | sed -E 's/.* took ([0-9.]+ [mun]?s).*/\1/' > calls.short
cmp -s calls.text calls.short || fail "short fileio, calls: $(diff calls.text calls.short)"
sed -nE 's,^[0-9]+ span "([^"]*)/(node [0-9]+)" lock "PENDING" ([0-9]+) .*,\3 \1 \2,p' spans | sort -nr | head -n 5 > waits
paste -d' ' <(human < waits) <(cut -d' ' -f2- waits) > waits.text
{ grep '^Longest wait' short.fileio | sed 's/^Longest wait: //'; section fileio 'The next longest waits'; } |
	sed -E 's/^([0-9.]+ [mun]?s) for ([^:]*): (node [0-9]+).*causes: .*%.*/\1 \2 \3/' > waits.short
cmp -s waits.text waits.short || fail "short fileio, waits: $(diff waits.text waits.short)"
# a call has two lines and two locks at most
section fileio 'The next slowest calls' | awk '{ n = gsub(/ held by | messages[;)]/, "") } n > 2 { exit 1 }' || fail "short fileio: more than two locks"
# who blocked whom: the first rows of the table of all processes, which readers-blame compares with an own sweep
"$program" -q --index off -o report,json:blame.json "$examples/fileio" || fail "blame: status $?"
json_rows blame_processes blame.json | head -n 5 > rows
paste -d'|' <(json_value blamed < rows | human) <(json_value waiter < rows) <(json_value waiting_process < rows) \
	<(json_value holder < rows) <(json_value holding_process < rows) <(json_value waits < rows) |
	awk -F'|' '{ print $1 ": " $2 " " $3 " waited for " $4 " " $5 " (proved), " $6 " waits" }' > blocked.json
section fileio 'Who blocked whom' > blocked.short
{ [[ $(wc -l < blocked.short) == 5 ]] && cmp -s blocked.json blocked.short; } || fail "short fileio, who blocked whom: $(diff blocked.json blocked.short)"
# the lines that README.md and the tour show
"$program" -q --index off -o report:- -o list:list --lockspace test,gfs "${recordings[@]}" > printed || fail "report and list: status $?"
for page in README.md docs/TOUR.md; do
	sed -n '/^Most waited for: /,/^  \.\.\.$/p' "$2/$page" | sed '$d' > promised
	{ [[ $(wc -l < promised) -ge 5 ]] && head -n "$(wc -l < promised)" printed | cmp -s promised -; } ||
		fail "$page shows another report: $(diff promised printed)"
done
sed -n '/^LOCKSPACE /,/^  \.\.\.$/p' "$2/docs/TOUR.md" | sed '$d' > promised
{ [[ $(wc -l < promised) -ge 4 ]] && head -n "$(wc -l < promised)" list | cmp -s promised -; } || fail "the tour shows another list: $(diff promised list)"
sed -n '/^Held and waited for$/,/^  \.\.\.$/p' "$2/docs/TOUR.md" | sed '$d' > promised
"$program" -q --index off -o at,time=100:at --lockspace test,gfs "${recordings[@]}" || fail "at: status $?"
{ [[ $(wc -l < promised) -ge 4 ]] && head -n "$(wc -l < promised)" at | cmp -s promised -; } || fail "the tour shows another moment: $(diff promised at)"
# the parts of the longest wait of its rows are those of JSON Lines
"$program" -q --index off --select 'gfs/trans 0' --derive accounts -o jsonl:parts.jsonl "$examples/fileio" || fail "accounts: status $?"
sed -n 's/.*"type":"part".*"took":18019553165,"part":\([0-9]*\),.*/\1/p' parts.jsonl | sort -rn |
	awk '{ sum += $1; printf "%.0f %%\n", $1 / 18019553165 * 100 } END { exit sum != 18019553165 }' > said || fail "parts do not add up"
"$program" -q --index off show 'gfs/trans 0' "$examples/fileio" > shown
grep -A 9 '^Parts of the longest: PENDING on gfs/trans 0/node 2, 18.0 s$' shown | sed -n 's/^ *[0-9.]* [mu]*s *\([0-9]* %\).*/\1/p' | diff said - || fail "show: $(< shown)"
grep -q '^ *17.3 s   96 %  proved     held by node 3 EX (mount 193)$' shown || fail "show does not say who: $(< shown)"
# show explains its rows: the sentences of the table of calls, and the longest waits of their resource
sentences() { awk -v heading="$1" '$0 == heading { on = 1; next } /^$/ { on = 0 } on && /^  [^ ]/ { if (text) print text; text = substr($0, 3); next } on { sub(/^ */, ""); text = text " " $0 } END { if (text) print text }'; }
"$program" -q --index off show /mnt/own2 "$examples/fileio" > shown && "$program" -q --index off --select /mnt/own2 -o report,json:select.json "$examples/fileio" || fail "show: status $?"
awk '/^"/ { on = /^"why"/ } on && match($0, /"why":"[^"]*"/) { print substr($0, RSTART + 7, RLENGTH - 8) }' select.json | head -n 3 > wanted
sentences 'Slowest calls' < shown > got
{ [[ $(wc -l < got) == 3 ]] && while IFS= read -r line <&3 && IFS= read -r whole <&4; do [[ $whole == "${line% ...}"* || ${line%%(*} == "${whole%%(*}" ]] || fail "show: $line"; done 3< got 4< wanted; } || fail "show has $(wc -l < got) calls"
"$program" -q --index off show gfs/inode\ 3346 "$examples/fileio" | sentences 'Longest waits' > got
{ [[ $(wc -l < got) == 3 ]] && ! grep -v ' for gfs/inode 3346: ' got; } || fail "show: the waits of one resource: $(cat got)"
# every word that needs it is explained, and no other
for word in proved messages queue hand-over 'not explained'; do
	awk -v word="$word" '/^Words: / { on = 1 } /^Clocks: / { on = 0 } on { text = text " " $0 } END { exit !index(text, " " word ": ") }' short.fileio ||
		fail "short fileio: $word is not explained"
done
grep -qx 'Words: proved: whatever the errors of the clocks; queue: others had asked before' short.nfs || fail "short nfs: other words are explained: $(grep -A3 '^Words' short.nfs)"

# ---- with -v: percentiles and histograms of waits and holds, against the spans in the text output
"$program" -q -v --index off -o report,all,json:durations.json -o text:spans "${recordings[@]}" || fail "-v: status $?"
json_rows durations_resource durations.json > durations
for member in place of n p50 p99 max histogram; do json_value $member < durations > "durations.$member"; done
sed -nE 's,^[0-9]+ span "([^"]*)/[^"/]*" lock "(PENDING|CR|CW|PR|PW|EX)" ([0-9]+)(.*),\1\t\2\t\3\t\4,p' spans |
	awk -F'\t' '$4 !~ /flags=[a-z,-]*(unfinished|before|suspect|cut|unknown)/ { print $1 "\t" ($2 == "PENDING" ? "waits" : "holds") "\t" $3 }' |
	sort -t "$(printf '\t')" -k1,1 -k2,2 -k3,3n > lengths
paste durations.place durations.of durations.n durations.p50 durations.p99 durations.max durations.histogram | awk -F'\t' '
	function near(got, want) { return got >= want * 0.99 - 1 && got <= want * 1.01 + 1 }
	function rank(q,    k) { k = int(q * n[key]); return length_of[key, k + (k < q * n[key])] }
	FILENAME == "lengths" { key = $1 "\t" $2; length_of[key, ++n[key]] = $3; next }
	{
		key = $1 "\t" $2
		seen++
		if ($3 != n[key] || !near($4, rank(0.5)) || !near($5, rank(0.99)) || $6 != length_of[key, n[key]] || $7 !~ /[^ ]/) {
			print key ": " $0 " instead of " n[key], rank(0.5), rank(0.99), length_of[key, n[key]]
			bad = 1
		}
	}
	END { for (key in n) expected++; exit bad || !seen || seen != expected }' lengths - > wrong || fail "durations: $(head -n 5 wrong)"
"$program" -q --index off -o report,tables:- "${recordings[@]}" | grep -q '^Durations' && fail "durations without -v"
for locale in C C.UTF-8; do
	[[ $locale == C ]] && height=@ || height=█
	LC_ALL=$locale "$program" -q -v --index off -o report:- "${recordings[@]}" | sed -n '/^Durations/,/^$/p' > shown
	grep -q "$height" shown || fail "histogram in the locale $locale: $(head -n 3 shown)"
done
if command -v script > /dev/null; then
	LC_ALL=C.UTF-8 script -qec "stty cols 80; $program -v --index off -o report:- ${recordings[*]}" /dev/null < /dev/null 2> /dev/null |
		tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' | sed -n '/^Durations/,/^  histogram/p' > shown
	grep -q '^  0x77222027/res01 .*█' shown && (($(LC_ALL=C.UTF-8 wc -L < shown) <= 80)) || fail "histograms, 80 columns: $(head -n 5 shown)"
fi

# ---- the verdict without models that know holders, and of a part of the cluster
"$program" -q --index off -m gfs2 -o report:- "$examples"/fileio/trace-[345].dat | head -n 1 | grep -q '^Nobody waited$' ||
	fail "verdict without waits"
"$program" -q --index off -m fileio -o report,tables:- "$examples"/fileio/trace-[345].dat | sed -n 2p |
	grep -q '^Most waited for: /mnt/own2, 89.8 s: by node2 62 %, node1 38 %; nothing recorded says' || fail "verdict of file I/O"
"$program" -q --index off -o report,tables:- "${recordings[0]}" "${recordings[1]}" | sed -n 1,5p |
	grep -q '^No event was lost; [1-9][0-9]* % of the messages have one end only: a node may not be recorded' || fail "verdict of two nodes of three"

# ---- recordings of two sessions cannot be compared, and are refused if that matters. The session of most is the one that counts
report file-5.dat trace-4.dat > report 2> err || fail "two sessions: status $?"
(($(grep -cE '^  (file-5|trace-4).dat .*yes, kvm' report) == 1 && $(grep -cE '^  (file-5|trace-4).dat .*no, another session' report) == 1)) ||
	fail "SYNC of another session: $(head -n 8 report)"
grep -E '^  (file-5|trace-4).dat ' report | sort > rows
report trace-4.dat file-5.dat | grep -E '^  (file-5|trace-4).dat ' | sort | cmp -s - rows || fail "two sessions, the other way round"
report file-5.dat trace-4.dat "${recordings[2]}" > report 2> err || fail "three recordings of two sessions: status $?"
grep -E '^  file-5.dat .*no, another session' report > /dev/null || fail "one of three of another session: $(head -n 8 report)"
(($(grep -c 'yes, kvm' report) == 2)) || fail "two of three of one session: $(head -n 8 report)"
report --strict file-5.dat trace-4.dat > report 2> err
[[ $? == 4 && $(< err) == *peer_differs* ]] || fail "--strict, two sessions: $(cat err)"
report file-5.dat other-4.dat | grep -q 'another session' && fail "one session is taken for two"

# ---- the verdict: what gaps may hide is not stated as the whole truth
# recording NAME - of the lines of its input
recording()
{
	{ printf 'iotrace-text 1\nsync yes\n'; cat; } > "$1.txt"
}
recording a << 'END'
1000000000 0 42 dlm_lock_start ls_id=1 lkb_id=0x1 mode=5 flags=0 res_name="A"
1000001000 0 42 dlm_lock_end ls_id=1 lkb_id=0x1 mode=5 flags=0 error=0 res_name="A"
1000002000 0 0 dlm_ast ls_id=1 lkb_id=0x1 sb_flags=0 sb_status=0 res_name="A"
20000000000 0 9 marker
END
printf '1000000000 0 9 marker\n%s\n' '20000000000 0 9 marker' | recording whole
printf '1000000000 0 9 marker\n%s\n' '5000000000 0 9 marker' | recording early
printf '1000000000 0 9 marker\n2000000000 0 - LOST 3\n%s\n' '20000000000 0 9 marker' | recording lossy
# verdict SENTENCE FILE...
verdict()
{
	local expected=$1

	shift
	report -m dlm "$@" > report || fail "verdict: status $?"
	grep -qxF "$expected" report || fail "verdict of $*: $(head -n 4 report)"
}
verdict 'No event was lost' a.txt whole.txt
verdict 'No event was lost; early was not recorded all the time; locks may be unknown there, and waits longer than shown' a.txt early.txt
verdict 'Lost: 3 events of lossy; locks may be unknown there, and waits longer than shown' a.txt lossy.txt
verdict 'Lost: 3 events of lossy; early was not recorded all the time; locks may be unknown there, and waits longer than shown' a.txt lossy.txt early.txt

# ---- the list names who held the lock: by hand, and as the table of causes does. Node a keeps A from 1 s to 13 s; node b asks for it at
# 5 s, and has it at 15 s: a was in the way for 8 s of 10 s.
recording a << 'END'
1000000000 0 42 dlm_lock_start ls_id=1 lkb_id=0x1 mode=5 flags=0 res_name="A"
1000001000 0 42 dlm_lock_end ls_id=1 lkb_id=0x1 mode=5 flags=0 error=0 res_name="A"
1000002000 0 0 dlm_ast ls_id=1 lkb_id=0x1 sb_flags=0 sb_status=0 res_name="A"
13000000000 0 42 dlm_unlock_start ls_id=1 lkb_id=0x1 flags=0 res_name="A"
13000001000 0 42 dlm_unlock_end ls_id=1 lkb_id=0x1 flags=0 error=0 res_name="A"
14000000000 0 0 dlm_ast ls_id=1 lkb_id=0x1 sb_flags=0 sb_status=-65538 res_name="A"
20000000000 0 9 marker
END
recording b << 'END'
5000000000 0 43 dlm_lock_start ls_id=1 lkb_id=0x7 mode=5 flags=0 res_name="A"
5000001000 0 43 dlm_lock_end ls_id=1 lkb_id=0x7 mode=5 flags=0 error=0 res_name="A"
15000000000 0 0 dlm_ast ls_id=1 lkb_id=0x7 sb_flags=0 sb_status=0 res_name="A"
20000000000 0 9 marker
END
"$program" -q --index off -m dlm list a.txt b.txt > list || fail "list: status $?"
[[ $(head -n 1 list) == *"HELD BY" && $(awk '$1 == "A"' list) == *" a 80 %" ]] || fail "the list does not name the holder: $(cat list)"
json_rows blame_resources blame.json > rows
paste <(json_value resource < rows) <(json_value held_by < rows | sed 's/^null$//') | sort > held.json
[[ $(wc -l < held.json) == 20 ]] || fail "$(wc -l < held.json) rows of causes"
"$program" -q --index off list,tsv "$examples/fileio" | awk -F '\t' 'FNR == NR { wanted[$1]; next } $1 == "resource" && $2 in wanted { print $2 "\t" $7 }' held.json - |
	sort | cmp -s - held.json || fail "list,tsv: other holders than in the table of causes"

# ---- names: lockspaces of which the checksum is known only, where they stand, and the device of a file system
grep -q '^Names: 0x[0-9a-f]* and 1 more are checksums of lockspaces. names; --lockspace' short.dlm || fail "short dlm: no hint: $(tail -n 5 short.dlm)"
for format in list report,tables; do
	"$program" -q --index off "$format" --lockspace test "${recordings[@]}" > named || fail "$format: status $?"
	(($(grep -cE '^ *0x3df8322a is the checksum of a lockspace.s name; --lockspace NAME shows it$' named) == 1)) || fail "$format, one name: $(grep -n checksum named)"
	"$program" -q --index off "$format" --lockspace test,gfs "${recordings[@]}" | grep checksum && fail "$format: a hint for known names"
done
"$program" -q --index off report,tables "$examples/fileio" | sed -n '/^Glocks/,/^$/p' | grep -qx '  254:0 is the lockspace gfs' || fail "254:0 has no name"

# ---- two guests of one name are two nodes, and this is said; a mapped one needs no word
for guest in a:debian b:debian c:other; do
	printf 'iotrace-text 1\nhostname %s\nclock mono\nsync yes\n1000 0 42 dlm_bast ls_id=1 lkb_id=1 mode=5 res_name="A"\n' \
		"${guest#*:}" > "guest-${guest%:*}.txt"
done
# WHAT THE-FILES-KEPT-APART OPTION ...
kept_apart()
{
	local what=$1 files=$2
	shift 2
	report "$@" guest-[abc].txt > report || fail "$what: status $?"
	[[ $(sed -nE 's/^  (.*) is kept apart as .*: other recordings have its host name \(debian\), too$/\1/p' report | xargs) == "$files" ]] ||
		fail "$what: $(grep 'kept apart' report)"
}
kept_apart 'one name' 'guest-a.txt guest-b.txt'
grep -q '^  notice  2: recordings have the host name of others; ' report || fail "one name is not counted: $(grep notice report)"
[[ $("$program" -q --index off text guest-[abc].txt | grep host_name_shared) == '# diag host_name_shared 2' ]] || fail "the counter host_name_shared is not 2"
kept_apart 'one mapped' 'guest-b.txt' --map 1=guest-a.txt
kept_apart 'both mapped' '' --map 1=guest-a.txt,2=guest-b.txt

# ---- windows: cut times are "at least", unread events are not claimed
report --from 20 --to 30 "${recordings[@]}" > report || fail "window: status $?"
grep -Eq '^  recording +0\.000000000 +\? +131\.538671 +\? +\?$' report || fail "the end of the recording is claimed"
grep -Eq '^  window +20\.000000000 +30\.000000000 +151\.538671 +161\.538671 +10\.0 s$' report || fail "the window: $(cat report)"
# from 18.389683811 on for 24.2 s: all ten seconds of the window
grep -Eq ' >10\.0 s  \(longer on both sides\) ' report || fail "a cut wait: $(grep -A4 '^Longest' report)"
grep -q 'cut-' report && fail "flags instead of words: $(grep cut- report)"

# ---- each table has a row in the document
"$program" -q --index off --derive check --derive bounds --derive contention -o report,json:json "${recordings[@]}" ||
	(($? == 4)) || fail "all tables: status $?"
(($(grep -c '"columns":' json) > 20)) || fail "all tables: only $(grep -c '"columns":' json)"
while read -r table; do
	grep -q "^| .*\`$table\`" "$2/docs/formats/json.md" || fail "docs/formats/json.md does not name the table $table"
done < <(sed -n 's/^"\([a-z_]*\)":{"title":.*/\1/p' json | sed 's/^\(states\|durations\)_.*/\1_TYPE/')
((failures)) || echo "report and list are right at any width"
exit $((failures > 0))
