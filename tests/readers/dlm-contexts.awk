# SPDX-License-Identifier: GPL-2.0-or-later
# Which call or message caused each message of the DLM, from the text of `trace-cmd report -l -N -t`, one file per node, each given as:
# node=NAME FILE. A thread sends within its call. A softirq of a processor sends within the message that it handles: the call that it
# interrupts has not sent it. Prints for each: node NODE KIND TYPE, and last the number of messages sent in each context, and of
# events in an interrupt or softirq.

function field(name,    rest)
{
	rest = $0
	if (!sub(".*[ :]" name "=", "", rest))
		return ""
	sub(/ .*/, "", rest)
	return rest
}

FNR == 1 { split("", kind); split("", place) }

# COMM-PID CPU FLAGS TIME: EVENT: FIELDS, where FLAGS are four: interrupts off, reschedule, s(oftirq) or h(ardirq), and the depth
!match($0, /-[0-9]+ +[0-9]+[^ ]+ +[0-9]+\.[0-9]+: +dlm_[a-z_]+: /) { next }

{
	split(substr($0, RSTART + 1, RLENGTH - 1), word, /[ :]+/)
	event = word[4]
	context = substr(word[2], match(word[2], /[^0-9]/) + 2, 1)
	soft = context ~ /[sSH]/
	flow = soft ? "cpu " word[2] + 0 : word[1]
}

event ~ /^dlm_(send_message|recv_message|ast|bast|lock_start|lock_end|unlock_start|unlock_end)$/ { interrupted += context ~ /[sShHzZ]/ }

event == "dlm_recv_message" {
	kind[flow] = "message sends"
	place[flow] = field("h_lockspace")
}

event == "dlm_lock_start" || event == "dlm_unlock_start" {
	kind[flow] = event == "dlm_lock_start" ? "lock sends" : "unlock sends"
	place[flow] = field("ls_id")
}

event == "dlm_lock_end" || event == "dlm_unlock_end" { delete kind[flow] }

event == "dlm_send_message" && field("m_type") != "REMOVE" {
	sent[soft ? "softirq" : "task"]++
	if (flow in kind && place[flow] == field("h_lockspace"))
		print "node " node " " kind[flow] " " field("m_type")
}

END {
	print "interrupted " interrupted
	for (context in sent)
		print "sent in " context " " sent[context]
}
