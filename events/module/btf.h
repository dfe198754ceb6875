/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares private structures of the kernel with compat.h, by the kernel's BTF. */
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
 * @members: expected members
 * @count: number of members, at most 32
 *
 * Context: may sleep. Return: 0 if all members are at the expected offsets; -EINVAL, with a message, if one is
 * not; another error if this kernel has no readable description.
 */
int iotrace_btf_check(const struct iotrace_member *members, unsigned int count);

#endif /* IOTRACE_BTF_H */
