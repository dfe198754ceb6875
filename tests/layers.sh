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

# Patterns of the headers that layer $1 may include; * matches no slash. <...> are restricted libraries.
allowed()
{
	case $1 in
	base) echo 'base/*' ;;
	input) echo 'base/* input/*' ;;
	input/dat) echo 'base/* input/* input/dat/* <libtraceevent> <zstd>' ;;
	order) echo 'base/* order/* input/record.h language/order-rule.h' ;;
	timeline) echo 'base/* timeline/*' ;;
	analysis) echo 'base/* analysis/* timeline/*' ;;
	language) echo 'base/* language/* input/record.h input/schema.h timeline/timeline.h' ;;
	model) echo 'base/* language/* model/* input/record.h input/schema.h' \
		'timeline/timeline.h timeline/emit.h timeline/findings.h timeline/lanes.h timeline/thread-rows.h' ;;
	sinks) echo 'base/* sinks/* timeline/timeline.h timeline/result-table.h' ;;
	sinks/slog2) echo 'base/* sinks/sink.h sinks/slog2/* timeline/timeline.h' ;;
	sinks/paje) echo 'base/* sinks/sink.h sinks/paje/* timeline/timeline.h' ;;
	sinks/perfetto) echo 'base/* sinks/sink.h sinks/gap-lane.h sinks/perfetto/* timeline/timeline.h' ;;
	sinks/sqlite) echo 'base/* sinks/* sinks/sqlite/* timeline/timeline.h timeline/result-table.h <sqlite>' ;;
	sinks/otf2) echo 'base/* sinks/sink.h sinks/gap-lane.h sinks/otf2/* timeline/timeline.h <otf2>' ;;
	sinks/publish) echo 'base/* sinks/* timeline/timeline.h timeline/result-table.h timeline/certainty.h timeline/subjects.h' ;;
	sinks/show) echo 'base/* sinks/* sinks/show/* timeline/timeline.h' ;;
	sinks/html) echo 'base/* sinks/* sinks/html/* timeline/timeline.h timeline/result-table.h timeline/subjects.h timeline/twins.h <libdeflate>' ;;
	run) echo 'base/* analysis/stage.h input/* order/* language/model-file.h language/order-rule.h model/* timeline/* run/* sinks/sink.h' ;;
	compare) echo 'base/* compare/* timeline/result-table.h' ;;
	cli) echo 'base/* cli/* analysis/stage.h compare/* input/source.h run/* sinks/result-json.h sinks/result-text.h' \
		'sinks/sink.h' ;;
	main) echo 'base/* cli/* compare/* run/*' ;;
	esac
}

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
	esac
}

check_include()
{
	local layer=$1 file=$2 header=$3 pattern list
	list=$(allowed "$layer")
	[[ ${file##*/} == source-tracecmd.c ]] && list+=' <libtracecmd>'
	set -f
	for pattern in $list; do
		# shellcheck disable=SC2053 # a pattern is meant
		[[ $header == $pattern && ${header//[!\/]/} == "${pattern//[!\/]/}" ]] && { set +f; return; }
	done
	set +f
	complain "$file: layer $layer must not include $header (allowed: $list)"
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
	[[ -n $(allowed "$layer") ]] || complain "analyzer/$layer is not a layer that layers.sh knows"
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
((files > 20)) || complain "only $files files found in $1/analyzer: is this the source tree?"

while read -r name; do
	complain "the file name $name is not unique:" \
		"$(find "${tree[@]}" -name "$name" | paste -sd ' ')"
done < <(find "${tree[@]}" -type f -name '*.*' \
		! -name '.*' ! -name CMakeLists.txt ! -name README.md ! -name run.sh ! -name totals.txt ! -name '*.dat' -printf '%f\n' |
		LC_ALL=C sort | uniq -d)

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
