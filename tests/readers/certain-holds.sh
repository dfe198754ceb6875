#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two nodes never hold a lock in modes that exclude each other, as far as their holds are certain. As they are drawn, up to the
# callback, they do: the number of such pairs is checked, too, so that the count is known to see them.
# usage: certain-holds.sh ANALYZE PAIRS_AS_DRAWN FILE...
set -euo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
analyze=$1 drawn=$2
shift 2
dir=$(mktemp -d "${TMPDIR:-/tmp}/certain.XXXXXX")
trap 'rm -rf "$dir"' EXIT
"$analyze" -q --index off -m dlm -o "text:$dir/text" "$@"
awk -f "$here/certain-holds.awk" "$dir/text" >"$dir/holds"
sort -k1,2 -k3n "$dir/holds" | awk -v show=1 -f "$here/holds-exclude.awk" | tee "$dir/found"
grep -qx "drawn $drawn" "$dir/found" && grep -qx "certain 0" "$dir/found"
