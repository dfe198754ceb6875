#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every preset can be configured where the packages of the tests are missing, and where those of the optional outputs are
# missing, too; nothing is compiled. Then a build for another machine, which cannot run its programs.
# usage: cli-presets.sh SOURCE_DIR
source=$1
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
unset CMAKE_C_COMPILER_LAUNCHER
without_tests=(cunit json-c libkshark)
without_outputs=("${without_tests[@]}" sqlite3 otf2 babeltrace2 libpcp)

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# packages FOLDER NAME...: all files of pkg-config but these
packages()
{
	local name dirs
	mkdir "$1"
	IFS=: read -ra dirs <<< "$(pkg-config --variable pc_path pkg-config)"
	for name in "${dirs[@]}"; do
		ln -sf "$name"/*.pc "$1" 2> /dev/null
	done
	for name in "${@:2}"; do
		rm -f "$1/$name.pc"
		PKG_CONFIG_LIBDIR=$1 pkg-config --exists "$name" && fail "pkg-config still finds $name"
	done
}

# configure FOLDER PACKAGES CMAKE_OPTION...
configure()
{
	PKG_CONFIG_LIBDIR=$work/$2 cmake -S "$source" -B "$work/$1" "${@:3}" > "$work/$1.log" 2>&1 ||
		fail "$1 with $2: $(grep -A 8 'CMake Error' "$work/$1.log" | head -n 20)"
}

says()
{
	grep -q -- "$2" "$work/$1.log" || fail "$1 does not say: $2"
}

# has FOLDER TARGET
has()
{
	grep -qE "^(\.\.\. )?$2(:|$)" < <(cmake --build "$work/$1" --target help 2> "$work/help.log")
}

packages "$work/tests" "${without_tests[@]}"
packages "$work/outputs" "${without_outputs[@]}"
mapfile -t presets < <(awk '/"configurePresets"/ { inside = 1 } /"buildPresets"/ { inside = 0 }
	inside && /"name":/ { gsub(/.*: "|",?$/, ""); print }' "$source/CMakePresets.json")
((${#presets[@]} >= 5)) || fail "presets: ${presets[*]}"
for preset in "${presets[@]}"; do
	[[ $preset != clang ]] || command -v clang > /dev/null || { echo "no clang: its preset is left out"; continue; }
	configure "$preset" tests --preset "$preset"
	has "$preset" iotrace-analyze || fail "$preset: no target iotrace-analyze"
	[[ $preset != install ]] || continue
	says "$preset" 'No CUnit: unit tests are left out'
	ctest --test-dir "$work/$preset" -C long -N > "$work/tests.log"
	grep -q ' golden-' "$work/tests.log" || fail "$preset: no golden tests"
	grep ' unit-' "$work/tests.log" && fail "$preset has tests that are not built"
done
has install golden && fail "the preset install builds tests"
configure bare outputs --preset release -DIOT_ESBUILD=IOT_ESBUILD-NOTFOUND
for text in 'No libsqlite3: ' 'No libotf2: ' 'No libbabeltrace2: ' 'No libpcp: ' 'Without esbuild'; do
	says bare "$text"
done

# another machine: the same compiler, but nothing may be run
configure cross tests -DCMAKE_SYSTEM_NAME=Linux
says cross 'manual pages with its options and shell completion are left out'
cmake --build "$work/cross" --target man > "$work/man.log" 2>&1 || fail "manual pages of a build for another machine: $(tail -n 5 "$work/man.log")"
[[ -e $work/cross/docs/iotrace-model.5 && ! -e $work/cross/docs/iotrace-analyze.1 && ! -e $work/cross/analyzer/iotrace-analyze ]] ||
	fail "a build for another machine made $(ls "$work/cross/docs")"
((failures)) || echo "${#presets[@]} presets can be configured"
exit $((failures > 0))
