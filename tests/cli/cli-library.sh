#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# libiotrace-calls in other projects: installed, found by pkg-config and by CMake, shared and static, from C and C++.
# usage: cli-library.sh BUILD_DIR SOURCE_DIR COMPILER_FLAGS
build=$1 source=$2
read -ra flags <<< "$3"
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# 5 requests of a client and 5 of the server: 3 and 2 records of 512 bytes
expect_records()
{
	: > records
	IOTRACE_DEVICE=$work/records "$@" both 5 > shown 2>&1 || fail "$*: status $?: $(cat shown)"
	[[ $(stat -c %s records) == $((5 * (3 + 2) * 512)) ]] || fail "$*: $(stat -c %s records) bytes of records"
}

cmake --install "$build" --prefix "$work/root" > install.log || fail "install: status $?"
export PKG_CONFIG_PATH=$work/root/lib/pkgconfig:$work/root/lib/$(gcc -print-multiarch)/pkgconfig
export LD_LIBRARY_PATH
# the prefix of this installation, not that of the build
libdir=$(dirname "$(find "$work/root" -name libiotrace-calls.so)")
LD_LIBRARY_PATH=$libdir
read -ra cflags <<< "$(pkg-config --cflags libiotrace-calls)"
read -ra libs <<< "$(pkg-config --libs libiotrace-calls)"
[[ ${cflags[*]} == "-I$work/root/include/iotrace-calls" && ${libs[*]} == "-L$libdir -liotrace-calls" ]] ||
	fail "pkg-config says ${cflags[*]} ${libs[*]}"
[[ $(pkg-config --variable=prefix libiotrace-calls) == "$work/root" ]] || fail "prefix: $(pkg-config --variable=prefix libiotrace-calls)"

cc -D_GNU_SOURCE "${flags[@]}" "${cflags[@]}" "$source/events/user/example-rpc.c" "${libs[@]}" -o shared &&
	expect_records ./shared || fail "by pkg-config, shared"
readelf -d shared | grep -q 'NEEDED.*\[libiotrace-calls\.so\.0\]' || fail "shared does not need libiotrace-calls.so.0"
cc -D_GNU_SOURCE "${flags[@]}" "${cflags[@]}" "$source/events/user/example-rpc.c" "$libdir/libiotrace-calls.a" -o static &&
	expect_records ./static || fail "static"
echo '#include <iotrace-calls.h>' | c++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "${cflags[@]}" - ||
	fail "the header in C++"

# Without events: no code, no library, and what is passed is checked but not evaluated.
cat > off.c << 'EOF'
#include <iotrace-calls.h>

int main(void)
{
	struct iotrace_call call = { .id = 7, .op = "read" };
	struct iotrace_batch *batch = NULL;
	int n = 0;

	n += iotrace_call_start((n++, &call)) + iotrace_call_end(&call) + iotrace_call_done(&call) + iotrace_call_notify(&call);
	n += iotrace_emit(IOTRACE_CALL_END, (n++, &call)) + iotrace_batch_add(batch, IOTRACE_CALL_DONE, &call);
	n += iotrace_text("a", "b=%d", n++);
	return iotrace_recording(IOTRACE_CALL_START) ? 100 : n;
}
EOF
for optimised in -O0 -O2; do
	cc $optimised -Wall -Wextra -Werror -DIOTRACE_CALLS_OFF "${cflags[@]}" off.c -o off && ./off || fail "$optimised without events: status $?"
	nm off | grep -i ' u .*iotrace' && fail "$optimised without events needs the library"
done
cc -DIOTRACE_CALLS_OFF -Wall -Werror -fsyntax-only "${cflags[@]}" -x c - 2> /dev/null << 'EOF' && fail "wrong arguments without events"
#include <iotrace-calls.h>
int main(void) { return iotrace_text("a", "b=%s", 7); }
EOF
cc -D_GNU_SOURCE -DIOTRACE_CALLS_OFF "${flags[@]}" "${cflags[@]}" "$source/events/user/example-rpc.c" "${libs[@]}" -o silent || fail "the example without events"
: > records
IOTRACE_DEVICE=$work/records ./silent both 5 > shown 2>&1 || fail "silent: status $?: $(cat shown)"
[[ ! -s records ]] || fail "silent: $(stat -c %s records) bytes of records"
(echo '#define IOTRACE_CALLS_OFF' && echo '#include <iotrace-calls.h>') | c++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "${cflags[@]}" - ||
	fail "the header without events in C++"

cat > CMakeLists.txt << EOF
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(libiotrace-calls 0.2 REQUIRED)
add_executable(found $source/events/user/example-rpc.c)
target_compile_definitions(found PRIVATE _GNU_SOURCE)
target_link_libraries(found iotrace::libiotrace-calls)
EOF
cmake -S . -B found -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_FLAGS="$3" > cmake.log &&
	cmake --build found >> cmake.log && expect_records found/found || fail "by CMake: $(tail -n 5 cmake.log)"

# The library has every function of the header.
nm -D --defined-only "$libdir/libiotrace-calls.so" | awk '$3 !~ /^__/ { print $3 }' | sort > defined
grep -Eo '^IOTRACE_API [^(;]*' "$work/root/include/iotrace-calls/iotrace-calls.h" | grep -Eo 'iotrace_[a-z_]+$' | sort > promised
diff promised defined || fail "exported symbols differ from the header"
sed -n 's/^ \([a-z_]*\)@Base .*/\1/p' "$source/packaging/debian/libiotrace-calls0.symbols" | diff - defined ||
	fail "exported symbols differ from the package's list"
# ... and every function has its page.
for name in $(grep -Eo '\biotrace_[a-z_]+\(' "$work/root/include/iotrace-calls/iotrace-calls.h" | tr -d '(' | sort -u); do
	grep -q "$name" "$source/docs/man/libiotrace-calls.3.txt" || fail "$name is not in libiotrace-calls(3)"
done
((failures)) || echo "libiotrace-calls can be used: $(wc -l < defined) symbols"
exit $((failures > 0))
