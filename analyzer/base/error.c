/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"

/* Not G_DEFINE_QUARK: its cache is no atomic variable, and several threads may stop at once. */
GQuark iot_error_quark(void)
{
	return g_quark_from_static_string("iot-error-quark");
}

gboolean iot_usage_error(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error)
		*error = g_error_new_valist(IOT_ERROR, IOT_ERROR_USAGE, format, args);
	va_end(args);
	return FALSE;
}

int iot_error_exit_status(const GError *error)
{
	if (!error)
		return 0;
	if (error->domain != IOT_ERROR)
		return 3;
	switch ((enum iot_error_code)error->code) {
	case IOT_ERROR_USAGE:
	case IOT_ERROR_MODEL:
		return 1;
	case IOT_ERROR_INPUT:
		return 2;
	case IOT_ERROR_CHECK:
		return 4;
	case IOT_ERROR_OUTPUT:
	case IOT_ERROR_MEMORY:
	case IOT_ERROR_STOPPED:
	case IOT_ERROR_INTERNAL:
		break;
	}
	return 3;
}
