/* SPDX-License-Identifier: Apache-2.0 */
/* A plan for people and for programs. */
#pragma once

#include <stdio.h>

#include "plan/plan.h"

void plan_print_text(const struct plan *p, FILE *out);

/*
 * One object; a field that has nothing to say is null, addresses and offsets are texts in
 * hexadecimal because JSON's numbers are not made for 64 bits:
 *
 *   probes[]        in the order of the configuration
 *     name          text
 *     binary        text: the path as configured
 *     state         "ready", "partly", "waiting" or "refused"
 *     reason        text of one or more lines, or null
 *     refused       number of functions refused, those that max_series left out included
 *     carries       what it reads of its calls, or null: labels[] (name, from), only, errors (as
 *                   written, or null), values[] (metric, from, only), max_series (of the labels'
 *                   sets; null where there are none), counted_at_return (calls count when they
 *                   return, for `only` or a label needs that)
 *     targets[]     the files: path (where it was found), pid (0: the exporter's own view)
 *     sites[]       function, symbol, aliases, inlined_places (where a copy of the function stands
 *                   in place of a call; null: not known), inlined_into (some of the functions that
 *                   these are in), name_origin (a debug file, ... that the name is from; null: the
 *                   file itself), binary, origin, address, offset, size (of the function), behind
 *                   (how far the entry's site lies behind its first byte), exit ("uretprobe",
 *                   "exits" or "none"), exit_reason (why no return probe), exit_sites (how many),
 *                   exit_jumps (at how many of them it jumps to another function, which returns in
 *                   its place), cost ("nop5", "nop", "push", "call" or "step"), cost_reason (why
 *                   no cheaper), refusal; of a refused one, function, exit and cost are null.
 *                   Those of USDT points have besides: arguments (in the assembler's words),
 *                   semaphore, nested
 *   series          number of series
 *   map_bytes       memory that their cells take on this machine
 */
void plan_print_json(const struct plan *p, FILE *out);

/* Of BPF maps, on this machine. */
unsigned long long plan_map_bytes(const struct plan *p, unsigned *n_cpus);
