// SPDX-License-Identifier: Apache-2.0
#include "trace/account.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

struct account *account_get(struct account **accounts, const char *probe_name)
{
	struct account *found;

	HASH_FIND_STR(*accounts, probe_name, found);
	if (found)
		return found;
	found = memory_alloc(sizeof(*found));
	found->probe_name = memory_strdup(probe_name);
	HASH_ADD_KEYPTR(hh, *accounts, found->probe_name, strlen(found->probe_name), found);
	return found;
}

static bool has_probe(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->n_probes; i++)
		if (!strcmp(config->probes[i].name, name))
			return true;
	return false;
}

void accounts_release(struct account **accounts, const struct config *config)
{
	struct account *a, *next;

	HASH_ITER (hh, *accounts, a, next) {
		if (config && has_probe(config, a->probe_name))
			continue;
		HASH_DEL(*accounts, a);
		free(a->probe_name);
		free(a);
	}
}
