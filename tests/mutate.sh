#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Plants one-line mutants in a folder of the analyser, and says which of them no test kills.
# usage: mutate.sh FOLDER [N [SEED [WORK_DIR]]]     default: 100 mutants, seed 1, build/mutate
#   FOLDER  below analyzer/, such as analysis. Its unit tests run first, then what the golden cases expect.
# Memory that is not freed is left to the address sanitizer. A mutant that does not compile, or whose object code is that of the original,
# is not counted. tests/mutants.txt lists others that change nothing, with the reason. Status 1: more than one in ten lives. The same seed
# plants the same mutants.
folder=$1 wanted=${2:-100} seed=${3:-1}
source=$(cd "$(dirname "$0")/.." && pwd)
[[ -n $folder && -d $source/analyzer/$folder ]] || { sed -n '3,9s/^# //p' "$0"; exit 2; }
work=${4:-$source/build/mutate}
tree=$work/tree build=$work/build known=$source/tests/mutants.txt
export LC_ALL=C

# The layer whose unit tests know the folder best.
unit=unit-$folder
[[ -d $source/tests/unit/$folder ]] || unit="unit-analysis"

# candidates FILE...: "FILE LINE KIND" for each place where a mutant can stand: statements within functions, no declarations
candidates()
{
	awk '
	FNR == 1 { inside = comment = 0 }
	/^{/ { inside = 1 }
	/^}/ { inside = 0 }
	/^[ \t]*\/\*/ { comment = 1 }
	{
		text = $0
		gsub(/"([^"\\]|\\.)*"/, "", text)
		if (inside && !comment && text !~ /g_assert|g_warning|_(free|unref|clear)\(/) {
			if (text ~ / < /) put("less")
			if (text ~ / > /) put("more")
			if (text ~ / <= /) put("less-equal")
			if (text ~ / >= /) put("more-equal")
			if (text ~ / == /) put("equal")
			if (text ~ / != /) put("unequal")
			if (text ~ / && /) put("and")
			if (text ~ / \|\| /) put("or")
			if (text ~ / \+ /) put("plus")
			if (text ~ / - /) put("minus")
			if (text ~ / \+= /) put("add")
			if (text ~ / -= /) put("subtract")
			if (text ~ /\+\+/) put("count")
			if (text ~ /[( ]!/) put("not")
			if (text ~ /return TRUE;/) put("true")
			if (text ~ /return FALSE;/) put("false")
			if (text ~ /^\t+(break|continue);$/) put("leave")
			if (text ~ /^\t+[a-z_]+\(.*\);$/) put("call")
			if (text ~ /^\t+[a-z][a-z_>.\[\]-]* [|]?= .*;$/) put("assign")
			if (text ~ /[^A-Za-z_0-9]0[;,)]/) put("zero")
			if (text ~ /[^A-Za-z_0-9]1[;,)]/) put("one")
		}
	}
	/\*\// { comment = 0 }
	function put(kind) { print FILENAME, FNR, kind }' "$@"
}

# chosen: N candidates in an order that depends on the seed only
chosen()
{
	awk -v seed="$seed" '{ line[NR - 1] = $0 }
	END {
		state = seed
		for (i = NR - 1; i > 0; i--) {
			state = (state * 16807) % 2147483647
			j = state % (i + 1)
			kept = line[i]; line[i] = line[j]; line[j] = kept
		}
		for (i = 0; i < NR; i++)
			print line[i]
	}'
}

# mutate FILE LINE KIND
mutate()
{
	local change
	case $3 in
	less) change='s/ < / <= /' ;;
	more) change='s/ > / >= /' ;;
	less-equal) change='s/ <= / < /' ;;
	more-equal) change='s/ >= / > /' ;;
	equal) change='s/ == / != /' ;;
	unequal) change='s/ != / == /' ;;
	and) change='s/ && / || /' ;;
	or) change='s/ || / \&\& /' ;;
	plus) change='s/ + / - /' ;;
	minus) change='s/ - / + /' ;;
	add) change='s/ += / -= /' ;;
	subtract) change='s/ -= / += /' ;;
	count) change='s/++/--/' ;;
	not) change='s/\([( ]\)!/\1/' ;;
	true) change='s/return TRUE;/return FALSE;/' ;;
	false) change='s/return FALSE;/return TRUE;/' ;;
	leave) change='s/break;/;/;s/continue;/;/' ;;
	call | assign) change='s/^\t*.*$/;/' ;;
	zero) change='s/\([^A-Za-z_0-9]\)0\([;,)]\)/\11\2/' ;;
	one) change='s/\([^A-Za-z_0-9]\)1\([;,)]\)/\10\2/' ;;
	esac
	sed -i "$2$change" "$1"
}

# Builds what the tests need; warnings of a mutant do not matter.
make_programs()
{
	cmake --build "$build" -j "$(nproc)" --target iotrace-analyze golden ${units:+"${units[@]}"} > "$work/make.log" 2>&1
}

# A mutant may loop for ever, or take all memory.
run_unit()
{
	(ulimit -v 8000000; timeout 120 "$build/tests/$1") > "$work/test.log" 2>&1
}

run_golden()
{
	find "$tree/tests/golden" -name '*.case' | sort |
		(ulimit -v 8000000
		timeout 600 xargs -P "$(nproc)" -n 20 sh -c '"$0" -q --analyze "$@" > /dev/null 2>&1 || exit 255' \
			"$build/tests/golden/golden" "$build/analyzer/iotrace-analyze") > "$work/test.log" 2>&1
}

# killed: by which tests
killed()
{
	local test
	for test in ${units:+"${units[@]}"}; do
		run_unit "$test" || { echo "$test"; return 0; }
	done
	run_golden || { echo golden; return 0; }
	return 1
}

# is_known FILE LINE KIND: listed as a mutant that changes nothing: FILE, KIND, the line without blanks at its ends, each after a tab
is_known()
{
	local text
	text=$(sed -n "$2s/^[ \t]*//p" "$1")
	[[ -e $known ]] && cut -f 1-3 "$known" | grep -qxF "$1"$'\t'"$3"$'\t'"$text"
}

mkdir -p "$tree" "$build"
(cd "$source" && git ls-files -z | tar -c --null -T - -f -) | tar -x -C "$tree" || exit 2
cmake -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 -DIOT_AUDIT=ON > "$work/make.log" 2>&1 ||
	{ tail -n 20 "$work/make.log"; exit 2; }
units=("$unit")
cmake --build "$build" --target help | grep " $unit\$" > "$work/test.log" || units=()
echo "mutate: building"
make_programs || { tail -n 20 "$work/make.log"; exit 2; }
by=$(killed) && { echo "mutate: $by fails without a mutant"; exit 2; }

cd "$tree" || exit 2
mapfile -t files < <(find "analyzer/$folder" -name "*.c" | sort)
mapfile -t places < <(candidates "${files[@]}" | chosen)
n=0 n_same=0 n_broken=0 lives=()
declare -A n_by
for place in "${places[@]}"; do
	((n < wanted)) || break
	read -r file line kind <<< "$place"
	is_known "$file" "$line" "$kind" && { n_same=$((n_same + 1)); continue; }
	cp -p "$file" "$work/original.c"
	object=$(find "$build/analyzer" -path "*/${file#analyzer/}.o" | head -n 1)
	before=$(sha256sum < "$object")
	mutate "$file" "$line" "$kind"
	touch "$file"
	if ! make_programs; then
		n_broken=$((n_broken + 1))
	elif [[ $(sha256sum < "$object") == "$before" ]]; then
		n_same=$((n_same + 1))
	else
		n=$((n + 1))
		if by=$(killed); then
			n_by[$by]=$((n_by[$by] + 1))
		else
			lives+=("$file:$line $kind: $(sed -n "${line}s/^[ \t]*//p" "$work/original.c")")
			echo "lives: ${lives[-1]}"
		fi
	fi
	cp "$work/original.c" "$file"
done
echo "mutate: $folder, seed $seed: $n mutants, $((n - ${#lives[@]})) killed, ${#lives[@]} live;" \
	"$n_same change nothing, $n_broken do not compile"
for by in "${!n_by[@]}"; do
	echo "  $by: ${n_by[$by]}"
done | sort
((${#lives[@]} * 10 <= n))
