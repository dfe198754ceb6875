#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of an end of a [link] beside that of an end of a [pair]: instructions (callgrind) for each end in the smallest model of
# each, without those of a model that only draws something else at the same events. The same events, one machine, one key.
# usage: link-cost.sh ANALYZE [PAIRS], a release build
set -euo pipefail
export LC_ALL=C
analyze=$(readlink -f "$1") pairs=${2:-20000}
dir=$(mktemp -d "${TMPDIR:-/tmp}/link-cost.XXXXXX")
trap 'rm -rf "$dir"' EXIT

recording()
{
	awk -v n="$1" 'BEGIN {
		print "iotrace-text 1\nsync yes"
		for (i = 1; i <= n; i++)
			printf "%d 0 5 x:send id=%d\n%d 0 5 x:receive id=%d\n", 1000 * i, i, 1000 * i + 500, i
	}' > "$dir/$1"
}

model()
{
	cat > "$dir/$1.model" <<- 'END'
		[model]
		name   = x
		system = x

		[container node]
		in   = root
		id   = {@node}
		name = {@node_name}
		role = node

		[view Nodes]
		columns = node

	END
	cat >> "$dir/$1.model"
}

# Both events are decoded, and nothing is drawn
model read <<- 'END'
	[points none]
	on = node
	value never = blue

	[point send]
	event  = send
	when   = id == 0
	points = none
	value  = never

	[point receive]
	event  = receive
	when   = id == 0
	points = none
	value  = never
END
model pair <<- 'END'
	[values call]
	on = node
	value call = blue

	[pair call]
	start = send
	end   = receive
	key   = id

	[state call]
	call   = call
	values = call
	value  = call
END
model link <<- 'END'
	[links message]
	value message = blue

	[link message]
	links  = message
	from   = event send
	to     = event receive
	key    = id
	unique = yes
	on     = node
	value  = message
END

instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$analyze" -q --threads 1 --index off -m "$dir/$1.model" \
		-o "null:$dir/out" "$dir/$2" 2>&1 | sed -n 's/.*Collected : //p'
}

recording "$pairs"
recording $((2 * pairs))
declare -A cost
for what in read pair link; do
	cost[$what]=$((($(instructions $what $((2 * pairs))) - $(instructions $what "$pairs")) / (2 * pairs)))
done
awk -v read="${cost[read]}" -v pair="${cost[pair]}" -v link="${cost[link]}" 'BEGIN {
	printf "an event without effect: %d instructions\nan end of a pair: %d more\nan end of a link: %d more\nratio: %.2f\n",
		read, pair - read, link - read, (link - read) / (pair - read)
}'
