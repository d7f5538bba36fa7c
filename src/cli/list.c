// SPDX-License-Identifier: Apache-2.0
/*
 * The file is the one that the path means to who runs the command: no process is looked at, and
 * no privilege needed but to read it. One inside a container has a path through its process:
 * /proc/PID/root/usr/bin/x.
 */
#include "cli/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	"and what a probe would cost, and why others can't be; and its USDT points. Needs no\n"
	"privilege but to read the file.\n"
	"\n"
	"  BINARY    path of the file; in a container: /proc/PID/root/PATH\n"
	"  PATTERN   a name, a glob or a /regular expression/, as in the configuration [*]\n"
	"  --json    as JSON: fields in `man uprobe_exporter`\n"
	"\n"
	"Exit status: 0 some are shown, 1 there is no such function, point or file, 2 wrong "
	"command "
	"line.\n";

/* Whether a pattern may be one of USDT points: C++ and Rust have two colons. */
static bool may_mean_points(const char *pattern)
{
	const char *colon = strchr(pattern, ':');

	if (pattern[0] == '/')
		return true;
	return colon ? colon[1] != ':' : strpbrk(pattern, "*?[") != NULL;
}

/* 0 where there are some. */
static int list_points(struct list_points *out, const char *binary, const char *pattern,
	const struct plan_rules *rules, struct target *target, struct error *e)
{
	_cleanup_(config_freep) struct config *config = NULL;
	int r;

	if (!may_mean_points(pattern))
		return -ENOENT;
	r = config_of_points(&config, "PATTERN", binary, pattern, e);
	return r ? r : plan_list(config, rules, target, list_points_add, out, e);
}

/* Who asks for some of the points isn't told that no functions have their names. */
static int conclude(int functions, int points, const char *pattern, struct error *e,
	const struct error *of_points)
{
	if (!points && functions && strcmp(pattern, "*") != 0)
		error_deinit(e);
	else if (points && functions && of_points->text && strchr(pattern, ':'))
		error_set(e, points, "%s", of_points->text);
	return functions && points ? functions : 0;
}

static int list(const struct command_line *line, struct error *e)
{
	const char *binary = line->arguments[0];
	const char *pattern = line->arguments[1] ? line->arguments[1] : "*";
	_cleanup_(error_deinit) struct error of_points = {};
	_cleanup_(list_points_deinit) struct list_points points = {};
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *target = NULL;
	const struct plan_rules rules = rules_guess();
	_cleanup_(list_printer_deinit) struct list_printer printer = {
		.out = stdout, .as_json = line->as_json};
	int r_points, r = config_of_functions(&config, "PATTERN", binary, pattern, e);

	if (!r)
		r = target_open(&target, binary, e);
	if (r)
		return r;
	list_print_begin(&printer);
	r = plan_list(config, &rules, target, list_print_site, &printer, e);
	r_points = list_points(&points, binary, pattern, &rules, target, &of_points);
	list_print_end(&printer, &points);
	return conclude(r, r_points, pattern, e, &of_points);
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
