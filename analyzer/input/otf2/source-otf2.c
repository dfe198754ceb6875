/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of OTF2 archives, which Score-P, EZTrace and our own output otf2 write: events of
 * systems "mpi" and "iotrace" (otf2-convert.h). The events of all locations are merged by time
 * (otf2-ahead.h), so an archive has one run, which is read as a stream.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "input/otf2/otf2-convert.h"
#include "input/otf2/otf2-kinds.h"
#include "input/otf2/otf2-marks.h"
#include "input/clock-judge.h"
#include "input/made-source.h"

struct otf2_source {
	struct iot_made_source own;
	OTF2_Reader *reader;
	struct iot_otf2_ahead *ahead; /* NULL: not begun */
	struct iot_otf2_defs *defs;
	struct iot_otf2_convert *convert;
	struct iot_otf2_clocks *clocks; /* clocks of the ranks; NULL: none are known */
	char *folder;			/* where the files of locations are */
	guint64 bytes;
};

/* Events that are taken at once. */
enum { PORTION = 32 };

static const char anchor_suffix[] = ".otf2";

/* The anchor file begins with these bytes. */
static const char magic[] = "OTF2";
enum { MAGIC_AT = 2 };

/* ---- files */

static int otf2_probe(const char *path, const guint8 *head, gsize len)
{
	gsize n = strlen(magic);

	return len >= MAGIC_AT + n && !memcmp(head + MAGIC_AT, magic, n) &&
			       g_str_has_suffix(path, anchor_suffix)
		       ? 100
		       : 0;
}

/* The folder of an archive stands for the anchor file in it. */
static char *otf2_first_part(const char *path)
{
	return g_str_has_suffix(path, anchor_suffix) && g_file_test(path, G_FILE_TEST_IS_REGULAR)
		       ? g_strdup(path)
		       : NULL;
}

/* The library prints its errors unless somebody takes them; what it returns says enough. The
 * output otf2 registers another function, which is silent in threads that write no archive. */
static OTF2_ErrorCode take_error(void *data, const char *file, uint64_t line, const char *function,
				 OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)args;
	return code;
}

static char *location_file(const struct otf2_source *src, OTF2_LocationRef location,
			   const char *suffix)
{
	return g_strdup_printf("%s/%" G_GUINT64_FORMAT "%s", src->folder, (guint64)location,
			       suffix);
}

static gboolean missing(const struct otf2_source *src, const char *file, GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: this OTF2 archive is not complete: %s is missing", src->own.path, file);
	return FALSE;
}

static gboolean damaged(const struct otf2_source *src, const char *what, OTF2_ErrorCode code,
			GError **error)
{
	g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
		    "%s: this OTF2 archive is damaged: %s cannot be read%s%s", src->own.path, what,
		    code == OTF2_SUCCESS ? "" : ": ",
		    code == OTF2_SUCCESS ? "" : OTF2_Error_GetDescription(code));
	return FALSE;
}

/* Locations with many events have an open file each; programs begin with a limit that is lower than
 * what they may have. */
static void allow_files(const struct otf2_source *src)
{
	guint64 n = src->defs->places->len + 100ull;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= n)
		return;
	limit.rlim_cur = MIN(limit.rlim_max, n);
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* ---- definitions */

static gboolean read_global_defs(struct otf2_source *src, GError **error)
{
	g_autofree char *file = g_strconcat(src->folder, ".def", NULL);
	OTF2_GlobalDefReaderCallbacks *calls;
	OTF2_GlobalDefReader *defs;
	OTF2_ErrorCode code;
	uint64_t n;

	if (!g_file_test(file, G_FILE_TEST_EXISTS))
		return missing(src, file, error);
	defs = OTF2_Reader_GetGlobalDefReader(src->reader);
	if (!defs)
		return damaged(src, file, OTF2_SUCCESS, error);
	calls = iot_otf2_defs_callbacks();
	OTF2_Reader_RegisterGlobalDefCallbacks(src->reader, defs, calls, src->defs);
	OTF2_GlobalDefReaderCallbacks_Delete(calls);
	code = OTF2_Reader_ReadAllGlobalDefinitions(src->reader, defs, &n);
	OTF2_Reader_CloseGlobalDefReader(src->reader, defs);
	if (code != OTF2_SUCCESS)
		return damaged(src, file, code, error);
	iot_otf2_defs_finish(src->defs);
	return TRUE;
}

/* Those of a location translate the numbers in its events, so without them all would be wrong. */
static gboolean read_local_defs(struct otf2_source *src, OTF2_LocationRef location, GError **error)
{
	OTF2_DefReader *defs = OTF2_Reader_GetDefReader(src->reader, location);
	g_autofree char *file = location_file(src, location, ".def");
	OTF2_ErrorCode code;
	uint64_t n;

	if (!defs)
		return damaged(src, file, OTF2_SUCCESS, error);
	code = OTF2_Reader_ReadAllLocalDefinitions(src->reader, defs, &n);
	OTF2_Reader_CloseDefReader(src->reader, defs);
	return code == OTF2_SUCCESS || damaged(src, file, code, error);
}

/* An archive has files of definitions for all locations, or for none. */
static gboolean read_all_local_defs(struct otf2_source *src, GError **error)
{
	const GPtrArray *places = src->defs->places;
	g_autofree char *absent = NULL;
	gboolean ok = TRUE;
	guint n = 0;

	for (guint i = 0; i < places->len; i++) {
		const struct iot_otf2_place *place = places->pdata[i];
		g_autofree char *file = location_file(src, place->ref, ".def");

		if (g_file_test(file, G_FILE_TEST_EXISTS))
			n++;
		else if (!absent)
			absent = g_steal_pointer(&file);
	}
	if (n && absent)
		return missing(src, absent, error);
	if (!n)
		return TRUE;
	if (OTF2_Reader_OpenDefFiles(src->reader) != OTF2_SUCCESS)
		return damaged(src, src->folder, OTF2_SUCCESS, error);
	for (guint i = 0; ok && i < places->len; i++)
		ok = read_local_defs(src, ((struct iot_otf2_place *)places->pdata[i])->ref, error);
	OTF2_Reader_CloseDefFiles(src->reader);
	return ok;
}

static gboolean find_event_files(struct otf2_source *src, GError **error)
{
	for (guint i = 0; i < src->defs->places->len; i++) {
		struct iot_otf2_place *place = src->defs->places->pdata[i];
		g_autofree char *file = location_file(src, place->ref, ".evt");
		struct stat st;

		if (!stat(file, &st))
			src->bytes += (guint64)st.st_size;
		else if (place->n_events)
			return missing(src, file, error);
		else
			place->no_file = TRUE;
	}
	return TRUE;
}

/* ---- open and close */

static guint64 corrected(const struct otf2_source *src, guint64 tick)
{
	return iot_made_source_correct(&src->own, iot_otf2_ns(src->defs, tick));
}

static gboolean is_dated(const struct otf2_source *src)
{
	return src->defs->realtime_ns != OTF2_UNDEFINED_TIMESTAMP;
}

static char *describe_format(const struct otf2_source *src)
{
	uint8_t major = 0, minor = 0, bugfix = 0;
	char *creator = NULL, *text;

	OTF2_Reader_GetVersion(src->reader, &major, &minor, &bugfix);
	OTF2_Reader_GetCreator(src->reader, &creator);
	text = g_strdup_printf("OTF2 %u.%u, %u location%s%s%s", major, minor,
			       src->defs->places->len, src->defs->places->len == 1 ? "" : "s",
			       creator && *creator ? ", by " : "", creator ? creator : "");
	free(creator);
	return text;
}

/* Archives are called alike, their folders are not. */
static char *name_of(const char *path)
{
	g_autofree char *whole = g_canonicalize_filename(path, NULL);
	g_autofree char *folder = g_path_get_dirname(whole);

	return g_path_get_basename(folder);
}

static void otf2_close(struct iot_source *base)
{
	struct otf2_source *src = (struct otf2_source *)base;

	if (!src)
		return;
	iot_otf2_ahead_free(src->ahead);
	OTF2_Reader_Close(src->reader);
	iot_otf2_convert_free(src->convert);
	iot_otf2_clocks_free(src->clocks);
	iot_otf2_defs_free(src->defs);
	g_free(src->folder);
	iot_made_source_clear(&src->own);
	g_free(src);
}

static gboolean open_reader(struct otf2_source *src, GError **error)
{
	OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;

	OTF2_Error_RegisterCallback(take_error, NULL);
	src->reader = OTF2_Reader_Open(src->own.path);
	if (!src->reader)
		return damaged(src, "it", OTF2_SUCCESS, error);
	OTF2_Reader_GetFileSubstrate(src->reader, &substrate);
	if (substrate != OTF2_SUBSTRATE_POSIX) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: this OTF2 archive does not have a file for each location (it uses "
			    "SIONlib), which cannot be read",
			    src->own.path);
		return FALSE;
	}
	OTF2_Reader_SetSerialCollectiveCallbacks(src->reader);
	if (!read_global_defs(src, error))
		return FALSE;
	for (guint i = 0; i < src->defs->places->len; i++)
		OTF2_Reader_SelectLocation(
			src->reader, ((struct iot_otf2_place *)src->defs->places->pdata[i])->ref);
	return read_all_local_defs(src, error) && find_event_files(src, error);
}

static gboolean take_events(struct iot_source *base, GError **error);

static gboolean bad_events(struct otf2_source *src, const struct iot_otf2_place *place,
			   OTF2_ErrorCode code, GError **error)
{
	g_autofree char *file = location_file(src, place->ref, ".evt");
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == EMFILE) {
		g_set_error(error, IOT_ERROR, IOT_ERROR_INPUT,
			    "%s: this OTF2 archive has %u locations, which are more than the limit "
			    "of open files allows; raise it (ulimit -n)",
			    src->own.path, src->defs->places->len);
		return FALSE;
	}
	if (fd >= 0)
		close(fd);
	return damaged(src, file, code, error);
}

static void begin_events(struct otf2_source *src)
{
	allow_files(src);
	OTF2_Reader_OpenEvtFiles(src->reader);
	src->ahead = iot_otf2_ahead_new(src->reader, src->defs, src->own.strings, src->clocks);
}

/* The clocks of the ranks, if somebody has written them; all events are read for it. */
static gboolean find_marks(struct otf2_source *src, const struct iot_clock_change *change,
			   GError **error)
{
	const struct iot_otf2_place *failed = NULL;
	OTF2_ErrorCode code = OTF2_SUCCESS;
	gboolean ok;

	if (!change || !change->ranks || is_dated(src))
		return TRUE;
	begin_events(src);
	ok = iot_otf2_marks_read(src->ahead, src->defs, change->ranks, &failed, &code,
				 &src->clocks);
	g_clear_pointer(&src->ahead, iot_otf2_ahead_free);
	OTF2_Reader_CloseEvtFiles(src->reader);
	iot_diag_add(&src->own.diag, IOT_DIAG_rank_clocks_unused, ok && !src->clocks);
	return ok || bad_events(src, failed, code, error);
}

static struct iot_source *otf2_open(const struct iot_input_spec *spec, GError **error)
{
	struct otf2_source *src = g_new0(struct otf2_source, 1);

	iot_made_source_init(&src->own, &iot_source_otf2, &iot_otf2_kinds, NULL, spec, take_events);
	src->folder = g_strndup(spec->path, strlen(spec->path) - strlen(anchor_suffix));
	src->own.file_name = name_of(spec->path);
	src->defs = iot_otf2_defs_new(src->own.strings);
	if (!open_reader(src, error) || !find_marks(src, spec->clock, error)) {
		otf2_close(&src->own.base);
		return NULL;
	}
	src->own.clock_name = is_dated(src) || src->clocks ? "real" : "program";
	src->own.format = describe_format(src);
	if (src->clocks) {
		src->own.first_ns = iot_made_source_correct(&src->own, src->clocks->first_ns);
		src->own.last_ns = iot_made_source_correct(&src->own, src->clocks->last_ns);
	} else {
		src->own.first_ns = corrected(src, src->defs->first_tick);
		src->own.last_ns = corrected(src, src->defs->first_tick + src->defs->n_ticks);
	}
	src->convert = iot_otf2_convert_new(src->defs, src->own.made, src->own.strings,
					    &src->own.clock, src->clocks != NULL, &src->own.diag);
	return &src->own.base;
}

/* ---- bind and read */

static gboolean otf2_has_event(const struct iot_source *base, const char *system, const char *name)
{
	const struct otf2_source *src = (const struct otf2_source *)base;

	return (src->defs->has_io || !strcmp(system, "mpi")) &&
	       iot_made_has_event(&iot_otf2_kinds, system, name);
}

static const char *otf2_machine(const struct iot_source *base, guint machine)
{
	const struct otf2_source *src = (const struct otf2_source *)base;
	const GArray *hosts = src->defs->hosts;

	if (hosts->len < 2 || machine > hosts->len)
		return NULL;
	return iot_intern_get(src->own.strings, g_array_index(hosts, guint32, machine - 1), NULL);
}

static gboolean otf2_bind_machine(struct iot_source *base, guint machine, guint32 input,
				  const struct iot_schema *schema, GError **error)
{
	struct otf2_source *src = (struct otf2_source *)base;

	return iot_made_bind_machine(src->own.made, machine, input, schema, src->own.path,
				     &src->own.diag, error);
}

static guint64 otf2_machine_events(const struct iot_source *base, guint machine)
{
	return iot_made_machine_events(((const struct otf2_source *)base)->own.made, machine);
}

static void tell_progress(struct otf2_source *src)
{
	guint64 now = src->own.made->now_ns;

	if (now > src->own.first_ns)
		iot_made_source_tell(
			&src->own,
			(guint64)((double)src->bytes * (double)(now - src->own.first_ns) /
				  (double)(src->own.last_ns - src->own.first_ns)));
}

/* The next events; FALSE at the end of the archive. */
static gboolean take_events(struct iot_source *base, GError **error)
{
	struct otf2_source *src = (struct otf2_source *)base;
	const struct iot_otf2_place *failed = NULL;
	const struct iot_otf2_event *event = NULL;
	struct iot_made *made = src->own.made;
	OTF2_ErrorCode code;

	if (!src->ahead)
		begin_events(src);
	for (guint i = 0; i < PORTION && made->now_ns <= base->to_ns; i++) {
		event = iot_otf2_ahead_next(src->ahead, &failed, &code);
		if (!event)
			break;
		iot_otf2_convert_take(src->convert, event);
	}
	src->own.last_ns = MAX(src->own.last_ns, made->now_ns);
	tell_progress(src);
	if (failed)
		bad_events(src, failed, code, error);
	return event != NULL;
}

/* ---- describe */

static void otf2_describe(const struct iot_source *base, struct iot_input_info *info)
{
	static const char *const systems[] = { "iotrace", "mpi", NULL };
	const struct otf2_source *src = (const struct otf2_source *)base;
	const char *const *own = src->defs->has_io ? systems : systems + 1;

	iot_made_source_describe(base, info);
	if (src->defs->host)
		info->hostname = iot_intern_get(src->own.strings, src->defs->host, NULL);
	info->of_machines = src->defs->of_hosts;
	info->has_times = src->bytes > 0;
	info->bytes = src->bytes;
	info->systems = info->recorded = own;
}

static void otf2_judge(const struct iot_source *base, const struct iot_clock_assumed *assumed,
		       struct iot_clock_facts *out)
{
	const struct otf2_source *src = (const struct otf2_source *)base;

	/* the error of the ranks' clocks, and that of the clock which corrects them */
	struct iot_clock worst = src->clocks ? *src->clocks->worst : src->own.clock;

	if (src->clocks && iot_clock_is_stated(&src->own.clock)) {
		worst = src->own.clock;
		worst.sample_error_ns += src->clocks->worst->sample_error_ns;
	}
	iot_clock_judge_stated(&worst, src->own.clock_name, assumed, src->own.first_ns,
			       src->own.last_ns, out);
}

const struct iot_source_ops iot_source_otf2 = {
	.name = "otf2",
	.runs_independent = TRUE,
	.probe = otf2_probe,
	.first_part = otf2_first_part,
	.open = otf2_open,
	.bind = iot_made_source_bind,
	.has_event = otf2_has_event,
	.n_runs = iot_made_n_runs,
	.cpu = iot_made_cpu,
	.read = iot_made_source_read,
	.progress = iot_made_source_progress,
	.strings = iot_made_source_strings,
	.describe = otf2_describe,
	.judge = otf2_judge,
	.machine = otf2_machine,
	.bind_machine = otf2_bind_machine,
	.machine_events = otf2_machine_events,
	.close = otf2_close,
};
