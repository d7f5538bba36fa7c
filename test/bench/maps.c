// SPDX-License-Identifier: Apache-2.0
/* Bytes of maps that the cells of a configuration take on a machine with so many CPUs:
 *     bench_maps CONFIG CPUS... */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "trace/trace.h"

int main(int argc, char **argv)
{
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(world_freep) struct world *world = NULL;
	_cleanup_(plan_freep) struct plan *plan = NULL;
	struct error e = {};

	if (argc < 3)
		fail("usage", "bench_maps CONFIG CPUS...");
	if (config_load(&config, argv[1], &e) || world_new(&world, "/proc", &e) ||
		plan_resolve(
			&plan, config, &(struct plan_rules){.allows_uretprobes = true}, world, &e))
		fail(argv[1], error_text(&e));
	for (int i = 2; i < argc; i++)
		printf("%" PRIu64 "\n", trace_map_bytes(plan, (unsigned)atoi(argv[i])));
	return 0;
}
