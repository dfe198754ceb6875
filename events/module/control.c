// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cgroup.h>
#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "control.h"
#include "processes.h"
#include "settings.h"
#include "stats.h"

#define TEXT_MAX 512
#define SLOTS_MIN 64
#define SLOTS_MAX (1 << 20)

static unsigned int slots = 4096;
static char texts[IOTRACE_SETTINGS][TEXT_MAX];	/* the settings as written by the user */
static bool ready;	/* parameters of the command line become settings only in iotrace_control_init() */
static DEFINE_MUTEX(lock);
static struct dentry *folder;

unsigned int iotrace_slot_count(void)
{
	return slots;
}

/* A filter shares its unchanged parts with the filter from which it was copied. */
static void free_filter(struct iotrace_filter *filter, const struct iotrace_filter *other)
{
	if (!filter)
		return;
	if (filter->tgids && (!other || filter->tgids != other->tgids))
		kvfree(filter->tgids);
	if (filter->cgroup && (!other || filter->cgroup != other->cgroup))
		cgroup_put(filter->cgroup);
	kfree(filter);
}

/* Activates @filter and frees the previous filter. */
static int replace_filter(struct iotrace_filter *filter)
{
	struct iotrace_filter *old = rcu_dereference_protected(iotrace_filter, lockdep_is_held(&lock));
	int err = filter->tgids ? iotrace_processes_watch(true) : 0;

	if (err) {
		free_filter(filter, old);
		return err;
	}
	rcu_assign_pointer(iotrace_filter, filter);
	if (filter->tgids && (!old || filter->tgids != old->tgids))
		iotrace_processes_mark(filter);
	if (!filter->tgids)
		iotrace_processes_watch(false);
	if (old) {
		synchronize_rcu();
		free_filter(old, filter);
	}
	return 0;
}

static int parse(const struct iotrace_setting *setting, struct iotrace_filter *filter, const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL);
	int err = copy ? setting->parse(filter, copy) : -ENOMEM;

	kfree(copy);
	return err;
}

static int apply(const struct iotrace_setting *setting, const char *text)
{
	struct iotrace_filter *old = rcu_dereference_protected(iotrace_filter, lockdep_is_held(&lock));
	struct iotrace_filter *filter = kmemdup(old, sizeof(*old), GFP_KERNEL);
	int err = filter ? parse(setting, filter, text) : -ENOMEM;

	if (err) {
		free_filter(filter, old);
		return err;
	}
	return replace_filter(filter);
}

/* Before the module is ready the text is only stored. */
static int set(const struct iotrace_setting *setting, const char *value)
{
	char *text = texts[setting - iotrace_settings];
	size_t len = strcspn(value, "\n");
	char *copy;
	int err = 0;

	if (len >= TEXT_MAX) {
		pr_err("%s: longer than %d bytes\n", setting->name, TEXT_MAX - 1);
		return -E2BIG;
	}
	copy = kstrndup(value, len, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	mutex_lock(&lock);
	if (ready)
		err = apply(setting, strim(copy));
	if (!err)
		strscpy(text, strim(copy), TEXT_MAX);
	mutex_unlock(&lock);
	kfree(copy);
	return err;
}

static int get(const struct iotrace_setting *setting, char *out)
{
	int n;

	mutex_lock(&lock);
	n = scnprintf(out, TEXT_MAX + 1, "%s\n", texts[setting - iotrace_settings]);
	mutex_unlock(&lock);
	return n;
}

static int param_set(const char *value, const struct kernel_param *param)
{
	return set(param->arg, value);
}

static int param_get(char *out, const struct kernel_param *param)
{
	return get(param->arg, out);
}

static const struct kernel_param_ops setting_ops = { .set = param_set, .get = param_get };

#define SETTING(name, index, text)                                                                 \
	module_param_cb(name, &setting_ops, (void *)&iotrace_settings[index], 0644);               \
	MODULE_PARM_DESC(name, text)

SETTING(pids, 0, "Only these processes and their descendants, with commas between");
SETTING(comms, 1, "Only tasks of these names, * and ? as in the shell; !name: not these");
SETTING(cgroup, 2, "Only tasks in this cgroup or below: a path from the root of the cgroup2 tree");
SETTING(mounts, 3, "Only files of the file systems mounted at these absolute paths");
SETTING(kinds, 4, "Files of these kinds: regular directory block char fifo socket link other all; default regular,directory");

static int slots_set(const char *value, const struct kernel_param *param)
{
	unsigned int n;

	if (kstrtouint(value, 10, &n) || n < SLOTS_MIN || n > SLOTS_MAX) {
		pr_err("slots: \"%s\" is not a number from %d to %d\n", value, SLOTS_MIN, SLOTS_MAX);
		return -EINVAL;
	}
	slots = n;
	return 0;
}

static const struct kernel_param_ops slots_ops = { .set = slots_set, .get = param_get_uint };
module_param_cb(slots, &slots_ops, &slots, 0444);
MODULE_PARM_DESC(slots, "System calls that may be under way at once, 64 to 1048576; default 4096");

static ssize_t file_read(struct file *file, char __user *buffer, size_t count, loff_t *pos)
{
	char text[TEXT_MAX + 1];
	int n = get(file->private_data, text);

	return simple_read_from_buffer(buffer, count, pos, text, n);
}

static ssize_t file_write(struct file *file, const char __user *buffer, size_t count, loff_t *pos)
{
	char *text = memdup_user_nul(buffer, min_t(size_t, count, TEXT_MAX + 1));
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	err = set(file->private_data, text);
	kfree(text);
	return err ? err : count;
}

static const struct file_operations setting_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = file_read,
	.write = file_write,
	.llseek = default_llseek,
};

static int stats_show(struct seq_file *file, void *data)
{
	iotrace_stats_show(file);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* No filter is active yet, so all parameters can go into one filter. */
static int first_filter(void)
{
	struct iotrace_filter *filter = kzalloc(sizeof(*filter), GFP_KERNEL);
	int i, err = filter ? 0 : -ENOMEM;

	mutex_lock(&lock);
	for (i = 0; !err && i < IOTRACE_SETTINGS; i++)
		err = parse(&iotrace_settings[i], filter, texts[i]);
	if (err)
		free_filter(filter, NULL);
	else
		err = replace_filter(filter);
	ready = !err;
	mutex_unlock(&lock);
	return err;
}

int iotrace_control_init(void)
{
	int i, err = iotrace_processes_init();

	if (err)
		return err;
	err = first_filter();
	if (err) {
		iotrace_control_exit();
		return err;
	}
	/* Without debugfs the parameters still work. As usual with debugfs, errors are not checked. */
	folder = debugfs_create_dir("iotrace", NULL);
	for (i = 0; i < IOTRACE_SETTINGS; i++)
		debugfs_create_file(iotrace_settings[i].name, 0600, folder, (void *)&iotrace_settings[i],
				    &setting_fops);
	debugfs_create_file("stats", 0400, folder, NULL, &stats_fops);
	return 0;
}

void iotrace_control_exit(void)
{
	debugfs_remove(folder);
	mutex_lock(&lock);
	ready = false;
	iotrace_processes_watch(false);
	free_filter(rcu_dereference_protected(iotrace_filter, lockdep_is_held(&lock)), NULL);
	RCU_INIT_POINTER(iotrace_filter, NULL);
	mutex_unlock(&lock);
}
