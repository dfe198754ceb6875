# SPDX-License-Identifier: GPL-2.0-or-later
# libiotrace-calls with the module, and its example: every event of a call carries the client's id.
. ./vm-lib.sh
for program in calls-library calls-library-static; do
	"$program" || fail "$program"
	rmmod iotrace || fail "rmmod after $program"
done

load || fail "insmod"
EVENTS="-e iotrace:call_start -e iotrace:call_end -e iotrace:call_done" record rpc example-rpc both 200 || fail "example-rpc"
trace-cmd report -N -i "$OUT/rpc.dat" > /tmp/report || fail "report"
awk '
/domain=example-rpc/ {
	match($0, /call_[a-z]*:/)
	event = substr($0, RSTART, RLENGTH)
	match($0, / id=[0-9]+/)
	id = substr($0, RSTART, RLENGTH)
	side = /domain=example-rpc server / ? "server" : "client"
	n[side " " event]++
	order[id] = order[id] " " side " " event
}
END {
	for (id in order) {
		ids++
		# The server may be asked before the call of the client has returned.
		sub(/ client call_end:/, "", order[id])
		if (order[id] != " client call_start: server call_start: server call_end: client call_done:") {
			print "id" id ":" order[id]
			bad = 1
		}
	}
	print ids " calls, " n["client call_end:"] " have returned"
	exit bad || ids != 200 || n["client call_end:"] != 200
}' /tmp/report || fail "the calls of example-rpc"
