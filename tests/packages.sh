# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages that iotrace needs, and a function that installs missing ones; sourced by scripts.
# shellcheck shell=bash disable=SC2034 # the lists are used where this is sourced

# to build the program; without libsqlite3-dev it has no output sqlite, without libopen-trace-format2-dev no output otf2
packages_build=(build-essential cmake pkg-config libglib2.0-dev libtracecmd-dev libtraceevent-dev
	libtracefs-dev libzstd-dev libdeflate-dev libjson-glib-dev libsqlite3-dev libopen-trace-format2-dev esbuild)
# to build the tests, and the foreign readers that tests compare with
packages_test=(libcunit1-dev trace-cmd pajeng vite zstd bsdutils man-db
	libkshark-dev linux-perf libjson-c-dev libglu1-mesa-dev nodejs node-typescript chromium firefox-esr sqlite3 otf2-tools)
# to boot the guest in which the kernel module is tested
packages_vm=(linux-image-amd64 linux-headers-amd64 qemu-system-x86 busybox-static kmod cpio xz-utils dkms e2fsprogs strace trace-cmd)
# to run the cluster lab; the packages of its guests are not installed, but unpacked in a cache
packages_cluster=(qemu-system-x86 cpio kmod trace-cmd)
# to build the module for the kernels of other releases of Debian, each in its own folder; and to boot them
packages_kernels=(debootstrap xz-utils)
# to fuzz
packages_fuzz=(clang libclang-rt-14-dev)

# need PACKAGE...: installs missing packages; if none is missing, does nothing and needs no root
need()
{
	local package missing=() root=()
	for package; do
		[[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null) == ii* ]] || missing+=("$package")
	done
	((${#missing[@]})) || return 0
	if ((EUID)); then
		command -v sudo > /dev/null || {
			echo "These packages are missing, and there is no sudo. As root: apt-get install ${missing[*]}" >&2
			return 1
		}
		root=(sudo)
	fi
	echo "Installing ${missing[*]}"
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update < /dev/null &&
		"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
			--no-install-recommends "${missing[@]}" < /dev/null > /dev/null
}
