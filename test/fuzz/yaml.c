// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes as a configuration: no crash, no leak, no hang, and either a configuration or a text
 * that says why not. Variables come from a fixed environment, so that a finding can be repeated.
 */
#include <stdlib.h>

#include "config/config.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc __attribute__((unused)), char ***argv __attribute__((unused)))
{
	clearenv();
	setenv("A", "value", 1);
	setenv("B", "\xff", 1);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(config_freep) struct config *c = NULL;
	int r = config_parse(&c, "fuzz.yml", (const char *)data, size, &e);

	if (r ? c != NULL || !e.text || !*e.text : !c)
		abort();
	for (size_t i = 0; c && i < c->n_probes; i++)
		for (size_t j = 0; j < c->probes[i].functions.n; j++)
			pattern_matches(&c->probes[i].functions.items[j], "processCommand");
	return 0;
}
