#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the page's modules, without a browser.
here=$(cd "$(dirname "$0")" && pwd)
command -v node > /dev/null && command -v esbuild > /dev/null || { echo "skipped: no node or no esbuild"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/html-units*.mjs "$here/html-sample.mjs" "$work/"
for file in "$work"/html-units*.mjs; do
	esbuild "$file" --bundle --platform=node --format=esm "--alias:page=$here/../../analyzer/sinks/html/page" \
		--resolve-extensions=.ts --log-level=warning --outfile="$work/out/$(basename "$file")" || exit 1
done
node --test "$work"/out/*.mjs
