#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records the examples of this repository again, with the nested lab: KVM guests, VSOCK and KVM time sync, on any machine.
# usage: make-examples.sh dlm|fileio|nfs [OPTION OF run.sh...]
#   dlm      examples/dlm: lock events only
#   fileio   examples/fileio: DLM, GFS2 and file I/O of the same nodes
#   nfs      examples/nfs: an NFS client and its server, with file I/O; the lab is examples/nfs-lab
# The recordings replace those of the example. Prints the facts for the example's README. Ten minutes or more each.
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
name=$1
guests=(5 4 3) results=(totals.txt)
limit=$((8 << 20))	# bytes that the repository should hold of one example

die()
{
	echo "make-examples.sh: $*" >&2
	exit 1
}

case $name in
dlm) options=(--models dlm --without-module --seconds 60) ;;
fileio) options=(--models "dlm,gfs2,fileio" --seconds 60) ;;
nfs) options=(--lab nfs-lab --small) guests=(5 4) results=(totals.txt mountstats.txt rpc-client.txt rpc-server.txt) ;;
*) die "usage: make-examples.sh dlm|fileio|nfs [OPTION OF run.sh...]" ;;
esac
[[ $name == dlm || -d $source/events/module ]] || die "there is no events/module to record file I/O with"
out=$source/out/example-$name

"$here/run.sh" --mode nested --out "$out" "${options[@]}" "${@:2}" ||
	die "nothing was recorded, so examples/$name is as it was"

cd "$out" || exit
[[ $(grep -c 'yes, kvm' report.txt) == "${#guests[@]}" ]] || die "the clocks were not synchronised by KVM, see $out/report.txt"
! grep -qE '^ +(warning|error|loss) ' report.txt || die "the report has warnings, see $out/report.txt"
files=("${guests[@]/#/trace-}")
files=("${files[@]/%/.dat}" trace.dat)
size=$(cat "${files[@]}" | wc -c)
((size <= limit)) || die "the recordings have $size bytes, more than $limit: record fewer --seconds"
mkdir -p "$source/examples/$name"
cp "${files[@]}" "${results[@]}" "$source/examples/$name/"

echo
echo "In examples/$name, $size bytes:"
sed -n '/^Inputs/,/^$/p' report.txt
cat totals.txt
