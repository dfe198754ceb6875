#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every step of docs/LOCKS.md: the model is put together as the page says, and the commands print what stands there.
# usage: cli-locks.sh PROGRAM SOURCE_DIR [-w]   -w: write what the commands print into the page
program=$(readlink -f "$1") source=$(readlink -f "$2")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v trace-cmd > /dev/null || { echo "skipped: no trace-cmd"; exit 77; }
mkdir "$work/bin"
ln -s "$program" "$work/bin/iotrace-analyze"
PATH=$work/bin:$PATH
cp "$source/examples/locks/shop.dat" "$work"
cd "$work" || exit 2
export LC_ALL=C.UTF-8 COLUMNS=100
: > my.model

# add HOW: the lines of standard input go into my.model, to its end, or before or after a line of it
add()
{
	cat > lines
	case $1 in
	'') { cat lines; echo; } >> my.model ;;
	*)
		grep -qxF -- "${1#* }" my.model || { echo "FAILED: there is no line \"${1#* }\" in my.model"; exit 1; }
		awk -v where="${1%% *}" -v line="${1#* }" '
			function put(  text) { while ((getline text < "lines") > 0) print text; if (where == "before") print "" }
			$0 == line && where == "before" { put() }
			{ print }
			$0 == line && where == "after" { put() }' my.model > new && mv new my.model
		;;
	esac
}

kind=
while IFS= read -r line; do
	case $line in
	'```model'*) kind=model how=${line#'```model'} how=${how# } text= ;;
	'```') 
		case $kind in
		'') kind=shell ;;
		model)
			printf '%s' "$text" | add "$how"
			kind=
			;;
		shell) kind= ;;
		esac
		[[ $kind == shell ]] && { echo "$line"; continue; }
		;;
	'$ '*)
		if [[ $kind == shell ]]; then
			echo "$line"
			bash -c "${line#'$ '}" 2>&1
			continue
		fi
		;;
	esac
	[[ $kind != model || $line == '```'* ]] || text+=$line$'\n'
	[[ $kind == shell && $line != '```' ]] || echo "$line"
done < "$source/docs/LOCKS.md" > page || { cat page; exit 1; }
if [[ $3 == -w ]]; then
	cp page "$source/docs/LOCKS.md"
elif ! diff -u "$source/docs/LOCKS.md" page; then
	echo "FAILED: docs/LOCKS.md is not what the commands print; cli-locks.sh PROGRAM SOURCE_DIR -w writes it"
	exit 1
fi
