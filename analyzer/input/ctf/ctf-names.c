/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/ctf/ctf-names.h"

#include <string.h>

/* ---- events of LTTng that have another name in the kernel, or no system */

struct event_name {
	/* a prefix, if "name" is one, too; then the rest of the name stays */
	const char *recorded, *system, *name;
};

/* The first row that fits is taken. */
static const struct event_name event_names[] = {
	{ "syscall_entry_*", "syscalls", "sys_enter_*" },
	{ "syscall_exit_*", "syscalls", "sys_exit_*" },
	{ "kvm_x86_*", "kvm", "kvm_*" },
	{ "kvm_*", "kvm", "kvm_*" },
	{ "printk_console", "printk", "console" },
	{ "sched_*", "sched", "sched_*" },
	{ "block_*", "block", "block_*" },
	{ "task_*", "task", "task_*" },
	{ "rpc_*", "sunrpc", "rpc_*" },
	{ "xprt_*", "sunrpc", "xprt_*" },
	{ "svc_*", "sunrpc", "svc_*" },
	{ "svcsock_*", "sunrpc", "svcsock_*" },
	{ "nfs_*", "nfs", "nfs_*" },
	{ "nfs4_*", "nfs4", "nfs4_*" },
	{ "nfsd_*", "nfsd", "nfsd_*" },
	{ "dlm_*", "dlm", "dlm_*" },
	{ "gfs2_*", "gfs2", "gfs2_*" },
	{ "posix_lock_inode", "filelock", "posix_lock_inode" },
	{ "fcntl_setlk", "filelock", "fcntl_setlk" },
	{ "flock_lock_inode", "filelock", "flock_lock_inode" },
	{ "break_lease_*", "filelock", "break_lease_*" },
	{ "generic_add_lease", "filelock", "generic_add_lease" },
	{ "generic_delete_lease", "filelock", "generic_delete_lease" },
};

struct field_name {
	const char *event; /* recorded name, or a prefix */
	const char *field, *recorded;
	enum iot_ctf_convert convert;
};

/* LTTng calls a thread tid, and its process pid, where the kernel calls the thread pid. */
static const struct field_name field_names[] = {
	{ "sched_switch", "prev_pid", "prev_tid", IOT_CTF_AS_IS },
	{ "sched_switch", "next_pid", "next_tid", IOT_CTF_AS_IS },
	{ "sched_switch", "prev_prio", "prev_prio", IOT_CTF_PRIO },
	{ "sched_switch", "next_prio", "next_prio", IOT_CTF_PRIO },
	{ "sched_process_fork", "parent_pid", "parent_tid", IOT_CTF_AS_IS },
	{ "sched_process_fork", "child_pid", "child_tid", IOT_CTF_AS_IS },
	{ "sched_process_exec", "old_pid", "old_tid", IOT_CTF_AS_IS },
	{ "sched_*", "pid", "tid", IOT_CTF_AS_IS },
	{ "sched_*", "prio", "prio", IOT_CTF_PRIO },
	{ "block_*", "rwbs", "rwbs", IOT_CTF_RWBS },
};

/* The length of the prefix of a pattern with a star, or of a text that is equal; -1: neither. */
static int fits(const char *pattern, const char *text)
{
	gsize len = strlen(pattern);

	if (len && pattern[len - 1] == '*')
		return strncmp(pattern, text, len - 1) ? -1 : (int)len - 1;
	return strcmp(pattern, text) ? -1 : (int)len;
}

struct iot_ctf_name iot_ctf_name(const char *recorded)
{
	const char *colon = strchr(recorded, ':');

	if (colon)
		return (struct iot_ctf_name){ g_strndup(recorded, (gsize)(colon - recorded)),
					      g_strdup(colon + 1) };
	for (guint i = 0; i < G_N_ELEMENTS(event_names); i++) {
		const struct event_name *row = &event_names[i];
		int len = fits(row->recorded, recorded);

		if (len >= 0)
			return (struct iot_ctf_name){
				g_strdup(row->system),
				g_strdup_printf("%.*s%s", (int)strcspn(row->name, "*"), row->name,
						recorded + len),
			};
	}
	return (struct iot_ctf_name){ g_strdup(""), g_strdup(recorded) };
}

void iot_ctf_name_clear(struct iot_ctf_name *name)
{
	g_free(name->system);
	g_free(name->name);
}

gboolean iot_ctf_name_is(const struct iot_ctf_name *event, const char *system, const char *name)
{
	return !strcmp(event->name, name) &&
	       (!*event->system || !*system || !strcmp(event->system, system));
}

const char *iot_ctf_field_name(const char *recorded, const char *field, enum iot_ctf_convert *out)
{
	*out = IOT_CTF_AS_IS;
	for (guint i = 0; i < G_N_ELEMENTS(field_names); i++) {
		const struct field_name *row = &field_names[i];

		if (fits(row->event, recorded) < 0 || strcmp(row->field, field))
			continue;
		*out = row->convert;
		return row->recorded;
	}
	return field;
}

/* ---- requests of block devices */

enum {
	RWBS_WRITE = 1 << 0,
	RWBS_DISCARD = 1 << 1,
	RWBS_READ = 1 << 2,
	RWBS_RAHEAD = 1 << 3,
	RWBS_SYNC = 1 << 5,
	RWBS_META = 1 << 6,
	RWBS_SECURE = 1 << 7,
	RWBS_FLUSH = 1 << 8,
	RWBS_FUA = 1 << 9,
	RWBS_PREFLUSH = 1 << 10,
};

const char *iot_ctf_rwbs(char *text, guint64 bits)
{
	char *at = text;

	if (bits & RWBS_PREFLUSH)
		*at++ = 'F';
	*at++ = bits & RWBS_WRITE     ? 'W'
		: bits & RWBS_DISCARD ? 'D'
		: bits & RWBS_FLUSH   ? 'F'
		: bits & RWBS_READ    ? 'R'
				      : 'N';
	if (bits & RWBS_SECURE)
		*at++ = 'E';
	if (bits & RWBS_FUA)
		*at++ = 'F';
	if (bits & RWBS_RAHEAD)
		*at++ = 'A';
	if (bits & RWBS_SYNC)
		*at++ = 'S';
	if (bits & RWBS_META)
		*at++ = 'M';
	*at = '\0';
	return text;
}
