// SPDX-License-Identifier: GPL-2.0-only
/*
 * The call events: functions for other modules, and /dev/iotrace for programs.
 *
 * A record is copied from user space once, then checked, and only then becomes an event, so a program
 * cannot change it after the check. The tracepoints themselves update the page that programs can map,
 * when their first probe is registered and their last one is removed.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "compat.h"
#include "iotrace-kernel.h"
#include "../iotrace.h"

/* --- is it recorded --- */

static DEFINE_MUTEX(page_lock);
static struct iotrace_page *page;	/* NULL before init and after exit; page_lock */
static u32 recording;			/* as in the page; written under page_lock */

/* Events can be enabled before init has run, and disabled after exit has. */
static void set_recording(enum iotrace_kind kind, bool on)
{
	mutex_lock(&page_lock);
	WRITE_ONCE(recording, on ? recording | BIT(kind) : recording & ~BIT(kind));
	if (page)
		WRITE_ONCE(page->recording, recording);
	mutex_unlock(&page_lock);
}

bool iotrace_call_recorded(enum iotrace_kind kind)
{
	return READ_ONCE(recording) & BIT(kind);
}
EXPORT_SYMBOL_GPL(iotrace_call_recorded);

/* --- the events --- */

static atomic64_t next_id;

static u64 take_ids(u32 count)
{
	return IOTRACE_ID_CALL | (u64)(atomic64_add_return(count, &next_id) - count);
}

u64 iotrace_call_id(void)
{
	return take_ids(1);
}
EXPORT_SYMBOL_GPL(iotrace_call_id);

static noinline struct iotrace_call_args with_defaults(const struct iotrace_call_args *args)
{
	struct iotrace_call_args full = *args;

	full.tgid = full.tgid ?: current->tgid;
	full.domain = full.domain ?: "";
	full.resource = full.resource ?: "";
	full.op = full.op ?: "";
	return full;
}

#define IOTRACE_CALL(name, kind)					\
int iotrace_##name##_reg(void)						\
{									\
	set_recording(kind, true);					\
	return 0;							\
}									\
									\
void iotrace_##name##_unreg(void)					\
{									\
	set_recording(kind, false);					\
}									\
									\
void iotrace_##name(const struct iotrace_call_args *args)		\
{									\
	if (trace_##name##_enabled()) {					\
		struct iotrace_call_args full = with_defaults(args);		\
									\
		trace_##name(&full);					\
	}								\
}									\
EXPORT_SYMBOL_GPL(iotrace_##name)

IOTRACE_CALL(call_start, IOTRACE_CALL_START);
IOTRACE_CALL(call_end, IOTRACE_CALL_END);
IOTRACE_CALL(call_done, IOTRACE_CALL_DONE);
IOTRACE_CALL(call_notify, IOTRACE_CALL_NOTIFY);

/* --- /dev/iotrace --- */

static bool has_end(const char *text, size_t size)
{
	return memchr(text, 0, size);
}

static int check_record(const struct iotrace_record *r)
{
	if (r->magic != IOTRACE_ABI_MAGIC)
		return -EINVAL;
	if (r->version != IOTRACE_ABI_VERSION)
		return -EPROTONOSUPPORT;
	if (r->size != sizeof(*r))
		return -EMSGSIZE;
	if (r->kind < IOTRACE_CALL_START || r->kind > IOTRACE_CALL_NOTIFY)
		return -EINVAL;
	if (r->reserved16 || r->reserved[0] || r->reserved[1] || r->reserved[2])
		return -EINVAL;
	if (!has_end(r->domain, sizeof(r->domain)) || !has_end(r->resource, sizeof(r->resource)) ||
	    !has_end(r->op, sizeof(r->op)))
		return -EINVAL;
	return 0;
}

static int take_record(struct iotrace_record *r, struct iov_iter *from)
{
	if (iov_iter_count(from) < sizeof(*r))
		return -EMSGSIZE;
	if (!copy_from_iter_full(r, sizeof(*r), from))
		return -EFAULT;
	return check_record(r);
}

static void emit_record(const struct iotrace_record *r)
{
	const struct iotrace_call_args args = {
		.id = r->id,
		.object = r->object,
		.mode = r->mode,
		.status = r->status,
		.flags = r->flags,
		.domain = r->domain,
		.resource = r->resource,
		.op = r->op,
	};

	switch (r->kind) {
	case IOTRACE_CALL_START:
		iotrace_call_start(&args);
		break;
	case IOTRACE_CALL_END:
		iotrace_call_end(&args);
		break;
	case IOTRACE_CALL_DONE:
		iotrace_call_done(&args);
		break;
	case IOTRACE_CALL_NOTIFY:
		iotrace_call_notify(&args);
		break;
	}
}

static ssize_t calls_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct iotrace_record record;
	ssize_t written = 0;

	while (iov_iter_count(from)) {
		int err = take_record(&record, from);

		if (err)
			return written ?: err;
		emit_record(&record);
		written += sizeof(record);
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return written;
}

static int calls_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	iotrace_vm_flags_clear(vma, VM_MAYWRITE);
	return vm_insert_page(vma, vma->vm_start, virt_to_page(page));
}

static long calls_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	struct iotrace_ids ids;

	if (cmd != IOTRACE_IOC_IDS)
		return -ENOTTY;
	if (copy_from_user(&ids, user, sizeof(ids)))
		return -EFAULT;
	if (!ids.count || ids.count > IOTRACE_IDS_MAX || ids.reserved)
		return -EINVAL;
	ids.first = take_ids(ids.count);
	return copy_to_user(user, &ids, sizeof(ids)) ? -EFAULT : 0;
}

/* An open file, and a mapping, which holds its file, keep the module. */
static const struct file_operations calls_fops = {
	.owner = THIS_MODULE,
	.open = stream_open,
	.write_iter = calls_write,
	.mmap = calls_mmap,
	.unlocked_ioctl = calls_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice calls_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "iotrace",
	.mode = 0660,
	.fops = &calls_fops,
};

static struct iotrace_page *make_page(void)
{
	struct iotrace_page *new = (struct iotrace_page *)get_zeroed_page(GFP_KERNEL);

	if (!new)
		return NULL;
	new->magic = IOTRACE_ABI_MAGIC;
	new->version = IOTRACE_ABI_VERSION;
	new->record_size = sizeof(struct iotrace_record);
	return new;
}

static void publish_page(struct iotrace_page *new)
{
	mutex_lock(&page_lock);
	page = new;
	if (page)
		page->recording = recording;
	mutex_unlock(&page_lock);
}

static void remove_page(void)
{
	struct iotrace_page *old = page;

	publish_page(NULL);
	free_page((unsigned long)old);
}

int iotrace_calls_init(void)
{
	struct iotrace_page *new = make_page();
	int err;

	BUILD_BUG_ON(sizeof(struct iotrace_record) != 512);
	if (!new)
		return -ENOMEM;
	/* 2^61 ids are left before bit 62 would change. */
	atomic64_set(&next_id, get_random_u64() >> 3);
	publish_page(new);
	err = misc_register(&calls_device);
	if (err)
		remove_page();
	return err;
}

void iotrace_calls_exit(void)
{
	misc_deregister(&calls_device);
	remove_page();
}
