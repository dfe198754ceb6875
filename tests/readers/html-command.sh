#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command that the page gives for a window makes the page of that window: the same items as a command written by
# hand prints, with the same names of nodes and lockspaces, and the same rows.
# usage: html-command.sh PROGRAM RECORDING...
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
command -v node > /dev/null && command -v esbuild > /dev/null || { echo "skipped: no node or no esbuild"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/recordings" "$work/bin"
ln -s "$program" "$work/bin/iotrace-analyze"
cat > "$work/print.mjs" << 'EOF'
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { command } from "page/command";

const [page, from, to] = process.argv.slice(2);
const [, block] = /data-part="head">([^<]+)</.exec(readFileSync(page, "latin1"));

console.log(command(JSON.parse(inflateRawSync(Buffer.from(block, "base64")).toString()), Number(from), Number(to)));
EOF
esbuild "$work/print.mjs" --bundle --platform=node --format=esm "--alias:page=$here/../../analyzer/sinks/html/page" --resolve-extensions=.ts --log-level=warning \
	--outfile="$work/command.mjs" || exit 1
cp "$@" "$work/recordings"
cd "$work/recordings" || exit 1
mv trace-3.dat "it's node 3.dat" || exit 1
files=(*.dat)
options=(--lockspace test,gfs --map "seven=it's node 3.dat" --select '*/res01' --select '*/res02' --exclude 'node 1')

# check NAME COMMAND OPTION...: the page of COMMAND has the items that the options print
check()
{
	local name=$1 line=$2
	shift 2
	PATH=$work/bin:$PATH bash -c "$line" 2> "$work/messages" || { cat "$work/messages"; echo "FAILED: $name: $line"; exit 1; }
	"$program" -q "$@" -o "text:$work/said" "${files[@]}" || exit 1
	grep -v '^# diag' "$work/said" > "$work/items"
	[[ $(wc -l < "$work/items") -gt 50 ]] || { echo "FAILED: $name: the window is nearly empty"; exit 1; }
	node "$here/html-text.mjs" window.html | cmp - "$work/items" || { echo "FAILED: $name: $line makes another page"; exit 1; }
	echo "ok: $name: $line"
}

"$program" -q "${options[@]}" -o "html:$work/page.html" "${files[@]}" || exit 1
check "the whole recording" "$(node "$work/command.mjs" "$work/page.html" 30000000000 50000000000)" "${options[@]}" --from 30 --to 50
options+=(--derive contention)
"$program" -q "${options[@]}" --from 20 --to 90 -o "html:$work/page.html" "${files[@]}" || exit 1
check "a page of a window" "$(node "$work/command.mjs" "$work/page.html" 10000000000 30000000000)" "${options[@]}" --from 30 --to 50
