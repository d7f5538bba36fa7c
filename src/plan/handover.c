// SPDX-License-Identifier: Apache-2.0
#include "plan/handover.h"

#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "plan/lead.h"

enum { MOST_NAMED = 3 };

struct names {
	const char *names[MOST_NAMED];
	size_t n;
	bool are_more;
};

size_t handover_count(const struct plan_site *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_exits; i++)
		n += s->exits[i].is_jump;
	return n;
}

static const char *destination(const struct plan_exit *exit, struct file *f, struct arena *a)
{
	const char *name;

	if (!exit->target)
		return "a function that a pointer names";
	if (elf_file_is_import(f->elf, exit->target))
		return "an imported function";
	name = lead_name(f, exit->target, a);
	return name ? name : "a function without a name";
}

static void add_name(struct names *n, const char *name)
{
	for (size_t i = 0; i < n->n; i++)
		if (!strcmp(n->names[i], name))
			return;
	if (n->n < MOST_NAMED)
		n->names[n->n++] = name;
	else
		n->are_more = true;
}

static const char *list_names(const struct names *n, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	for (size_t i = 0; i < n->n; i++) {
		bool is_last = i + 1 == n->n && !n->are_more;

		if (i)
			buffer_puts(&text, is_last ? " or " : ", ");
		buffer_puts(&text, n->names[i]);
	}
	if (n->are_more)
		buffer_puts(&text, " or another");
	return arena_strdup(a, buffer_text(&text));
}

const char *handover_names(const struct plan_site *s, const struct function *f, struct arena *a)
{
	struct names names = {};

	for (size_t i = 0; i < s->n_exits; i++)
		if (s->exits[i].is_jump)
			add_name(&names, destination(&s->exits[i], f->selection->file, a));
	return list_names(&names, a);
}

const char *handover_note(
	const struct plan_site *s, const struct function *f, bool is_named, struct arena *a)
{
	size_t n_jumps = s->refusal ? 0 : handover_count(s);

	if (!n_jumps)
		return NULL;
	if (!is_named)
		return "calls that end with a jump to another function are timed until that jump: "
		       "what the other function takes is not in their durations";
	return arena_printf(a,
		"calls that end with a jump to another function (%zu of %zu exits: to %s) are "
		"timed "
		"until that jump: what the other function takes is not in their durations",
		n_jumps, s->n_exits, handover_names(s, f, a));
}
