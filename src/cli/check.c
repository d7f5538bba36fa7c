// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "config/config.h"

static const char usage[] = "usage: uprobe_exporter check CONFIG\n"
			    "\n"
			    "Checks a configuration: syntax and meaning. Needs no privilege.\n"
			    "Exit status: 0 right, 1 wrong, 2 wrong command line.\n";

static int check(const struct command_line *line)
{
	const char *path = line->arguments[0];
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};

	if (config_load(&c, path, &e)) {
		fprintf(stderr, "%s\n", error_text(&e));
		return EXIT_FAILURE;
	}
	printf("%s: %zu probe%s, ok\n", path, c->n_probes, c->n_probes == 1 ? "" : "s");
	return EXIT_SUCCESS;
}

int check_command(int argc, char **argv)
{
	static const struct command command = {
		.usage = usage, .fewest = 1, .most = 1, .run = check};

	return command_run(&command, argc, argv);
}
