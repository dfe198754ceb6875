#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The lab chooses the newest installed kernel that has everything, by version and not by name.
# usage: cluster-kernel.sh SOURCE_DIR
# shellcheck disable=SC2034 # settings for build.sh
failures=0
system=$(mktemp -d "${TMPDIR:-/tmp}/cluster.XXXXXX") || exit 2
trap 'rm -rf "$system"' EXIT
cache=$system/cache with_module=1 download=0
# shellcheck source=examples/cluster/build.sh
. "$1/examples/cluster/build.sh"

# install VERSION MODULE [IMAGE]
install()
{
	local image=${3:-/boot/vmlinuz-$1}
	mkdir -p "$system/lib/modules/$1"/{build,kernel/fs/gfs2} "$system${image%/*}"
	: > "$system$image"
	: > "$system/lib/modules/$1/build/Makefile"
	: > "$system/lib/modules/$1/kernel/fs/gfs2/$2"
}

# expect VERSION IMAGE
expect()
{
	find_kernel
	[[ $kernel == "$1" && $(kernel_image "$system" "$kernel") == "$system$2" ]] ||
		{ echo "FAILED: $kernel instead of $1"; failures=$((failures + 1)); }
}

install 6.1.0-9-amd64 gfs2.ko
expect 6.1.0-9-amd64 /boot/vmlinuz-6.1.0-9-amd64
install 6.1.0-56-amd64 gfs2.ko
expect 6.1.0-56-amd64 /boot/vmlinuz-6.1.0-56-amd64
install 6.12.95+deb12-amd64 gfs2.ko.xz
expect 6.12.95+deb12-amd64 /boot/vmlinuz-6.12.95+deb12-amd64
install 7.3.4+deb13-amd64 gfs2.ko.xz /lib/modules/7.3.4+deb13-amd64/vmlinuz
expect 7.3.4+deb13-amd64 /lib/modules/7.3.4+deb13-amd64/vmlinuz
# without GFS2, without its headers, and another flavour
install 7.4.1+deb13-amd64 other.ko
install 7.5.1+deb13-amd64 gfs2.ko
rm "$system/lib/modules/7.5.1+deb13-amd64/build/Makefile"
install 7.6.1+deb13-cloud gfs2.ko
expect 7.3.4+deb13-amd64 /lib/modules/7.3.4+deb13-amd64/vmlinuz
with_module=0
expect 7.5.1+deb13-amd64 /boot/vmlinuz-7.5.1+deb13-amd64
((failures)) || echo "the newest complete kernel is taken"
exit $((failures > 0))
