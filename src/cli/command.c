// SPDX-License-Identifier: Apache-2.0
/* An option is a row; a command names those that it takes. */
#include "cli/command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"

enum { EXIT_USAGE = 2 };

static const struct {
	unsigned bit; /* 0: every command takes it */
	struct option option;
} rows[] = {
	{COMMAND_JSON, {"json", no_argument, NULL, 'j'}},
	{COMMAND_PROC_PATH, {"proc.path", required_argument, NULL, 'p'}},
	{0, {"help", no_argument, NULL, 'h'}},
};

enum outcome { TO_RUN, TO_HELP, TO_REFUSE };

static void choose_options(const struct command *c, struct option *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!rows[i].bit || c->options & rows[i].bit)
			*out++ = rows[i].option;
	*out = (struct option){};
}

static enum outcome take_arguments(
	const struct command *c, struct command_line *line, int argc, char **argv)
{
	int n = argc - optind;

	for (int i = 0; i < n && i < c->most; i++)
		line->arguments[i] = argv[optind + i];
	return n >= c->fewest && n <= c->most ? TO_RUN : TO_REFUSE;
}

static enum outcome parse(const struct command *c, struct command_line *line, int argc, char **argv)
{
	struct option options[ARRAY_SIZE(rows) + 1];
	int option;

	*line = (struct command_line){.proc_path = "/proc"};
	choose_options(c, options);
	optind = 1;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h')
			return TO_HELP;
		if (option == 'j')
			line->as_json = true;
		else if (option == 'p')
			line->proc_path = optarg;
		else
			return TO_REFUSE;
	}
	return take_arguments(c, line, argc, argv);
}

/* What didn't reach its reader, as on a full disk, was not done. */
static int deliver(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fputs("standard output: not all could be written\n", stderr);
	return EXIT_FAILURE;
}

int command_run(const struct command *c, int argc, char **argv)
{
	struct command_line line;
	enum outcome outcome = parse(c, &line, argc, argv);

	if (outcome == TO_RUN)
		return deliver(c->run(&line));
	fputs(c->usage, outcome == TO_HELP ? stdout : stderr);
	return outcome == TO_HELP ? deliver(EXIT_SUCCESS) : EXIT_USAGE;
}
