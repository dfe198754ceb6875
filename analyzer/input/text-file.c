/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/text-file.h"

static void field_clear(gpointer data)
{
	g_free(((struct iot_text_field *)data)->name);
}

static void class_free(gpointer data)
{
	struct iot_text_class *event_class = data;

	g_array_unref(event_class->fields);
	g_free(event_class->system);
	g_free(event_class->name);
	g_free(event_class);
}

static void cpu_free(gpointer data)
{
	struct iot_text_cpu *cpu = data;

	g_array_unref(cpu->recs);
	g_free(cpu);
}

static gint compare_cpus(gconstpointer a, gconstpointer b)
{
	const struct iot_text_cpu *x = *(struct iot_text_cpu *const *)a;
	const struct iot_text_cpu *y = *(struct iot_text_cpu *const *)b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void count_loss(struct iot_text_file *file, guint64 lost)
{
	iot_diag_add(&file->diag, IOT_DIAG_gaps, 1);
	if (lost == G_MAXUINT64)
		return;
	iot_diag_add(&file->diag, IOT_DIAG_events_lost, lost);
	file->n_lost += lost;
}

void iot_text_file_settle(struct iot_text_file *file)
{
	g_ptr_array_sort(file->cpus, compare_cpus);
	for (guint i = file->cpus->len; i-- > 0;) {
		struct iot_text_cpu *cpu = file->cpus->pdata[i];

		for (guint r = 0; r < cpu->recs->len; r++) {
			struct iot_text_rec *rec =
				&g_array_index(cpu->recs, struct iot_text_rec, r);

			if (rec->after_loss)
				count_loss(file, rec->lost);
		}
		if (cpu->loss_pending)
			count_loss(file, cpu->lost);
		if (!cpu->recs->len)
			g_ptr_array_remove_index(file->cpus, i);
	}
}

struct iot_text_file *iot_text_file_new(const char *path, gsize bytes)
{
	struct iot_text_file *file = g_new0(struct iot_text_file, 1);

	file->path = g_strdup(path);
	file->bytes = bytes;
	file->first_sample_ns = G_MAXUINT64;
	file->classes = g_ptr_array_new_with_free_func(class_free);
	file->cpus = g_ptr_array_new_with_free_func(cpu_free);
	file->values = g_array_new(FALSE, FALSE, sizeof(struct iot_text_value));
	file->commands = g_string_new(NULL);
	file->vcpus = iot_vcpus_new();
	file->errors = g_array_new(FALSE, FALSE, sizeof(struct iot_clock_knot));
	file->text = g_string_new(NULL);
	return file;
}

void iot_text_file_free(struct iot_text_file *file)
{
	if (!file)
		return;
	g_ptr_array_unref(file->classes);
	g_ptr_array_unref(file->cpus);
	g_array_unref(file->values);
	g_string_free(file->text, TRUE);
	g_string_free(file->commands, TRUE);
	g_array_unref(file->vcpus);
	g_array_unref(file->errors);
	g_free(file->hostname);
	g_free(file->kernel);
	g_free(file->boot);
	g_free(file->clock);
	g_free(file->beside);
	iot_clock_clear(&file->stated);
	g_free(file->path);
	g_free(file);
}

struct iot_text_class *iot_text_file_add_class(struct iot_text_file *file)
{
	struct iot_text_class *event_class = g_new0(struct iot_text_class, 1);

	event_class->fields = g_array_new(FALSE, FALSE, sizeof(struct iot_text_field));
	g_array_set_clear_func(event_class->fields, field_clear);
	g_ptr_array_add(file->classes, event_class);
	return event_class;
}

struct iot_text_cpu *iot_text_file_add_cpu(struct iot_text_file *file, guint32 number)
{
	struct iot_text_cpu *cpu = g_new0(struct iot_text_cpu, 1);

	cpu->cpu = number;
	cpu->recs = g_array_new(FALSE, TRUE, sizeof(struct iot_text_rec));
	g_ptr_array_add(file->cpus, cpu);
	return cpu;
}
