#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# analyse.sh of the examples builds everything that the README's tour needs, and reports its steps and outputs. In this test,
# stand-ins replace the compiler and the program, in a copy of the scripts.
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

mkdir -p "$work"/{bin,tests,examples/dlm,build/release/analyzer}
cp "$source/examples/analyse-recording.sh" "$work/examples"
cp "$source/examples/dlm/analyse.sh" "$work/examples/dlm"
cat > "$work/tests/packages.sh" << 'EOF'
packages_build=(gcc)
need() { echo "needs $*" >> "$calls"; }
EOF
cat > "$work/bin/cmake" << 'EOF'
#!/bin/sh
echo "cmake $*" >> "$calls"
echo "[ 50%] Building"
test ! -e "$calls.fail"
EOF
cat > "$work/build/release/analyzer/iotrace-analyze" << 'EOF'
#!/bin/bash
for word; do
	[[ $word == report:* ]] && echo "the report" > "${word#report:}"
done
exit 0
EOF
chmod +x "$work/bin/cmake" "$work/build/release/analyzer/iotrace-analyze"
export calls=$work/calls PATH=$work/bin:$PATH

"$work/examples/dlm/analyse.sh" "$work/out" > "$work/shown" 2> "$work/err" || fail "status $?"
for step in '1 of 3' '2 of 3' '3 of 3'; do
	grep -q "^$step" "$work/err" || fail "it does not say $step: $(cat "$work/err")"
done
grep -qx 'needs gcc' "$calls" || fail "packages are not asked for"
# the program, the plugins in the tour's TRACEEVENT_PLUGIN_DIR, and the manual
for target in iotrace-analyze plugin_dlm plugin_iotrace man; do
	grep -q -- "--build .*--target.* $target\b" "$calls" || fail "$target is not built: $(cat "$calls")"
done
grep -qx 'the report' "$work/shown" || fail "the report is not shown"
for file in iotrace.html iotrace.slog2 iotrace.slog2.rows.tsv iotrace.paje report.txt; do
	grep -qF "$file" "$work/shown" || fail "it does not say that it wrote $file"
done

touch "$calls.fail"
"$work/examples/dlm/analyse.sh" "$work/out" > "$work/shown" 2> "$work/err" && fail "a failed build is not noticed"
grep -q '^The build failed' "$work/err" || fail "a failed build is not reported: $(cat "$work/err")"
((failures)) || echo "analyse.sh builds and reports as it should"
exit $((failures > 0))
