#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The plugins are installed below the prefix, or on request where the libraries look, and work there.
# usage: plugins-install.sh BUILD_DIR SOURCE_DIR
build=$1 source=$2 example=$2/examples/dlm/trace-4.dat
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# destination OPTION...: the folder that a build with these options installs plugin_dlm.so into
destination()
{
	rm -rf "$work/build"
	cmake -S "$source" -B "$work/build" -DBUILD_TESTING=OFF -DIOT_KERNELSHARK=OFF "$@" > "$work/log" 2>&1 ||
		{ fail "cmake $*: $(tail -n 5 "$work/log")"; return; }
	sed -n 's:.*file(INSTALL DESTINATION "\([^"]*\)".*/plugin_dlm.so".*:\1:p' "$work/build/plugins/cmake_install.cmake"
}

where=/opt/x/lib/traceevent/plugins
DESTDIR=$work cmake -DCMAKE_INSTALL_PREFIX=/opt/x -P "$build/plugins/cmake_install.cmake" > "$work/log" ||
	{ cat "$work/log"; exit 1; }
for name in dlm iotrace; do
	[[ -f $work$where/plugin_$name.so ]] || fail "no $where/plugin_$name.so: $(find "$work" -name '*.so' | paste -sd ' ')"
done
if [[ -f $build/plugins/kernelshark/plugin-iotrace.so ]]; then
	[[ -f $work/opt/x/lib/kernelshark/plugins/plugin-iotrace.so ]] || fail "no plugin of KernelShark"
fi

system=$(destination -DIOT_SYSTEM_PLUGINS=ON -DCMAKE_INSTALL_PREFIX=/opt/x)
[[ $(destination -DCMAKE_INSTALL_PREFIX=/usr) == '${CMAKE_INSTALL_PREFIX}'"${system#/usr}" ]] ||
	fail "the prefix /usr is not the folder of the system, $system"
[[ $(destination -DIOT_TRACEEVENT_DIR=/my/plugins) == /my/plugins ]] || fail "IOT_TRACEEVENT_DIR does not count"

if command -v trace-cmd > /dev/null; then
	HOME=$work TRACEEVENT_PLUGIN_DIR=$work$where trace-cmd report "$example" > "$work/shown"
	grep -q 'res_name="res0' "$work/shown" || fail "trace-cmd does not use what was installed"
	# libtraceevent itself reports its folders
	strings -a "$(ldd "$(command -v trace-cmd)" | awk '/libtraceevent/ { print $3 }')" > "$work/strings"
	grep -qxF "$system" "$work/strings" || fail "libtraceevent does not look into $system"
fi
((failures)) || echo "plugins are installed into $where, or into $system"
exit $((failures > 0))
