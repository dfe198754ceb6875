# SPDX-License-Identifier: GPL-2.0-or-later
# For the tests of windows and their index. Sourced; $analyze is the program.
. "$(dirname "$0")/../outputs-lib.sh"
every_output "$analyze" o. full
for format in $(formats "$analyze" folder); do
	outputs+=(-o "$format:o.$format")
done
dir=$(mktemp -d "${TMPDIR:-/tmp}/window.XXXXXX")
trap 'rm -rf "$dir"' EXIT
failed=0

fail()
{
	echo "FAIL: $*"
	failed=1
}

# analyse NAME ARGUMENT... - all outputs into the folder NAME; the exit status is the program's
analyse()
{
	local out=$dir/$1
	shift
	rm -rf "$out"
	mkdir "$out"
	(cd "$out" && "$analyze" -q "$@" "${outputs[@]}")
}

# note ARGUMENT... - the note of -v about the index
note()
{
	"$analyze" -q -v -o report,tables:- "$@" | sed -n 's/^  index: //p'
}

# same WHAT NAME NAME - two folders have the same contents
same()
{
	diff -rq "$dir/$2" "$dir/$3" || fail "$1"
}
