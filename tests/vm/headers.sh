#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The module, and one that uses it, build without warnings with the headers of the kernels of Debian 12 and 13 and of their backports,
# with the compiler of each release. The releases are separate systems in WORK_DIR, kept for the next run; nothing is installed
# on this machine.
# usage: headers.sh WORK_DIR [RELEASE...]     default: bookworm trixie; as root
# Settings: MIRROR  of Debian, see debian.sh
# Status: 0 all build, 1 not, 77 a program is missing.
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
# shellcheck source=tests/debian.sh
. "$here/../debian.sh"
work=$1
shift
(($#)) || set -- bookworm trixie
failures=0

skip()
{
	echo "skipped: $*"
	exit 77
}

# in_release RELEASE COMMAND...
in_release()
{
	(in_debian "$work/$1" "$work/$1.packages" DEBIAN_FRONTEND=noninteractive LC_ALL=C "${@:2}")
}

# The kernel of the release, then that of its backports; the former stays.
make_release()
{
	local release=$1 log=$work/$1.log
	{
		[[ -e $work/$release/made ]] || {
			debian_make "$release" "$work/$release" "$work/$release.packages" --include=gcc,make,perl,libc6-dev &&
				debian_sources "$release" backports > "$work/$release/etc/apt/sources.list" && touch "$work/$release/made"
		} && in_release "$release" apt-get -q update &&
			in_release "$release" apt-get -qy --no-install-recommends install linux-headers-amd64 &&
			in_release "$release" apt-get -qy --no-install-recommends -t "$release-backports" install linux-headers-amd64
	} > "$log" 2>&1 || { tail -n 5 "$log"; return 1; }
}

# build RELEASE KERNEL
build()
{
	local release=$1 kernel=$2 log=$work/$1-$2.log copy=$work/$1/iotrace
	rm -rf "$copy"
	mkdir -p "$copy/events/module"
	cp "$source"/events/*.h "$copy/events/"
	cp "$source"/events/module/{*.[ch],Kbuild,Makefile} "$copy/events/module/"
	cp -r "$here/module" "$copy/"
	in_release "$release" make -C /iotrace/events/module KVERSION="$kernel" W=1 KCFLAGS=-DIOTRACE_CHECK_PROBES > "$log" 2>&1 &&
		in_release "$release" make -C "/lib/modules/$kernel/build" M=/iotrace/module KCFLAGS="-I/iotrace/events/module -Werror" \
			KBUILD_EXTRA_SYMBOLS=/iotrace/events/module/Module.symvers modules >> "$log" 2>&1 &&
		! grep -E 'warning:|error:' "$log" &&
		[[ -s $copy/events/module/iotrace.ko && -s $copy/module/call-source.ko ]] && {
		echo "$release: $kernel builds"
		return
	}
	echo "FAILED: $release: $kernel"
	tail -n 20 "$log"
	failures=$((failures + 1))
}

hindrance=$(debian_hindrance)
[[ -z $hindrance ]] || skip "$hindrance"
mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
for release; do
	make_release "$release" || skip "$release cannot be fetched from $mirror"
	kernels=0
	for folder in "$work/$release"/lib/modules/*/build; do
		[[ -e $folder || -L $folder ]] || continue
		folder=${folder%/build}
		build "$release" "${folder##*/}"
		kernels=$((kernels + 1))
	done
	((kernels >= 2)) || { echo "FAILED: $release: only $kernels kernels"; failures=$((failures + 1)); }
done
exit $((failures > 0))
