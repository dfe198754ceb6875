#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Help, version and manual describe this program.
# usage: cli-help.sh PROGRAM SOURCE_DIR
program=$1
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

"$program" --help > "$work/help" 2> "$work/err" || fail "--help: status $?"
[[ -s $work/err ]] && fail "--help writes to standard error"
"$program" -h | cmp - "$work/help" || fail "-h differs from --help"
head -n 1 "$work/help" | grep -q '^usage: iotrace-analyze ' || fail "--help does not begin with usage"
awk 'length($0) > 92 { print FILENAME ":" FNR ": longer than 92 columns"; bad = 1 } END { exit bad }' "$work/help" ||
	fail "--help is too wide"
grep -q $'\033' "$work/help" && fail "--help in a file has colours"
"$program" --colour always --help | grep -q $'\033\[1m' || fail "--colour always --help has none"
"$program" --colour=always --colour=never --help | cmp -s - "$work/help" || fail "the last --colour does not count"

# the program knows every option of the help, and the manual has it
"$program" --help=man > "$work/man" || fail "--help=man: status $?"
options=$(sed -n 's/^ *\(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' "$work/help")
(($(wc -w <<< "$options") > 20)) || fail "only these options in --help: $options"
for option in $options; do
	"$program" "--$option" --no-such-option 2>&1 | grep -q "there is no option --$option" &&
		fail "--$option is in the help, but not known"
	grep -qF -- "--$option" "$work/man" || fail "--$option is not in the manual"
done
for tag in iotrace-analyze-options words formats diagnostics; do
	grep -q "^// tag::$tag\[\]$" "$work/man" || fail "the manual lacks the tag $tag"
done
grep -qF 'events_lost' "$work/man" || fail "the manual lacks the counters"

# the formats for scripts are those of the help
"$program" --formats > "$work/formats" || fail "--formats: status $?"
awk -F '\t' 'NF != 7 || /\t(\t|$)/ { bad = 1 } END { exit bad || !NR }' "$work/formats" || fail "--formats: $(cat "$work/formats")"
awk '/^Output formats/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' "$work/help" |
	diff - <(cut -f 1 "$work/formats") || fail "--formats and --help name other formats"

# the models are the installed files, each with its title, system and path
"$program" --models > "$work/models" || fail "--models: status $?"
while IFS=$'\t' read -r name title system path rest; do
	[[ $path == */$name.model && -z $rest ]] || fail "--models: $name is in $path"
	sed -n '/^\[model\]/,/^$/s/^\(title\|system\) *= */\1 /p' "$path" | sort | cmp -s - <(printf 'system %s\ntitle %s\n' "$system" "$title") ||
		fail "--models: $name: $title, $system"
done < "$work/models"
cut -f 1 "$work/models" | grep -qx dlm || fail "--models: $(cat "$work/models")"

"$program" -V | cmp - <("$program" --version) || fail "-V differs from --version"
"$program" --color=always --help | grep -q $'\033\[1m' || fail "--color is not --colour"
"$program" --version > "$work/version" || fail "--version: status $?"
head -n 1 "$work/version" | grep -Eqx 'iotrace-analyze [0-9]+(\.[0-9]+)+' || fail "--version: $(cat "$work/version")"
for library in GLib libtracecmd libtraceevent zstd; do
	grep -q "$library [0-9]" "$work/version" || fail "--version lacks $library"
done

# a failed print is an error, unless the reader has gone
for option in --help --help=man --version --formats --completion=bash; do
	"$program" $option > /dev/full 2> "$work/err"
	[[ $? == 3 && $(wc -l < "$work/err") == 1 ]] || fail "$option to a full device is no error"
done
{ "$program" --help 2> "$work/err"; echo $? > "$work/status"; } | :
[[ $(cat "$work/status") == @(0|141) && ! -s $work/err ]] || fail "--help | : is not quiet"

# options end where they should
"$program" -- --help 2> "$work/err"
[[ $? == 2 && $(< "$work/err") == *--help* ]] || fail "-- does not end the options: $(cat "$work/err")"
((failures)) || echo "help, version and manual agree"
exit $((failures > 0))
