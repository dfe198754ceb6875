# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages that iotrace needs, a function that installs missing ones, and one that shows why a build failed; sourced by
# scripts.
# shellcheck shell=bash disable=SC2034 # the lists are used where this is sourced

# the outputs sqlite, otf2 and html and the sources otf2, ctf and pcp, which are left out without their package
packages_optional=(libsqlite3-dev libopen-trace-format2-dev libbabeltrace2-dev libpcp3-dev)
# the source of a release has the page that esbuild makes
[[ -f ${BASH_SOURCE[0]%/*}/../analyzer/sinks/html/page/iotrace-page.html ]] || packages_optional+=(esbuild)
# to build the program
packages_build=(build-essential cmake pkg-config libglib2.0-dev libtracecmd-dev libtraceevent-dev
	libtracefs-dev libzstd-dev libdeflate-dev libjson-glib-dev "${packages_optional[@]}")
# to build the tests, and the foreign readers that tests compare with
packages_test=(libcunit1-dev trace-cmd pajeng vite zstd bsdutils man-db
	libkshark-dev linux-perf iproute2 libjson-c-dev libglu1-mesa-dev nodejs node-typescript chromium firefox-esr sqlite3 otf2-tools babeltrace2
	libpcp-import1-dev libpcp-gui2 libpcp-archive1 pcp-conf valgrind reuse mpich libmpich-dev eztrace)
# to boot the guest in which the kernel module is tested
packages_vm=(linux-image-amd64 linux-headers-amd64 qemu-system-x86 busybox-static kmod cpio xz-utils dkms e2fsprogs strace trace-cmd)
# to run the cluster lab; the packages of its guests are not installed, but unpacked in a cache
packages_cluster=(qemu-system-x86 cpio kmod trace-cmd)
# to build the module for the kernels of other releases of Debian, each in its own folder; and to boot them
packages_kernels=(debootstrap xz-utils)
# to make bare systems
packages_bare=(debootstrap wget)
# to build for other architectures, and to run that
packages_other=(mmdebstrap qemu-user-static g++-aarch64-linux-gnu g++-s390x-linux-gnu)
# to fuzz
packages_fuzz=(clang libclang-rt-14-dev)

# need PACKAGE...: installs missing packages; if none is missing, does nothing and needs no root. Without root and sudo optional
# ones may be missing.
need()
{
	local package missing=() optional=() root=() advice
	command -v dpkg-query > /dev/null || {
		echo "This is no Debian: no packages are installed; docs/INSTALL.md has their names for other systems." >&2
		return 0
	}
	for package; do
		[[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null) == ii* ]] && continue
		if [[ " ${packages_optional[*]} " == *" $package "* ]]; then
			optional+=("$package")
		else
			missing+=("$package")
		fi
	done
	((${#missing[@]} + ${#optional[@]})) || return 0
	if ((EUID)); then
		command -v sudo > /dev/null || {
			((${#missing[@]})) || {
				echo "Optional packages are missing, and there is no sudo. As root: apt-get install ${optional[*]}" >&2
				return 0
			}
			advice="apt-get install ${missing[*]}"
			((${#optional[@]})) && advice+="; optional: ${optional[*]}"
			echo "These packages are missing, and there is no sudo. As root: $advice" >&2
			return 1
		}
		root=(sudo)
	fi
	missing+=("${optional[@]}")
	echo "Installing ${missing[*]}"
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update < /dev/null &&
		"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
			--no-install-recommends "${missing[@]}" < /dev/null > /dev/null
}

# unpack_pcp FOLDER: pmdumplog, pmval and pmlogextract, in the PATH from here on. Their package pcp starts services, which fails where systemd
# does not run, and then apt fails for all packages; so it is not installed, but unpacked in the folder.
unpack_pcp()
{
	command -v pmdumplog > /dev/null && return
	mkdir -p "$1" || return
	[[ -x $1/usr/bin/pmdumplog ]] || (cd "$1" && apt-get -qq download pcp && dpkg -x pcp_*.deb . && rm pcp_*.deb) || return
	PATH+=:$(cd "$1" && pwd)/usr/bin
}

# first_error LOG: why the build failed; a parallel build goes on after its first error, and its last lines say nothing
first_error()
{
	awk '/^(\[ *[0-9]+%\]|-- )/ { next }
	{ line[++n] = $0 }
	!at && /error:|Error|undefined reference|cannot find -l|No such file|: not found|\*\*\* / { at = n }
	END {
		from = at ? at - 2 : n - 19
		to = at ? at + 17 : n
		for (i = from < 1 ? 1 : from; i <= n && i <= to; i++)
			print line[i]
	}' "$1"
}
