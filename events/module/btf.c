// SPDX-License-Identifier: GPL-2.0-only
/*
 * Up to 7.3 the kernel does not export its functions that read BTF, but BTF is also a file of some MB. It is
 * read once when the module is loaded, and freed. It has the types of the kernel itself, not of its modules.
 * Additional data follow each type; their size depends on the type's kind.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/string.h>
#include "btf.h"

#define BTF_FILE "/sys/kernel/btf/vmlinux"

struct description {
	const char *types, *strings;
	u32 types_size, strings_size;
};

/* False: no BTF, or an unknown version. */
static bool find_sections(const void *file, size_t size, struct description *out)
{
	const struct btf_header *head = file;
	size_t rest;

	if (size < sizeof(*head) || head->magic != BTF_MAGIC || head->version != BTF_VERSION || head->hdr_len > size)
		return false;
	rest = size - head->hdr_len;
	if (head->type_off > rest || head->type_len > rest - head->type_off)
		return false;
	if (head->str_off > rest || head->str_len > rest - head->str_off || !head->str_len)
		return false;
	out->types = (const char *)file + head->hdr_len + head->type_off;
	out->strings = (const char *)file + head->hdr_len + head->str_off;
	out->types_size = head->type_len;
	out->strings_size = head->str_len;
	return !out->strings[out->strings_size - 1];
}

static const char *string_at(const struct description *d, u32 offset)
{
	return offset < d->strings_size ? d->strings + offset : "";
}

/* Bytes that follow a type; -1: an unknown kind, so the next type cannot be found. */
static s64 size_behind(const struct btf_type *type)
{
	u32 n = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return (s64)n * sizeof(struct btf_member);
	case BTF_KIND_INT:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_ENUM:
		return (s64)n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return (s64)n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return (s64)n * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return (s64)n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	}
	return -1;
}

static bool has_member(const struct description *d, const struct btf_type *type, const struct iotrace_member *sought)
{
	const struct btf_member *member = (const void *)(type + 1);
	u32 i;

	for (i = 0; i < BTF_INFO_VLEN(type->info); i++) {
		if (member[i].offset == sought->offset * BITS_PER_BYTE &&
		    !strcmp(string_at(d, member[i].name_off), sought->name))
			return true;
	}
	return false;
}

/* A bit for each member found in this struct. */
static u32 compare(const struct description *d, const struct btf_type *type, const struct iotrace_member *members,
		   unsigned int count)
{
	const char *name = string_at(d, type->name_off);
	unsigned int i;
	u32 found = 0;

	for (i = 0; i < count; i++) {
		if (!strcmp(name, members[i].type) && has_member(d, type, &members[i]))
			found |= BIT(i);
	}
	return found;
}

static int find_members(const struct description *d, const struct iotrace_member *members, unsigned int count,
			u32 *out_found)
{
	const struct btf_type *type;
	u32 at = 0;
	s64 more;

	*out_found = 0;
	while (d->types_size - at >= sizeof(*type)) {
		type = (const void *)(d->types + at);
		at += sizeof(*type);
		more = size_behind(type);
		if (more < 0 || more > d->types_size - at)
			return -EPROTONOSUPPORT;
		if (BTF_INFO_KIND(type->info) == BTF_KIND_STRUCT)
			*out_found |= compare(d, type, members, count);
		at += more;
	}
	return 0;
}

static int check(const void *file, size_t size, const struct iotrace_member *members, unsigned int count)
{
	struct description d;
	unsigned int i;
	u32 found;
	int err;

	if (!find_sections(file, size, &d))
		return -EPROTONOSUPPORT;
	err = find_members(&d, members, count, &found);
	for (i = 0; !err && i < count; i++) {
		if (found & BIT(i))
			continue;
		pr_warn("in this kernel struct %s has no member %s at byte %u\n", members[i].type, members[i].name,
			members[i].offset);
		err = -EINVAL;
	}
	return err;
}

/*
 * kernel_read_file() would do the same in one call, but security modules warn about kinds of files that are
 * not on their list. A read returns up to a page.
 */
static int read_all(struct file *from, void *to, size_t size)
{
	loff_t pos = 0;
	ssize_t n;

	while (pos < size) {
		n = kernel_read(from, to + pos, size - pos, &pos);
		if (n <= 0)
			return n ?: -EIO;
	}
	return 0;
}

/* The content of the file, for kvfree(), or an error. */
static void *load(struct file *from, size_t *out_size)
{
	void *data;
	int err;

	*out_size = i_size_read(file_inode(from));
	data = kvmalloc(*out_size, GFP_KERNEL);
	err = data ? read_all(from, data, *out_size) : -ENOMEM;
	if (!err)
		return data;
	kvfree(data);
	return ERR_PTR(err);
}

int iotrace_btf_check(const struct iotrace_member *members, unsigned int count)
{
	struct file *file = filp_open(BTF_FILE, O_RDONLY, 0);
	size_t size;
	void *data;
	int err;

	if (IS_ERR(file))
		return PTR_ERR(file);
	data = load(file, &size);
	filp_close(file, NULL);
	if (IS_ERR(data))
		return PTR_ERR(data);
	err = check(data, size, members, count);
	kvfree(data);
	return err;
}
