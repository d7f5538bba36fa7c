// SPDX-License-Identifier: Apache-2.0
/*
 * How the end of a call is seen. The first rule that holds decides:
 *
 *   the probe asks for no end            none
 *   a program in which nothing can
 *   unwind or switch stacks              a uretprobe: the kernel replaces the return address
 *   stacks are switched or moved         none: stack pointers don't tell calls apart there
 *   the function returns twice, or asks
 *   who called it                        none
 *   it calls nothing and just returns    a uretprobe: nothing can unwind through it (but a signal
 *                                        handler on another stack can interrupt it)
 *   every exit is known                  a site on each of them; return addresses stay as they are
 *   otherwise                            none, with the reason
 *
 * `exit: uretprobe` insists on the kernel's way, and is refused where the file shows that it isn't
 * safe. A library's file doesn't show who maps it: there it is taken, at the risk of who insists.
 *
 * Exits are known when the code proves them (code/function.h) and control comes in nowhere but at
 * the entry: a function with landing pads has code that no jump leads to.
 */
#include "plan/exit.h"

#include <string.h>

#include "base/memory.h"
#include "code/function.h"

static const char library[] =
	"it is a library, and programs that unwind or switch stacks may call it";

enum { MOST_PARTS = 4, LARGEST_PART = 1 << 20 };

bool exit_is_wanted(const struct probe *p)
{
	return p->exit != EXIT_NONE && p->measures & (MEASURE_DURATION | MEASURE_IN_FLIGHT);
}

void exit_drop(struct plan_site *s, const char *reason)
{
	s->exit = EXIT_BY_NONE;
	s->exit_reason = reason;
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

static int read_code(void *data, uint64_t address, void *bytes, size_t n)
{
	return elf_file_read_address(data, address, bytes, n);
}

static enum code_beginning beginning(void *data, uint64_t address)
{
	const struct elf_frame *frame = elf_file_frame(data, address);

	if (elf_file_has_function(data, address) || elf_file_is_import(data, address))
		return CODE_BEGINS_FUNCTION;
	if (!frame || frame->address != address || frame->is_part)
		return CODE_BEGINS_NOTHING;
	return CODE_BEGINS_FRAME;
}

/* A function with the parts of it that a compiler moved away. */
struct body {
	struct code_part parts[MOST_PARTS];
	size_t n_parts;
};

static void body_deinit(struct body *b)
{
	for (size_t i = 0; i < b->n_parts; i++)
		free((void *)b->parts[i].bytes);
}

static bool body_add(struct body *b, struct elf_file *elf, uint64_t address, uint64_t size)
{
	uint8_t *bytes;

	if (b->n_parts == MOST_PARTS || size > LARGEST_PART)
		return false;
	bytes = memory_alloc(size);
	if (elf_file_read_address(elf, address, bytes, size)) {
		free(bytes);
		return false;
	}
	b->parts[b->n_parts++] = (struct code_part){address, bytes, size};
	return true;
}

/* The part that the code leads to, where it is one. */
static bool body_add_part(struct body *b, struct elf_file *elf, uint64_t address)
{
	const struct elf_frame *frame = elf_file_frame(elf, address);

	for (size_t i = 0; i < b->n_parts; i++)
		if (frame && b->parts[i].address == frame->address)
			return false;
	return frame && frame->is_part && body_add(b, elf, frame->address, frame->size);
}

/* Decodes the body, and again with each part that turns out to belong to it. */
static void decode(struct code_function *out, struct body *b, struct elf_file *elf)
{
	const struct code_question question = {
		.machine = elf_file_machine(elf),
		.parts = b->parts,
		.probes_exits = true,
		.read = read_code,
		.begins = beginning,
		.data = elf,
	};

	for (;;) {
		struct code_question q = question;

		q.n_parts = b->n_parts;
		code_function_decode(out, &q);
		if (!out->elsewhere || !body_add_part(b, elf, out->elsewhere))
			return;
		code_function_deinit(out);
	}
}

/* Landing pads may lie in a part that nothing leads to but the unwinder. Without a frame there are
 * none: an exception can't come by. */
static const char *frame_refusal(struct elf_file *elf, uint64_t address)
{
	const struct elf_frame *frame = elf_file_frame(elf, address);

	if (!elf_file_has_sections(elf))
		return "the file's section headers are gone";
	return frame && frame->has_landing_pads ? "exceptions are handled inside it" : NULL;
}

/* Copies an exit into the plan. false where it can't be probed. */
static bool add_exit(struct plan_site *s, const struct code_exit *exit, const struct elf_file *elf)
{
	struct plan_exit *out = &s->exits[s->n_exits];

	if (exit->site.refusal || exit->site.size > sizeof(out->bytes))
		return false;
	*out = (struct plan_exit){
		.n_bytes = exit->site.size,
		.is_conditional = exit->kind == CODE_EXIT_CONDITIONAL,
		.condition = exit->condition,
	};
	s->n_exits++;
	return elf_file_find_code(elf, exit->address, out->n_bytes, &out->offset) &&
	       !elf_file_read(elf, out->offset, out->bytes, out->n_bytes);
}

/* Puts all exits into the plan; NULL, or why that can't be. */
static const char *take_exits(struct plan_site *s, const struct code_function *code,
	const struct elf_file *elf, struct arena *a)
{
	if (code->exits_unknown)
		return code->exits_unknown;
	if (!code->n_exits)
		return "it never returns";
	s->exits = arena_array(a, code->n_exits, sizeof(*s->exits));
	for (size_t i = 0; i < code->n_exits; i++)
		if (!add_exit(s, &code->exits[i], elf))
			return "one of its exits can't be probed";
	s->exit = EXIT_BY_EXITS;
	return NULL;
}

/* By the function's own code, where the file as a whole has no uretprobe to give. NULL when that
 * gave an exit, else why not. */
static const char *choose_by_code(struct plan_site *s, const struct function *f, struct arena *a)
{
	_cleanup_(code_function_deinit) struct code_function code = {};
	struct elf_file *elf = f->selection->file->elf;
	_cleanup_(body_deinit) struct body body = {};
	const char *why;

	if (!body_add(&body, elf, s->address, s->size))
		return "it is larger than 1 MiB";
	decode(&code, &body, elf);
	if (!code.exits_unknown && !code.calls && code.returns_plainly &&
		elf_file_stack_use(elf) == ELF_STACK_UNWOUND && !elf_file_is_library(elf)) {
		s->exit = EXIT_BY_URETPROBE;
		return NULL;
	}
	why = frame_refusal(elf, s->address);
	return why ? why : take_exits(s, &code, elf, a);
}

void exit_choose(struct plan_site *s, const struct function *f, struct arena *a)
{
	struct elf_file *elf = f->selection->file->elf;
	const struct probe *config = s->probe->config;
	const char *unwinds, *by_name, *unknown;

	s->exit = EXIT_BY_NONE;
	if (!exit_is_wanted(config))
		return;
	unwinds = elf_file_unwinds(elf);
	by_name = name_refusal(f);
	if (!unwinds && !by_name && (!elf_file_is_library(elf) || config->exit == EXIT_URETPROBE)) {
		s->exit = EXIT_BY_URETPROBE;
		return;
	}
	if (config->exit == EXIT_URETPROBE) {
		s->refusal = arena_printf(
			a, "`exit: uretprobe` is not safe here: %s", unwinds ? unwinds : by_name);
		return;
	}
	if (by_name || elf_file_stack_use(elf) == ELF_STACK_SWITCHED) {
		exit_drop(s, by_name ? by_name : unwinds);
		return;
	}
	unknown = choose_by_code(s, f, a);
	if (unknown)
		exit_drop(s, arena_printf(a, "%s; and where calls end can't be told: %s",
				     unwinds ? unwinds : library, unknown));
}
