/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list for people and for programs, written while it is made.
 *
 * As JSON one object: functions[], with the fields of a plan's sites[] (see plan_print.h);
 * function is never null; and points[] (see list_points.h).
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "cli/exit_reasons.h"
#include "cli/list_points.h"
#include "plan/plan.h"

struct list_printer {
	FILE *out;
	bool as_json;
	size_t n_of_exit[N_EXIT_KINDS], n_refused;
	struct exit_reasons exit_reasons;
	bool jumps_on;     /* any of the functions does */
	char *name_origin; /* of a function whose name isn't from the file; owned */
};

void list_printer_deinit(struct list_printer *p);

void list_print_begin(struct list_printer *p);
void list_print_site(const struct plan_site *s, const char *label, void *printer);
/* Behind the functions, the USDT points. */
void list_print_end(struct list_printer *p, const struct list_points *points);
