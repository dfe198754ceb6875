# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# Sourced by the tests of this folder: a folder for their files, and the two ways to fail. The test sets seed.
set -euo pipefail
export LC_ALL=C
here=$(dirname "${BASH_SOURCE[0]}")
dir=$(mktemp -d "${TMPDIR:-/tmp}/random.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# fail WHAT FILE - ends the test; FILE shows why
fail()
{
	echo "FAIL: seed $seed: $1:"
	head -n 20 "$2"
	exit 1
}

# same WHAT WANTED FOUND - ends the test if the files differ
same()
{
	cmp -s "$2" "$3" && return
	echo "FAIL: seed $seed: $1: wanted (-) and found (+):"
	diff -u "$2" "$3" | grep '^[-+]' | head -n 30
	exit 1
}
