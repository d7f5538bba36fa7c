// SPDX-License-Identifier: Apache-2.0
#include "cli/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/plan_print.h"
#include "plan/rules.h"

enum { EXIT_REFUSED = 3, PATIENCE_MS = 10000 };

static const char usage[] =
	"usage: uprobe_exporter plan CONFIG [--json] [--proc.path=DIR]\n"
	"\n"
	"Shows which functions would be probed on this machine, how, and why others would not.\n"
	"Attaches nothing. Processes that it may not look at (without privilege: other users')\n"
	"are not seen.\n"
	"\n"
	"  --json            as JSON: fields in `man uprobe_exporter`\n"
	"  --proc.path=DIR   where the host's /proc is mounted [/proc]\n"
	"\n"
	"Exit status: 0 all probes are ready or wait for a file, 3 something is refused, 1 no "
	"plan\n"
	"could be made, 2 wrong command line.\n";

static bool has_refusals(const struct plan *p)
{
	for (size_t i = 0; i < p->n_probes; i++)
		if (p->probes[i].state == PLAN_PARTLY || p->probes[i].state == PLAN_REFUSED)
			return true;
	return false;
}

/* For what is found out in the background a second one is made. */
static int make_plan(
	struct plan **out, const struct config *config, const char *proc_path, struct error *e)
{
	_cleanup_(world_freep) struct world *world = NULL;
	_cleanup_(plan_freep) struct plan *first = NULL;
	const struct plan_rules rules = rules_guess();
	int r = world_new(&world, proc_path, e);

	if (!r)
		r = plan_resolve(&first, config, &rules, world, e);
	if (!r && plan_await_news(first, PATIENCE_MS))
		return plan_resolve(out, config, &rules, world, e);
	if (!r)
		*out = TAKE_PTR(first);
	return r;
}

static int show(const struct command_line *line)
{
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(plan_freep) struct plan *plan = NULL;
	_cleanup_(error_deinit) struct error e = {};
	int r = config_load(&config, line->arguments[0], &e);

	if (!r)
		r = make_plan(&plan, config, line->proc_path, &e);
	if (r) {
		fprintf(stderr, "%s\n", error_text(&e));
		return EXIT_FAILURE;
	}
	if (line->as_json)
		plan_print_json(plan, stdout);
	else
		plan_print_text(plan, stdout);
	return has_refusals(plan) ? EXIT_REFUSED : EXIT_SUCCESS;
}

int plan_command(int argc, char **argv)
{
	static const struct command command = {.usage = usage,
		.options = COMMAND_JSON | COMMAND_PROC_PATH,
		.fewest = 1,
		.most = 1,
		.run = show};

	return command_run(&command, argc, argv);
}
