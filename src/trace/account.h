/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the calls of each probe have cost the programs, over all the slots that it has had: so that
 * the sum never goes down while the probe exists, whatever becomes of its series.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "trace/budget.h"

struct account {
	UT_hash_handle hh;
	char *probe_name;    /* key */
	uint64_t retired_ns; /* of slots that are gone */
	struct budget budget;
	size_t index; /* scratch of the view: the probe's number */
};

/* The account of a probe, made where there is none. */
struct account *account_get(struct account **accounts, const char *probe_name);

/* Frees those of probes that config has not; all where config is NULL. */
void accounts_release(struct account **accounts, const struct config *config);
