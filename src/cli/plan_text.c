// SPDX-License-Identifier: Apache-2.0
/*
 * The plan as a person reads it: for each probe its state, a table of its functions, and why it is
 * not all that was asked for.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_reasons.h"
#include "cli/plan_carried.h"
#include "cli/plan_print.h"
#include "cli/printable.h"
#include "trace/trace.h"

unsigned long long plan_map_bytes(const struct plan *p, unsigned *n_cpus)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	*n_cpus = n > 0 ? (unsigned)n : 1;
	return trace_map_bytes(p, *n_cpus);
}

/* Left-aligned in a column; what is longer shifts the rest of its line. */
static void put_cell(FILE *out, const char *text, size_t width)
{
	size_t n = strlen(text);

	printable_put(text, out);
	fprintf(out, "%*s", n < width ? (int)(width - n) : 0, "");
}

/* Whether a site needs a line, and which column is how wide. */
static size_t name_width(const struct plan_probe *p)
{
	enum { NARROWEST = 8, WIDEST = 48 };
	size_t width = NARROWEST;

	for (size_t i = 0; i < p->n_sites; i++) {
		size_t n = strlen(p->sites[i]->name);

		if (n > width)
			width = n < WIDEST ? n : WIDEST;
	}
	return width;
}

static void put_site(const struct plan_site *s, size_t width, bool tells_file, FILE *out)
{
	fputs("  ", out);
	put_cell(out, s->name, width);
	if (s->offset && s->point)
		fprintf(out, "  %#-14" PRIx64 "  %#-12" PRIx64 "  %6s  ", s->address, s->offset,
			"-");
	else if (s->offset)
		fprintf(out, "  %#-14" PRIx64 "  %#-12" PRIx64 "  %6" PRIu64 "  ", s->address,
			s->offset, s->size);
	else
		fprintf(out, "  %-14s  %-12s  %6s  ", "-", "-", "-");
	if (s->refusal) {
		fputs("refused: ", out);
		printable_put(s->refusal, out);
	} else {
		fprintf(out, "%-9s  ", exit_kind_name(s->exit));
		printable_put_cost(s, 0, out);
	}
	if (tells_file) {
		fputs("  ", out);
		printable_put(s->target->origin, out);
	}
	printable_put_handover(s, out);
	printable_put_inlined(&s->inlined, out);
	if (s->aliases) {
		fputs("  also ", out);
		printable_put(s->aliases, out);
	}
	fputc('\n', out);
}

static void put_sites(const struct plan_probe *p, FILE *out)
{
	size_t width = name_width(p);

	if (!p->n_sites)
		return;
	fprintf(out, "  %-*s  %-14s  %-12s  %6s  %-9s  COST\n", (int)width, "FUNCTION", "ADDRESS",
		"OFFSET", "SIZE", "EXIT");
	for (size_t i = 0; i < p->n_sites; i++)
		put_site(p->sites[i], width, p->n_targets > 1, out);
}

static void put_exit_reasons(const struct plan_probe *p, FILE *out)
{
	_cleanup_(exit_reasons_deinit) struct exit_reasons reasons = {};

	for (size_t i = 0; i < p->n_sites; i++) {
		const struct plan_site *s = p->sites[i];

		exit_reasons_add(&reasons, s, p->n_targets > 1 ? s->target->origin : s->name);
	}
	exit_reasons_put(&reasons, "  ", out);
}

static void put_reason(const char *reason, FILE *out)
{
	while (reason && *reason) {
		_cleanup_(freep) char *line = strndup(reason, strcspn(reason, "\n"));

		fputs("  ! ", out);
		printable_put(line, out);
		fputc('\n', out);
		reason += strcspn(reason, "\n");
		reason += *reason == '\n';
	}
}

/* Where names are from that the files don't have themselves: one line for each that is new. */
static void put_name_origins(const struct plan_probe *p, FILE *out)
{
	const char *last = NULL;

	for (size_t i = 0; i < p->n_sites; i++) {
		const char *origin = p->sites[i]->name_origin;

		if (!origin || (last && !strcmp(origin, last)))
			continue;
		fputs("\n  named by  ", out);
		printable_put(origin, out);
		last = origin;
	}
}

static void put_probe(const struct plan_probe *p, FILE *out)
{
	printable_put(p->config->name, out);
	fprintf(out, ": %s\n  binary    ", plan_state_name(p->state));
	printable_put(p->config->binary, out);
	for (size_t i = 0; i < p->n_targets; i++) {
		if (!strcmp(p->targets[i]->origin, p->config->binary))
			continue;
		fputs("\n  found at  ", out);
		printable_put(p->targets[i]->origin, out);
	}
	put_name_origins(p, out);
	fputc('\n', out);
	plan_put_carried(p->config, out);
	put_sites(p, out);
	put_exit_reasons(p, out);
	put_reason(p->reason, out);
	fputc('\n', out);
}

struct totals {
	size_t n_functions, n_sites, n_refused;
};

static struct totals count(const struct plan *p)
{
	struct totals t = {};

	for (size_t i = 0; i < p->n_probes; i++) {
		const struct plan_probe *probe = &p->probes[i];

		t.n_refused += probe->n_refused;
		for (size_t k = 0; k < probe->n_sites; k++) {
			if (probe->sites[k]->refusal)
				continue;
			t.n_functions++;
			t.n_sites += plan_site_count(probe->sites[k]);
		}
	}
	return t;
}

static void put_states(const struct plan *p, FILE *out)
{
	size_t n_of_state[4] = {};

	for (size_t i = 0; i < p->n_probes; i++)
		n_of_state[p->probes[i].state]++;
	for (size_t i = 0, n = 0; i < ARRAY_SIZE(n_of_state); i++)
		if (n_of_state[i])
			fprintf(out, "%s%zu %s", n++ ? ", " : "", n_of_state[i],
				plan_state_name((enum plan_state)i));
}

static void put_totals(const struct plan *p, FILE *out)
{
	const struct totals t = count(p);
	unsigned n_cpus;
	unsigned long long bytes = plan_map_bytes(p, &n_cpus);

	fputs("probes:    ", out);
	put_states(p, out);
	fprintf(out,
		"\nfunctions: %zu, and %zu refused\nsites:     %zu\nseries:    %zu\n"
		"maps:      %llu KiB on %u CPUs\n",
		t.n_functions, t.n_refused, t.n_sites, p->n_series, (bytes + 1023) / 1024, n_cpus);
}

void plan_print_text(const struct plan *p, FILE *out)
{
	for (size_t i = 0; i < p->n_probes; i++)
		put_probe(&p->probes[i], out);
	put_totals(p, out);
}
