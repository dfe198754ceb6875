#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What README.md promises to somebody with a bare Debian, in a system made for it: the first command, as root and as an ordinary user;
# the installation; a program that uses libiotrace-calls. The system is made anew each time in WORK_DIR, which keeps packages only.
# shellcheck disable=SC2317 # step() calls the functions
# usage: bare.sh WORK_DIR [RELEASE[+tests]...]     default: bookworm; as root. "+tests": then "tests/run.sh dev" in it, too
# Settings: MIRROR  of Debian, see debian.sh; KEEP=1  keeps the systems
# Status: 0 all works, 1 not, 77 a release could not be tested, because the archive cannot be reached or nothing can be mounted
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
# shellcheck source=tests/debian.sh
. "$here/../debian.sh"
mkdir -p "$1" && work=$(cd "$1" && pwd) || exit 1
shift
(($#)) || set -- bookworm
# shellcheck source=tests/bare/bare-lib.sh
. "$here/bare-lib.sh"

make_system()
{
	debian_make "$release" "$root" "$cache" >> "$log" 2>&1 && copy_source "$root/root/iotrace" && copy_source "$root/home/user/iotrace" || return
	in_root sh -c 'useradd -M -d /home/user -s /bin/sh user && chown -R user: /home/user && chmod 700 /root'
}

# Without packages and sudo an ordinary user gets one sentence.
refused_user()
{
	as_user 'iotrace/examples/dlm/analyse.sh > shown 2>&1' && { echo "status 0 without packages"; return 1; }
	[[ $(wc -l < "$root/home/user/shown") == 2 ]] && grep -qx '1 of 3: packages' "$root/home/user/shown" &&
		grep -qE '^These packages are missing, and there is no sudo. As root: apt-get install build-essential cmake .*; optional: .*esbuild$' \
			"$root/home/user/shown" || { cat "$root/home/user/shown"; return 1; }
	[[ ! -e $root/home/user/iotrace/build ]] || { echo "something was built"; return 1; }
}

# outputs FOLDER: what the first command promises
outputs()
{
	local file
	for file in report.txt iotrace.html iotrace.slog2 iotrace.slog2.rows.tsv iotrace.paje; do
		[[ -s $1/$file ]] || { echo "no $file"; return 1; }
	done
	# the beginning of the report as README.md shows it
	sed -n '/^Most waited for: /,/^  \.\.\.$/p' "$source/README.md" | sed '$d' > "$work/promised"
	[[ -s $work/promised ]] && head -n "$(wc -l < "$work/promised")" "$1/report.txt" | diff "$work/promised" - || return
}

first_command()
{
	in_root sh -c 'cd / && /root/iotrace/examples/dlm/analyse.sh' && outputs "$root/root/iotrace/out" || return
	# no tests, plugins, manual pages or recorder
	[[ ! -e $root/root/iotrace/build/install/tests && -z $(find "$root/root/iotrace/build/install" -name '*.so' -o -name 'iotrace-record' -type f) ]] ||
		{ echo "the first command builds more than it runs"; return 1; }
	rm -rf "$work/$release.out" && cp -r "$root/root/iotrace/out" "$work/$release.out"
}

# README's command, below the user's home and without sudo; it builds, too
first_command_user()
{
	as_user 'iotrace/examples/dlm/analyse.sh' && outputs "$root/home/user/iotrace/out" || return
	diff -rq "$work/$release.out" "$root/home/user/iotrace/out" && [[ -z $(find "$root/home/user/iotrace" ! -user "$(stat -c %u "$root/home/user")") ]]
}

install_command=$(sed -n 's/^    \(cmake --preset install .*\)/\1/p' "$source/README.md")

installed()
{
	[[ $install_command == *sudo* ]] || { echo "README.md has no command to install"; return 1; }
	in_root sh -c "cd && cd iotrace && ${install_command/sudo }" || return
	# nothing in it names the folder of the build
	grep -rlF /root/iotrace "$root/usr/local" && { echo "the build's folder is in installed files"; return 1; }
	in_root sh -c 'cd && ldconfig && iotrace-analyze --version && iotrace-record --version && iotrace-clock --version && iotrace-agent --version &&
		iotrace-analyze -o report:report.txt iotrace/examples/dlm/trace-?.dat && grep "^Most waited for: " report.txt'
}

# A stranger's program: by pkg-config, and by CMake; where iotrace is installed, and below another prefix.
consumers()
{
	local prefix
	cat > "$root/home/user/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(libiotrace-calls 0.2 REQUIRED)
add_executable(rpc iotrace/events/user/example-rpc.c)
target_compile_definitions(rpc PRIVATE _GNU_SOURCE)
target_link_libraries(rpc iotrace::libiotrace-calls)
END
	in_root sh -c 'cmake --install /root/iotrace/build/install --prefix /opt/iotrace && DESTDIR=/root/staged cmake --install /root/iotrace/build/install --prefix /usr' || return
	grep -qx prefix=/usr "$(find "$root/root/staged" -name libiotrace-calls.pc)" || { echo "libiotrace-calls.pc below DESTDIR"; return 1; }
	for prefix in /usr/local /opt/iotrace; do
		# 5 requests of a client and 5 of the server: 3 and 2 records of 512 bytes
		as_user "set -e
			export PKG_CONFIG_PATH=$prefix/lib/pkgconfig CMAKE_PREFIX_PATH=$prefix
			[ $prefix = /usr/local ] && unset PKG_CONFIG_PATH CMAKE_PREFIX_PATH || export LD_LIBRARY_PATH=$prefix/lib
			rm -rf found rpc
			cc -D_GNU_SOURCE iotrace/events/user/example-rpc.c \$(pkg-config --cflags --libs libiotrace-calls) -o rpc
			cmake -S . -B found && cmake --build found
			for program in ./rpc found/rpc; do
				: > records
				IOTRACE_DEVICE=\$HOME/records \$program both 5
				[ \$(stat -c %s records) = $((5 * (3 + 2) * 512)) ]
			done" || { echo "with the prefix $prefix"; return 1; }
	done
}

# The tests install their packages by themselves.
tests()
{
	in_root sh -c 'cd && cd iotrace && rm -rf build && tests/run.sh dev' || { sed -n '/^dev:/,$p' "$log"; return 1; }
}

hindrance=$(debian_hindrance)
[[ -z $hindrance ]] || { echo "skipped: $hindrance"; exit 77; }
for release; do
	with=${release#"${release%%+*}"}
	release=${release%%+*}
	root=$work/$release.root cache=$work/$release.packages
	debian_reachable "$release" || { echo "skipped: $release: $mirror cannot be reached"; skipped=1; continue; }
	step "a bare system" make_system &&
		step "an ordinary user without packages and sudo gets one sentence" refused_user &&
		step "root: examples/dlm/analyse.sh" first_command &&
		step "an ordinary user: examples/dlm/analyse.sh" first_command_user &&
		step "root: $install_command" installed &&
		step "programs with libiotrace-calls, by pkg-config and CMake" consumers &&
		{ [[ -z $with ]] || step "tests/run.sh dev" tests; }
	((KEEP)) || rm -rf --one-file-system "$root"
done
((failures)) && exit 1
exit $((skipped ? 77 : 0))
