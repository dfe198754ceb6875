#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: agree-load.sh LOAD-OUTPUTS READERS LOAD ITEMS
# All outputs of a synthetic load must agree: see agree.sh. SLOG2 also has the right sums in each node of its tree.
set -u
outputs=$1 readers=$2 load=$3 items=$4
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
"$outputs" "$dir/out" "$load" "$items" || exit 1
grep -q ' link ' "$dir/out.txt" || { echo "the load $load has no links" >&2; exit 1; }
bash "${0%/*}/agree.sh" "$dir/out" "$readers"
