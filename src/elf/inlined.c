// SPDX-License-Identifier: Apache-2.0
/*
 * The side of this process: what a reader is given, and its answer.
 *
 * The answer is one record for each function that something is known of, in the order of the
 * question: see inlined_wire.h. Nothing in it is believed but that it is numbers and text.
 */
#include "elf/inlined.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "elf/inlined_wire.h"
#include "elf/layout.h"

enum {
	MOST_MEMORY = 1 << 30,
	MOST_ANSWER = 64 << 20,
	MOST_SECONDS = 60,
};

void inlined_question_deinit(struct inlined_question *q)
{
	for (size_t i = 0; i < q->n_names; i++)
		free(q->names[i]);
	free(q->names);
	free(q->addresses);
	*q = (struct inlined_question){};
}

void inlined_answer_deinit(struct inlined_answer *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->items[i].callers);
	free(a->items);
	*a = (struct inlined_answer){};
}

static bool has_dwarf(const struct elf_file *f)
{
	const Elf64_Shdr *s = section_find_named(f, ".debug_info");

	if (!s)
		s = section_find_named(f, ".zdebug_info");
	return s && s->sh_type != SHT_NOBITS && s->sh_size;
}

static const struct elf_file *file_with_dwarf(const struct elf_file *f)
{
	if (has_dwarf(f))
		return f;
	return f->debug && has_dwarf(f->debug) ? f->debug : NULL;
}

bool elf_file_has_dwarf(const struct elf_file *f)
{
	return file_with_dwarf(f);
}

int inlined_ask(struct reader **out, const struct elf_file *f, const struct inlined_question *q,
	struct error *e)
{
	const struct elf_file *with = file_with_dwarf(f);
	struct reader_job job = {
		.work = inlined_work,
		.data = q,
		.n_fds = 1,
		.most_answer_bytes = MOST_ANSWER,
		.most_memory_bytes = MOST_MEMORY,
		.most_seconds = MOST_SECONDS,
	};

	if (!with)
		return -ENODATA;
	job.fds[0] = with->fd;
	return reader_start(out, &job, e);
}

/* The next record; false where there is none, or not all of it. */
static bool read_record(
	const char **at, const char *end, size_t n_items, struct inlined_answer *out)
{
	struct inlined_record head;
	struct inlined *item;

	if ((size_t)(end - *at) < sizeof(head))
		return false;
	memcpy(&head, *at, sizeof(head));
	*at += sizeof(head);
	if (head.index >= n_items || head.n_callers_bytes > INLINED_CALLERS_BYTES ||
		head.n_callers_bytes > (size_t)(end - *at) || out->items[head.index].is_known)
		return false;
	item = &out->items[head.index];
	item->is_known = true;
	item->n_places = head.n_places;
	if (head.n_callers_bytes)
		item->callers = strndup(*at, head.n_callers_bytes);
	*at += head.n_callers_bytes;
	return true;
}

int inlined_read(struct inlined_answer *out, const struct reader *r,
	const struct inlined_question *q, struct error *e)
{
	_cleanup_(inlined_answer_deinit) struct inlined_answer a = {};
	size_t n_bytes;
	const char *at = reader_answer(r, &n_bytes), *end = at + n_bytes;

	a.n = q->n_addresses + q->n_names;
	a.items = memory_alloc((a.n + 1) * sizeof(*a.items));
	while (at != end)
		if (!read_record(&at, end, a.n, &a))
			return error_set(e, -EBADMSG, "the answer makes no sense");
	*out = a;
	a = (struct inlined_answer){};
	return 0;
}
