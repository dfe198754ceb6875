/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guests.h"

#include <stdlib.h>
#include <string.h>

static void guest_free(gpointer data)
{
	struct rec_guest *guest = data;

	g_free(guest->name);
	g_free(guest);
}

/* One guest is known to libvirt and runs a QEMU, too: the name of the first one stays. */
static void add_guest(GPtrArray *guests, const char *name, guint32 cid)
{
	struct rec_guest *guest;

	for (guint i = 0; i < guests->len; i++)
		if (((struct rec_guest *)guests->pdata[i])->cid == cid)
			return;
	guest = g_new0(struct rec_guest, 1);
	guest->name = g_strdup(name);
	guest->cid = cid;
	g_ptr_array_add(guests, guest);
}

/* The value of "KEY=VALUE" in a list with commas; NULL without it. */
static char *value_of(const char *list, const char *key)
{
	g_auto(GStrv) parts = g_strsplit(list, ",", -1);

	for (guint i = 0; parts[i]; i++)
		if (g_str_has_prefix(parts[i], key) && parts[i][strlen(key)] == '=')
			return g_strdup(parts[i] + strlen(key) + 1);
	return NULL;
}

/* @arguments: of a process, each with its NUL */
static void add_process(GPtrArray *guests, const char *arguments, gsize len)
{
	g_autofree char *name = NULL, *cid = NULL;

	for (const char *at = arguments, *next; at < arguments + len; at = next) {
		next = at + strlen(at) + 1;
		if (next >= arguments + len)
			next = arguments + len;
		if (!strcmp(at, "-name") && next < arguments + len && !name) {
			name = value_of(next, "guest");
			if (!name)
				name = g_strndup(next, strcspn(next, ","));
		} else if (g_str_has_prefix(at, "vhost-vsock") && !cid) {
			cid = value_of(at, "guest-cid");
		}
	}
	if (cid && strtoul(cid, NULL, 10) > 2)
		add_guest(guests, name ? name : "", (guint32)strtoul(cid, NULL, 10));
}

static void add_qemus(GPtrArray *guests)
{
	GDir *proc = g_dir_open("/proc", 0, NULL);
	const char *pid;

	while (proc && (pid = g_dir_read_name(proc))) {
		g_autofree char *path = g_build_filename("/proc", pid, "cmdline", NULL);
		g_autofree char *arguments = NULL;
		gsize len;

		if (g_ascii_isdigit(*pid) && g_file_get_contents(path, &arguments, &len, NULL))
			add_process(guests, arguments, len);
	}
	g_clear_pointer(&proc, g_dir_close);
}

/* The CID in libvirt's description of a guest; 0 without one. */
static guint32 guest_cid(const char *xml)
{
	g_autoptr(GRegex) regex =
		g_regex_new("<cid\\b[^>]*\\baddress=['\"](\\d+)['\"]", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *digits = NULL;

	if (!g_regex_match(regex, xml, 0, &match))
		return 0;
	digits = g_match_info_fetch(match, 1);
	return (guint32)strtoul(digits, NULL, 10);
}

/* What "virsh COMMAND [--domain=NAME]" prints; NULL if it fails. */
static char *ask_virsh(const char *command, const char *name)
{
	g_autofree char *domain = name ? g_strconcat("--domain=", name, NULL) : NULL;
	const char *argv[] = { "virsh", "-q", command, domain ? domain : "--name", NULL };
	char *text = NULL;
	int status;

	if (g_spawn_sync(NULL, (char **)argv, NULL,
			 G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &text, NULL,
			 &status, NULL) &&
	    status == 0)
		return text;
	g_free(text);
	return NULL;
}

static void add_libvirt(GPtrArray *guests)
{
	g_autofree char *list = ask_virsh("list", NULL);
	g_auto(GStrv) names = list ? g_strsplit(list, "\n", -1) : NULL;

	for (guint i = 0; names && names[i]; i++) {
		g_autofree char *xml = *names[i] ? ask_virsh("dumpxml", names[i]) : NULL;
		guint32 cid = xml ? guest_cid(xml) : 0;

		if (cid > 2)
			add_guest(guests, names[i], cid);
	}
}

static int by_cid(gconstpointer a, gconstpointer b)
{
	const struct rec_guest *x = *(struct rec_guest *const *)a;
	const struct rec_guest *y = *(struct rec_guest *const *)b;

	return x->cid < y->cid ? -1 : x->cid > y->cid;
}

GPtrArray *rec_guests_find(void)
{
	GPtrArray *guests = g_ptr_array_new_with_free_func(guest_free);

	add_libvirt(guests);
	add_qemus(guests);
	g_ptr_array_sort(guests, by_cid);
	return guests;
}
