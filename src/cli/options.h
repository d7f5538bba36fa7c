/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `serve` (the program without a command). */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/log.h"
#include "trace/trace.h"

enum { OPTIONS_MAX_LISTEN_ADDRESSES = 16 };

struct options {
	const char *config_file;
	const char *listen_addresses[OPTIONS_MAX_LISTEN_ADDRESSES];
	size_t n_listen_addresses;
	const char *telemetry_path;
	unsigned max_requests;
	enum log_level log_level;
	enum log_format log_format;
	enum attach_mode attach_mode;
	const char *proc_path;
	bool show_help, show_version;
};

/* Fills out with defaults, then with what argv says; borrows argv's strings. -EINVAL with the
 * option's name for what is wrong. */
int options_parse(struct options *out, int argc, char **argv, struct error *e);

/* The text of --help: commands, then every option with its default. */
void options_print_help(void);
