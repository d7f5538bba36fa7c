// SPDX-License-Identifier: Apache-2.0
/*
 * Arguments are where the convention of the compiler puts them: that of C, which C++ and Rust's
 * `extern "C"` share, or Go's own since 1.17. Where it isn't known which one a function keeps to,
 * or what a compiler has made of its arguments, nothing is read: a wrong label would look right.
 */
#include "plan/carried.h"

#include "config/carried.h"
#include "plan/go.h"
#include "plan/handover.h"

bool is_called_as_go(struct elf_file *elf, uint64_t address)
{
	struct go_function g;

	return go_function_find(elf, address, &g);
}

static const char *go_refusal(struct elf_file *elf, uint64_t address)
{
	struct go_function g;
	const char *why;
	const struct go_table *table = elf_file_go(elf, &why);

	if (!table)
		return why;
	if (!go_function_find(elf, address, &g))
		return NULL;
	if (!go_table_keeps_goroutine(table))
		return "it was built by a Go older than 1.18, which passes arguments in memory";
	return g.is_assembly ? "it is written in assembler, which Go calls with its arguments in "
			       "memory"
			     : NULL;
}

/* The greatest number of a result that the probe reads, or 0. */
static unsigned last_result(const struct probe *p)
{
	const struct operand *all[CARRIED_MAX_OPERANDS];
	size_t n = carried_operands(p, all);
	unsigned last = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i]->is_return && all[i]->number > last)
			last = all[i]->number;
	return last;
}

static const char *result_refusal(
	const struct plan_site *s, const struct function *f, struct arena *a)
{
	const struct probe *p = s->probe->config;
	unsigned last = last_result(p);

	if (s->exit == EXIT_BY_NONE)
		return arena_printf(a,
			"the ends of its calls are not seen, which `errors`, `only`, "
			"`values` or `labels` of the probe need: %s",
			s->exit_reason ? s->exit_reason : "it has none");
	if (!last)
		return NULL;
	if (!s->is_go && last > 2)
		return arena_printf(
			a, "return%u is for functions of Go: C's have two results at most", last);
	if (!handover_count(s))
		return NULL;
	return arena_printf(a,
		"it may end with a jump to another function (to %s), whose result is its own, and "
		"which is not seen there",
		handover_names(s, f, a));
}

const char *carry_refusal(const struct plan_site *s, const struct function *f, struct arena *a)
{
	const struct probe *p = s->probe->config;
	bool reads = carried_reads_arguments(p) || carried_reads_return(p);
	const char *why = NULL;

	if (reads)
		why = go_refusal(f->selection->file->elf, s->address);
	if (!why && carried_reads_arguments(p) && s->is_changed_clone)
		why = "the compiler may have changed its arguments: name this copy in full to have "
		      "them read all the same";
	if (!why && carried_needs_return(p))
		why = result_refusal(s, f, a);
	return why;
}

const char *carry_note(const struct plan_site *s)
{
	const struct operand *all[CARRIED_MAX_OPERANDS];
	size_t n = s->is_go ? carried_operands(s->probe->config, all) : 0;

	for (size_t i = 0; i < n; i++)
		if (all[i]->type == OPERAND_STRING)
			return "`string` reads on until a NUL, and Go puts none behind its texts: "
			       "those are `go_string`";
	return NULL;
}
