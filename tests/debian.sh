# SPDX-License-Identifier: GPL-2.0-or-later
# Another release of Debian in a folder, by debootstrap; sourced by scripts. All mounts are made in a namespace that ends with the
# command that needs them, so nothing stays mounted, however a script ends.
# shellcheck shell=bash
# Settings: MIRROR  of Debian; default: the one of this machine

# debian_archive: the mirror that apt uses on this machine, if it is a plain one
debian_archive()
{
	sed -n -E 's/^(deb +(\[[^]]*\] +)?|URIs: *)(http:[^ ]*\/debian)\/?( .*)?$/\3/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2> /dev/null | head -n 1
}

mirror=${MIRROR:-$(debian_archive)}
mirror=${mirror:-http://deb.debian.org/debian}

# debian_hindrance: why no Debian can be made here; nothing if it can
debian_hindrance()
{
	if ((EUID)); then
		echo "making a release of Debian in a folder wants root"
	elif ! type -P debootstrap > /dev/null; then
		echo "there is no debootstrap"
	elif ! unshare --mount --pid --fork --mount-proc true 2> /dev/null; then
		echo "nothing can be mounted here"
	fi
}

# debian_reachable RELEASE: the archive has it, and answers
debian_reachable()
{
	wget -q --spider --timeout=20 --tries=3 "$mirror/dists/$1/InRelease"
}

# debian_sources RELEASE [SUITE...]: the lines of sources.list, with further suites such as backports
debian_sources()
{
	local suite
	echo "deb $mirror $1 main"
	[[ $1 != sid ]] || return 0
	for suite in updates "${@:2}"; do
		echo "deb $mirror $1-$suite main"
	done
	echo "deb ${mirror%/debian}/debian-security $1-security main"
}

# debian_make RELEASE FOLDER CACHE [DEBOOTSTRAP_OPTION...]: a new system; CACHE is a folder for packages that may be there already. The
# archive is this machine's, so an old copy of it is accepted if this machine does.
debian_make()
{
	mkdir -p "$3" && rm -rf --one-file-system "${2:?}" &&
		unshare --mount debootstrap --variant=minbase --cache-dir="$3" "${@:4}" "$1" "$2" "$mirror" &&
		debian_sources "$1" > "$2/etc/apt/sources.list" &&
		apt-config dump --format '%f "%v";%n' Acquire::Check-Valid-Until Acquire::Check-Date > "$2/etc/apt/apt.conf.d/90archive"
}

# in_debian FOLDER CACHE COMMAND...: as root of the system, in the environment of a new login; instead of this shell. All its processes end
# with it. It ignores signals, so a script that is to end early runs it in the background and kills it. There is no tracefs:
# the kernel's events have other process ids than this system, so nothing can be recorded in it.
in_debian()
{
	# shellcheck disable=SC2016 # for the other shell
	exec unshare --mount --pid --fork --kill-child sh -c '
		mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount -t sysfs sysfs "$1/sys" || exit
		[ -c "$1/dev/null" ] || mount --rbind /dev "$1/dev" || exit
		mkdir -p "$1/dev/pts" "$1/dev/shm" "$2"
		mountpoint -q "$1/dev/pts" || mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts" || exit
		mountpoint -q "$1/dev/shm" || mount -t tmpfs shm "$1/dev/shm" || exit
		mount --bind "$2" "$1/var/cache/apt/archives" || exit
		folder=$1
		shift 2
		exec chroot "$folder" "$@"' sh "$1" "$2" env -i ${http_proxy:+http_proxy="$http_proxy"} HOME=/root USER=root TERM=dumb \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:3}" < /dev/null
}
