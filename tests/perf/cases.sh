# SPDX-License-Identifier: GPL-2.0-or-later
# The cases of the benchmark and of the checks: name and fixed settings of the generator. Sourced by the scripts.
# Other settings have gen-dat's defaults; --events, --seed and --truth come from the script.

# A typical recording of a cluster: mostly other events, three nodes and the host, trace-cmd's defaults.
case_cluster="--load dlm --guests 3 --cpus 4 --host --interest 30 --tsc2nsec --resources 64 --tasks 16"
case_cluster_zstd="$case_cluster --compression zstd"
# Only events that the models want: the highest load of joining and output.
case_dense="--load dlm --guests 3 --cpus 1 --interest 100 --resources 64 --tasks 16"
case_io="--load io --guests 2 --cpus 4 --interest 100 --tasks 16"
case_io_zstd="$case_io --compression zstd"
case_many_cpus="--load mixed --guests 2 --cpus 64 --interest 50 --resources 64 --tasks 16"
# The same load in one file, three, and sixty-four; the models want all events, or hardly any.
spread_1="--guests 1 --cpus 4 --tasks 16 --compression zstd --load io"
spread_3="--guests 3 --cpus 4 --tasks 16 --compression zstd --load io"
spread_64="--guests 64 --cpus 2 --tasks 16 --compression zstd --load io --offset 25153412940"
case_io_1="$spread_1 --interest 100"
case_io_3="$spread_3 --interest 100"
case_io_64="$spread_64 --interest 100"
case_rare_1="$spread_1 --interest 1"
case_rare_3="$spread_3 --interest 1"
case_rare_64="$spread_64 --interest 1"
# One CPU of one file has all events.
case_rare_cpu="--guests 1 --cpus 1 --tasks 16 --compression zstd --load io --interest 1"
cases="cluster cluster_zstd dense io io_zstd many_cpus io_1 io_3 io_64 rare_1 rare_3 rare_64 rare_cpu"

# Growth of cost: all settings except one.
scale_base="--load mixed --resources 64 --tasks 16 --tsc2nsec --compression zstd"
sweeps="files cpus open rows interest events"

# Memory: only interesting events, so that all queues fill early.
memory_plain="$case_dense"
memory_zstd="--load dlm --guests 3 --cpus 2 --tsc2nsec --resources 64 --tasks 16 --compression zstd"
memories="plain zstd"
# 3000 processes want one lock.
memory_crowd="--load dlm --guests 3 --cpus 1 --interest 100 --resources 1 --tasks 1000"

# Long recordings of which all outputs are compared.
equal_lock="$case_cluster_zstd --loss 20"
equal_file="--load io --guests 2 --cpus 2 --interest 50 --tasks 16 --tsc2nsec --compression zstd --loss 20"
equals="lock file"

# Truth: all corrections of clocks, names of every kind, several lockspaces. No losses.
truth_kvm="--guests 3 --cpus 2 --host --interest 80 --resources 12 --lockspaces 3"
truth_kvm_tsc="$truth_kvm --tsc2nsec --compression zstd"
truth_ptp="--guests 4 --cpus 3 --interest 60 --protocol ptp --samples 4 --sample-ms 200 --drift 50"
truth_ptp_be="$truth_ptp --endian be --word 4 --version 6 --offset -5000000000,1234567,-1,99999999999"
truth_busy="--guests 8 --cpus 1 --resources 3 --tasks 8"
truth_tiny_pages="--guests 2 --page-size 1024 --resources 40 --tasks 1"
truth_messages="--load cluster --guests 3 --cpus 2 --resources 12 --lockspaces 3"
truth_messages_text="--load cluster --text --guests 5 --cpus 2 --resources 6 --tasks 8"
truth_messages_new="$truth_messages_text --kernel 6.12 --delay message=2,callback=2,hold=5"
truth_calls="--load rpc --guests 4 --cpus 3 --interest 70 --tsc2nsec --compression zstd"
truth_calls_text="--load rpc --text --guests 5 --cpus 2 --tasks 7"
truth_calls_one="--load rpc --text --guests 1 --cpus 1"
truths="kvm kvm_tsc ptp ptp_be busy tiny_pages messages messages_text messages_new calls calls_text calls_one"

# The same with losses: the test looks for contradictions only.
loss_few="--guests 3 --cpus 2 --resources 8 --loss 3"
loss_many="--guests 3 --cpus 2 --resources 8 --loss 100 --compression zstd"
loss_tsc="--guests 2 --cpus 4 --host --interest 40 --resources 8 --loss 20 --tsc2nsec --protocol ptp"
loss_messages="--load cluster --guests 3 --cpus 2 --resources 8 --tasks 8 --loss 20"
loss_messages_text="--load cluster --text --guests 4 --cpus 2 --resources 8 --loss 20"
loss_messages_new="$loss_messages_text --kernel 6.12"
loss_calls="--load rpc --guests 4 --cpus 2 --loss 20"
loss_calls_text="--load rpc --text --guests 3 --cpus 3 --loss 50"
losses="few many tsc messages messages_text messages_new calls calls_text"

# shellcheck disable=SC2034 # used by the scripts before an awk program, median("3 1 2") is 2
awk_median='
function median(list,    n, v, i, k, t) {
	n = split(list, v, " ")
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && v[k] + 0 < v[k - 1] + 0; k--) { t = v[k]; v[k] = v[k - 1]; v[k - 1] = t }
	return n % 2 ? v[(n + 1) / 2] + 0 : (v[n / 2] + v[n / 2 + 1]) / 2
}'

# setting GROUP NAME - print the settings of a case
setting()
{
	local variable="${1}_$2"
	if [ -z "${!variable:-}" ]; then
		echo "no such case: $2" >&2
		return 1
	fi
	echo "${!variable}"
}

# make_case GEN-DAT GROUP NAME OUT [OPTION...] - generate a case
make_case()
{
	local gen=$1 group=$2 name=$3 out=$4 args
	shift 4
	args=$(setting "$group" "$name") || return
	# shellcheck disable=SC2086 # the settings are words
	"$gen" $args "$@" "$out"
}
