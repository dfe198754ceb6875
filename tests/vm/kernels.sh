#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The tests of the module in guests with every kernel of headers.sh: those of Debian 12 and 13 and of their backports. Kernels are unpacked in
# WORK_DIR; nothing is installed on this machine.
# usage: kernels.sh WORK_DIR [RELEASE...]     default: bookworm trixie; as root
# Status: 0 all passed, 1 not, 77 a program is missing.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/debian.sh
. "$here/../debian.sh"
work=$1
shift
(($#)) || set -- bookworm trixie
failures=0

bash "$here/headers.sh" "$work" "$@" || exit
work=$(cd "$work" && pwd)

# unpack RELEASE KERNEL: the packages of its image
unpack()
{
	local folder=$work/$1/images/$2
	[[ -e $folder/made ]] && return
	rm -rf "$folder"
	mkdir -p "$folder"
	# shellcheck disable=SC2016 # for the other shell
	(in_debian "$work/$1" "$work/$1.packages" LC_ALL=C sh -c 'cd "/images/$1" && apt-get -q download \
		"linux-image-$1" $(apt-cache depends "linux-image-$1" | sed -n "s/^ *Depends: \(linux-[a-z]*-$1\)\$/\1/p") &&
		for package in *.deb; do dpkg -x "$package" . && rm "$package" || exit; done' sh "$2") > "$folder.log" 2>&1 || return
	[[ -e $folder/lib ]] || ln -s usr/lib "$folder/lib"
	depmod -b "$folder" "$2" && touch "$folder/made"
}

# run RELEASE KERNEL
run()
{
	local out=$work/guest-$2 test bad=()
	VM_KERNEL=$2 VM_ROOT=$work/$1/images/$2 VM_BUILD=$work/$1 bash "$here/vm.sh" "$out" > "$out.log" 2>&1 || {
		tail -n 20 "$out.log"
		echo "FAILED: $2: the guest"
		failures=$((failures + 1))
		return
	}
	for test in $(basename -s .sh -a "$here"/guest/*.sh) log; do
		bash "$here/vm-check.sh" "$out" "$test" >> "$out.log" 2>&1 || bad+=("$test")
	done
	if ((${#bad[@]})); then
		echo "FAILED: $2: ${bad[*]}; see $out.log"
		failures=$((failures + 1))
	else
		echo "$2: all tests in the guest passed"
	fi
}

for release; do
	for folder in "$work/$release"/lib/modules/*/build; do
		[[ -e $folder || -L $folder ]] || continue
		kernel=${folder%/build}
		kernel=${kernel##*/}
		unpack "$release" "$kernel" || { tail -n 5 "$work/$release/images/$kernel.log"; echo "skipped: $kernel cannot be fetched"; continue; }
		run "$release" "$kernel"
	done
done
exit $((failures > 0))
