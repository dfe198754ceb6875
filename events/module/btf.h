/* SPDX-License-Identifier: GPL-2.0 */
/* Whether structures that the kernel keeps to itself are what compat.h takes them for: by its BTF. */
#ifndef IOTRACE_BTF_H
#define IOTRACE_BTF_H

#include <linux/types.h>

struct iotrace_member {
	const char *type;	/* name of the struct */
	const char *name;
	u32 offset;		/* bytes */
};

/**
 * iotrace_btf_check - compare members of structures with the kernel's description of itself
 * @members: what is expected
 * @count: of them, at most 32
 *
 * Context: may sleep. Return: 0 if all are where they are expected; -EINVAL, with a message, if one is not; another
 * error if this kernel has no description that can be read.
 */
int iotrace_btf_check(const struct iotrace_member *members, unsigned int count);

#endif /* IOTRACE_BTF_H */
