// SPDX-License-Identifier: Apache-2.0
/*
 * Processes that run a copy of their code: those that did it already show it in their maps, those
 * that will (a new one of the same service) by the option that asks for it.
 */
#include <fcntl.h>
#include <string.h>

#include "base/memory.h"
#include "target/lookup.h"

enum { MOST_BYTES = 128 << 10 }; /* of a command line, or an environment */

bool world_has_moved_code(struct world *w, const struct target *t)
{
	const struct mappings *maps = world_mappings(w);

	for (size_t i = 0; i < maps->n_torn; i++)
		if (mapping_is_of(&maps->torn[i], &w->census, t))
			return true;
	return false;
}

/* Reads a file of strings that each end in a zero byte; and one more such byte. */
static char *read_strings(const struct census *c, pid_t pid, const char *what, size_t *n)
{
	_cleanup_(freep) char *name = memory_printf("%d/%s", pid, what);
	_cleanup_(closep) int fd = openat(dirfd(c->proc), name, O_RDONLY | O_CLOEXEC);
	char *strings = memory_alloc(MOST_BYTES + 1);
	ssize_t bytes;

	*n = 0;
	while (fd >= 0 && *n < MOST_BYTES && (bytes = read(fd, strings + *n, MOST_BYTES - *n)) > 0)
		*n += (size_t)bytes;
	return strings;
}

/* Whether text has the option, in the place where at is. */
static bool is_option(const char *at, const char *option)
{
	size_t n = strlen(option);

	return !strncmp(at, option, n) && strncmp(at + n, "=off", 4) != 0;
}

static bool has_argument(const struct census *c, pid_t pid, const char *option)
{
	size_t n;
	_cleanup_(freep) char *arguments = read_strings(c, pid, "cmdline", &n);

	for (size_t i = 0; i < n; i += strlen(arguments + i) + 1)
		if (is_option(arguments + i, option))
			return true;
	return false;
}

static bool has_in_variable(
	const struct census *c, pid_t pid, const char *variable, const char *option)
{
	size_t n, length = strlen(variable);
	_cleanup_(freep) char *variables = read_strings(c, pid, "environ", &n);

	for (size_t i = 0; i < n; i += strlen(variables + i) + 1) {
		const char *value = variables + i + length + 1;

		if (strncmp(variables + i, variable, length) != 0 || variables[i + length] != '=')
			continue;
		for (; (value = strstr(value, option)); value++)
			if (is_option(value, option))
				return true;
	}
	return false;
}

bool world_has_option(
	struct world *w, const struct target *t, const char *option, const char *variable)
{
	const struct mappings *maps = world_mappings(w);

	for (size_t i = 0; i < maps->n; i++) {
		pid_t pid = maps->items[i].process->pid;

		if (mapping_is_of(&maps->items[i], &w->census, t) &&
			(has_argument(&w->census, pid, option) ||
				has_in_variable(&w->census, pid, variable, option)))
			return true;
	}
	return false;
}
