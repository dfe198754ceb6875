#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares recordings of the lab with its load. Expectations come from the counts of the load programs, from their script,
# which is known beforehand, and from trace-cmd report.
# usage: cluster-check.sh flat|nested|kvm PROGRAM FOLDER WORK_DIR     FOLDER: recordings, totals.txt, script-*.txt if kept
here=$(cd "$(dirname "$0")" && pwd)
mode=$1 program=$2 folder=$3 work=$4
failures=0
export LC_ALL=C

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# guests (parts of the files' names) in the order of the nodes, and the expected clock in the report
if [[ $mode == flat ]]; then
	guests=(10.0.0.1 10.0.0.2 10.0.0.3) clocks="mono +yes, ptp"
else
	guests=(5 4 3) clocks="tsc2nsec +yes, kvm"
fi
files=("${guests[@]/#/trace-}")
files=("${files[@]/%/.dat}")

type -P trace-cmd > /dev/null || { echo "skipped: there is no trace-cmd"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
cd "$folder" || exit 1

has_iotrace()
{
	trace-cmd dump --systems -i "$1" | grep -q '^[[:space:]]*iotrace '
}

# The messages of the DLM assign recordings to nodes, and the paths that iotrace.ko records contain the names of lockspaces.
# Without iotrace.ko the names are given.
names=()
has_iotrace "${files[0]}" || names=(--lockspace test,gfs)
"$program" --quiet "${names[@]}" -o "text:$work/events.txt" \
	-o "report,tables:$work/report.txt" "${files[@]}" trace.dat || fail "analysis: status $?"

# total NODE PROGRAM NAME: the load's count
total()
{
	sed -n "s/^node$1: $2 .*\<$3=\([0-9]*\).*/\1/p" totals.txt
}

# equal WHAT GOT EXPECTED
equal()
{
	[[ $2 == "$3" ]] || fail "$1: $2 instead of $3"
}

# count NODE EVENT: in lockspace test
count()
{
	grep -cE " point \"test/[^\"]*/node $1\" event \"$2\"" "$work/events.txt"
}

check_report()
{
	local node=$1 file=trace-${guests[$1 - 1]}.dat
	grep -qE "^ +$file +node $node +node$node .* - +$clocks, [0-9]+ samples\$" "$work/report.txt" ||
		fail "node $node: not synchronised as it should be, or events were lost: $(grep -F " $file" "$work/report.txt")"
}

# On Linux 6.12 the load takes about one refusal in a hundred for a grant: the event says EAGAIN, and the program reads the status 0.
newer_kernel()
{
	local kernel
	kernel=$(awk '$1 == "'"${files[0]}"'" { print $5; exit }' "$work/report.txt")
	[[ $(printf '%s\n' "$kernel" 6.10 | sort -V | head -n 1) == 6.10 ]]
}

check_locks()
{
	local node=$1 mode grants refusals
	equal "node $node: lock calls" "$(count "$node" lock)" \
		$(($(total "$node" dlmload requests) + $(total "$node" dlmload conversions)))
	equal "node $node: unlock calls" "$(count "$node" unlock)" "$(total "$node" dlmload unlocks)"
	grants=$(count "$node" ast) refusals=$(count "$node" 'ast (EAGAIN|EDEADLK)')
	if newer_kernel; then
		equal "node $node: grants and refusals" $((grants + refusals)) \
			$(($(total "$node" dlmload granted) + $(total "$node" dlmload refused)))
	else
		equal "node $node: grants" "$grants" "$(total "$node" dlmload granted)"
		equal "node $node: refusals" "$refusals" "$(total "$node" dlmload refused)"
	fi
	equal "node $node: basts" "$(count "$node" bast)" "$(total "$node" dlmload basts)"
	for mode in NL CR CW PR PW EX PENDING; do
		grep -qE " span \"test/[^\"]*/node $node\" lock \"$mode\"" "$work/events.txt" ||
			fail "node $node: no state $mode in lockspace test"
	done
	grep -qE " span \"gfs/inode [^\"]*/node $node\" lock \"EX\"" "$work/events.txt" ||
		fail "node $node: no inode of GFS2 was held in EX"
}

# Each recovery of a lockspace is drawn of which the kernel said that it begins, and all have ended.
check_recoveries()
{
	local node=$1 begins
	trace-cmd report -N -F printk "trace-${guests[node - 1]}.dat" 2> /dev/null > "$work/console.txt"
	begins=$(grep -cE ' dlm: [^ ]+: dlm_recover [0-9]+ *$' "$work/console.txt")
	((begins)) || fail "node $node: no recovery, although nodes have joined"
	equal "node $node: recoveries" "$(grep -cE "^[0-9]+ span \"[^\"]*/recovery on node $node\" recovery \"recovery\"" "$work/events.txt")" "$begins"
	grep -E "/recovery on node $node\" recovery \"recovery\" .*flags=" "$work/events.txt" && fail "node $node: a recovery has no end"
}

# The calls of each thread in the form of the script: in the order of time, a line for each round.
recorded_rounds()
{
	sed -nE "s/^([0-9]+) point \"test\/(res[0-9]+)\/node $1\" event \"(lock|unlock)\".* pid=([0-9]+)(.*)/\1 \4 \2 \3\5/p" \
		"$work/events.txt" | sort -n | awk '
	{
		mode = $0
		sub(/.* mode="/, "", mode)
		sub(/".*/, "", mode)
		if ($4 == "unlock")
			round[$2] = round[$2] " -> unlock"
		else if (/CONVERT/)
			round[$2] = round[$2] " -> " mode
		else {
			if ($2 in round)
				print $2, round[$2]
			round[$2] = $3 ": " mode (/NOQUEUE/ ? " noqueue" : "")
		}
	}
	END { for (pid in round) print pid, round[pid] }'
}

# Threads have no names, but their first calls identify them. A refused round has only its first part.
check_script()
{
	local node=$1
	recorded_rounds "$node" > "$work/rounds-$node.txt"
	sed -E 's/^thread ([0-9]+) round [0-9]+: (res[0-9]+) /\1 \2: /' "script-node$node.txt" > "$work/script.txt"
	awk -v node="$node" '
	function matches(script, recorded)
	{
		return script == recorded ||
			(recorded ~ / noqueue$/ && index(script, recorded " ->") == 1)
	}
	{ who = $1; sub(/^[0-9]+ /, "") }
	NR == FNR { script[who, n_script[who]++] = $0; next }
	{ recorded[who, n_recorded[who]++] = $0 }
	END {
		for (pid in n_recorded) {
			best = 0
			for (thread in n_script) {
				for (n = 0; n < n_recorded[pid] && matches(script[thread, n], recorded[pid, n]); n++)
					;
				if (n > best)
					best = n
			}
			rounds += n_recorded[pid]
			if (best < n_recorded[pid]) {
				print "FAILED: node " node ", task " pid ": round " best " is not that of the script: " recorded[pid, best]
				bad = 1
			}
		}
		print "node " node ": " rounds " rounds follow the script"
		exit bad || rounds < 20
	}' "$work/script.txt" "$work/rounds-$node.txt" || failures=$((failures + 1))
}

# Events of the module: the process that calls fsync is the load; it has counted its calls on the device of GFS2.
check_files()
{
	local node=$1
	bash "$here/../events-report.sh" -N -F iotrace "trace-${guests[node - 1]}.dat" 2> /dev/null > "$work/iotrace.txt"
	awk '
	function value(name,   text)
	{
		text = $0
		if (!sub(".*[ =]" name "=", "", text))
			return ""
		sub(/ .*/, "", text)
		return text
	}
	{ event = $4 }
	event == "sync_start:" { load = value("tgid"); device = value("dev") }
	{ line[NR] = $0 }
	END {
		for (i = 1; i <= NR; i++) {
			$0 = line[i]
			event = $4
			id = value("id")
			if (event ~ /_start:$/ && value("tgid") == load &&
			    (value("dev") == device || (event ~ /^(open|meta)/ && value("path") ~ /^\/mnt\//))) {
				sub(/_start:/, "", event)
				if (event == "meta")
					event = value("op")
				n[event]++
				mine[id] = event
			} else if (event ~ /_end:$/ && id in mine && value("ret") > 0)
				bytes[mine[id]] += value("ret")
		}
		printf "opens=%d closes=%d writes=%d written=%d ", n["open"], n["close"], n["write"], bytes["write"]
		printf "reads=%d read=%d syncs=%d renames=%d stats=%d\n", n["read"], bytes["read"], n["sync"], n["rename"],
			n["stat"] + n["newfstatat"] + n["statx"]
	}' "$work/iotrace.txt" > "$work/files.txt"
	equal "node $node: file calls" "$(cat "$work/files.txt")" \
		"$(sed -n "s/^node$node: fileload rounds=[0-9]* //p" totals.txt)"
}

# The same calls in the model of file I/O: spans of the process, with path and result.
check_file_states()
{
	local node=$1
	awk -F '"' -v process=" span \"node $node/fileload " '
	index($0, process) && $3 ~ / io $/ && /path="\/mnt\// {
		n[$4]++
		if (match($0, /result="[0-9]+"/))
			bytes[$4] += substr($0, RSTART + 8, RLENGTH - 9)
	}
	END {
		printf "opens=%d closes=%d writes=%d written=%d ", n["open"] + n["open failed"], n["close"], n["write"], bytes["write"]
		printf "reads=%d read=%d syncs=%d meta=%d\n", n["read"], bytes["read"], n["sync"], n["meta"]
	}' "$work/events.txt" > "$work/files.txt"
	equal "node $node: file states" "$(cat "$work/files.txt")" "$(sed -n "s/^node$node: fileload rounds=[0-9]* \(.*\) renames.*/\1/p" \
		totals.txt) meta=$(($(total "$node" fileload renames) + $(total "$node" fileload stats)))"
}

set -- trace*.dat
equal recordings "$(printf '%s\n' "$@" | sort)" "$(printf '%s\n' trace.dat "${files[@]}" | sort)"
# clocks that are measured by messages err, the more on an emulated network, whose machines begin one after the other
sed -n '/^Diagnostics/,$p' "$work/report.txt" |
	{ grep -q 'yes, ptp' "$work/report.txt" && grep -vE 'clock samples that differ|links arrive before they leave|recorded before their cause|recordings begin long after' || cat; } |
	grep -E '^ +(warning|error|loss)' && fail "the report has warnings"
for node in 1 2 3; do
	check_report "$node"
	check_locks "$node"
	# recorded with printk:console?
	! trace-cmd dump --systems -i "trace-${guests[node - 1]}.dat" | grep -q '^[[:space:]]*printk ' || check_recoveries "$node"
	[[ ! -e script-node$node.txt ]] || check_script "$node"
	# recorded with iotrace.ko?
	has_iotrace "trace-${guests[node - 1]}.dat" || continue
	check_files "$node"
	check_file_states "$node"
done
((failures)) || echo "the recordings match the load"
exit $((failures > 0))
