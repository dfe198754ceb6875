/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the kernels from 6.1 on: nowhere else is a kernel version looked at. */
#ifndef IOTRACE_COMPAT_H
#define IOTRACE_COMPAT_H

#include <linux/version.h>

/* From 6.10 on __assign_str() knows its source from __string(). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define iotrace_assign_str(dst, src) __assign_str(dst)
#else
#define iotrace_assign_str(dst, src) __assign_str(dst, src)
#endif

#endif /* IOTRACE_COMPAT_H */
