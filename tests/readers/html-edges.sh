#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings that a page could break on, made here, and the page of each in Chromium and Firefox without a display.
# usage: html-edges.sh PROGRAM
here=$(cd "$(dirname "$0")" && pwd)
program=$1
command -v node > /dev/null && command -v chromium > /dev/null || { echo "skipped: no node or no chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
year=31536000000000000

# recording NAME, lines from standard input
recording()
{
	{ echo "iotrace-text 1"; cat; } > "$work/$1.txt"
}

# call N BEGIN END PATH
call()
{
	echo "$2 0 42 open_start id=$1 ino=0 tgid=42 fd=-100 dev=0x0 flags=0x0 mode=0 op=41 path=\"$4\""
	echo "$3 0 42 open_end id=$1 ret=3 ino=$((77 + $1)) dev=0x800001"
}

task='900 0 42 task tgid=42 ptgid=1 comm="load"'
{
	echo "$task"
	call 1 1000 1100 '/t/</script><script>window.broken = 1</script>'
	call 2 2000 2100 '/t/<img src=x onerror=window.broken=1>'
	call 3 3000 3100 '/t/\"quoted\" &amp; '\''single'\'' \\ back'
	call 4 4000 4100 '/t/line\x0abreak\x09tab\x01\xff'
	call 5 5000 5100 $'/t/שלום \xe2\x80\xaegnp.exe'
	call 6 6000 6100 '/t/😀 𝄞 é'
	call 7 7000 7100 '/t/<!--data--><!--'
	call 9 7500 7600 $'/t/raw \xff\xfe'
	call 8 8000 8100 "/t/$(printf 'x%.0s' {1..5000})"
} | recording names
echo "$task" | recording nothing
{ echo "$task"; call 1 1000 1000 /t/instant; } | recording instant
{ echo "$task"; call 1 1000 $((year + 1000)) /t/year; call 2 $((year + 2000)) $((year + 2100)) /t/late; } | recording year
{
	echo "$task"
	seq 100000 | awk '{
		printf "%d000 0 42 open_start id=%d ino=0 tgid=42 fd=-100 dev=0x0 flags=0x0 mode=0 op=41 path=\"/t/file %d\"\n", $1, $1, $1
		printf "%d100 0 42 open_end id=%d ret=3 ino=%d dev=0x800001\n", $1, $1, 77 + $1
	}'
} | recording rows
{ echo "$task"; call 1 1000 1100 "/t/$(head -c 1000000 /dev/zero | tr '\0' y)end"; } | recording long
for name in names nothing instant year rows long; do
	"$program" -q -m fileio --max-containers 300000 -o "html:$work/$name.html" -o "text:$work/$name.text" "$work/$name.txt" || exit 1
	grep -v '^#' "$work/$name.text" > "$work/said"
	node "$here/html-text.mjs" "$work/$name.html" | cmp - "$work/said" || { echo "FAILED: $name says something else"; exit 1; }
done
code=$(grep -v '^<script type="text/plain"' "$work/nothing.html" | wc -c)
((code <= 160 << 10)) || { echo "FAILED: the page without its data has $code bytes, more than 160 KiB"; exit 1; }
node "$here/html-edges.mjs" "$work" chromium || exit 1
command -v firefox-esr > /dev/null || { echo "no firefox-esr: not tried"; exit 0; }
node "$here/html-edges.mjs" "$work" firefox
