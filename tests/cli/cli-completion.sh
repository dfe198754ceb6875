#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The completion script in a real bash: the words offered for a line, as bash would insert them.
# usage: cli-completion.sh PROGRAM SOURCE_DIR
program=$1
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir models
touch trace-1.dat trace-2.dat models/own.model
export IOTRACE_MODELS=$work/models
PATH=$(dirname "$program"):$PATH

"$program" --completion bash > script || exit 1
# shellcheck disable=SC1091
. ./script

# offered LINE WORD...: exactly these words are offered at the end of LINE, which begins with the program
offered()
{
	local line=$1 name=${1%% *} wanted got
	shift
	wanted=$(printf '%s\n' "$@" | LC_ALL=C sort | paste -sd ' ')
	COMP_LINE=$line COMP_POINT=${#line}
	"_${name//-/_}"
	got=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' ')
	[[ $got == "$wanted" ]] || {
		echo "FAILED: \"$line\" offers \"$got\" instead of \"$wanted\""
		failures=$((failures + 1))
	}
}

# offers LINE WORD...: these words are among the offered ones
offers()
{
	local line=$1 word
	shift
	COMP_LINE=$line COMP_POINT=${#line}
	_iotrace_analyze
	for word; do
		[[ " ${COMPREPLY[*]} " == *" $word "* ]] || {
			echo "FAILED: \"$line\" offers \"${COMPREPLY[*]}\" without \"$word\""
			failures=$((failures + 1))
		}
	done
}

offered 'iotrace-analyze trace' trace-1.dat trace-2.dat
# the first word may be an output
offered 'iotrace-analyze vi' view
offers 'iotrace-analyze ' list view trace-1.dat
offered 'iotrace-analyze list ' models trace-1.dat trace-2.dat script
offered 'iotrace-analyze list vi' ''
offered 'iotrace-analyze --to' --top --to
offers 'iotrace-analyze -' -o --output --map --help -m -q
offered 'iotrace-analyze --colour ' auto always never
offered 'iotrace-analyze --colour=al' always
offered 'iotrace-analyze --color al' always
offered 'iotrace-analyze --colour al' always
offered 'iotrace-analyze -o sl' slog2:
# shellcheck disable=SC2046 # words
offered 'iotrace-analyze -o ' $("$program" --formats | awk '{ print $1 ":" }')
offered 'iotrace-analyze -o text:trace-' trace-1.dat trace-2.dat
offered 'iotrace-analyze --output=text:trace-1' trace-1.dat
offers 'iotrace-analyze --map 1=2 -m ow' own
offers 'iotrace-analyze -m ' own models
offered 'iotrace-analyze --reader di' ''
offers 'iotrace-analyze --reader ' dat text
offered 'iotrace-analyze --top ' ''
offered 'iotrace-analyze -h trace-1' trace-1.dat
offered 'iotrace-analyze --help=m' man
offered 'iotrace-analyze --strict trace-2' trace-2.dat

# options of every format, and their names, from the help
"$program" --help | awk '/^Output formats/ { on = 1; next } /^$/ { on = 0 }
	on && /^  [a-z]/ { format = $1 } on && /^ +,/ { sub(/=.*/, "=", $1); print format $1 }' > table
while read -r text; do
	offers "iotrace-analyze -o ${text%%,*}," "$text"
done < table

# keys of --sort, if the help lists them
keys=$("$program" --help | tr -s ' \n' ' ' | sed -n 's/.* KEY is one of: \([^.]*\)\..*/\1/p')
# shellcheck disable=SC2086 # words
[[ -z $keys ]] || offered 'iotrace-analyze --list --sort ' ${keys//,/}

# The other programs, in the same shell: what --help lists is offered, and is in the manual page; and nothing else.
for name in record agent clock; do
	tool=$(dirname "$program")/iotrace-$name
	eval "$("$tool" --completion bash)" || failures=$((failures + 1))
	mapfile -t listed < <("$tool" --help | sed -n -E 's/^  (-., )?--([a-z-]+).*/--\2/p')
	((${#listed[@]} >= 9)) || { echo "FAILED: iotrace-$name --help lists ${listed[*]}"; failures=$((failures + 1)); }
	dashes=(--)
	[[ $name != agent ]] || dashes=()
	offered "iotrace-$name --" "${listed[@]}" "${dashes[@]}"
	for word in "${listed[@]}"; do
		grep -q -- "${word//-/\\\\-}" "$(dirname "$program")/../docs/iotrace-$name".[18] || { echo "FAILED: iotrace-$name(1) has no $word"; failures=$((failures + 1)); }
	done
	"$tool" --completion zsh 2> err && failures=$((failures + 1))
	grep -q 'iotrace-'$name': --completion: "zsh" is not bash' err || { echo "FAILED: --completion zsh: $(cat err)"; failures=$((failures + 1)); }
done
offered 'iotrace-agent --no' --notimeout
offered 'iotrace-agent --cid ' ''
offered 'iotrace-clock -c mono' mono mono_raw
offered 'iotrace-clock --output mod' models
offered 'iotrace-record -m ow' own
offered 'iotrace-record --no' --no-check --notimeout
offered 'iotrace-record --no-check --output=mod' models
offered 'iotrace-record -A 5 -- mapf' mapfile
offered 'iotrace-clock --clock=mono_' mono_raw
offered 'iotrace-agent --help=' man
offered 'iotrace-analyze --to' --top --to
((failures)) || echo "completion offers the right words"
exit $((failures > 0))
