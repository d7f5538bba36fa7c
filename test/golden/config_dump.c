// SPDX-License-Identifier: Apache-2.0
/*
 * Prints a configuration as the exporter has understood it, one fact a line, or the errors on
 * standard error (exit 1). Golden tests compare both.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "config/config.h"

static void print_text(const char *what, const char *text)
{
	printf("%s ", what);
	if (!text) {
		puts("-");
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", stdout);
		else if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else
			putchar(*text);
	}
	puts("\"");
}

static void print_bounds(const char *what, const struct bounds *b)
{
	printf("%s", what);
	for (size_t i = 0; i < b->n; i++)
		printf(" %" PRIu64, b->ns[i]);
	puts("");
}

/* Where it isn't the default. */
static void print_overhead(const struct overhead *o)
{
	if (!isinf(o->per_probe) || !isinf(o->total))
		printf("overhead per_probe %g total %g\n", o->per_probe, o->total);
}

static void print_labels(const char *indent, const struct labels *labels)
{
	for (size_t i = 0; i < labels->n; i++) {
		printf("%slabel ", indent);
		print_text(labels->items[i].name, labels->items[i].value);
	}
}

static void print_patterns(const char *what, const struct patterns *p)
{
	static const char *const kinds[] = {
		[PATTERN_NAME] = "name",
		[PATTERN_GLOB] = "glob",
		[PATTERN_REGEX] = "regex",
	};

	for (size_t i = 0; i < p->n; i++) {
		printf("  %s ", what);
		print_text(kinds[p->items[i].kind], p->items[i].text);
	}
}

static void print_probe(const struct probe *p)
{
	static const char *const matches[] = {"default", "one", "all"};
	static const char *const exits[] = {"auto", "uretprobe", "exits", "none"};

	printf("line %u ", p->line);
	print_text("probe", p->name);
	print_text("  metric", p->metric);
	print_text("  help", p->help);
	print_text("  binary", p->binary);
	print_patterns("function", &p->functions);
	print_patterns("point", &p->usdt.points);
	print_patterns("start", &p->usdt.starts);
	print_patterns("end", &p->usdt.ends);
	if (p->usdt.is_nested)
		puts("  nested");
	print_patterns("exclude", &p->exclude);
	printf("  match %s\n", matches[p->match]);
	printf("  measure%s%s%s\n", p->measures & MEASURE_CALLS ? " calls" : "",
		p->measures & MEASURE_DURATION ? " duration" : "",
		p->measures & MEASURE_IN_FLIGHT ? " in_flight" : "");
	print_bounds("  bounds", &p->bounds);
	printf("  exit %s%s\n", exits[p->exit], p->is_unsafe ? " unsafe" : "");
	print_labels("  ", &p->labels);
}

int main(int argc, char **argv)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(config_freep) struct config *c = NULL;

	if (argc != 2 || config_load(&c, argv[1], &e)) {
		fprintf(stderr, "%s\n", error_text(&e));
		return 1;
	}
	printf("max_series %" PRIu32 "\n", c->max_series);
	print_overhead(&c->overhead);
	print_bounds("bounds", &c->bounds);
	print_labels("", &c->labels);
	for (size_t i = 0; i < c->n_probes; i++)
		print_probe(&c->probes[i]);
	return 0;
}
