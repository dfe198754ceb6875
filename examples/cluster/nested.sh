#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Mode nested, inside the emulated host: the session with KVM guests, as mode kvm runs it on a real host.
# usage: nested.sh IMAGES     (a folder with kernel, node.cpio, disk.img and settings; not written to)
images=$1
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034 # for lib.sh
say_prefix="LAB say " die_prefix="LAB failed "
run=/run/lab store=/run/store consoles=/run/store/consoles
# shellcheck source=examples/cluster/lib.sh
. "$here/lib.sh"
# shellcheck source=examples/cluster/session.sh
. "$here/session.sh"
# shellcheck source=/dev/null
. "$images/settings"
# shellcheck source=/dev/null
[[ -z $lab ]] || . "$here/../$lab/lab.sh"
export TMPDIR=$run
cd "$run" || exit
trap kill_guests EXIT
# the nodes write to it
cp --sparse=always "$images/disk.img" "$run/" || die "no room for the shared disk"
disk=$run/disk.img
session
echo "LAB finished"
