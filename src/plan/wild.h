/* SPDX-License-Identifier: Apache-2.0 */
/* Globs and regular expressions of many requests, and which of them match a symbol. */
#pragma once

#include "plan/forms.h"
#include "plan/pairs.h"

struct request;

struct wild {
	struct request **requests;
	size_t n;
	bool takes_parts;    /* also what compilers split off, and callers call */
	struct forms *forms; /* scratch */
};

/* Visits the requests whose pattern matches the symbol's name, or a readable form of it. */
typedef void wild_visit(struct request *r, void *data);
void wild_meet(struct wild *w, const struct subject *symbol, wild_visit *visit, void *data);
