// SPDX-License-Identifier: Apache-2.0
/* A line for each function, its name last: how wide a column of names were is not known before the
 * last of them is. Refused ones say why in brackets, as do those whose ends can't be seen. */
#include "cli/list_print.h"

#include <inttypes.h>

#include "base/memory.h"
#include "cli/printable.h"
#include "cli/site_json.h"
#include "plan/handover.h"

void list_printer_deinit(struct list_printer *p)
{
	exit_reasons_deinit(&p->exit_reasons);
	free(p->name_origin);
}

static size_t n_shown(const struct list_printer *p)
{
	size_t n = p->n_refused;

	for (size_t i = 0; i < N_EXIT_KINDS; i++)
		n += p->n_of_exit[i];
	return n;
}

void list_print_begin(struct list_printer *p)
{
	if (p->as_json)
		fputs("{\"functions\": [", p->out);
}

static void put_json(struct list_printer *p, const struct plan_site *s, const char *label)
{
	json_t *site = site_json(s, label);

	fputs(n_shown(p) ? ",\n" : "\n", p->out);
	json_dumpf(site, p->out, JSON_COMPACT);
	json_decref(site);
}

static void put_line(struct list_printer *p, const struct plan_site *s, const char *label)
{
	const char *why = s->exit == EXIT_BY_NONE ? s->exit_reason : NULL;

	if (s->refusal)
		why = s->refusal;
	if (!n_shown(p))
		fputs("ADDRESS           SIZE  EXIT       COST            FUNCTION\n", p->out);
	fprintf(p->out, "%#-14" PRIx64 "  %6" PRIu64 "  %-9s  ", s->address, s->size,
		s->refusal ? "refused" : exit_kind_name(s->exit));
	printable_put_cost(s, 14, p->out);
	fputs("  ", p->out);
	printable_put(label, p->out);
	printable_put_handover(s, p->out);
	printable_put_inlined(&s->inlined, p->out);
	if (s->aliases) {
		fputs("  also ", p->out);
		printable_put(s->aliases, p->out);
	}
	if (why) {
		fputs("  (", p->out);
		printable_put(why, p->out);
		fputc(')', p->out);
	}
	fputc('\n', p->out);
}

void list_print_site(const struct plan_site *s, const char *label, void *printer)
{
	struct list_printer *p = printer;

	if (p->as_json)
		put_json(p, s, label);
	else
		put_line(p, s, label);
	if (s->name_origin && !p->name_origin)
		p->name_origin = memory_strdup(s->name_origin);
	if (s->refusal)
		p->n_refused++;
	else
		p->n_of_exit[s->exit]++;
	exit_reasons_add(&p->exit_reasons, s, NULL);
	p->jumps_on |= !s->refusal && handover_count(s);
}

static void put_totals(const struct list_printer *p)
{
	fprintf(p->out, "\nfunctions: %zu, and %zu refused\nends seen: ", n_shown(p) - p->n_refused,
		p->n_refused);
	for (size_t i = 0; i < N_EXIT_KINDS; i++)
		fprintf(p->out, "%s%zu by %s", i ? ", " : "", p->n_of_exit[i],
			exit_kind_name((enum exit_kind)i));
	if (p->name_origin) {
		fputs("\nnamed by: ", p->out);
		printable_put(p->name_origin, p->out);
	}
	fputc('\n', p->out);
	exit_reasons_put(&p->exit_reasons, "", p->out);
	if (p->jumps_on)
		fputs("jumps on: calls that end with a jump to another function are timed until "
		      "that jump\n",
			p->out);
}

static void end_json(const struct list_printer *p, const struct list_points *points)
{
	json_t *list = list_points_json(points);

	fputs("\n],\n\"points\": ", p->out);
	json_dumpf(list, p->out, JSON_COMPACT);
	fputs("}\n", p->out);
	json_decref(list);
}

void list_print_end(struct list_printer *p, const struct list_points *points)
{
	if (p->as_json) {
		end_json(p, points);
		return;
	}
	if (n_shown(p))
		put_totals(p);
	if (n_shown(p) && points->n)
		fputc('\n', p->out);
	list_points_put(points, p->out);
}
