/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metrics-proc.h"
#include "metrics-take.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 64 << 10 };

/* In the order in which they are read. */
static const struct rec_proc_kind kinds[REC_PROC_FILES] = {
	{ "proc/loadavg", "load", "loadavg", rec_take_load },
	{ "proc/stat", "cpu", "stat", rec_take_stat },
	{ "proc/meminfo", "memory", "meminfo", rec_take_memory },
	{ "proc/diskstats", "disk", "diskstats", rec_take_disks },
	{ "proc/net/dev", "net", "dev", rec_take_nets },
	{ "proc/pressure/cpu", "pressure", "cpu", rec_take_pressure },
	{ "proc/pressure/memory", "pressure", "memory", rec_take_pressure },
	{ "proc/pressure/io", "pressure", "io", rec_take_pressure },
	{ "proc/pressure/irq", "pressure", "irq", rec_take_pressure },
};

void rec_proc_open(struct rec_proc *proc, const char *root, struct rec_lines *lines)
{
	*proc = (struct rec_proc){ .lines = lines,
				   .root = g_strdup(root),
				   .text = g_malloc(FIRST_ROOM),
				   .room = FIRST_ROOM };
	for (guint i = 0; i < REC_PROC_FILES; i++) {
		struct rec_proc_file *file = &proc->file[i];
		g_autofree char *path = g_build_filename(root, kinds[i].path, NULL);

		file->kind = &kinds[i];
		file->fd = open(path, O_RDONLY | O_CLOEXEC);
		file->error = file->fd < 0 ? errno : 0;
		rec_devices_init(&file->devices);
	}
}

void rec_proc_close(struct rec_proc *proc)
{
	for (guint i = 0; i < REC_PROC_FILES; i++) {
		if (proc->file[i].fd >= 0)
			close(proc->file[i].fd);
		rec_devices_clear(&proc->file[i].devices);
	}
	g_free(proc->text);
	g_free(proc->root);
}

/* The whole file from its begin; FALSE: errno is set. */
static gboolean read_all(struct rec_proc *proc, int fd, gsize *out_len)
{
	gsize len = 0;
	gssize n;

	do {
		if (len == proc->room) {
			proc->room *= 2;
			proc->text = g_realloc(proc->text, proc->room);
		}
		n = pread(fd, proc->text + len, proc->room - len, (off_t)len);
		if (n > 0)
			len += (gsize)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	*out_len = len;
	return n == 0;
}

void rec_take_note(struct rec_proc *proc, guint64 ns, const char *group, const char *name,
		   const char *what)
{
	rec_line_begin(proc->lines, ns, 0, "metrics:note");
	rec_line_text(proc->lines, "group", group);
	rec_line_text(proc->lines, "name", name);
	rec_line_text(proc->lines, "what", what);
	rec_line_end(proc->lines);
}

void rec_take_gap(struct rec_proc *proc, const struct rec_proc_file *file, const char *name,
		  const char *what)
{
	proc->n_unknown++;
	rec_line_begin(proc->lines, file->before, 1, "metrics:gap");
	rec_line_text(proc->lines, "group", rec_take_group(file, name));
	rec_line_text(proc->lines, "name", name);
	rec_line_text(proc->lines, "what", what);
	rec_line_number(proc->lines, "lasts", file->now - file->before);
	rec_line_end(proc->lines);
}

/* Devices that are not there any more. */
static void end_devices(struct rec_proc *proc, struct rec_proc_file *file)
{
	const struct rec_device *device;
	guint at = 0;

	while (file->before && (device = rec_devices_gone(&file->devices, &at)))
		if (!device->left_out)
			rec_take_gap(proc, file, device->name, "gone");
}

static void note_error(struct rec_proc *proc, const struct rec_proc_file *file, int error)
{
	char what[REC_DEVICE_NAME * 2];

	g_snprintf(what, sizeof(what), "not recorded: %s", g_strerror(error));
	rec_take_note(proc, file->now, file->kind->group, file->kind->name, what);
}

static void sample(struct rec_proc *proc, struct rec_proc_file *file, rec_clock_func clock)
{
	gboolean first = !file->now;
	int error = file->fd < 0 ? file->error : 0;
	gsize len = 0;

	file->before = file->error ? 0 : file->now;
	file->now = clock();
	rec_devices_begin(&file->devices);
	if (!error && !read_all(proc, file->fd, &len))
		error = errno;
	/* once, until it can be read again */
	if (error && (first || error != file->error))
		note_error(proc, file, error);
	if (!error) {
		struct rec_scan scan = { proc->text, proc->text + len };

		file->kind->take(proc, file, &scan);
	}
	file->error = error;
	end_devices(proc, file);
}

void rec_proc_sample(struct rec_proc *proc, rec_clock_func clock)
{
	for (guint i = 0; i < REC_PROC_FILES; i++)
		sample(proc, &proc->file[i], clock);
}

const char *rec_proc_path(const struct rec_proc_file *file)
{
	return file->kind->path;
}
