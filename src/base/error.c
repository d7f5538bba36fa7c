// SPDX-License-Identifier: Apache-2.0
/* Error texts: built with asprintf, owned by the struct. e may be NULL: the code alone counts. */
#include "base/error.h"

#include <stdarg.h>
#include <string.h>

#include "base/memory.h"

void error_deinit(struct error *e)
{
	free(e->text);
	e->text = NULL;
}

static void replace(struct error *e, char *text)
{
	free(e->text);
	e->text = text;
}

int error_set(struct error *e, int code, const char *format, ...)
{
	va_list args;

	if (!e)
		return code;
	va_start(args, format);
	replace(e, memory_vprintf(format, args));
	va_end(args);
	return code;
}

int error_set_errno(struct error *e, int code, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	va_list args;

	if (!e)
		return code;
	va_start(args, format);
	text = memory_vprintf(format, args);
	va_end(args);
	replace(e, memory_printf("%s: %s", text, strerror(-code)));
	return code;
}

int error_wrap(struct error *e, int code, const char *format, ...)
{
	_cleanup_(freep) char *context = NULL;
	va_list args;

	if (!e)
		return code;
	va_start(args, format);
	context = memory_vprintf(format, args);
	va_end(args);
	replace(e, memory_printf("%s: %s", context, error_text(e)));
	return code;
}

const char *error_text(const struct error *e)
{
	return e->text ? e->text : "unknown error";
}
