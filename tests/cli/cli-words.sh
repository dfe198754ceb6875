#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Outputs as the first word of the command line, the pager of list and report, and view.
# usage: cli-words.sh PROGRAM SOURCE_DIR
program=$1 source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
[[ -e $source/examples/dlm/trace-3.dat ]] || { echo "skipped: no recordings in $source/examples"; exit 77; }
cp "$source"/examples/dlm/trace-3.dat .
unset NO_COLOR LESS PAGER DISPLAY WAYLAND_DISPLAY
export TERM=xterm TMPDIR=$work

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

run()
{
	"$program" -q --index off "$@"
}

# ---- each format is a word, whose output has its usual place
while IFS=$'\t' read -r format suffix _; do
	word=("$format") select=() options=
	# a word may demand a pattern: "show ROW"
	"$program" --help | grep -q "^  $format ROW" && word+=('*res0?') select=(--select '*res0?')
	# or an instant: "at TIME"
	"$program" --help | grep -q "^  $format TIME" && word+=(20) options=,time=20
	run -o "$format$options:wanted" "${select[@]}" trace-3.dat 2> /dev/null || continue # built without it
	printed=$(run "${word[@]}" trace-3.dat | tee printed | wc -c) || fail "$format: status $?"
	if ((printed)); then
		[[ ! -e iotrace$suffix ]] || fail "$format prints, and writes iotrace$suffix"
		cmp printed wanted || fail "the word $format prints another output than -o $format"
	else
		diff -r "iotrace$suffix" wanted || fail "the word $format writes another output than -o $format"
		rm -r "iotrace$suffix"
	fi
	rm -rf wanted*
done < <("$program" --formats)
for word in text jsonl csv list report; do
	[[ $(run $word trace-3.dat | wc -c) -gt 0 ]] || fail "$word prints nothing"
done
run -o list,tsv,sort=name:wanted trace-3.dat
run list --tsv --sort name trace-3.dat | cmp - wanted || fail "list --tsv --sort name"
run --sort name trace-3.dat list,tsv 2> err && fail "a word after a recording is not a recording"
run list,tsv,sort=name trace-3.dat | cmp - wanted || fail "list,tsv,sort=name"
run list -o text:also trace-3.dat > /dev/null && [[ -s also ]] || fail "list with -o text"
run list,nothing trace-3.dat 2> err
[[ $? == 1 && $(< err) == *'the format list has no option "nothing"'* ]] || fail "list,nothing: $(< err)"
run list 2> err
[[ $? == 1 && $(< err) == *"no recordings"* ]] || fail "list without recordings: $(< err)"

# ---- a model without rules: TAP needs a reason, or a reader takes the empty plan for an error
run tap -m sched "$source/examples/sched/alone.dat" > got || fail "tap without rules: status $?"
printf 'TAP version 13\n1..0 # SKIP no model of these recordings has a [check]\n' | cmp - got || fail "tap without rules: $(cat got)"

# ---- a word with a mistake, and a file that does not exist
run reprot trace-3.dat 2> err
[[ $? == 1 && $(< err) == *"there is no file or word reprot, did you mean report?"* ]] || fail "reprot: $(< err)"
run trace-4.dat 2> err
[[ $? == 2 && $(< err) == *"trace-4.dat: No such file"* ]] || fail "no recording: $(< err)"
run help 2> err
[[ $? == 1 && $(< err) == *"no file help; --help shows"* ]] || fail "help: $(< err)"
run report html trace-3.dat 2> err
[[ $? == 1 && $(< err) == *"only the first word may be an output; -o html:PATH"* ]] || fail "report html: $(< err)"
cp trace-3.dat reprot
run -o text:wanted trace-3.dat
run -o text:got reprot && cmp got wanted || fail "the file reprot is not read"

# ---- a recording of that name
cp trace-3.dat list
run -o text:wanted trace-3.dat
run -o text:got ./list && cmp got wanted || fail "./list is not the file"
run -o text:got -- list && cmp got wanted || fail "-- list is not the file"
run --list ./list > got && run list ./list | cmp - got || fail "list ./list"
run -o text:got trace-3.dat list 2> err
[[ $? == 1 && $(< err) == *"list is given twice"* || $(< err) == *"two outputs"* || -s got ]] || fail "a second word: $(< err)"

# ---- view: the browser gets a page; without a display its path is printed
if run html trace-3.dat 2> err; then
	path=$(run view trace-3.dat) || fail "view: status $?"
	[[ $path == "$work"/iotrace-??????/iotrace.html ]] && cmp "$path" iotrace.html || fail "view prints $path"
	mkdir bin && mkfifo opened
	printf '#!/bin/sh\necho "$1" > "%s/opened"\n' "$work" > bin/xdg-open
	chmod +x bin/xdg-open
	printed=$(PATH=$work/bin:$PATH DISPLAY=:0 run view trace-3.dat) || fail "view on a display: status $?"
	read -r other < opened
	[[ -z $printed && $other != "$path" ]] && cmp "$other" iotrace.html || fail "the browser gets $other, printed: $printed"
	# after a failure nothing is left
	before=$(echo "$work"/iotrace-*)
	run view no-such-file 2> err
	[[ $? == 2 && $(echo "$work"/iotrace-*) == "$before" ]] || fail "view leaves a folder, or: $(< err)"
fi

# ---- at TIME: the instant is an option of the format, which none without a time is
at_fails()
{
	local sentence=$1
	shift
	run at "$@" > got 2> err
	[[ $? == 1 && $(< err) == *"$sentence"* && ! -s got ]] || fail "at $*: $(< err)"
}
at_fails "TIME is missing: an instant, as for --from"
at_fails 'no recordings follow "20", the instant' 20
at_fails '"soon" is not an instant: seconds since' soon trace-3.dat
at_fails "the instant is not in the recording, which lasts from 0 to " 100000 trace-3.dat
at_fails "the instant is not in the window, from 30." 20 --from 30 --to 31 trace-3.dat
[[ $(run -o at:- --from 500 trace-3.dat) == "Nothing is held and nobody waits at that instant." ]] || fail "at of a window without anything"
run -o at,time=1e9:kept trace-3.dat 2> err && fail "a wrong instant of an output is taken"
[[ ! -e kept ]] || fail "a wrong instant leaves a file"
run at 20 --node 99 trace-3.dat > got 2> err; [[ $? == 1 && $(< err) == *'no node "99"'* ]] || fail "at 20 --node 99: $(< err)"

# ---- the pager
command -v script > /dev/null || { echo "skipped: no script(1)"; exit 77; }

# terminal COMMAND: what a terminal shows; standard input is empty
terminal()
{
	script -qec "$1" /dev/null < /dev/null | tr -d '\r'
	return "${PIPESTATUS[0]}"
}

mark='sed s/^/paged:/'
analyze="$program -q --index off"
for word in list report; do
	shown=$(PAGER=$mark terminal "$analyze $word trace-3.dat")
	[[ $? == 0 && -n $shown ]] || fail "$word in a pager: $shown"
	grep -qv ^paged: <<< "$shown" && fail "$word: not every line is paged"
	grep -q $'\033\[1m' <<< "$shown" || fail "$word in a pager has no colours"
	[[ $(PAGER=$mark terminal "$analyze $word --no-pager trace-3.dat") == *paged* ]] && fail "$word --no-pager is paged"
	PAGER=$mark run $word trace-3.dat | grep -q paged && fail "$word into a pipe is paged"
	[[ $(PAGER=$mark terminal "$analyze -o $word:- trace-3.dat") == *paged* ]] && fail "-o $word:- is paged"
	terminal "$analyze $word --no-pager trace-3.dat" > plain
	for none in '' cat /no/such/pager no-such-pager; do
		PAGER=$none terminal "$analyze $word trace-3.dat" | cmp - plain || fail "PAGER='$none' changes $word"
	done
	PAGER=cat terminal "$analyze $word trace-3.dat | cat" | grep -q $'\033' && fail "$word into a pipe has colours"
done
[[ $(PAGER=$mark terminal "$analyze --list trace-3.dat") == *paged* ]] && fail "--list is paged"
[[ $(PAGER=$mark terminal "$analyze text trace-3.dat | head -n 1") == *paged* ]] && fail "text is paged"
[[ $(PAGER='echo "set:$LESS"; cat' terminal "$analyze list trace-3.dat") == set:FRX* ]] || fail "LESS is not FRX"
[[ $(LESS=own PAGER='echo "set:$LESS"; cat' terminal "$analyze list trace-3.dat") == set:own* ]] || fail "LESS is replaced"

# the status is that of the analysis; a message comes after the pager has ended
PAGER=$mark terminal "$program --strict --index off list trace-3.dat" > shown
status=$?
"$program" --strict --index off --list trace-3.dat > /dev/null 2> err
[[ $status == "$?" ]] || fail "the pager changes the status to $status"
[[ ! -s err || $(tail -n 1 shown) != paged:* ]] || fail "the message is paged"
PAGER=$mark terminal "$analyze list no-such-file" > shown
[[ $? == 2 && $(grep -c '' shown) == 1 && $(< shown) != paged* ]] || fail "an error in a pager: $(cat shown)"
# a pager that reads nothing, or little, is no error that is worth a message
shown=$(terminal "$analyze text trace-3.dat | :")
[[ -z $shown ]] || fail "a broken pipe is not quiet: $shown"
shown=$(PAGER='head -n 1' terminal "$analyze report trace-3.dat")
[[ $? == @(0|141) && $shown == *"Most waited for"* && $(grep -c '' <<< "$shown") == 1 ]] || fail "a pager that ends early: $shown"
# Ctrl-C in the pager does not kill the program, which would leave the terminal to two readers
# shellcheck disable=SC2016 # for the pager's shell; two signals that are pending together count as one
twice='kill -INT $PPID; while grep -q "ShdPnd:.*[1-9a-f]" /proc/$PPID/status; do :; done; kill -INT $PPID; cat'
shown=$(PAGER=$twice terminal "$analyze report,tables trace-3.dat; echo ended \$?")
[[ $shown == *Inputs*"ended 0" ]] || fail "SIGINT in the pager: $shown"
# ---- show: the rows of a pattern, as wide as the terminal, with the colours that it has
run show 2> err
[[ $? == 1 && $(< err) == *"ROW is missing"* ]] || fail "show without a pattern: $(< err)"
run show trace-3.dat 2> err
[[ $? == 1 && $(< err) == *"no recordings follow"*trace-3.dat* ]] || fail "show without recordings: $(< err)"
run show '*/res01' trace-3.dat > shown && run show --select '*/res02' '*/res01' trace-3.dat > both || fail "show: status $?"
[[ $(< shown) == *res01* && $(< shown) != *res02* && $(< both) == *res01*res02* || $(< both) == *res02*res01* ]] ||
	fail "show takes the wrong rows: $(cat shown both)"
# the legend has the sums of the list, the axis the instants of --from
[[ $(awk '$2 == "PENDING" { print $4, $5 }' shown) == "$(run list,tsv --select '*/res01' trace-3.dat |
	awk -F '\t' '$1 == "resource" { printf "%.1f s\n", $4 / 1e9 }')" ]] || fail "sums of show: $(cat shown)"
run show '*/res01' --from 50 --to 51 trace-3.dat | head -n 1 | grep -qE '\|50\.0+ s +\|50\.' || fail "the axis of a window"
export LC_ALL=C
for columns in 60 132 250; do
	terminal "stty cols $columns; $analyze show '*/res0?' trace-3.dat" | sed $'s/\033\\[[0-9;]*m//g' |
		awk -v most=$columns 'length($0) > most { bad = 1 } END { exit bad || NR < 9 }' || fail "show on $columns columns"
done
shows() { terminal "$analyze show '*/res01' trace-3.dat"; }
[[ $(shows) == *$'\033[48;5;214m'* && $(shows) != *$'\033[48;2;'* ]] || fail "no 256 colours"
[[ $(COLORTERM=truecolor shows) == *$'\033[48;2;242;167;27m'* ]] || fail "no 24-bit colours"
held=$(LC_ALL=C.UTF-8 COLORTERM=24bit terminal "$analyze show '*/res01' --from @232.2 --to @232.5 trace-3.dat")
[[ $held =~ $'\033[38;2;'[0-9\;]+m$'\033[48;2;242;167;27m'▂ ]] ||
	fail "the mode held is no strip below the waiting"
for setting in NO_COLOR=1 TERM=dumb; do
	(export "${setting?}"; [[ $(shows) != *$'\033'* ]]) || fail "colours with $setting"
done
[[ $(shows) != *▃* && $(LC_ALL=C.UTF-8 shows) == *▃* ]] || fail "blocks of UTF-8"
LC_ALL=C.UTF-8 run show '*/res01' trace-3.dat | cmp - shown || fail "a pipe gets another text than in the locale C"
((failures)) || echo "words, view and pager do the right thing"
exit $((failures > 0))
