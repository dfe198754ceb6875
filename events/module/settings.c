// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cgroup.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/pid.h>
#include <linux/string.h>
#include "processes.h"
#include "settings.h"

/* The next word of a list with commas; NULL at its end. */
static char *next_word(char **text)
{
	char *word;

	do {
		word = strsep(text, ",");
		if (word)
			word = strim(word);
	} while (word && !*word);
	return word;
}

static int parse_pid(const char *word, pid_t *tgid)
{
	struct task_struct *task;
	struct pid *pid;
	int nr, err = kstrtoint(word, 10, &nr);

	if (err || nr < 1 || nr > PID_MAX_LIMIT) {
		pr_err("pids: \"%s\" is not a number from 1 to %d\n", word, (int)PID_MAX_LIMIT);
		return -EINVAL;
	}
	pid = find_get_pid(nr);
	rcu_read_lock();
	task = pid_task(pid, PIDTYPE_PID);
	*tgid = task ? task->tgid : 0;
	rcu_read_unlock();
	put_pid(pid);
	if (!*tgid) {
		pr_err("pids: there is no process %d\n", nr);
		return -ESRCH;
	}
	return 0;
}

static int parse_pids(struct iotrace_filter *filter, char *text)
{
	int n = 0, err = 0;
	char *word;

	memset(filter->roots, 0, sizeof(filter->roots));
	filter->tgids = NULL;
	while (!err && (word = next_word(&text))) {
		if (n == IOTRACE_PIDS_MAX) {
			pr_err("pids: more than %d processes\n", IOTRACE_PIDS_MAX);
			return -E2BIG;
		}
		err = parse_pid(word, &filter->roots[n++]);
	}
	if (err || !n)
		return err;
	filter->tgids = iotrace_processes_set();
	return filter->tgids ? 0 : -ENOMEM;
}

static int parse_comms(struct iotrace_filter *filter, char *text)
{
	char *word;

	filter->comms = 0;
	filter->only_comms = false;
	while ((word = next_word(&text))) {
		if (filter->comms == IOTRACE_FILTER_MAX) {
			pr_err("comms: more than %d names\n", IOTRACE_FILTER_MAX);
			return -E2BIG;
		}
		if (strlen(word + (*word == '!')) >= TASK_COMM_LEN) {
			pr_err("comms: \"%s\" is longer than any name, %d bytes\n", word, TASK_COMM_LEN - 1);
			return -EINVAL;
		}
		strscpy(filter->comm[filter->comms++], word, sizeof(filter->comm[0]));
		filter->only_comms |= *word != '!';
	}
	return 0;
}

static int parse_cgroup(struct iotrace_filter *filter, char *text)
{
	struct cgroup *cgroup;

	filter->cgroup = NULL;
	if (!*text)
		return 0;
	cgroup = cgroup_get_from_path(text);
	if (IS_ERR(cgroup)) {
		pr_err("cgroup: there is no cgroup \"%s\" (a path from the root of the cgroup2 tree)\n", text);
		return PTR_ERR(cgroup);
	}
	filter->cgroup = cgroup;
	return 0;
}

static int parse_mount(struct iotrace_mount *mount, const char *word)
{
	struct path path;
	size_t len = strlen(word);
	bool root;
	int err;

	while (len && word[len - 1] == '/')
		len--;
	if (*word != '/' || len >= sizeof(mount->path)) {
		pr_err("mounts: \"%s\" is not an absolute path of less than %zu bytes\n", word, sizeof(mount->path));
		return -EINVAL;
	}
	err = kern_path(word, LOOKUP_FOLLOW, &path);
	if (err) {
		pr_err("mounts: there is no \"%s\"\n", word);
		return err;
	}
	root = path.dentry == path.mnt->mnt_root;
	mount->dev = path.dentry->d_sb->s_dev;
	path_put(&path);
	if (!root) {
		pr_err("mounts: nothing is mounted at \"%s\"\n", word);
		return -EINVAL;
	}
	memcpy(mount->path, word, len);
	mount->path[len] = '\0';
	mount->len = len;
	return 0;
}

static int parse_mounts(struct iotrace_filter *filter, char *text)
{
	char *word;
	int err = 0;

	filter->mounts = 0;
	iotrace_filter_set_root(filter);
	while (!err && (word = next_word(&text))) {
		if (filter->mounts == IOTRACE_FILTER_MAX) {
			pr_err("mounts: more than %d\n", IOTRACE_FILTER_MAX);
			return -E2BIG;
		}
		err = parse_mount(&filter->mount[filter->mounts++], word);
	}
	return err;
}

static const struct {
	const char *name;
	u32 kinds;
} kinds[] = {
	{ "regular", IOTRACE_KIND(S_IFREG) }, { "directory", IOTRACE_KIND(S_IFDIR) },
	{ "block", IOTRACE_KIND(S_IFBLK) },   { "char", IOTRACE_KIND(S_IFCHR) },
	{ "fifo", IOTRACE_KIND(S_IFIFO) },    { "socket", IOTRACE_KIND(S_IFSOCK) },
	{ "link", IOTRACE_KIND(S_IFLNK) },    { "other", IOTRACE_KIND(0) },
	{ "all", 0xffff },
};

static u32 parse_kind(const char *word)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(word, kinds[i].name))
			return kinds[i].kinds;
	}
	pr_err("kinds: \"%s\" is none of regular directory block char fifo socket link other all\n", word);
	return 0;
}

static int parse_kinds(struct iotrace_filter *filter, char *text)
{
	char *word;

	filter->kinds = 0;
	while ((word = next_word(&text))) {
		u32 kind = parse_kind(word);

		if (!kind)
			return -EINVAL;
		filter->kinds |= kind;
	}
	if (!filter->kinds)
		filter->kinds = IOTRACE_KIND(S_IFREG) | IOTRACE_KIND(S_IFDIR);
	return 0;
}

const struct iotrace_setting iotrace_settings[IOTRACE_SETTINGS] = {
	{ "pids", parse_pids },
	{ "comms", parse_comms },
	{ "cgroup", parse_cgroup },
	{ "mounts", parse_mounts },
	{ "kinds", parse_kinds },
};
