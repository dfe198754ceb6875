#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two nodes never hold a lock in modes that exclude each other, as far as their holds are certain. As they are drawn, up to the
# callback, they do: the number of such pairs is checked, too, so that the count is known to see them.
# The same for GFS2's glocks, which are certain exactly while their DLM locks are; - if there are none.
# usage: certain-holds.sh ANALYZE PAIRS_AS_DRAWN PAIRS_OF_GLOCKS FILE...
set -euo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
analyze=$1 drawn=$2 glocks=$3
shift 3
dir=$(mktemp -d "${TMPDIR:-/tmp}/certain.XXXXXX")
trap 'rm -rf "$dir"' EXIT
"$analyze" -q --index off -m dlm -o "text:$dir/text" "$@"
awk -f "$here/certain-holds.awk" "$dir/text" >"$dir/holds"
sort -k1,2 -k3n "$dir/holds" | awk -v show=1 -f "$here/holds-exclude.awk" | tee "$dir/found"
grep -qx "drawn $drawn" "$dir/found" && grep -qx "certain 0" "$dir/found"
[[ $glocks != - ]] || exit 0

# GFS2's glocks: NOT CERTAIN lies in them as RELEASING lies in locks
"$analyze" -q --index off -m dlm -m gfs2 -o "text:$dir/text" "$@"
awk -f "$here/certain-holds.awk" "$dir/text" | sort -k3n >"$dir/locks"
grep ' glock "' "$dir/text" | sed 's/ glock "NOT CERTAIN" [0-9]*/& op="unlock"/; s/ glock "NOT CERTAIN"/ lock "RELEASING"/; s/ glock "/ lock "/' |
	awk -f "$here/certain-holds.awk" | sort -k3n >"$dir/glocks"
awk -f "$here/glock-holds.awk" "$dir/locks" "$dir/glocks" | tee "$dir/found"
awk '$1 == "certain" && NF == 4 { certain = $2 } $1 == "locks" { locks = $2 } END { exit NR != 2 || !certain || certain != locks }' "$dir/found"
sort -k1,2 -k3n "$dir/glocks" | awk -v show=1 -f "$here/holds-exclude.awk" | tee "$dir/found"
grep -qx "drawn $glocks" "$dir/found" && grep -qx "certain 0" "$dir/found"
