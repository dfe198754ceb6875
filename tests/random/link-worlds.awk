# SPDX-License-Identifier: GPL-2.0-or-later
# The links that recordings determine, by trying every assignment of from-ends to to-ends. To be used with another awk program,
# which fills in, for machine m: begin[m], end[m], gaps[m], gap_from[m, i], gap_to[m, i], by its clock; for message n: key[n],
# has_from[n], from_at[n] (machine), sent[n], has_to[n], to_at[n], came[n]; and machines, all (messages), error (of clocks), within,
# unique, many. solve(KEY) calls its functions link(F, T), from_end("ambiguous"|"unmatched", F) and to_end(..., T).
# Whether a machine may lack events between two times of the clock of machine @of
function may_lack(of, t0, t1,    m, e, i)
{
	for (m = 1; m <= machines; m++) {
		e = m == of ? 0 : error
		if (t0 - e < begin[m] || t1 + e > end[m])
			return 1
		for (i = 1; i <= gaps[m]; i++)
			if (t0 - e <= gap_to[m, i] && t1 + e >= gap_from[m, i])
				return 1
	}
	return 0
}
function possible(f, t,    e)
{
	e = from_at[f] == to_at[t] ? 0 : error
	return sent[f] <= came[t] + e && (unique || came[t] <= sent[f] + within + e)
}
# Try every assignment for the to-ends that have a recorded from-end, from the @k-th of the list on
function try_all(k,    i, f, t)
{
	if (k > n_sure) {
		worlds++
		for (i = 1; i <= n_sure; i++)
			seen[sure[i], chosen[sure[i]]]++
		for (i = 1; i <= n_unsure; i++) {
			t = unsure[i]
			for (f = 1; f <= n_key_from; f++)
				if (!(key_from[f] in taken) && possible(key_from[f], t))
					seen[t, key_from[f]] = 1
		}
		return
	}
	t = sure[k]
	for (f = 1; f <= n_key_from; f++) {
		if (key_from[f] in taken || !possible(key_from[f], t))
			continue
		if (!many)
			taken[key_from[f]]
		chosen[t] = key_from[f]
		try_all(k + 1)
		delete taken[key_from[f]]
	}
}
# The ends with key @k. Returns 0 if there are too many assignments, -1 if there is none.
function solve(k,    tries, partners, n, n_seen, only, i, f, t)
{
	n_key_from = n_sure = n_unsure = 0
	tries = 1
	for (n = 1; n <= all; n++)
		if (key[n] == k && has_from[n])
			key_from[++n_key_from] = n
	for (n = 1; n <= all; n++) {
		if (key[n] != k || !has_to[n])
			continue
		partners = 0
		for (f = 1; f <= n_key_from; f++)
			partners += possible(key_from[f], n)
		if (partners > 0 && !(!unique && may_lack(to_at[n], came[n] - within, came[n]))) {
			sure[++n_sure] = n
			tries *= partners
		}
		else
			unsure[++n_unsure] = n
	}
	# too many to try
	if (!many && tries > 100000)
		return 0
	delete seen
	delete taken
	worlds = 0
	if (many) {
		for (i = 1; i <= n_sure; i++)
			for (f = 1; f <= n_key_from; f++)
				if (possible(key_from[f], sure[i]))
					seen[sure[i], key_from[f]] = 1
		for (i = 1; i <= n_unsure; i++)
			for (f = 1; f <= n_key_from; f++)
				if (possible(key_from[f], unsure[i]))
					seen[unsure[i], key_from[f]] = 1
	} else {
		try_all(1)
		if (!worlds)
			return -1
	}
	delete matched
	delete doubtful
	for (i = 1; i <= n_sure; i++) {
		t = sure[i]
		n_seen = 0
		for (f = 1; f <= n_key_from; f++)
			if ((t, key_from[f]) in seen) {
				n_seen++
				only = key_from[f]
			}
		if (n_seen == 1) {
			matched[only]
			link(only, t)
			continue
		}
		to_end("ambiguous", t)
		for (f = 1; f <= n_key_from; f++)
			if ((t, key_from[f]) in seen)
				doubtful[key_from[f]]
	}
	for (i = 1; i <= n_unsure; i++) {
		t = unsure[i]
		n_seen = 0
		for (f = 1; f <= n_key_from; f++)
			if ((t, key_from[f]) in seen) {
				n_seen++
				doubtful[key_from[f]]
			}
		to_end(n_seen ? "ambiguous" : "unmatched", t)
	}
	for (f = 1; f <= n_key_from; f++)
		if (!(key_from[f] in matched))
			from_end((key_from[f] in doubtful) ? "ambiguous" : "unmatched", key_from[f])
	return 1
}
