# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# Sourced by the tests of failures. Usage of each: fault-NAME.sh PROGRAM SOURCE_DIR
#
# Every case runs the program in an empty folder and checks the rules of failures: the right exit status, one line on
# standard error that names the failed thing, no half-written output and no temporary file.

program=$1 source_dir=$2
. "${0%/*}/../outputs-lib.sh"
examples=$source_dir/examples/dlm
failures=0 cases=0

scratch=$(mktemp -d "${TMPDIR:-/tmp}/fault.XXXXXX") || exit 2
cleanup=()
# shellcheck disable=SC2317 # called by trap
finish()
{
	local step
	for step in "${cleanup[@]}"; do
		eval "$step"
	done
	rm -rf "$scratch"
}
trap finish EXIT

mkdir "$scratch/work" "$scratch/tmp" "$scratch/in"
export TMPDIR=$scratch/tmp LC_ALL=C
unset IOTRACE_FAULT IOTRACE_MODELS NO_COLOR
in=$scratch/in		# recordings and models; must stay as they are
cd "$scratch/work" || exit 2

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

skip()
{
	echo "skipped: $*"
}

skip_all()
{
	echo "skipped: $*"
	exit 77
}

has_faults()
{
	"$program" --version | grep -q 'fault injection'
}

# Lists the folders that the program may write to, with temporary files.
left_over()
{
	find . "$TMPDIR" -mindepth 1 -printf '%P\n' | LC_ALL=C sort | paste -sd ' '
}

# run ARGUMENT...: status, out and err are set
run()
{
	cases=$((cases + 1))
	"$program" "$@" > "$scratch/out" 2> "$scratch/err"
	status=$?
}

# check_message NAME TEXT...: one line on standard error with every TEXT in it
check_message()
{
	local name=$1 lines text
	shift
	lines=$(wc -l < "$scratch/err")
	if ((lines != 1)) || ! grep -q '^iotrace-analyze: .' "$scratch/err"; then
		fail "$name: $lines lines on standard error instead of one message:"
		head -n 20 "$scratch/err"
		return
	fi
	for text; do
		grep -qF -- "$text" "$scratch/err" ||
			fail "$name: \"$text\" is missing in: $(cat "$scratch/err")"
	done
}

check_status()
{
	[[ " $2 " == *" $status "* ]] || {
		fail "$1: status $status instead of ${2// / or }: $(head -c 2000 "$scratch/err")"
		return 1
	}
}

# check_clean NAME: no files are left
check_clean()
{
	local left
	left=$(left_over)
	[[ -z $left ]] || fail "$1: files are left: $left"
	find . "$TMPDIR" -mindepth 1 -delete
}

# refuse NAME STATUS TEXT... -- ARGUMENT...: the run must fail with this status (or one of them: "2 3") and leave nothing
refuse()
{
	local name=$1 wanted=$2 texts=()
	shift 2
	while [[ $1 != -- ]]; do
		texts+=("$1")
		shift
	done
	shift
	run "$@"
	check_status "$name" "$wanted"
	check_message "$name" "${texts[@]}"
	check_clean "$name"
}

summary()
{
	echo "$cases runs, $failures failures"
	((cases)) || exit 1
	((failures == 0))
	exit
}

# A small text recording: one lock is taken, converted and released; $1 is the host's name.
text_recording()
{
	cat <<-END
	iotrace-text 1
	hostname $1
	sync yes
	1000 0 42 dlm:dlm_lock_start ls_id=7 lkb_id=1 mode=5 flags=0 res_name="A" error=0
	1200 0 42 dlm:dlm_lock_end ls_id=7 lkb_id=1 mode=5 flags=0 res_name="A" error=0
	1500 0 9 dlm:dlm_ast ls_id=7 lkb_id=1 sb_flags=0 sb_status=0 res_name="A"
	2000 0 42 dlm:dlm_unlock_start ls_id=7 lkb_id=1 flags=0 res_name="A"
	2100 0 42 dlm:dlm_unlock_end ls_id=7 lkb_id=1 flags=0 error=0 res_name="A"
	2500 0 9 dlm:dlm_ast ls_id=7 lkb_id=1 sb_flags=0 sb_status=-65538 res_name="A"
	END
}
