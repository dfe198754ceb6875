#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the plugins are installed: where libtraceevent looks, or where the builder says; and that they work there.
# usage: plugins-install.sh BUILD_DIR SOURCE_DIR
build=$1 example=$2/examples/dlm/trace-4.dat
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

where=$(sed -n 's/^IOT_PLUGIN_DIR:[A-Z]*=//p' "$build/CMakeCache.txt")
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$build/CMakeCache.txt")
[[ $where == /* ]] || where=$prefix/$where
DESTDIR=$work cmake -P "$build/plugins/cmake_install.cmake" > "$work/log" || { cat "$work/log"; exit 1; }
for name in dlm iotrace; do
	[[ -f $work$where/plugin_$name.so ]] || fail "no $where/plugin_$name.so: $(find "$work" -name '*.so' | paste -sd ' ')"
done
if [[ -f $build/plugins/kernelshark/plugin-iotrace.so ]]; then
	[[ $(find "$work" -path '*/kernelshark/plugins/plugin-iotrace.so') ]] || fail "no plugin of KernelShark"
fi

if command -v trace-cmd > /dev/null; then
	HOME=$work TRACEEVENT_PLUGIN_DIR=$work$where trace-cmd report "$example" > "$work/shown"
	grep -q 'res_name="res0' "$work/shown" || fail "trace-cmd does not use what was installed"
	if [[ $prefix =~ ^/(usr(/local)?)?$ ]]; then
		# libtraceevent says on its own where it looks
		strings -a "$(ldd "$(command -v trace-cmd)" | awk '/libtraceevent/ { print $3 }')" > "$work/strings"
		grep -qxF "$where" "$work/strings" || fail "libtraceevent does not look into $where"
	fi
fi
((failures)) || echo "plugins are installed into $where"
exit $((failures > 0))
