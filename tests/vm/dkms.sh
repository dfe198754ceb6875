#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The installed sources of the module are complete: DKMS builds them for the kernel of the guest. Nothing of the system changes.
# usage: dkms.sh BUILD_DIR VERSION
build=$1 version=$2
command -v dkms > /dev/null || { echo "skipped: there is no dkms"; exit 77; }
((EUID == 0)) || { echo "skipped: dkms wants root"; exit 77; }
kernel=$(printf '%s\n' /lib/modules/6.1.*/build | sort -V | tail -n 1 | cut -d / -f 4)
[[ -d /lib/modules/$kernel/build ]] || { echo "skipped: there are no headers of a kernel 6.1"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cmake --install "$build" --component module --prefix "$dir/usr" > /dev/null || exit 1
mkdir "$dir/tree"
# build KERNEL: as if the headers of the guest's kernel were those of KERNEL, which is not installed
build()
{
	dkms build --sourcetree "$dir/usr/src" --dkmstree "$dir/tree" -m iotrace -v "$version" -k "$1" \
		--kernelsourcedir "/lib/modules/$kernel/build" > "$dir/log" 2>&1
}

build 6.1.0-none-amd64 || { cat "$dir/log" "$dir"/tree/iotrace/"$version"/build/make.log; exit 1; }
module=$(find "$dir/tree" -path '*/module/iotrace.ko')
[[ $(modinfo -F vermagic "$module") == "$kernel "* ]] || { echo "no module for $kernel was built"; exit 1; }
for old in 5.10.0-20-amd64 6.0.12-amd64; do
	build "$old" && { echo "built for $old"; exit 1; }
	grep -q BUILD_EXCLUSIVE "$dir/log" || { echo "kernel $old is not left out:"; cat "$dir/log"; exit 1; }
done
grep -qx iotrace "$dir/usr/lib/modules-load.d/iotrace.conf"
