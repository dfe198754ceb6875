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
	libkshark-dev linux-perf libjson-c-dev libglu1-mesa-dev nodejs node-typescript chromium firefox-esr sqlite3 otf2-tools babeltrace2
	libpcp-import1-dev valgrind reuse mpich libmpich-dev eztrace)
# tools whose packages are unpacked below build/tools: set up, pcp wants to start services
packages_tools=(pcp)
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

# unpack_tools DIR PACKAGE...: unpacks packages without setting them up; one that cannot be had is left out, and its tests are skipped
unpack_tools()
{
	local dir=$1 package
	shift
	mkdir -p "$dir" || return
	for package; do
		[[ -e $dir/$package.unpacked ]] && continue
		(cd "$dir" && apt-get -qq download "$package" && dpkg-deb -x "$package"_*.deb . && rm "$package"_*.deb && touch "$package.unpacked") > /dev/null 2>&1 ||
			echo "The package $package cannot be had; tests that need it are skipped."
	done
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
