#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# analyse.sh of the examples builds the program and nothing else, and reports its steps, its outputs, and why a build failed. In this
# test, stand-ins replace the compiler and the program, in a copy of the scripts.
# usage: cli-examples.sh PROGRAM SOURCE_DIR
source=$2
failures=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

mkdir -p "$work"/{bin,tests,examples/dlm,build/install/analyzer}
cp "$source/examples/analyse-recording.sh" "$work/examples"
cp "$source/examples/dlm/analyse.sh" "$work/examples/dlm"
cp "$source/tests/packages.sh" "$work/tests"
cat >> "$work/tests/packages.sh" << 'EOF'
packages_build=(gcc)
need() { echo "needs $*" >> "$calls"; }
EOF
cat > "$work/bin/cmake" << 'EOF'
#!/bin/bash
echo "cmake $*" >> "$calls"
printf '[%3d%%] Building C object a.c.o\n' {1..60}
[[ $* == *--build* && -e $calls.fail ]] || exit 0
cat "$calls.fail"
printf '[%3d%%] Building C object b.c.o\n' {60..99}
echo "gmake[1]: *** [Makefile:2: all] Error 2"
exit 2
EOF
cat > "$work/build/install/analyzer/iotrace-analyze" << 'EOF'
#!/bin/bash
echo "analyze $*" >> "$calls"
for word; do
	[[ $word != --formats || ! -e $calls.page ]] || printf 'html\t.html\n'
	[[ $word == report:* ]] && echo "the report" > "${word#report:}"
done
exit 0
EOF
chmod +x "$work/bin/cmake" "$work/build/install/analyzer/iotrace-analyze"
export calls=$work/calls PATH=$work/bin:$PATH

"$work/examples/dlm/analyse.sh" "$work/out" > "$work/shown" 2> "$work/err" || fail "status $?"
for step in '1 of 3' '2 of 3' '3 of 3'; do
	grep -q "^$step" "$work/err" || fail "it does not say $step: $(cat "$work/err")"
done
grep -qx 'needs gcc' "$calls" || fail "packages are not asked for"
grep -qE -- '^cmake --preset install$' "$calls" && grep -qE -- '^cmake --build --preset install -j [0-9]+ --target iotrace-analyze$' "$calls" ||
	fail "more or less than the program is built: $(cat "$calls")"
grep -qx 'the report' "$work/shown" || fail "the report is not shown"
for file in iotrace.slog2 iotrace.slog2.rows.tsv iotrace.paje report.txt; do
	grep -qF "$file" "$work/shown" || fail "it does not say that it wrote $file"
done
grep -q 'iotrace.html *is missing' "$work/shown" && ! grep -q 'analyze.*html:' "$calls" || fail "a program without html: $(cat "$work/shown")"
touch "$calls.page"
"$work/examples/dlm/analyse.sh" "$work/out" > "$work/shown" 2> "$work/err" || fail "with html: status $?"
grep -q 'iotrace.html *for any browser' "$work/shown" && grep -q "analyze.*html:$work/out/iotrace.html" "$calls" || fail "no html: $(cat "$work/shown")"

# failed builds: one of a parallel build's many lines says why
for why in $'a.c: In function \'f\':\na.c:17:78: error: macro "g" passed 3 arguments, but takes just 2\n   17 | g(to, { 1, 2 })' \
	'/usr/bin/ld: a.o: undefined reference to `g'"'" 'cc1: fatal error: Killed signal terminated program cc1'; do
	printf '%s\n' "$why" > "$calls.fail"
	"$work/examples/dlm/analyse.sh" "$work/out" > "$work/shown" 2> "$work/err" && fail "a failed build is not noticed"
	grep -q '^The build failed, see ' "$work/err" || fail "a failed build is not reported: $(cat "$work/err")"
	grep -qF "$why" "$work/err" || fail "the cause of a failed build is not shown: $(cat "$work/err")"
	[[ $(sed '/^2 of 3/,$!d' "$work/err" | sed 1d | head -n "$(wc -l < "$calls.fail")") == "$why" ]] ||
		fail "the cause of a failed build is not shown first: $(cat "$work/err")"
	! grep -q 'Building' "$work/err" || fail "the progress of a failed build is shown: $(cat "$work/err")"
done

# packages: what is missing, in one sentence, where nothing can be installed; optional ones do not stop a user
cat > "$work/bin/dpkg-query" << 'EOF'
#!/bin/bash
[[ " $HAVE " == *" ${!#} "* ]] && echo 'ii '
EOF
cp "$(type -P bash)" "$work/bin"
chmod +x "$work/bin/dpkg-query"
# wants HAVE STATUS TEXT: a user with the packages HAVE wants all of packages_build
wants()
{
	local status
	HAVE=$1 PATH=$work/bin setpriv --reuid 65534 --clear-groups bash -c '. "$1"; need "${packages_build[@]}"' bash "$work/packages.sh" > "$work/shown" 2>&1
	status=$?
	[[ $status == "$2" && $(cat "$work/shown") == "$3" ]] || fail "with the packages $1: status $status: $(cat "$work/shown")"
}
if ((EUID == 0)); then
	chmod 755 "$work" "$work/bin"
	cp "$source/tests/packages.sh" "$work"
	all=$(bash -c '. "$1"; echo "${packages_build[*]}"' bash "$work/packages.sh")
	ln -s "$(type -P setpriv)" "$work/bin/"
	wants "$all" 0 ''
	wants "${all/cmake }" 1 'These packages are missing, and there is no sudo. As root: apt-get install cmake'
	wants "$(sed 's/cmake //; s/ esbuild//' <<< "$all")" 1 \
		'These packages are missing, and there is no sudo. As root: apt-get install cmake; optional: esbuild'
	wants "${all/ esbuild}" 0 'Optional packages are missing, and there is no sudo. As root: apt-get install esbuild'
	rm "$work/bin/dpkg-query"
	wants '' 0 'This is no Debian: no packages are installed; docs/INSTALL.md has their names for other systems.'
fi
((failures)) || echo "analyse.sh builds and reports as it should"
exit $((failures > 0))
