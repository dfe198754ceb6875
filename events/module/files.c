// SPDX-License-Identifier: GPL-2.0-only
/*
 * We do not use fget(), although its fput() would not sleep either. It writes to the reference counter of a
 * file that several CPUs may be using, and our reference could become the last one, which would move the
 * final close away from the program's close. Reading without a reference costs nothing and is safe: inodes and
 * super blocks are freed by RCU, and a struct file is either freed by RCU (up to 6.6) or reused only as another
 * struct file (from 6.7). We check the descriptor again after reading, and discard the data if the file has
 * been closed meanwhile.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "announce.h"
#include "files.h"
#include "stats.h"

/* Descriptors that are counted in one go: a few microseconds. */
#define COUNT_MAX (1U << 20)

bool iotrace_file_read(struct file *file, struct iotrace_file *out)
{
	struct inode *inode = READ_ONCE(file->f_inode);

	if (!inode)
		return false;
	out->ino = inode->i_ino;
	out->dev = inode->i_sb->s_dev;
	out->gen = inode->i_generation;
	out->kind = inode->i_mode & S_IFMT;
	out->pos = file->f_mode & FMODE_LSEEK ? READ_ONCE(file->f_pos) : -1;
	out->append = file->f_flags & O_APPEND;
	iotrace_announce_fs(inode->i_sb);
	return true;
}

bool iotrace_file_at(unsigned int fd, struct iotrace_file *out)
{
	struct files_struct *files = current->files;
	struct file *file;
	bool found;

	rcu_read_lock();
	file = files ? files_lookup_fd_raw(files, fd) : NULL;
	found = file && iotrace_file_read(file, out) && files_lookup_fd_raw(files, fd) == file;
	rcu_read_unlock();
	if (!found)
		*out = (struct iotrace_file){ .pos = -1 };
	return found;
}

int iotrace_file_next(unsigned int fd, unsigned int last)
{
	struct files_struct *files = current->files;
	struct fdtable *fdt;
	unsigned long next;

	if (!files)
		return -1;
	rcu_read_lock();
	fdt = rcu_dereference_raw(files->fdt);
	next = find_next_bit(fdt->open_fds, fdt->max_fds, fd);
	if (next >= fdt->max_fds || next > last)
		next = -1;
	rcu_read_unlock();
	return next;
}

u32 iotrace_files_from(unsigned int fd, unsigned int last)
{
	struct files_struct *files = current->files;
	unsigned int word, n = 0;
	struct fdtable *fdt;

	if (!files)
		return 0;
	rcu_read_lock();
	fdt = rcu_dereference_raw(files->fdt);
	if (fdt->max_fds - 1 < last)
		last = fdt->max_fds - 1;
	if (fd <= last && last - fd >= COUNT_MAX)
		last = fd + COUNT_MAX - 1;
	for (; fd <= last; fd = (word + 1) * BITS_PER_LONG) {
		unsigned long open;

		word = fd / BITS_PER_LONG;
		open = READ_ONCE(fdt->open_fds[word]) & BITMAP_FIRST_WORD_MASK(fd);
		if (word == last / BITS_PER_LONG)
			open &= BITMAP_LAST_WORD_MASK(last + 1);
		n += hweight_long(open);
	}
	rcu_read_unlock();
	return n;
}

static bool has_path(const struct file *file)
{
	const struct dentry *dentry = file->f_path.dentry;

	if (dentry->d_op && dentry->d_op->d_dname)	/* pipe:[12345] */
		return false;
	return !d_unlinked(dentry) && !(dentry->d_flags & DCACHE_DISCONNECTED);
}

/*
 * This takes a reference, because the names in a path are not protected like an inode. The file has just been opened, so
 * hardly any other CPU uses its counter. Neither d_path() nor fput() sleeps without PREEMPT_RT, which compat.h refuses.
 */
const char *iotrace_file_path(unsigned int fd, char *buffer, size_t size)
{
	struct file *file = fget_raw(fd);
	const char *path = "";

	if (!file)
		return "";
	if (has_path(file))
		path = d_path(&file->f_path, buffer, size);
	fput(file);
	if (!IS_ERR(path))
		return *path == '/' ? path : "";
	iotrace_count(cut_path);
	return "";
}

u32 iotrace_root_dev(void)
{
	u32 dev = 0;

	rcu_read_lock();
	if (current->fs)
		dev = READ_ONCE(current->fs->root.dentry)->d_sb->s_dev;
	rcu_read_unlock();
	return dev;
}

u32 iotrace_cwd_dev(void)
{
	u32 dev = 0;

	rcu_read_lock();
	if (current->fs)
		dev = READ_ONCE(current->fs->pwd.dentry)->d_sb->s_dev;
	rcu_read_unlock();
	return dev;
}
