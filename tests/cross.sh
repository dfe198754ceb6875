#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds everything for another architecture, with its libraries in a folder of their own, and runs the unit tests and an example under
# qemu-user: arm64, and s390x, whose bytes are in the other order. Manual pages and completion are written by programs of this machine.
# usage: cross.sh WORK_DIR [ARCHITECTURE...]     default: arm64 s390x
# Settings: MIRROR  of Debian, see debian.sh; JOBS  default: the processors
# Status: 0 all works, 1 not, 77 something is missing; WORK_DIR keeps the libraries and the builds
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)
# shellcheck source=tests/debian.sh
. "$here/debian.sh"
mkdir -p "$1" && work=$(cd "$1" && pwd) || exit 1
shift
(($#)) || set -- arm64 s390x
jobs=${JOBS:-$(nproc)}
failures=0

# the name of an architecture in compilers, and in qemu
declare -A names=([arm64]=aarch64 [s390x]=s390x)
libraries=(libc6-dev libglib2.0-dev libtracecmd-dev libtraceevent-dev libtracefs-dev libzstd-dev libdeflate-dev libjson-glib-dev libsqlite3-dev
	libopen-trace-format2-dev libcunit1-dev)
kernelshark=(libkshark-dev libjson-c-dev libglu1-mesa-dev)

# fail TEXT
fail()
{
	echo "FAILED: $architecture: $1; see $log"
	tail -n 25 "$log"
	failures=$((failures + 1))
}

# Packages are unpacked only: nothing of the other architecture runs.
root()
{
	local include=("${libraries[@]}")
	[[ ! -e $root/complete ]] || return 0
	[[ $architecture != arm64 ]] || include+=("${kernelshark[@]}" "libstdc++-$("$triplet-gcc" -dumpversion)-dev")
	rm -rf "$root"
	mmdebstrap --variant=extract --architectures="$architecture" --include="$(IFS=,; echo "${include[*]}")" "$release" "$root" "$mirror" >> "$log" 2>&1 && touch "$root/complete"
}

# build FOLDER OPTION...
build()
{
	{ LC_ALL=C cmake -S "$source" --preset dev -B "$1" -DIOT_SANITIZE= "${@:2}" && LC_ALL=C cmake --build "$1" -j "$jobs"; } >> "$log" 2>&1
}

analyse()
{
	"$@" --index off -o "report:$work/$architecture.report" -o "paje:$work/$architecture.paje" --lockspace test,gfs "$source/examples/dlm" >> "$log" 2>&1
}

# pages and completion have the same bytes wherever they are made
documents()
{
	local file
	for file in "$work"/native/docs/*.[1-8] "$work"/native/analyzer/*.bash "$work"/native/events/record/*.bash; do
		cmp "$file" "$work/$architecture/${file#"$work/native/"}" >> "$log" 2>&1 || return
	done
	[[ -s $work/$architecture/docs/iotrace-analyze.1 ]]
}

release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
command -v mmdebstrap > /dev/null || { echo "skipped: there is no mmdebstrap"; exit 77; }
debian_reachable "$release" || { echo "skipped: $release: $mirror cannot be reached"; exit 77; }
architecture=native log=$work/native.log
: > "$log"
build "$work/native" -DBUILD_TESTING=OFF || { fail "build"; exit 1; }
analyse "$work/native/analyzer/iotrace-analyze" || { fail "the example"; exit 1; }
for architecture; do
	begun=$SECONDS
	name=${names[$architecture]:?no such architecture}
	triplet=$name-linux-gnu root=$work/$architecture.root log=$work/$architecture.log
	: > "$log"
	type -P "$triplet-gcc" "qemu-$name-static" > /dev/null || { echo "skipped: there is no $triplet-gcc or no qemu-$name-static"; exit 77; }
	root || { fail "libraries"; continue; }
	export IOT_CROSS_TRIPLET=$triplet IOT_CROSS_QEMU=$name IOT_CROSS_ROOT=$root
	options=(-DCMAKE_TOOLCHAIN_FILE="$here/cross.cmake" -DIOT_NATIVE="$work/native/analyzer")
	[[ $architecture == arm64 ]] && options+=(-DIOT_KERNELSHARK=ON) || options+=(-DIOT_KERNELSHARK=OFF)
	build "$work/$architecture" "${options[@]}" || { fail "build"; continue; }
	documents || { fail "manual pages or completion differ"; continue; }
	ctest --test-dir "$work/$architecture" -R '^unit-' --output-on-failure >> "$log" 2>&1 || { fail "unit tests"; continue; }
	analyse "qemu-$name-static" -L "$root" "$work/$architecture/analyzer/iotrace-analyze" || { fail "the example"; continue; }
	{ cmp "$work/native.report" "$work/$architecture.report" && cmp "$work/native.paje" "$work/$architecture.paje"; } >> "$log" 2>&1 || { fail "the example's report or timeline differs from this machine's"; continue; }
	echo "$architecture: $(grep -E '^[0-9]+% tests passed' "$log" | tail -n 1), the example as here: $((SECONDS - begun)) s"
done
((failures == 0))
