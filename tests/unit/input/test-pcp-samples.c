/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What random archives do not do to the events of one. The rest: tests/readers/pcp.sh. */
#include "unit.h"

#ifdef IOT_PCP
#include "input/pcp/pcp-kinds.h"
#include "input/pcp/pcp-samples.h"

/* pmlogger's archive of tests/data, in a folder of its own. */
static struct iot_pcp_archive *open_archive(char **out_folder)
{
	g_autofree char *name = NULL, *command = NULL;
	struct iot_pcp_archive *archive;

	*out_folder = g_dir_make_tmp("pcp-XXXXXX", NULL);
	command = g_strdup_printf("tar xzf '%s' -C '%s'",
				  IOT_SOURCE_DIR "/tests/data/pcp/pmlogger.tar.gz", *out_folder);
	CU_ASSERT_TRUE_FATAL(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
	name = g_build_filename(*out_folder, "arch.meta", NULL);
	archive = iot_pcp_archive_open(name, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(archive);
	return archive;
}

static void close_archive(struct iot_pcp_archive *archive, char *folder)
{
	g_autofree char *command = g_strdup_printf("rm -r '%s'", folder);

	iot_pcp_archive_free(archive);
	CU_ASSERT_TRUE(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
	g_free(folder);
}

static gboolean no_more(struct iot_source *base, GError **error)
{
	(void)base, (void)error;
	return FALSE;
}

/* Read the whole archive with room for @most events that wait; @status: of all samples, if it is an
 * error. */
static void count(guint most, int status, struct iot_diag *diag)
{
	char *folder;
	struct iot_pcp_archive *archive = open_archive(&folder);
	g_autoptr(iot_intern) strings = iot_intern_new();
	struct iot_input_spec spec = { .path = "archive" };
	struct iot_made *made = iot_made_new(&iot_pcp_kinds, &spec, strings, no_more);
	struct iot_clock clock = { 0 };
	struct iot_pcp_samples *samples =
		iot_pcp_samples_new(archive, made, strings, &clock, diag, most);
	pmHighResResult *record;
	gboolean damaged;

	while ((record = iot_pcp_archive_next(archive, &damaged))) {
		int values[16];

		CU_ASSERT_TRUE_FATAL(record->numpmid <= (int)G_N_ELEMENTS(values));
		for (int i = 0; i < record->numpmid; i++) {
			values[i] = record->vset[i]->numval;
			if (status < 0)
				record->vset[i]->numval = status;
		}
		iot_pcp_samples_take(samples, record);
		for (int i = 0; i < record->numpmid; i++)
			record->vset[i]->numval = values[i];
		archive->pcp->pmFreeHighResResult(record);
	}
	CU_ASSERT_FALSE(damaged);
	iot_pcp_samples_end(samples, FALSE);
	iot_pcp_samples_free(samples);
	iot_made_free(made);
	close_archive(archive, folder);
}

/* Six samples of four network devices, after which more than three events come in their own
 * record, so none can wait for the next one. Behind that of the processor comes one, but for the
 * last, after which is the last record. */
UNIT_TEST(rates_that_wait_too_long_are_given_up)
{
	struct iot_diag diag = { 0 }, none = { 0 };

	count(3, 0, &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_rates_given_up], 25);
	count(1000, 0, &none);
	CU_ASSERT_EQUAL(none.count[IOT_DIAG_rates_given_up], 0);
}

/* 6 records with 4 metrics, and 2 with 5. */
UNIT_TEST(samples_that_failed_are_counted)
{
	struct iot_diag diag = { 0 };

	count(1000, PM_ERR_AGAIN, &diag);
	CU_ASSERT_EQUAL(diag.count[IOT_DIAG_samples_failed], 34);
}
#else
UNIT_TEST(there_is_no_libpcp)
{
}
#endif
