/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LTTng's names of the kernel's events and fields, from the headers of lttng-modules 2.13. */
#include "unit.h"

#ifdef IOT_CTF
#include "input/ctf/ctf-names.h"

static void check_event(const char *recorded, const char *system, const char *name)
{
	struct iot_ctf_name found = iot_ctf_name(recorded);

	CU_ASSERT_STRING_EQUAL(found.system, system);
	CU_ASSERT_STRING_EQUAL(found.name, name);
	CU_ASSERT_TRUE(iot_ctf_name_is(&found, system, name));
	CU_ASSERT_FALSE(iot_ctf_name_is(&found, system, "other"));
	CU_ASSERT_EQUAL(iot_ctf_name_is(&found, "other", name), !*system);
	iot_ctf_name_clear(&found);
}

UNIT_TEST(events_have_the_names_of_the_kernel)
{
	check_event("sched:sched_switch", "sched", "sched_switch");
	check_event("my_program:begin:x", "my_program", "begin:x");
	check_event("sched_switch", "sched", "sched_switch");
	check_event("syscall_entry_openat", "syscalls", "sys_enter_openat");
	check_event("syscall_exit_pread64", "syscalls", "sys_exit_pread64");
	check_event("compat_syscall_entry_openat", "", "compat_syscall_entry_openat");
	check_event("kvm_x86_exit", "kvm", "kvm_exit");
	check_event("kvm_entry", "kvm", "kvm_entry");
	check_event("printk_console", "printk", "console");
	check_event("nfsd_read_start", "nfsd", "nfsd_read_start");
	check_event("nfs4_cb_recall", "nfs4", "nfs4_cb_recall");
	check_event("posix_lock_inode", "filelock", "posix_lock_inode");
	check_event("probe_1", "", "probe_1");
}

static void check_field(const char *event, const char *field, const char *recorded,
			enum iot_ctf_convert convert)
{
	enum iot_ctf_convert found;

	CU_ASSERT_STRING_EQUAL(iot_ctf_field_name(event, field, &found), recorded);
	CU_ASSERT_EQUAL(found, convert);
}

UNIT_TEST(fields_have_the_names_of_lttng)
{
	check_field("sched_switch", "next_pid", "next_tid", IOT_CTF_AS_IS);
	check_field("sched_switch", "prev_prio", "prev_prio", IOT_CTF_PRIO);
	check_field("sched_wakeup", "pid", "tid", IOT_CTF_AS_IS);
	check_field("sched_process_fork", "child_pid", "child_tid", IOT_CTF_AS_IS);
	check_field("block_rq_issue", "rwbs", "rwbs", IOT_CTF_RWBS);
	check_field("block_rq_issue", "sector", "sector", IOT_CTF_AS_IS);
	/* perf has the kernel's names already */
	check_field("sched:sched_switch", "next_pid", "next_pid", IOT_CTF_AS_IS);
	check_field("sched:sched_wakeup", "prio", "prio", IOT_CTF_AS_IS);
}

UNIT_TEST(letters_of_requests_are_those_of_the_kernel)
{
	static const struct {
		guint64 bits;
		const char *text;
	} kinds[] = {
		{ 1 << 2, "R" },
		{ 1 << 0 | 1 << 5, "WS" },
		{ 1 << 2 | 1 << 3 | 1 << 6, "RAM" },
		{ 1 << 0 | 1 << 9 | 1 << 10, "FWF" },
		{ 1 << 8, "F" },
		{ 1 << 1 | 1 << 7, "DE" },
		{ 0, "N" },
		{ G_MAXUINT64, "FWEFASM" },
	};
	char text[IOT_CTF_RWBS_ROOM];

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		CU_ASSERT_STRING_EQUAL(iot_ctf_rwbs(text, kinds[i].bits), kinds[i].text);
}
#endif
