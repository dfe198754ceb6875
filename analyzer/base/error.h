/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors. Library layers return gboolean or a pointer and fill a GError; they never print.
 * The code of an error decides the exit status of the program (docs/ARCHITECTURE.md).
 */
#ifndef IOT_BASE_ERROR_H
#define IOT_BASE_ERROR_H

#include <glib.h>

enum iot_error_code {
	IOT_ERROR_USAGE = 1, /* wrong option or argument */
	IOT_ERROR_MODEL,     /* model file wrong, or does not fit the events of an input */
	IOT_ERROR_INPUT,     /* an input cannot be read */
	IOT_ERROR_OUTPUT,    /* an output cannot be written */
	IOT_ERROR_CHECK,     /* a check failed */
	IOT_ERROR_MEMORY,    /* a budgeted allocation failed */
	IOT_ERROR_STOPPED,   /* another thread failed first; never shown */
	IOT_ERROR_INTERNAL,  /* a contract between layers was broken */
};

#define IOT_ERROR (iot_error_quark())
GQuark iot_error_quark(void);

/**
 * iot_error_exit_status - the exit status that an error stands for
 * @error: an error, or NULL
 *
 * Returns 0 for NULL, 1 usage or model, 2 input, 3 output (also memory and internal), 4 check.
 */
int iot_error_exit_status(const GError *error);
/** iot_usage_error - set IOT_ERROR_USAGE; always FALSE, to be returned at once */
gboolean iot_usage_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
