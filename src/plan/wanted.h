/* SPDX-License-Identifier: Apache-2.0 */
/* The plain names that are wanted of a file, however many, and which of them a symbol has. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "plan/forms.h"
#include "plan/sieve.h"

struct request;
struct wanted_entry;

/* {} with an arena is a valid empty one. */
struct wanted {
	struct arena *arena;
	struct wanted_entry *entries; /* uthash by spelling */
	struct sieve sieve;
	struct forms forms;
	size_t n_met;
	bool has_mangled; /* one of the names is a symbol's */
};
void wanted_deinit(struct wanted *w);

/* Adds r, whose name is r->wanted.name. */
void wanted_add(struct wanted *w, struct request *r);

/* Visits each request that a symbol could be meant by, once, with the best enum fit. */
typedef void wanted_visit(struct request *r, unsigned fit, void *data);
void wanted_meet(struct wanted *w, const struct subject *symbol, wanted_visit *visit, void *data);
