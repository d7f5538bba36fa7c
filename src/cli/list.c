// SPDX-License-Identifier: Apache-2.0
/*
 * The file is the one that the path means to who runs the command: no process is looked at, and
 * no privilege needed but to read it. One inside a container has a path through its process:
 * /proc/PID/root/usr/bin/x.
 */
#include "cli/list.h"

#include <stdlib.h>

#include "cli/command.h"
#include "cli/list_print.h"
#include "cli/printable.h"
#include "plan/list.h"
#include "plan/rules.h"

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

static int list(const struct command_line *line, struct error *e)
{
	const char *binary = line->arguments[0], *pattern = line->arguments[1];
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *target = NULL;
	const struct plan_rules rules = rules_guess();
	_cleanup_(list_printer_deinit) struct list_printer printer = {
		.out = stdout, .as_json = line->as_json};
	int r = config_of_functions(&config, "PATTERN", binary, pattern ? pattern : "*", e);

	if (!r)
		r = target_open(&target, binary, e);
	if (r)
		return r;
	list_print_begin(&printer);
	r = plan_list(config, &rules, target, list_print_site, &printer, e);
	list_print_end(&printer);
	return r;
}

static int run(const struct command_line *line)
{
	_cleanup_(error_deinit) struct error e = {};
	int r = list(line, &e);

	fflush(stdout);
	if (e.text)
		fprintf(stderr, "%s\n", e.text);
	return r ? EXIT_FAILURE : EXIT_SUCCESS;
}

int list_command(int argc, char **argv)
{
	static const struct command command = {
		.usage = usage, .options = COMMAND_JSON, .fewest = 1, .most = 2, .run = run};

	return command_run(&command, argc, argv);
}
