#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzz with libFuzzer, address and undefined-behaviour sanitizers. Crashing inputs are left in BUILD_DIR; put
# them into tests/fuzz/corpus/TARGET when the bug is fixed.
# A finding is status 1 (libFuzzer's own status, 77, would mean "skipped" here).
# usage: run-fuzz.sh [SECONDS [BUILD_DIR [RUNS [models]]]]
#   SECONDS  for all targets together, default 60; 0: no limit
#   RUNS     inputs for each target; default: as many as possible in the time
#   models   only the target model, from each shipped model alone, SECONDS and RUNS for each
set -e
source=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
build=${2:-$source/build/fuzz}
runs=${3:--1}
targets=(text strace clog2 preload ganglia slurm rastro dat model names)
pkg-config --exists otf2 && targets+=(otf2)
[[ $4 == models ]] && targets=(model)

command -v clang > /dev/null || { echo "clang is missing (apt install clang)"; exit 77; }
mkdir -p "$build"
cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
	-DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DIOT_FUZZER=ON \
	-DIOT_SANITIZE=address,undefined,fuzzer-no-link > "$build/log" 2>&1 ||
	{ cat "$build/log"; exit 1; }
cmake --build "$build" -j"$(nproc)" --target gen-dat "${targets[@]/#/fuzz-}" > "$build/log" 2>&1 ||
	{ tail -n 30 "$build/log"; exit 1; }

# fuzz TARGET SECONDS CORPUS SEEDS...
fuzz()
{
	mkdir -p "$3"
	"$build/tests/fuzz/fuzz-$1" -max_total_time="$2" -runs="$runs" -timeout=20 -rss_limit_mb=2048 -error_exitcode=1 \
		-print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$1-" "${@:3}"
}

if [[ $4 == models ]]; then
	for model in "$source"/events/models/*.model; do
		name=$(basename "$model" .model)
		echo "$name.model"
		mkdir -p "$build/corpus/seed-$name"
		cp "$model" "$build/corpus/seed-$name/"
		fuzz model "$seconds" "$build/corpus/model-$name" "$build/corpus/seed-$name"
	done
	exit 0
fi
ASAN_OPTIONS=detect_leaks=0 bash "$source/tests/fuzz/make-seeds.sh" \
	"$build/tests/perf/gen-dat" "$build/corpus/seeds-dat" 65536 131072
for format in clog2 preload ganglia slurm rastro; do
	[[ -d $build/corpus/seeds-$format ]] || bash "$source/tests/fuzz/replay-made.sh" $format - 40 "$build/corpus/seeds-$format"
done
for target in "${targets[@]}"; do
	seeds=()
	for folder in "$source/tests/fuzz/corpus/$target" "$build/corpus/seeds-$target"; do
		[[ -d $folder ]] && seeds+=("$folder")
	done
	[[ $target == model ]] && seeds+=("$source/events/models")
	if ((seconds)); then
		echo "fuzz-$target: $((seconds / ${#targets[@]})) seconds"
	else
		echo "fuzz-$target: $runs runs"
	fi
	fuzz "$target" $((seconds / ${#targets[@]})) "$build/corpus/$target" "${seeds[@]}"
done
