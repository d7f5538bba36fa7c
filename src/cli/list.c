// SPDX-License-Identifier: Apache-2.0
/*
 * The file is the one that the path means to who runs the command: no process is looked at, and
 * no privilege needed but to read it. One inside a container has a path through its process:
 * /proc/PID/root/usr/bin/x.
 */
#include "cli/list.h"

#include <getopt.h>
#include <stdlib.h>

#include "cli/list_print.h"
#include "cli/printable.h"
#include "plan/list.h"
#include "plan/rules.h"

enum { EXIT_USAGE = 2 };

static const char usage[] =
	"usage: uprobe_exporter list BINARY [PATTERN] [--json]\n"
	"\n"
	"Shows which functions of a program or library can be probed, how their ends would be "
	"seen\n"
	"and what a probe would cost, and why others can't be. Needs no privilege but to read the\n"
	"file.\n"
	"\n"
	"  BINARY    path of the file; in a container: /proc/PID/root/PATH\n"
	"  PATTERN   a name, a glob or a /regular expression/, as in the configuration [*]\n"
	"  --json    as JSON: fields in `man uprobe_exporter`\n"
	"\n"
	"Exit status: 0 some are shown, 1 there is no such function or file, 2 wrong command "
	"line.\n";

struct arguments {
	const char *binary, *pattern;
	bool as_json, wants_help;
};

static bool parse(struct arguments *out, int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{},
	};
	int c, n;

	*out = (struct arguments){.pattern = "*"};
	optind = 1;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'j')
			out->as_json = true;
		else if (c == 'h')
			out->wants_help = true;
		else
			return false;
	}
	n = argc - optind;
	if (n > 0)
		out->binary = argv[optind];
	if (n > 1)
		out->pattern = argv[optind + 1];
	return out->wants_help || n == 1 || n == 2;
}

static int list(const struct arguments *a, struct error *e)
{
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *target = NULL;
	const struct plan_rules rules = rules_guess();
	struct list_printer printer = {.out = stdout, .as_json = a->as_json};
	int r = config_of_functions(&config, "PATTERN", a->binary, a->pattern, e);

	if (!r)
		r = target_open(&target, a->binary, e);
	if (r)
		return r;
	list_print_begin(&printer);
	r = plan_list(config, &rules, target, list_print_site, &printer, e);
	list_print_end(&printer);
	return r;
}

int list_command(int argc, char **argv)
{
	_cleanup_(error_deinit) struct error e = {};
	struct arguments arguments;
	int r;

	if (!parse(&arguments, argc, argv)) {
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	if (arguments.wants_help) {
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	r = list(&arguments, &e);
	fflush(stdout);
	if (e.text)
		fprintf(stderr, "%s\n", e.text);
	return r ? EXIT_FAILURE : EXIT_SUCCESS;
}
