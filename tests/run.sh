#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Starts from a bare Debian 12: installs missing packages, builds, and runs all tests.
# usage: run.sh [PART...]     default: dev release tsan cluster fuzz bare, half an hour; all: these, and then the parts that take hours
#   dev      address and undefined-behaviour sanitizers, every test
#   release  no warning with optimisation; peak memory, which sanitizers would falsify, outputs of long recordings, and the
#            budget of instructions
#   tsan     thread sanitizer, the tests with several threads
#   cluster  three emulated machines under load, recorded and analysed; some minutes
#   fuzz     a minute of fuzzing from the corpus, if clang can be installed
#   bare     README's commands in a bare Debian 12 that is made for it; beside the other parts
#   releases the same in Debian 13 and sid, and the part dev in Debian 13
#   packages Debian's packages in bare systems of Debian 12 and 13: built, checked, installed, used, upgraded and removed
#   tarball  the source of a release: made twice, and built without esbuild, here and in a bare Debian 12
#   cross    built for arm64 and s390x, whose bytes are in the other order; unit tests and an example under qemu-user
#   million  a million inputs for each fuzz target
#   models   ten minutes of fuzzing from each shipped model
#   clang    every test of dev, built with clang, whose sanitizers see more
#   kernels  the module with every kernel of Debian 12, 13 and their backports: built with its headers, tested in a guest
#   long     the tests with the label "long", of dev and release: see CONTRIBUTING.md
cd "$(dirname "$0")/.." || exit 2
# shellcheck source=tests/packages.sh
. tests/packages.sh
jobs=$(nproc)
summary=()
failed=0
parts=(dev release tsan cluster fuzz bare)
# the parts that "all" adds; a new long part is a function part_NAME and its name here
parts_long=(long clang models million kernels releases packages tarball cross)
exec < /dev/null

# build PRESET [CMAKE_OPTION...]: builds a preset; prints errors
build()
{
	local dir=build/$1
	echo "== $1: build"
	mkdir -p "$dir"
	{ LC_ALL=C cmake --preset "$@" && LC_ALL=C cmake --build --preset "$1" -j "$jobs"; } > "$dir/build.log" 2>&1 ||
		{ first_error "$dir/build.log"; echo "see $dir/build.log"; return 1; }
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
	build release -DIOT_WERROR=ON && tests release -R '^perf-(memory|equal|budget)$'
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

# fuzz SECONDS RUNS [models]
fuzz()
{
	local status
	need "${packages_fuzz[@]}" || { summary+=("fuzz: skipped, no clang"); return 0; }
	echo "== fuzz"
	bash tests/fuzz/run-fuzz.sh "$1" build/fuzz "$2" "$3" > build/fuzz.log 2>&1
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

part_models()
{
	fuzz 600 -1 models
}

# The sanitizers of clang see what those of gcc do not.
part_clang()
{
	need "${packages_fuzz[@]}" || { summary+=("clang: skipped, it cannot be installed"); return 0; }
	build clang && tests clang
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

# bare PART RELEASE...: see bare.sh, bare-PART.sh, or release.sh
bare()
{
	local log=build/$1.log status root=() script=tests/bare/bare.sh folder=bare
	[[ ! -f tests/bare/bare-$1.sh ]] || script=tests/bare/bare-$1.sh folder=bare-$1
	[[ $1 != tarball ]] || script=tests/release.sh folder=tarball
	need "${packages_bare[@]}" || { summary+=("$1: skipped, no debootstrap"); return 0; }
	((EUID == 0)) || root=(sudo)
	echo "== $1: ${*:2}"
	"${root[@]}" bash "$script" "build/$folder" "${@:2}" > "$log" 2>&1
	status=$?
	((status == 0 || status == 77)) || cat "$log"
	summary+=("$(echo "$1:"; grep -E "^(skipped|FAILED|source|bookworm|trixie|sid): " "$log" | sed 's/^/  /')")
	((status == 0 || status == 77))
}

part_bare()
{
	bare bare bookworm
}

part_releases()
{
	bare releases trixie+tests sid
}

part_packages()
{
	bare packages bookworm trixie
}

part_tarball()
{
	bare tarball bookworm
}

# The libraries of other architectures are unpacked below build/cross, and kept.
part_cross()
{
	local log=build/cross.log status
	need "${packages_other[@]}" || { summary+=("cross: skipped, its packages cannot be installed"); return 0; }
	echo "== cross"
	bash tests/cross.sh build/cross > "$log" 2>&1
	status=$?
	((status == 0 || status == 77)) || cat "$log"
	summary+=("$(echo "cross:"; grep -E '^(skipped|FAILED|arm64|s390x): ' "$log" | sed 's/^/  /')")
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

# end_beside: ends the parts that still run beside this script, when it ends early
end_beside()
{
	local log
	for log in "${!beside[@]}"; do
		kill -TERM -- "-${beside[$log]}" 2> /dev/null && wait "${beside[$log]}"
	done
}

need "${packages_build[@]}" "${packages_test[@]}" "${packages_vm[@]}" || exit 1
mkdir -p build
unpack_pcp build/pcp || echo "run.sh: there is no pmdumplog, so PCP archives are not tested" >&2
touch build/begin
(($#)) || set -- "${parts[@]}"
[[ $* != all ]] || set -- "${parts[@]}" "${parts_long[@]}"
for part; do
	[[ $(type -t "part_$part") == function ]] || { echo "run.sh: there is no part $part" >&2; exit 2; }
done
# Parts that use nothing of the others run beside them, as a run.sh of their own.
declare -A beside
trap end_beside EXIT
for part; do
	if [[ $part == bare && $# -gt 1 ]] && need "${packages_bare[@]}"; then
		setsid nice bash tests/run.sh "$part" > "build/$part.out" 2>&1 &
		beside[$part]=$!
	fi
done
for part; do
	[[ -z ${beside[$part]} ]] || continue
	begun=$SECONDS
	"part_$part" || { failed=1; summary+=("$part: FAILED"); }
	summary+=("$part: $((SECONDS - begun)) s with building")
done
for part in "${!beside[@]}"; do
	wait "${beside[$part]}" || failed=1
	unset "beside[$part]"
	echo "== $part, beside the others"
	sed '/^$/,$d' "build/$part.out"
	summary+=("$(sed '1,/^$/d; /^\(all passed\|FAILED\)$/d' "build/$part.out")")
done
system_unchanged || failed=1

echo
printf '%s\n' "${summary[@]}"
((failed)) && echo "FAILED" || echo "all passed"
exit $failed
