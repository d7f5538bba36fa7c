/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands have in common that print something and end: how their command lines are read.
 */
#pragma once

#include <stdbool.h>

/* What a command line said. */
struct command_line {
	const char *arguments[2]; /* NULL: not given */
	const char *proc_path;    /* never NULL */
	bool as_json;
};

/* Options that a command takes besides --help. */
enum { COMMAND_JSON = 1 << 0, COMMAND_PROC_PATH = 1 << 1 };

struct command {
	const char *usage; /* the whole of its help */
	unsigned options;  /* COMMAND_* */
	int fewest, most;  /* arguments */
	int (*run)(const struct command_line *line);
};

/* Runs the command, or shows its help; argv[0] is the command's name. The exit status: what run()
 * gives, or 2 with the usage on standard error where the command line is wrong. */
int command_run(const struct command *c, int argc, char **argv);
