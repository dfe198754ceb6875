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
dkms build --sourcetree "$dir/usr/src" --dkmstree "$dir/tree" -m iotrace -v "$version" -k "$kernel" > "$dir/log" 2>&1 ||
	{ cat "$dir/log" "$dir"/tree/iotrace/"$version"/build/make.log; exit 1; }
module=$(find "$dir/tree" -path '*/module/iotrace.ko')
[[ $(modinfo -F vermagic "$module") == "$kernel "* ]] || { echo "no module for $kernel was built"; exit 1; }
grep -qx iotrace "$dir/usr/lib/modules-load.d/iotrace.conf"
