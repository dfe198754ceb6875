#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The lab refuses wrong settings before it boots anything: status 1, one sentence that names the mistake, no leftovers.
# usage: cluster-refuse.sh SOURCE_DIR
run=$1/examples/cluster/run.sh
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cluster.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tmp" "$scratch/path"
export TMPDIR=$scratch/tmp XDG_CACHE_HOME=$scratch/cache

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# refuse NAME TEXT... -- COMMAND...: fails with one line that has every text
refuse()
{
	local name=$1 texts=() text status
	shift
	while [[ $1 != -- ]]; do
		texts+=("$1")
		shift
	done
	shift
	"$@" > "$scratch/output" 2> "$scratch/errors" < /dev/null
	status=$?
	((status == 1)) || fail "$name: status $status"
	[[ $(wc -l < "$scratch/errors") == 1 ]] || fail "$name: not one sentence: $(cat "$scratch/errors")"
	for text in "run.sh: " "${texts[@]}"; do
		grep -qF -- "$text" "$scratch/errors" || fail "$name: \"$text\" is missing in: $(cat "$scratch/errors")"
	done
	[[ -z $(find "$scratch/tmp" -mindepth 1) ]] || fail "$name: left over: $(find "$scratch/tmp" -mindepth 1)"
}

# a PATH without QEMU, else complete
without_qemu()
{
	local file
	for file in /usr/bin/* /usr/sbin/*; do
		[[ $file == */qemu-* ]] || ln -sf "$file" "$scratch/path/"
	done
}

refuse option '"--frobnicate"' --help -- "$run" --frobnicate
refuse value '--seconds needs a value' -- "$run" --seconds
refuse number '--seconds' '"soon"' -- "$run" --seconds soon
refuse kernel 'there is no folder "/nonsense"' -- "$run" --without-module --kernel /nonsense
refuse 'kernel with module' '--kernel wants --without-module' -- "$run" --kernel /
refuse range '--memory' '"17"' -- "$run" --memory 17
refuse cpus '--cpus' '"0"' -- "$run" --cpus 0
refuse mode '"fast"' -- "$run" --mode fast
refuse cids '--cids' '"2"' -- "$run" --cids 2,3,4
refuse 'two cids' '--cids takes three' -- "$run" --cids 3,4
refuse models '--models' -- "$run" --models 'dlm; reboot'
refuse events '--events' -- "$run" --events 'dlm; reboot'
: > "$scratch/file"
refuse out "$scratch/file" -- "$run" --out "$scratch/file"

without_qemu
refuse qemu qemu-system-x86_64 'apt-get install qemu-system-x86' -- \
	env PATH="$scratch/path" "$run" --out "$scratch/out"

if type -P qemu-system-x86_64 gcc cpio > /dev/null; then
	refuse analyzer 'there is no iotrace-record next to /usr/bin/true' -- "$run" --out "$scratch/out" --analyzer /usr/bin/true
	refuse memory 'MiB of memory' 'are free' -- "$run" --out "$scratch/out" --memory 1000000
	if unshare -rm true 2> /dev/null; then
		# shellcheck disable=SC2016 # for the other shell
		refuse space 'needs 400 MiB' "$TMPDIR" -- unshare -rm sh -c \
			'mount -t tmpfs -o size=4m none "$TMPDIR" && exec "$@"' sh "$run" --out "$scratch/out"
	else
		echo "skipped: no space left (no user namespaces here)"
	fi
else
	echo "skipped: memory and space (a program that the lab needs is missing)"
fi

((failures)) || echo "every refusal is one sentence"
exit $((failures > 0))
