#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/ARCHITECTURE.md must allow every #include of a layer, and name every circle of files that include each other. File names
# must be unique in the tree, so that the name in a message or a stack trace is enough to find the file.
# usage: layers.sh SOURCE_DIR
cd "$1" || exit 2
shopt -s nullglob
bad=0
tree=()
for dir in analyzer docs events examples plugins tests; do
	[[ -d $dir ]] && tree+=("$dir")
done

complain()
{
	echo "$*"
	bad=1
}

# The table of layers: allowed[LAYER] are the patterns of the headers that a layer may include, as they stand in the table, where
# * matches no slash; LAYER<LIBRARY> are the files that may include a library ("*": all of the layer).
declare -A allowed files_with
while IFS=$'\t' read -r what layer list; do
	case $what in
	layer) allowed[$layer]=$list ;;
	library) files_with[$layer]+=" $list" ;;
	esac
done < <(awk '
	/^## / { reads = $0 == "## Layers" }
	!reads || !/^\| `/ || !match($0, /^\| `[a-z0-9\/]+(\.c)?` \|/) { next }
	{
		split($0, cell, "|")
		layer = cell[2]
		gsub(/[ `]|\.c/, "", layer)
		patterns = layer "/*"
		n = split(cell[3], part, "`")
		for (i = 2; i <= n; i += 2)
			if (part[i - 1] ~ /what $/)
				patterns = patterns " " (part[i] in known ? known[part[i]] : "unknown:" part[i])
			else
				patterns = patterns " " part[i] (part[i] ~ /\.h$/ ? "" : "/*")
		known[layer] = patterns
		sub(/^[^ ]+ ?/, "", known[layer])
		printf "layer\t%s\t%s\n", layer, patterns
		n = split(cell[4], library, ";")
		for (i = 1; i <= n; i++) {
			gsub(/[`,]/, "", library[i])
			words = split(library[i], word, " ")
			for (j = 3; j <= words; j++)
				printf "library\t%s<%s>\t%s\n", layer, word[1], word[j]
			if (words == 1)
				printf "library\t%s<%s>\t*\n", layer, word[1]
		}
	}' docs/ARCHITECTURE.md)
((${#allowed[@]} > 10)) || complain "docs/ARCHITECTURE.md: only ${#allowed[@]} layers found"

# The library of a system header, if it is a restricted one.
library()
{
	case $1 in
	trace-cmd.h|trace-cmd/*|tracefs.h|tracefs/*) echo '<libtracecmd>' ;;
	event-parse.h|trace-seq.h|kbuffer.h|traceevent/*) echo '<libtraceevent>' ;;
	zstd.h) echo '<zstd>' ;;
	libdeflate.h) echo '<libdeflate>' ;;
	sqlite3.h) echo '<sqlite>' ;;
	otf2/*) echo '<otf2>' ;;
	babeltrace2/*) echo '<babeltrace2>' ;;
	pcp/pmapi.h|pcp/import.h) echo '<pcp>' ;;
	json-glib/*) echo '<json-glib>' ;;
	esac
}

# matches NAME PATTERN...: NAME is one of the patterns, whose * matches no slash.
matches()
{
	local name=$1 pattern found=1
	shift
	for pattern; do
		# shellcheck disable=SC2053 # a pattern is meant
		[[ $name == $pattern && ${name//[!\/]/} == "${pattern//[!\/]/}" ]] && found=0
	done
	return $found
}

check_include()
{
	local layer=$1 file=$2 header=$3 list
	if [[ $header == '<'* ]]; then
		list=${files_with[$layer$header]}
		header=${file##*/}
	else
		list=${allowed[$layer]}
	fi
	set -f
	# shellcheck disable=SC2086 # words are meant
	matches "$header" $list || complain "$file: layer $layer must not include $3 (docs/ARCHITECTURE.md allows: $list)"
	set +f
}

check_file()
{
	local layer=$1 file=$2 kind header restricted
	while read -r kind header; do
		if [[ $kind == own && $header != */* ]]; then
			[[ -e ${file%/*}/$header ]] || complain "$file: no $header beside it"
		elif [[ $kind == own ]]; then
			check_include "$layer" "$file" "$header"
		else
			restricted=$(library "$header")
			[[ -n $restricted ]] && check_include "$layer" "$file" "$restricted"
		fi
	done < <(sed -n -e 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/own \1/p' \
			-e 's/^[ \t]*#[ \t]*include[ \t]*<\([^>]*\)>.*/system \1/p' "$file")
}

files=0
for dir in analyzer/*/ analyzer/*/*/; do
	layer=${dir#analyzer/} layer=${layer%/}
	[[ -n ${allowed[$layer]} ]] || complain "analyzer/$layer is not in the table of layers of docs/ARCHITECTURE.md"
	for file in "$dir"*.[ch]; do
		check_file "$layer" "$file"
		files=$((files + 1))
	done
done
for file in analyzer/*.[ch]; do
	[[ $file == analyzer/main.c ]] || complain "$file: only main.c stands outside of the layers"
	check_file main "$file"
	files=$((files + 1))
done
for layer in "${!allowed[@]}"; do
	[[ $layer == main || -d analyzer/$layer ]] || complain "docs/ARCHITECTURE.md: there is no folder analyzer/$layer"
done
((files > 20)) || complain "only $files files found in $1/analyzer: is this the source tree?"

while read -r name; do
	complain "the file name $name is not unique:" \
		"$(find "${tree[@]}" -name "$name" | paste -sd ' ')"
done < <(find "${tree[@]}" -type f -name '*.*' \
		! -name '.*' ! -name CMakeLists.txt ! -name README.md ! -name run.sh ! -name totals.txt ! -name '*.dat' -printf '%f\n' |
		LC_ALL=C sort | uniq -d)

# Two structs of one name are legal in two files, but not for a debugger, and not for a reader.
while read -r tag; do
	complain "$tag is defined twice:" "$(grep -rlE "^$tag \{" analyzer --include='*.[ch]' | paste -sd ' ')"
done < <(grep -rhoE '^(struct|enum|union) iot_[a-z0-9_]+ \{' analyzer --include='*.[ch]' | sed 's/ {$//' | LC_ALL=C sort | uniq -d)

# tables/ranked.h says what lost events mean for a table.
while read -r file; do
	complain "$file: iot_results_add is for tables/ranked.c; use iot_ranked_table"
done < <(grep -rl 'iot_results_add(' analyzer --include='*.c' | grep -v -e '^analyzer/tables/' -e '/result-table.c$')

# Pairs "FILE INCLUDED-FILE" without those inside a circle of the document must have an order.
mapfile -t sources < <(find analyzer events/user events/module -name '*.[ch]')
tsort <(
	awk 'FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/(-local)?\.[ch]$/, "", file) }
	/^### Include circles/ { reads = 1 }
	/^## / { reads = 0 }
	reads && /^\| `/ {
		split($0, part, "|")
		n = split(part[2], name, /[^a-z0-9\/-]+/)
		for (i = 1; i <= n; i++) {
			sub(/.*\//, "", name[i])
			sub(/-local$/, "", name[i])
			if (name[i] != "")
				circle[name[i]] = FNR
		}
	}
	/^#include "/ {
		split($0, part, "\"")
		sub(/.*\//, "", part[2])
		sub(/(-local)?\.h$/, "", part[2])
		if (part[2] != file && (!circle[file] || circle[file] != circle[part[2]]))
			print file, part[2]
	}' docs/ARCHITECTURE.md "${sources[@]}"
) 2>&1 >/dev/null | grep . && complain "files include each other in a circle"

((bad)) || echo "$files files keep the layer rules; file names are unique"
exit $bad
