/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the kernels from 6.1 on: nowhere else is a kernel version looked at. */
#ifndef IOTRACE_COMPAT_H
#define IOTRACE_COMPAT_H

#include <linux/compat.h>
#include <linux/version.h>

/* Is this system call one of a 32-bit program, numbered by another table? */
#ifdef CONFIG_COMPAT
#define iotrace_compat_task() in_compat_syscall()
#else
#define iotrace_compat_task() false
#endif

/* From 6.3 on vm_flags is not to be written to directly. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define iotrace_vm_flags_clear(vma, flags) vm_flags_clear(vma, flags)
#else
#define iotrace_vm_flags_clear(vma, flags) ((vma)->vm_flags &= ~(flags))
#endif

/* Head of a probe on sched_process_exit, which later kernels also tell whether the process ends with the task. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define IOTRACE_PROCESS_EXIT(name, task) name(void *data, task, bool group_dead)
#else
#define IOTRACE_PROCESS_EXIT(name, task) name(void *data, task)
#endif

/* From 6.10 on __assign_str() knows its source from __string(). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define iotrace_assign_str(dst, src) __assign_str(dst)
#else
#define iotrace_assign_str(dst, src) __assign_str(dst, src)
#endif

#endif /* IOTRACE_COMPAT_H */
