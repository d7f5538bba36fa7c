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

/* In the terms of its type. */
static void print_number(enum operand_type t, uint64_t order)
{
	bool is_signed = operand_is_signed(t);
	uint64_t bits = operand_order(is_signed, order);

	if (is_signed)
		printf(" %" PRId64, (int64_t)bits);
	else
		printf(" %" PRIu64, bits);
}

static void print_operand(const struct operand *o)
{
	static const char *const types[N_OPERAND_TYPES] = {"s8", "u8", "s16", "u16", "s32", "u32",
		"s64", "u64", "bool", "ptr", "string", "go_string"};

	printf(" %s %s %d", types[o->type], o->is_return ? "result" : "argument", o->number);
	for (size_t i = 0; i < o->n_offsets; i++)
		printf(" [%" PRId32 "]", o->offsets[i]);
}

static void print_condition(const char *what, const struct condition *c)
{
	if (!c)
		return;
	printf("  %s", what);
	print_operand(&c->operand);
	printf(" (%s)%s", c->text, c->is_outside ? " not" : "");
	print_number(c->operand.type, c->low);
	fputs(" to", stdout);
	print_number(c->operand.type, c->high);
	puts("");
}

static void print_part(const char *text)
{
	if (text)
		printf(" \"%s\"", text);
	else
		fputs(" its own", stdout);
}

/* Text, where the next part starts, text, ... */
static void print_partition(const struct dynamic_label *l)
{
	const struct partition *p = &l->partition;

	if (!p->texts)
		return;
	fputs("    parts", stdout);
	for (size_t i = 0; i < p->n_starts; i++) {
		print_part(p->texts[i]);
		print_number(l->operand.type, p->starts[i]);
	}
	print_part(p->texts[p->n_starts]);
	puts("");
}

static void print_dynamic(const struct dynamic_labels *labels)
{
	static const char *const sources[N_LABEL_SOURCES] = {
		"operand", "pid", "comm", "exe", "cgroup"};

	for (size_t i = 0; i < labels->n; i++) {
		const struct dynamic_label *l = &labels->items[i];

		printf("  label %s from %s", l->name, sources[l->source]);
		if (l->source == LABEL_OPERAND) {
			print_operand(&l->operand);
			printf(" (%s)", l->operand.text);
		}
		if (l->source == LABEL_OPERAND && operand_is_text(l->operand.type))
			printf(" size %" PRIu32, l->size);
		puts("");
		print_partition(l);
	}
}

static void print_value(const struct value *v)
{
	print_text("  value", v->metric);
	print_text("    help", v->help);
	fputs("    from", stdout);
	print_operand(&v->from);
	puts("");
	print_condition("  only", v->only);
	fputs(v->form == VALUE_COUNTER ? "    counter" : "    histogram", stdout);
	for (size_t i = 0; i < v->n_bounds; i++)
		print_number(v->from.type, v->bounds[i]);
	puts("");
}

static void print_carried(const struct probe *p)
{
	print_condition("errors", p->errors);
	print_condition("only", p->only);
	for (size_t i = 0; i < p->values.n; i++)
		print_value(&p->values.items[i]);
	print_dynamic(&p->dynamic);
	if (p->dynamic.n)
		printf("  max_series %" PRIu32 "\n", p->max_series);
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
	print_carried(p);
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
	if (c->has_native_histograms)
		puts("native_histograms");
	print_overhead(&c->overhead);
	print_bounds("bounds", &c->bounds);
	print_labels("", &c->labels);
	for (size_t i = 0; i < c->n_probes; i++)
		print_probe(&c->probes[i]);
	return 0;
}
