// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <time.h>

#include "base/buffer.h"

static enum log_level lowest_level = LOG_INFO;
static enum log_format line_format = LOG_LOGFMT;

static const char *const level_names[] = {"debug", "info", "warn", "error"};
static const char *const format_names[] = {"logfmt", "json"};

static int parse(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return (int)i;
	return -EINVAL;
}

int log_level_parse(const char *name, enum log_level *out)
{
	int i = parse(name, level_names, ARRAY_SIZE(level_names));

	if (i < 0)
		return i;
	*out = (enum log_level)i;
	return 0;
}

int log_format_parse(const char *name, enum log_format *out)
{
	int i = parse(name, format_names, ARRAY_SIZE(format_names));

	if (i < 0)
		return i;
	*out = (enum log_format)i;
	return 0;
}

void log_setup(enum log_level lowest, enum log_format format)
{
	lowest_level = lowest;
	line_format = format;
}

static void put_quoted(struct buffer *line, const char *text)
{
	buffer_putc(line, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			buffer_printf(line, "\\%c", *c);
		else if (*c == '\n')
			buffer_puts(line, "\\n");
		else if (*c == '\t')
			buffer_puts(line, "\\t");
		else if (*c < 0x20 || *c == 0x7f)
			buffer_printf(line, "\\u%04x", *c);
		else
			buffer_putc(line, (char)*c);
	}
	buffer_putc(line, '"');
}

static bool is_bare(const char *text)
{
	return *text && !strpbrk(text, " \"=\\\n\t\r");
}

static void put_field(struct buffer *line, const char *name, const char *value)
{
	if (line_format == LOG_JSON) {
		buffer_puts(line, line->size == 1 ? "" : ",");
		put_quoted(line, name);
		buffer_putc(line, ':');
		put_quoted(line, value);
		return;
	}
	buffer_printf(line, "%s%s=", line->size ? " " : "", name);
	if (is_bare(value))
		buffer_puts(line, value);
	else
		put_quoted(line, value);
}

static void put_time(struct buffer *line)
{
	char seconds[32], text[48];
	struct timespec now;
	struct tm utc;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(text, sizeof(text), "%s.%03ldZ", seconds, now.tv_nsec / 1000000);
	put_field(line, "ts", text);
}

void log_write(enum log_level level, const char *message, ...)
{
	_cleanup_(buffer_deinit) struct buffer line = {};
	const char *name;
	va_list fields;

	if (level < lowest_level)
		return;
	if (line_format == LOG_JSON)
		buffer_putc(&line, '{');
	put_time(&line);
	put_field(&line, "level", level_names[level]);
	put_field(&line, "msg", message);
	va_start(fields, message);
	while ((name = va_arg(fields, const char *)))
		put_field(&line, name, va_arg(fields, const char *));
	va_end(fields);
	buffer_puts(&line, line_format == LOG_JSON ? "}\n" : "\n");
	fwrite(line.data, 1, line.size, stderr);
}
