// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "config/config.h"

enum { EXIT_USAGE = 2 };

static const char usage[] = "usage: uprobe_exporter check CONFIG\n"
			    "\n"
			    "Checks a configuration: syntax and meaning. Needs no privilege.\n"
			    "Exit status: 0 right, 1 wrong, 2 wrong command line.\n";

static int check(const char *path)
{
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
	static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {}};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		fputs(usage, c == 'h' ? stdout : stderr);
		return c == 'h' ? EXIT_SUCCESS : EXIT_USAGE;
	}
	if (argc - optind != 1) {
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	return check(argv[optind]);
}
