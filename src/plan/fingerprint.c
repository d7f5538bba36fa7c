// SPDX-License-Identifier: Apache-2.0
/* FNV-1a, 64 bits: the world is no adversary of its own reader. */
#include "plan/plan.h"

#include <string.h>

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ b[i]) * 0x100000001b3;
	return hash;
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
	return add_bytes(hash, &number, sizeof(number));
}

static uint64_t add_target(uint64_t hash, const struct target *t)
{
	hash = add_number(hash, t->device);
	hash = add_number(hash, t->inode);
	hash = add_number(hash, t->state);
	hash = add_number(hash, t->size_bytes);
	hash = add_number(hash, (uint64_t)t->modified.tv_sec);
	hash = add_number(hash, (uint64_t)t->modified.tv_nsec);
	hash = add_number(hash, (uint64_t)t->changed.tv_sec);
	return add_number(hash, (uint64_t)t->changed.tv_nsec);
}

static uint64_t add_path(uint64_t hash, const char *path, struct world *world)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(freep) struct target **targets = NULL;
	size_t n = 0;

	if (world_find(world, path, &targets, &n, &e))
		n = 0;
	hash = add_number(hash, n);
	for (size_t i = 0; i < n; i++) {
		hash = add_target(hash, targets[i]);
		target_unref(targets[i]);
	}
	return e.text ? add_bytes(hash, e.text, strlen(e.text)) : hash;
}

uint64_t plan_fingerprint(const struct config *config, struct world *world)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < config->n_probes; i++)
		hash = add_path(hash, config->probes[i].binary, world);
	return hash;
}
