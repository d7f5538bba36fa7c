/* SPDX-License-Identifier: Apache-2.0 */
/* Why calls are timed by sites on exits and not by return probes: mostly one reason for all
 * functions of a file, so each is told once. */
#pragma once

#include <stdio.h>

#include "plan/listing.h"
#include "plan/plan.h"

enum { EXIT_REASONS_SHOWN = 8 };

/* {} is a valid empty one. */
struct exit_reasons {
	struct exit_reason {
		char *text;
		struct listing subjects; /* borrowed; empty where they are not to be told */
	} shown[EXIT_REASONS_SHOWN];
	size_t n;
	bool are_more; /* than are shown */
};

void exit_reasons_deinit(struct exit_reasons *r);

/* Adds that of a site that has one; subject, a function or file, may be NULL. */
void exit_reasons_add(struct exit_reasons *r, const struct plan_site *s, const char *subject);

/* A line for each, behind indent. What they are of is named where there is more than one. */
void exit_reasons_put(const struct exit_reasons *r, const char *indent, FILE *out);
