#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The pages for people: README.md fits on a few screens, docs/README.md names every page, and no link leads to nothing.
# usage: pages.sh SOURCE_DIR
cd "$1" || exit 2
bad=0

complain()
{
	echo "FAILED: $*"
	bad=1
}

(($(wc -l < README.md) <= 150)) || complain "README.md has $(wc -l < README.md) lines, more than 150"
for page in docs/*.md docs/man/*.txt; do
	[[ $page == docs/README.md ]] || grep -qF "](${page#docs/})" docs/README.md || complain "docs/README.md does not name ${page#docs/}"
done

# headings FILE: the anchors of its headings
headings()
{
	sed -nE 's/^#+ //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

links=0
while IFS=: read -r page target; do
	links=$((links + 1))
	file=${target%%#*}
	path=$(dirname "$page")/$file
	[[ -n $file ]] || path=$page
	if [[ ! -e $path ]]; then
		complain "$page: there is no $target"
	elif [[ $target == *#* ]]; then
		headings "$path" | grep -qxF "${target#*#}" || complain "$page: $target is no heading"
	fi
done < <(grep -oE '\]\([^) ]+\)' README.md NEWS.md CONTRIBUTING.md docs/*.md docs/formats/*.md examples/*/README.md events/*/README.md |
	sed -E 's/\]\((.*)\)$/\1/' | grep -vE '^[^:]*:(https?|mailto):')
((links > 50)) || complain "only $links links found in $1: is this the source tree?"
((bad)) || echo "README.md is short, docs/README.md is complete, $links links lead somewhere"
exit "$bad"
