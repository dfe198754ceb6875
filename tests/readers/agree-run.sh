#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: agree-run.sh ANALYZE READERS FILE...
# All outputs of one run over recordings must agree: see agree.sh.
set -u
analyze=$1 readers=$2
shift 2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
outputs=(-o "text:$dir/out.txt" -o "perfetto:$dir/out.pftrace" -o "jsonl:$dir/out.jsonl" -o "csv:$dir/out.csv"
	-o "report,all,json:$dir/out.json" -o "paje,events,counters,links,paths:$dir/out.paje" -o "slog2:$dir/out.slog2")
"$analyze" --formats | grep -q "^sqlite" && outputs+=(-o "sqlite:$dir/out.sqlite")
"$analyze" --formats | grep -q "^html" && command -v node > /dev/null && outputs+=(-o "html:$dir/out.html")
"$analyze" --formats | grep -q "^otf2" && outputs+=(-o "otf2:$dir/out-otf2")
"$analyze" -q "${outputs[@]}" "$@" || exit 1
[[ -s $dir/out.txt ]] || { echo "nothing was written" >&2; exit 1; }
bash "${0%/*}/agree.sh" "$dir/out" "$readers"
