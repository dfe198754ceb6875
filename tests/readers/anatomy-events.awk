# SPDX-License-Identifier: GPL-2.0-or-later
# The events of the DLM in the text of `trace-cmd report -N -t`, one file per node, each given as: node=NAME FILE, as lines for
# anatomy.awk, to be sorted by time:
#   TIME call|return|uncall|ast|bast NODE LOCKSPACE LOCK RESOURCE PID MODE FLAGS RESULT
#   TIME message NODE LOCKSPACE LOCK RESOURCE TYPE SENT RECEIVED NODE-TO LOCK-THERE
# A message was received where all that both events record is equal; its TIME is the later one. Sequence numbers begin anew with a
# connection, so two messages may be equal: the first was received first.

function field(name,    rest)
{
	rest = $0
	if (!sub(".*[ :]" name "=", "", rest))
		return "-"
	sub(/ .*/, "", rest)
	return rest == "" ? "-" : rest
}

# lkb_id is printed in hexadecimal digits, m_lkid in decimal ones
function decimal(hex,    i, n)
{
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n + 0
}

!/ dlm_[a-z_]+: / { next }

{
	for (i = 1; i <= NF && $i !~ /^[0-9]+\.[0-9]+:$/; i++)
		;
	split(substr($i, 1, length($i) - 1), part, ".")
	now = part[1] * 1000000000 + part[2]
	event = $(i + 1)
	match($0, /-[0-9]+ +\[[0-9]+\]/)
	pid = substr($0, RSTART + 1) + 0
}

event ~ /^dlm_(send|recv)_message:/ {
	contents = $0
	sub(/.* dlm_(send|recv)_message: */, "", contents)
	sub(/ m_extra=.*/, "", contents)
	contents = contents " " ++n_equal[event, contents]
	if (event ~ /recv/) {
		came[contents] = now
		receiver[contents] = node
		next
	}
	sent[contents] = now
	name = field("res_name")
	sub(/^0x/, "", name)
	kind[contents] = node " " field("h_lockspace") " " field("m_lkid") " " (name == "" ? "-" : name) " " field("m_type")
	other[contents] = field("m_remid")
	next
}

{
	what = event ~ /lock_start/ ? (event ~ /unlock/ ? "uncall" : "call") : event ~ /_end/ ? "return" : event ~ /bast/ ? "bast" : "ast"
	printf "%.0f %s %s %s %d %s %d %s %s %s\n", now, what, node, field("ls_id"), decimal(field("lkb_id")), field("res_name"), pid, field("mode"),
		field("flags"), event ~ /_end/ ? field("error") : field("sb_status")
}

END {
	for (contents in sent)
		if (contents in came) {
			split(kind[contents], part, " ")
			printf "%.0f message %s %.0f %.0f %s %s\n", (sent[contents] > came[contents] ? sent[contents] : came[contents]), kind[contents],
				sent[contents], came[contents], receiver[contents], other[contents]
		}
}
