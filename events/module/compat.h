/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between kernels from 6.1 on. No other file checks the kernel version. */
#ifndef IOTRACE_COMPAT_H
#define IOTRACE_COMPAT_H

/* Kernels for which the module is not written, before anything that they may lack. */
#ifdef CONFIG_PREEMPT_RT
#error "iotrace.ko looks up paths with preemption disabled, where a kernel with CONFIG_PREEMPT_RT may sleep: not for this kernel"
#endif
#ifndef CONFIG_CGROUPS
#error "iotrace.ko records and filters the cgroups of tasks: not for a kernel without CONFIG_CGROUPS"
#endif
/* How the arguments of system calls are passed is known for these architectures only. */
#if !defined(CONFIG_X86_64) && !defined(CONFIG_ARM64) && !(defined(CONFIG_RISCV) && defined(CONFIG_64BIT))
#error "iotrace.ko reads system calls of x86-64, arm64 and riscv64: not of this architecture"
#endif

#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/io_uring_types.h>
#include <linux/nospec.h>
#include <linux/version.h>

/* Does a 32-bit program make this system call, with numbers of another table? */
#ifdef CONFIG_COMPAT
#define iotrace_compat_task() in_compat_syscall()
#else
#define iotrace_compat_task() false
#endif

/* From 6.3 on vm_flags must not be written directly. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define iotrace_vm_flags_clear(vma, flags) vm_flags_clear(vma, flags)
#else
#define iotrace_vm_flags_clear(vma, flags) ((vma)->vm_flags &= ~(flags))
#endif

/*
 * Private data of io_uring for read, write and for fsync, fallocate: the same from 6.1 to 7.3. When the
 * module is loaded, uring.c checks them against the kernel's own description.
 */
#define IOTRACE_URING_KNOWN (LINUX_VERSION_CODE < KERNEL_VERSION(7, 4, 0))

struct iotrace_uring_rw {
	struct kiocb kiocb;
	u64 addr;
	u32 len;
	rwf_t flags;
};

struct iotrace_uring_sync {
	struct file *file;
	loff_t len;
	loff_t off;
	int flags;
	int mode;
};

/* A file by its number in the ring's registered files; the ring is locked. From 6.13 on they cannot be found. */
static inline struct file *iotrace_uring_registered(struct io_ring_ctx *ctx, unsigned int number)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	if (number < ctx->nr_user_files) {
		number = array_index_nospec(number, ctx->nr_user_files);
		return (struct file *)(ctx->file_table.files[number].file_ptr & ~7UL);
	}
#endif
	return NULL;
}

/* From 6.10 on __assign_str() knows its source from __string(). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define iotrace_assign_str(dst, src) __assign_str(dst)
#else
#define iotrace_assign_str(dst, src) __assign_str(dst, src)
#endif

#endif /* IOTRACE_COMPAT_H */
