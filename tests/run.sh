#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts from a bare Debian 12: installs missing packages, builds, and runs all tests.
# usage: run.sh [PART...]     default: dev release tsan cluster fuzz, half an hour; all: these, and then the parts that take hours
#   dev      address and undefined-behaviour sanitizers, every test
#   release  no warning with optimisation; peak memory, which sanitizers would falsify, and outputs of long recordings
#   tsan     thread sanitizer, the tests with several threads
#   cluster  three emulated machines under load, recorded and analysed; some minutes
#   fuzz     a minute of fuzzing from the corpus, if clang can be installed
#   million  a million inputs for each fuzz target
#   kernels  the module with every kernel of Debian 12, 13 and their backports: built with its headers, tested in a guest
#   long     the tests with the label "long", of dev and release: see CONTRIBUTING.md
cd "$(dirname "$0")/.." || exit 2
# shellcheck source=tests/packages.sh
. tests/packages.sh
jobs=$(nproc)
summary=()
failed=0
parts=(dev release tsan cluster fuzz)
# the parts that "all" adds; a new long part is a function part_NAME and its name here
parts_long=(long million kernels)
exec < /dev/null

# build PRESET [CMAKE_OPTION...]: builds a preset; prints errors
build()
{
	local dir=build/$1
	echo "== $1: build"
	mkdir -p "$dir"
	{ cmake --preset "$@" && cmake --build --preset "$1" -j "$jobs"; } > "$dir/build.log" 2>&1 ||
		{ tail -n 40 "$dir/build.log"; return 1; }
}

# slowest LOG: "NAME 12 s, ..." for the slowest tests
slowest()
{
	sed -n -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9]+)\.[0-9]+ sec.*/\2 \1/p' "$1" | sort -rn | head -n 8 |
		awk '{ printf "%s%s %d s", (NR > 1 ? ", " : ""), $2, $1 }'
}

# tests PRESET [CTEST_OPTION...]: runs the tests, keeps the closing lines and the slowest tests for the summary
tests()
{
	local log=build/$1/tests.log status
	echo "== $1: tests"
	"${wrapper[@]}" ctest --test-dir "build/$1" -j "$jobs" --output-on-failure "${@:2}" > "$log" 2>&1
	status=$?
	((status)) && cat "$log"
	summary+=("$(echo "$1:"; sed -n '/ tests passed/,$p' "$log" | sed -e '/^$/d' -e 's/^/  /'
		echo "  slowest: $(slowest "$log")")")
	return $status
}

part_dev()
{
	build dev && tests dev
}

part_release()
{
	build release -DIOT_WERROR=ON && tests release -R '^perf-(memory|equal)$'
}

# The address space of newer kernels is wider than the thread sanitizer of gcc 12 knows.
part_tsan()
{
	local wrapper=()
	local -x G_SLICE=always-malloc TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp"
	setarch "$(uname -m)" -R true 2> /dev/null && wrapper=(setarch "$(uname -m)" -R)
	build tsan && tests tsan -R '^(unit-|readers-dlm-count|golden-(01|12)|source-compare-dlm|fault-signal|window-(same|index))'
}

part_cluster()
{
	need "${packages_cluster[@]}" && build release -DIOT_WERROR=ON && tests release -L '^cluster$'
}

# fuzz SECONDS RUNS
fuzz()
{
	local status
	need "${packages_fuzz[@]}" || { summary+=("fuzz: skipped, no clang"); return 0; }
	echo "== fuzz"
	bash tests/fuzz/run-fuzz.sh "$1" build/fuzz "$2" > build/fuzz.log 2>&1
	status=$?
	case $status in
	0) summary+=("fuzz: nothing found") ;;
	77) summary+=("fuzz: skipped, $(tail -n 1 build/fuzz.log)"); status=0 ;;
	*) tail -n 60 build/fuzz.log ;;
	esac
	return $status
}

part_fuzz()
{
	fuzz 60 -1
}

part_million()
{
	fuzz 0 1000000
}

# Systems and kernels are unpacked below build/kernels, and kept.
part_kernels()
{
	local log=build/kernels.log status
	need "${packages_kernels[@]}" || { summary+=("kernels: skipped, no debootstrap"); return 0; }
	echo "== kernels"
	bash tests/vm/kernels.sh build/kernels > "$log" 2>&1
	status=$?
	((status == 0 || status == 77)) || cat "$log"
	summary+=("$(echo "kernels:"; grep -E '^(skipped|FAILED|[^ ]+: )' "$log" | sed 's/^/  /')")
	((status == 0 || status == 77))
}

part_long()
{
	build dev && tests dev -C long -L '^long$' &&
		build release -DIOT_WERROR=ON && tests release -C long -L '^long$'
}

# The tests may install packages into the system, but no files of the project.
system_unchanged()
{
	local changed
	changed=$(find /usr /etc -xdev ! -type d -cnewer build/begin \( -iname '*iotrace*' -o -name plugin_dlm.so \) 2> /dev/null)
	[[ -z $changed ]] || { summary+=("the tests changed the system: $changed"); return 1; }
}

need "${packages_build[@]}" "${packages_test[@]}" "${packages_vm[@]}" || exit 1
mkdir -p build
touch build/begin
(($#)) || set -- "${parts[@]}"
[[ $* != all ]] || set -- "${parts[@]}" "${parts_long[@]}"
for part; do
	[[ $(type -t "part_$part") == function ]] || { echo "run.sh: there is no part $part" >&2; exit 2; }
	begun=$SECONDS
	"part_$part" || { failed=1; summary+=("$part: FAILED"); }
	summary+=("$part: $((SECONDS - begun)) s with building")
done
system_unchanged || failed=1

echo
printf '%s\n' "${summary[@]}"
((failed)) && echo "FAILED" || echo "all passed"
exit $failed
