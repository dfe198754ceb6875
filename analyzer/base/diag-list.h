/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every anomaly has one row: name, severity, whether it means a damaged recording, and a sentence
 * for the user that follows the number ("3: an end event had no start; ..."). The rows make the
 * enum, the texts and the table in the manual. tests/diag-coverage.sh wants a test for each.
 *
 * NOTICE: normal at the edges of a recording. WARN: the result may be wrong in detail.
 * LOSS: something that was recorded, or should have been, is missing from the result.
 * With --strict WARN and LOSS fail the run. A recording that is DAMAGED ends it with exit status 2.
 */
/* clang-format off: one row a line */
/* input */
IOT_DIAG(events_lost,            LOSS,   INTACT,  "events were lost while recording; enlarge the ring buffer (trace-cmd record -b)")
IOT_DIAG(gaps,                   LOSS,   INTACT,  "gaps with lost or unreadable events; states across them are shown as unknown")
IOT_DIAG(page_damaged,           LOSS,   DAMAGED, "ring-buffer pages were damaged; the rest of each page was skipped")
IOT_DIAG(chunk_damaged,          LOSS,   DAMAGED, "compressed chunks could not be unpacked and were skipped")
IOT_DIAG(file_cut,               LOSS,   DAMAGED, "parts of the file end before their recorded size; the file was cut")
IOT_DIAG(file_salvaged,          LOSS,   DAMAGED, "files had lost their table of contents; pages were found by searching")
IOT_DIAG(option_damaged,         WARN,   DAMAGED, "options of the file were malformed and ignored")
IOT_DIAG(format_unparsed,        WARN,   DAMAGED, "event formats could not be parsed; these events were skipped")
IOT_DIAG(field_damaged,          WARN,   INTACT,  "event fields pointed outside their event; the value was taken as empty")
IOT_DIAG(event_unknown_id,       WARN,   INTACT,  "events had an id without a format in the file and were skipped")
IOT_DIAG(clock_stepped_back,     WARN,   INTACT,  "time stamps ran backwards within one CPU and were clamped")
IOT_DIAG(clock_unsynchronised,   WARN,   INTACT,  "inputs carry no time synchronisation; their times cannot be compared")
IOT_DIAG(clock_no_samples,       WARN,   INTACT,  "CPUs have no clock samples; their times were left uncorrected")
IOT_DIAG(clock_scaled,           NOTICE, INTACT,  "CPUs have a clock that the host scales; converted with the ratio of the recording, to one cycle")
IOT_DIAG(clock_error_widened,    WARN,   INTACT,  "inputs have clock samples that differ by more than the assumed error (--clock-assume ptp); the bounds of their times were widened")
IOT_DIAG(clock_rate_widened,     WARN,   INTACT,  "inputs have clock samples whose rate changes by more than is assumed (--clock-assume rate); the bounds of their times were widened")
IOT_DIAG(clock_drift,            WARN,   INTACT,  "inputs have clock samples that drift more than two working clocks can (--clock-assume drift); their times have no bound")
IOT_DIAG(clock_contradicted,     WARN,   INTACT,  "links run backwards by more than the bounds of both clocks allow; the order of these machines is not as their times say")
IOT_DIAG(clock_differs,          WARN,   INTACT,  "inputs use a trace clock that differs from the first input's")
IOT_DIAG(clock_disjoint,         WARN,   INTACT,  "inputs have no time in common with the first input")
IOT_DIAG(peer_differs,           WARN,   INTACT,  "inputs were synchronised with different recordings (trace ids differ)")
IOT_DIAG(same_recording,         WARN,   INTACT,  "an input has trace id and host name of another: it is a copy or a part of that recording, and no other machine")
IOT_DIAG(map_contradicted,       WARN,   INTACT,  "recordings are mapped (--map) to another node than the one that their own messages name")
IOT_DIAG(recording_begins_late,  WARN,   INTACT,  "recordings begin long after the others (--early-end): their machines are not observed before")
IOT_DIAG(recording_ends_early,   WARN,   INTACT,  "recordings end long before the others (--early-end): their machines were quiet, or no longer recorded, and are unknown from there on")
/* joining */
IOT_DIAG(pair_end_without_start, NOTICE, INTACT,  "an end event had no start; the call began before the recording or in a gap")
IOT_DIAG(pair_start_without_end, NOTICE, INTACT,  "a call was still open at the end of the recording")
IOT_DIAG(tie_by_cause,           NOTICE, INTACT,  "an event had the time of another CPU's event that must have been before it; it was applied after that one")
IOT_DIAG(fields_repaired,        NOTICE, INTACT,  "an event had fields that its kernel writes wrongly; they were recognised and put right")
IOT_DIAG(call_closed_by_gap,     LOSS,   INTACT,  "a call was open when events were lost; its end is unknown")
IOT_DIAG(call_restarted,         WARN,   INTACT,  "a call started again before it ended; the first was closed as unfinished")
IOT_DIAG(call_while_pending,     WARN,   INTACT,  "a call was accepted while another on the same object was still pending")
IOT_DIAG(done_without_call,      NOTICE, INTACT,  "a completion had no accepted call; the call was made before the recording or in a gap")
IOT_DIAG(done_before_return,     NOTICE, INTACT,  "a completion was recorded before its call returned (normal, handled)")
IOT_DIAG(notice_before_return,   NOTICE, INTACT,  "an event on an object was recorded while a call on it was running; it was applied after the call")
IOT_DIAG(defer_overflow,         WARN,   INTACT,  "too many events waited for one call to return; the call was taken as unfinished")
IOT_DIAG(object_before,          NOTICE, INTACT,  "an object existed before the recording; its state is unknown until it changes")
IOT_DIAG(object_again,           WARN,   INTACT,  "an id was used after it had been seen to end, and was not seen to begin again; events are missing")
IOT_DIAG(object_reused,          NOTICE, INTACT,  "an id was used again before its former use had been seen to end")
IOT_DIAG(object_open_at_end,     NOTICE, INTACT,  "an object was still alive at the end of the recording")
IOT_DIAG(state_end_unseen,       WARN,   INTACT,  "a state ended at an unknown instant while a call waited; it is drawn up to the call's completion")
IOT_DIAG(state_unknown_by_gap,   LOSS,   INTACT,  "a state became unknown because events were lost")
IOT_DIAG(open_evicted,           LOSS,   INTACT,  "too many objects or calls were open at once; raise --max-open")
IOT_DIAG(keys_evicted,           LOSS,   INTACT,  "too many keys were remembered at once; the oldest was forgotten (--max-open)")
IOT_DIAG(link_unmatched,         NOTICE, INTACT,  "ends of links had no partner in the recordings; the table of links has the reasons")
IOT_DIAG(link_ambiguous,         NOTICE, INTACT,  "ends of links had several possible partners and were not linked")
IOT_DIAG(link_backwards,         WARN,   INTACT,  "links arrive before they leave, by the clocks of the two machines")
IOT_DIAG(link_retransmitted,     NOTICE, INTACT,  "a message was sent again while it was open; its link begins at the first time")
IOT_DIAG(link_key_reused,        NOTICE, INTACT,  "the key of a link was used again while another from-end with it was open")
IOT_DIAG(stub_without_row,       NOTICE, INTACT,  "ends of links had no partner, and their rows depend on the partner: they have no stub")
IOT_DIAG(link_evicted,           LOSS,   INTACT,  "too many ends of links were open at once; the oldest was forgotten (--max-open)")
IOT_DIAG(vcpu_unknown,           NOTICE, INTACT,  "virtual CPUs were recorded over TCP, so their threads on the host are not known; their states on the host are not shown")
/* selection */
IOT_DIAG(window_outside,         WARN,   INTACT,  "the window (--from, --to) lies outside the recording; nothing is shown")
IOT_DIAG(pattern_unused,         WARN,   INTACT,  "a pattern of --select fits no row that is shown")
IOT_DIAG(lockspace_unused,       WARN,   INTACT,  "a name of --lockspace is that of no lockspace that is shown")
IOT_DIAG(kind_unused,            WARN,   INTACT,  "a kind (--kind) is the name or role of nothing that the models draw")
IOT_DIAG(links_not_followed,     WARN,   INTACT,  "links lead on from the call of --follow, but more than 10000 are not followed")
IOT_DIAG(nothing_selected,       WARN,   INTACT,  "the selection (--select, --exclude, --node, --kind, --follow, --slower-than) is empty; nothing is shown")
/* derived states */
IOT_DIAG(derived_late,           NOTICE, INTACT,  "a wait was found to have begun earlier than the present instant; states derived from it (--derive) count it from that instant on")
/* output */
IOT_DIAG(boxes_folded,           LOSS,   INTACT,  "too many rows; the excess was drawn in one row (--max-containers)")
IOT_DIAG(name_cut,               NOTICE, INTACT,  "a name was too long for an output format and was cut")
IOT_DIAG(equal_shifted,          NOTICE, INTACT,  "equal states were shifted by 1 ns, as Jumpshot requires")
IOT_DIAG(samples_left_out,       NOTICE, INTACT,  "values of counters have no place in SLOG2 and were left out; the other outputs have them")
IOT_DIAG(stubs_left_out,         NOTICE, INTACT,  "links with one end only have no place in SLOG2 and Pajé and were left out; the other outputs have them")
IOT_DIAG(links_left_out,         NOTICE, INTACT,  "links have no place in OTF2 and were left out; the other outputs have them")
IOT_DIAG(states_left_out,        NOTICE, INTACT,  "states on the last lane need not nest, as OTF2 demands, and were left out there; the other outputs have them")
IOT_DIAG(page_thinned,           NOTICE, INTACT,  "items of the rows that waited least are only sums in the page (html), which says where; html,max= allows a larger page")
IOT_DIAG(page_too_large,         WARN,   INTACT,  "the page (html) is larger than allowed although all rows have only sums; show fewer rows (--select, --top)")
IOT_DIAG(nest_violation,         WARN,   INTACT,  "states overlapped without nesting on one row")
/* clang-format on */
