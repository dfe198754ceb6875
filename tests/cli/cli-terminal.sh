#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal (that script(1) makes): colours and the progress line, and when there must be none.
# usage: cli-terminal.sh PROGRAM SOURCE_DIR
program=$1 examples=$2/examples/dlm
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
command -v script > /dev/null || { echo "skipped: no script(1)"; exit 77; }
unset NO_COLOR
export TERM=xterm
escape=$'\033'

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# terminal COMMAND: what a terminal shows; standard input is empty
terminal()
{
	script -qec "$1" /dev/null < /dev/null
}

bold="${escape}[1m"
[[ $(terminal "$program --help") == *"$bold"* ]] || fail "--help on a terminal has no colours"
[[ $(NO_COLOR=1 terminal "$program --help") == *"$bold"* ]] && fail "NO_COLOR is ignored"
[[ $(NO_COLOR='' terminal "$program --help") == *"$bold"* ]] || fail "an empty NO_COLOR counts"
[[ $(NO_COLOR=1 terminal "$program --colour always --help") == *"$bold"* ]] || fail "--colour always does not win"
[[ $(terminal "$program --colour never --help") == *"$bold"* ]] && fail "--colour never is ignored"
[[ $(terminal "$program --help | cat") == *"$bold"* ]] && fail "--help into a pipe has colours"

recordings="$(echo "$examples"/trace-[345].dat)"
if [[ -e ${recordings%% *} ]]; then
	# a short run may show no progress, but progress is erased at the end, and a pipe never gets any
	shown=$(terminal "$program -o null:/dev/null $recordings")
	[[ -z $shown || $shown == *$'\r'"${escape}[K" ]] || fail "the progress line stays: $(tail -c 200 <<< "$shown" | od -c)"
	[[ -z $(terminal "$program -q -o null:x $recordings") ]] || fail "-q is not quiet"
	[[ -z $("$program" -o null:x "$examples"/trace-[345].dat 2>&1) ]] || fail "progress into a pipe"
	# a terminal gets the list of written files with their sizes, a pipe does not
	shown=$(terminal "$program --index off -o text:x.txt -o slog2:x.slog2 $recordings" | tr -d '\r')
	[[ $shown == *"iotrace-analyze: x.txt ("*" MiB), x.slog2 ("*" MiB) written; "*" events analysed in "* ]] ||
		fail "no closing line: $shown"
	[[ $shown != *index* ]] || fail "the closing line names an index that there is not: $shown"
	shown=$(terminal "$program --index x.index -o text:x.txt $recordings")
	[[ $shown == *"index for windows left in x.index"* && -s x.index ]] || fail "no word of the index: $shown"
	shown=$(terminal "$program --index x.index -o text:x.txt $recordings")
	[[ $shown != *"left in x.index"* ]] || fail "an index that is only used is not left: $shown"
	[[ -z $(terminal "$program -q -o text:x.txt $recordings") ]] || fail "-q: a closing line"
	[[ -z $("$program" -o text:x.txt "$examples"/trace-[345].dat 2>&1) ]] || fail "a closing line into a pipe"
	"$program" -v -o text:x.txt "$examples"/trace-[345].dat 2>&1 | grep -q 'x.txt (.*) written; ' || fail "-v: no closing line"
	# lines of text on the same terminal are not disturbed
	terminal "$program -o text:- $recordings" | tr -d '\r' > shown
	"$program" -o text:- "$examples"/trace-[345].dat > wanted
	cmp shown wanted || fail "text on a terminal is disturbed"
fi
((failures)) || echo "terminal and pipe get the right output"
exit $((failures > 0))
