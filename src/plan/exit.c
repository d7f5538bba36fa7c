// SPDX-License-Identifier: Apache-2.0
/*
 * How the end of a call is seen. The first rule that holds decides:
 *
 *   the probe asks for no end            none
 *   the function returns twice, or is
 *   known to ask who called it           none
 *   a program in which nothing can
 *   unwind or switch stacks, and the
 *   code leaves its return address alone a uretprobe: the kernel replaces the return address. Never
 *                                        on a kernel whose uretprobes seccomp filters stop
 *   stacks are moved or copied           none: stack pointers don't tell calls apart there. But
 *                                        for Go functions whose goroutine is known (go.c): they
 *                                        get a site on each exit, if all are known, or none
 *   it calls nothing and just returns    a uretprobe: nothing can unwind through it (but a signal
 *                                        handler on another stack can interrupt it)
 *   every exit is known                  a site on each of them; return addresses stay as they are.
 *                                        Where stacks are switched, a call isn't its thread's
 *   the program may load code that
 *   unwinds, or cancel threads, and
 *   nothing else is known                a uretprobe
 *   otherwise                            none, with the reason
 *
 * `exit: uretprobe` insists on the kernel's way, and is refused where the file shows that it isn't
 * safe, unless the probe says `unsafe: true` as well: then it is taken, and the plan warns. A
 * library's file doesn't show who maps it, so that it never is. Where stacks are moved it would
 * crash for certain, and is refused all the same.
 * `exit: exits` insists on leaving return addresses alone: no rule gives a uretprobe then.
 *
 * Exits are known when the code proves them (code/function.h), landing pads included. A jump to
 * another function is one of them: to follow it would put sites on the other function's exits,
 * which all its callers would pay for. Who reads the plan is told instead (handover.h).
 */
#include "plan/exit.h"

#include "config/carried.h"
#include "plan/evidence.h"
#include "plan/lead.h"
#include "plan/go.h"

static const char library[] =
	"it is a library, and programs that unwind or switch stacks may call it";
static const char reads_caller[] = "it reads its own return address, or may";
static const char kernel[] =
	"this kernel's return probes crash processes that have a seccomp filter";
static const char insisted[] = "the probe wants no return address replaced";

bool exit_is_wanted(const struct probe *p)
{
	return p->exit != EXIT_NONE &&
	       (p->measures & (MEASURE_DURATION | MEASURE_IN_FLIGHT) || carried_needs_return(p));
}

void exit_drop(struct plan_site *s, const char *reason)
{
	s->exit = EXIT_BY_NONE;
	s->exit_reason = reason;
	s->calls_of = CALLS_OF_THREADS;
	s->exits = NULL;
	s->n_exits = 0;
}

static const char *name_refusal(const struct function *f)
{
	const char *why = NULL;

	for (size_t i = 0; !why && f->names && i < f->names->n_names; i++)
		why = elf_symbol_unwinds(
			wanted_name_parse(f->names->names[i], f->selection->file->arena).name);
	return why;
}

/* Why the kernel must not replace the return addresses of a file's functions; or NULL. */
static const char *file_refusal(const struct selection *s)
{
	const char *why = file_evidence(s->file)->why;
	if (why)
		return why;
	if (!s->rules.allows_uretprobes)
		return kernel;
	if (s->probe->config->exit == EXIT_EXITS)
		return insisted;
	return elf_file_is_library(s->file->elf) ? library : NULL;
}

/* Adds what follows from stacks that are moved. */
static void object_to_moves(struct exit_objection *o, struct elf_file *elf, uint64_t address)
{
	const char *why = go_time_refusal(elf, address);

	o->is_deadly = true;
	o->is_total = why;
	if (why)
		o->why = why;
}

struct exit_objection exit_objection(const struct function *f)
{
	const struct selection *s = f->selection;
	struct exit_objection o = {};

	if (!exit_is_wanted(s->probe->config))
		return o;
	o.why = name_refusal(f);
	o.is_total = o.why;
	if (o.why)
		return o;
	o.why = file_refusal(s);
	if (o.why && file_evidence(s->file)->use == ELF_STACK_MOVED)
		object_to_moves(&o, s->file->elf, f->symbol.address);
	return o;
}

bool exit_is_by_sites(const struct probe *p, const struct exit_objection *o)
{
	return o->why && !o->is_total && p->exit != EXIT_URETPROBE;
}

/* Copies an exit into the plan. false where it can't be probed. */
static bool add_exit(struct plan_site *s, const struct code_exit *exit, const struct elf_file *elf)
{
	struct plan_exit *out = &s->exits[s->n_exits];

	if (exit->site.refusal || exit->site.size > sizeof(out->bytes))
		return false;
	*out = (struct plan_exit){
		.n_bytes = exit->site.size,
		.cost = exit->site.cost,
		.is_jump = exit->kind != CODE_EXIT_RETURN,
		.target = exit->target,
		.is_conditional = exit->kind == CODE_EXIT_CONDITIONAL,
		.condition = exit->condition,
	};
	s->n_exits++;
	return elf_file_find_code(elf, exit->address, out->n_bytes, &out->offset) &&
	       !elf_file_read(elf, out->offset, out->bytes, out->n_bytes);
}

static enum calls_of calls_of(struct file *f)
{
	switch (file_evidence(f)->use) {
	case ELF_STACK_MOVED:
		return CALLS_OF_GOROUTINES;
	case ELF_STACK_SWITCHED:
		return CALLS_OF_STACKS;
	default:
		return CALLS_OF_THREADS;
	}
}

/* Puts all exits into the plan; NULL, or why that can't be. */
static const char *take_exits(
	struct plan_site *s, const struct code_function *code, struct file *f, struct arena *a)
{
	if (code->exits_unknown && code->leads_to) {
		const char *why = lead_reason(f, code->leads_to, a);

		return why ? why : code->exits_unknown;
	}
	if (code->exits_unknown)
		return code->exits_unknown;
	if (code->looks_up_goroutine)
		return "it is called from assembler, which doesn't say on which goroutine";
	if (!code->n_exits)
		return "it never returns";
	for (size_t i = 0; i < code->n_exits; i++)
		if (code->exits[i].address == s->address + s->behind)
			return "its entry is probed where it ends";
	s->exits = arena_array(a, code->n_exits, sizeof(*s->exits));
	for (size_t i = 0; i < code->n_exits; i++)
		if (!add_exit(s, &code->exits[i], f->elf))
			return "one of its exits can't be probed";
	s->exit = EXIT_BY_EXITS;
	s->calls_of = calls_of(f);
	return NULL;
}

/* Whether nothing can unwind through the function, whatever its program does. */
static bool is_out_of_reach(const struct selection *s, const struct code_function *code)
{
	if (code->entry.depth)
		return false;
	return s->probe->config->exit == EXIT_AUTO && s->rules.allows_uretprobes &&
	       !code->exits_unknown && !code->calls && code->returns_plainly &&
	       !code->touches_return_address && file_evidence(s->file)->use <= ELF_STACK_UNWOUND &&
	       !elf_file_is_library(s->file->elf);
}

/* Whether a function that can't be timed in another way may have a uretprobe, because all that
 * speaks against it is what seldom happens. */
static bool may_be_watched(const struct selection *s, const char *why)
{
	const struct evidence *e = file_evidence(s->file);

	return s->probe->config->exit == EXIT_AUTO && s->rules.allows_uretprobes && why == e->why &&
	       e->use == ELF_STACK_OPEN;
}

static const char *reason_for_exits(struct file *f, const char *why)
{
	const struct evidence *e = file_evidence(f);

	return why == e->why ? e->by_exits : why;
}

/* The probe insists on the kernel's way, against the reason why. */
static void insist(struct plan_site *s, const char *why, bool is_deadly, struct arena *a)
{
	if (is_deadly || !s->probe->config->is_unsafe) {
		s->refusal = arena_printf(a, "`exit: uretprobe` is not safe here: %s", why);
		return;
	}
	s->exit = EXIT_BY_URETPROBE;
	s->warning = arena_printf(a,
		"UNSAFE, as `unsafe: true` wants it: calls of it can crash the program: %s", why);
}

void exit_choose(struct plan_site *s, const struct function *f, const struct exit_objection *o,
	const struct code_function *code, struct arena *a)
{
	const struct probe *config = s->probe->config;
	const char *why = o->why, *unknown;

	s->exit = EXIT_BY_NONE;
	if (!exit_is_wanted(config))
		return;
	if (!why && code->touches_return_address)
		why = reads_caller;
	if (!why)
		s->exit = EXIT_BY_URETPROBE;
	else if (config->exit == EXIT_URETPROBE)
		insist(s, why, o->is_deadly, a);
	else if (o->is_total)
		exit_drop(s, why);
	else if (is_out_of_reach(f->selection, code))
		s->exit = EXIT_BY_URETPROBE;
	else if (!(unknown = take_exits(s, code, f->selection->file, a)))
		s->exit_reason = reason_for_exits(f->selection->file, why);
	else if (may_be_watched(f->selection, why))
		s->exit = EXIT_BY_URETPROBE;
	else
		exit_drop(s,
			arena_printf(a, "%s; and where calls end can't be told: %s", why, unknown));
}
