#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes of CONTRIBUTING.md work: the program that was built with their files and lines reads the recipe's own log, draws it
# with the recipe's model, and prints its output and the table of its analysis.
# usage: recipes.sh PROGRAM BUILD_DIR TARGET FOLDER
# Builds TARGET first. FOLDER has the files of the recipes.
program=$1 build=$2 target=$3 folder=$4
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# compare NAME: what was printed (file NAME) is the text of standard input
compare()
{
	diff -u - "$1" || fail "$1: not what the recipe says"
}

cmake --build "$build" --target "$target" > "$tmp/built" 2>&1 || { cat "$tmp/built"; fail "the recipes do not build"; }
cd "$tmp" || exit 2
model=$folder/events/models/lamp.model
"$program" --check-model "$model" > checked || fail "the model is wrong"

# Two waits of thread 7 for lamp 1 (300 and 50 ns), one of thread 8 for lamp 2 (1000 ns); an event that no model wants.
cat > one.log <<'END'
lamp log
1000 7 ask 1
1100 8 ask 2
1200 8 blink 2
1300 7 got 1
1400 7 ask 1
1450 7 got 1
2100 8 got 2
END
run()
{
	"$program" -q --index off -m "$model" "$@"
}

# The table of the analysis: its remark, if it has one, and its rows.
longest()
{
	awk '/^"longest_of_rows"/ { reads = 1; if (match($0, /"remark":"[^"]*"/)) print substr($0, RSTART, RLENGTH); next }
		reads && /^\{"row"/ { sub(/\}.*/, "}"); print }
		reads && !/^\{"row"/ { reads = 0 }' "$1"
}

run --derive longest -o tally:tally -o report,json:json -o text:text one.log || fail "one.log: exit status $?"
echo "3 WAIT" | compare tally
compare text <<'END'
1000 span "lamp 1/one" wait "WAIT" 300
1400 span "lamp 1/one" wait "WAIT" 50
1100 span "lamp 2/one" wait "WAIT" 1000
END
longest json > rows
compare rows <<'END'
{"row":"lamp 2/one","begin":100,"waited":1000}
{"row":"lamp 1/one","begin":0,"waited":300}
END
"$program" --help | tr -s ' \n' ' ' | grep -q 'longest: a table of the longest wait of each row' || fail "the help does not know the analysis"
"$program" --formats | grep -q '^tally' || fail "--formats does not know the output"

# Lost events: the output shows the gap, the table says that its numbers are the least.
cat > two.txt <<'END'
iotrace-text 1
1000 0 7 lamp:ask lamp=1
1300 0 7 lamp:got lamp=1
2000 0 - LOST 3
2100 0 9 lamp:ask lamp=1
2500 0 9 lamp:got lamp=1
END
run --derive longest -o tally:tally -o report,json:json two.txt || fail "two.txt: exit status $?"
compare tally <<'END'
1 gaps
2 WAIT
END
longest json > rows
compare rows <<'END'
"remark":"at least: events are missing that may have shown more"
{"row":"lamp 1/two","begin":1100,"waited":400}
END

# A bad log: one sentence, status 2, no half-written file.
printf 'lamp log\n1000 7 ask 1\n900 7 got 1\n' > bad.log
run -o tally:bad bad.log 2> message
(($? == 2)) || fail "bad.log is accepted"
echo "iotrace-analyze: bad.log:3: not a line NS PID EVENT LAMP, or out of order" | compare message
[[ ! -e bad ]] || fail "bad.log: there is an output"
echo "the four recipes work"
