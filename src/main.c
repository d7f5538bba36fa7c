// SPDX-License-Identifier: Apache-2.0
/* Picks the command. */
#include <string.h>

#include "base/cleanup.h"
#include "cli/check.h"
#include "cli/list.h"
#include "cli/plan.h"
#include "cli/serve.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"check", check_command},
	{"plan", plan_command},
	{"list", list_command},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return serve_command(argc, argv);
}
