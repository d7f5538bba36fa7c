/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line per event on standard error, logfmt or JSON, as Prometheus's own programs write:
 *     ts=2026-01-31T12:00:00.123Z level=warn msg="..." probe=checkout
 * Fields follow the message as name, value pairs of strings, closed by NULL.
 * Only floors that act (cli, trace's caller, web) log; the others return errors.
 */
#pragma once

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format { LOG_LOGFMT, LOG_JSON };

void log_setup(enum log_level lowest, enum log_format format);

/* 0, or -EINVAL for a name that is none of debug info warn error (logfmt json). */
int log_level_parse(const char *name, enum log_level *out);
int log_format_parse(const char *name, enum log_format *out);

void log_write(enum log_level level, const char *message, ...) __attribute__((sentinel));

#define log_debug(...) log_write(LOG_DEBUG, __VA_ARGS__, NULL)
#define log_info(...) log_write(LOG_INFO, __VA_ARGS__, NULL)
#define log_warn(...) log_write(LOG_WARN, __VA_ARGS__, NULL)
#define log_error(...) log_write(LOG_ERROR, __VA_ARGS__, NULL)
