// SPDX-License-Identifier: Apache-2.0
/*
 * A call that was inlined is none any more: no probe sees it. The tables of Go programs tell where
 * that was done, as they are read; of all others debug information does. To read that takes up to
 * many seconds, and attaching mustn't wait for it: so a reader is started when a plan is made, and
 * once it has ended another plan is, which finds the answers here. They belong to a target, which
 * is one file that doesn't change; each function is asked for once.
 */
#include "plan/inlined.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "elf/go.h"
#include "elf/inlined.h"

/* Of an address, or of a name; is_known as in struct inlined. */
struct fact {
	uint64_t address;
	char *name;
	struct inlined inlined;
	UT_hash_handle hh;
};

struct target_notes {
	struct fact *by_address, *by_name; /* uthash */
	struct inlined_question question;  /* that reader is at work on */
	struct reader *reader;             /* or NULL */
	struct error trouble;              /* of the last one */
};

static void free_facts(struct fact *table)
{
	struct fact *f, *next;

	HASH_ITER (hh, table, f, next) {
		HASH_DEL(table, f);
		free(f->name);
		free(f->inlined.callers);
		free(f);
	}
}

static void free_notes(struct target_notes *n)
{
	reader_free(n->reader);
	inlined_question_deinit(&n->question);
	free_facts(n->by_address);
	free_facts(n->by_name);
	error_deinit(&n->trouble);
	free(n);
}

static struct target_notes *notes_of(struct target *t)
{
	if (!t->notes) {
		t->notes = memory_alloc(sizeof(*t->notes));
		t->free_notes = free_notes;
	}
	return t->notes;
}

static struct fact *find_address(const struct target_notes *n, uint64_t address)
{
	struct fact *f = NULL;

	if (n)
		HASH_FIND(hh, n->by_address, &address, sizeof(address), f);
	return f;
}

static struct fact *find_name(const struct target_notes *n, const char *name)
{
	struct fact *f = NULL;

	if (n && name)
		HASH_FIND_STR(n->by_name, name, f);
	return f;
}

/* ---- learning ---- */

/* Takes what is said of a fact over. */
static void learn(struct fact *f, struct inlined *said)
{
	f->inlined = *said;
	*said = (struct inlined){};
}

static void learn_items(struct target_notes *n, struct inlined_answer *a)
{
	const struct inlined_question *q = &n->question;

	for (size_t i = 0; i < q->n_addresses; i++)
		learn(find_address(n, q->addresses[i]), &a->items[i]);
	for (size_t i = 0; i < q->n_names; i++)
		learn(find_name(n, q->names[i]), &a->items[q->n_addresses + i]);
}

/* ---- asking ---- */

static void want_address(struct target_notes *n, uint64_t address)
{
	struct inlined_question *q = &n->question;
	struct fact *f;

	if (find_address(n, address))
		return;
	f = memory_alloc(sizeof(*f));
	f->address = address;
	HASH_ADD(hh, n->by_address, address, sizeof(address), f);
	if (!(q->n_addresses & (q->n_addresses - 1)))
		q->addresses =
			memory_grow(q->addresses, 2 * q->n_addresses + 1, sizeof(*q->addresses));
	q->addresses[q->n_addresses++] = address;
}

static void want_name(struct target_notes *n, const char *name)
{
	struct inlined_question *q = &n->question;
	struct fact *f;

	if (find_name(n, name))
		return;
	f = memory_alloc(sizeof(*f));
	f->name = memory_strdup(name);
	HASH_ADD_KEYPTR(hh, n->by_name, f->name, strlen(f->name), f);
	q->names = memory_grow(q->names, q->n_names + 1, sizeof(char *));
	q->names[q->n_names++] = memory_strdup(name);
}

static void want_all(struct target_notes *n, const struct selection *s)
{
	for (size_t i = 0; i < s->n_requests; i++) {
		const struct request *r = &s->requests[i];

		for (size_t k = 0; k < r->chosen.n; k++)
			if (r->chosen.items[k].kind == ELF_FUNCTION)
				want_address(n, r->chosen.items[k].address);
		if (!r->chosen.n && r->pattern->kind == PATTERN_NAME)
			want_name(n, r->wanted.name);
	}
}

/* ---- at once ---- */

static void drop_answered(struct target_notes *n)
{
	struct inlined_question *q = &n->question;
	size_t n_addresses = 0, n_names = 0;

	for (size_t i = 0; i < q->n_addresses; i++)
		if (!find_address(n, q->addresses[i])->inlined.is_known)
			q->addresses[n_addresses++] = q->addresses[i];
	for (size_t i = 0; i < q->n_names; i++) {
		if (!find_name(n, q->names[i])->inlined.is_known)
			q->names[n_names++] = q->names[i];
		else
			free(q->names[i]);
	}
	q->n_addresses = n_addresses;
	q->n_names = n_names;
}

static void ask_go(struct target_notes *n, struct elf_file *elf)
{
	_cleanup_(inlined_answer_deinit) struct inlined_answer a = {};
	const char *why;
	const struct go_table *table = elf_file_go(elf, &why);

	if (!table || inlined_by_go(&a, table, &n->question))
		return;
	learn_items(n, &a);
	drop_answered(n);
}

/* ---- in the background ---- */

static void ask(struct target_notes *n, const struct file *f)
{
	struct inlined_question *q = &n->question;

	for (size_t i = 0; i < f->n_selections; i++)
		want_all(n, f->selections[i]);
	if (!q->n_addresses && !q->n_names)
		return;
	if (q->n_addresses)
		qsort(q->addresses, q->n_addresses, sizeof(*q->addresses), sorted_compare);
	ask_go(n, f->elf);
	error_deinit(&n->trouble);
	if ((!q->n_addresses && !q->n_names) || inlined_ask(&n->reader, f->elf, q, &n->trouble))
		inlined_question_deinit(q);
}

void inlined_want(struct file *f)
{
	struct target_notes *n;
	const char *text;

	if (!elf_file_go(f->elf, &text) && !elf_file_has_dwarf(f->elf))
		return;
	n = notes_of(f->target);
	if (!n->reader)
		ask(n, f);
	if (!n->trouble.text)
		return;
	text = arena_printf(f->arena, "how often functions of %s were inlined isn't known: %s",
		f->target->origin, n->trouble.text);
	for (size_t i = 0; i < f->n_selections; i++)
		reasons_note(f->selections[i]->reasons, NULL, text);
}

static void learn_all(struct target_notes *n)
{
	_cleanup_(inlined_answer_deinit) struct inlined_answer a = {};

	if (!inlined_read(&a, n->reader, &n->question, &n->trouble))
		learn_items(n, &a);
}

bool inlined_await(struct target *t, int timeout_ms, bool is_last)
{
	struct target_notes *n = t->notes;
	int r;

	if (!n || !n->reader)
		return false;
	r = reader_wait(n->reader, timeout_ms, &n->trouble);
	if (r == -EAGAIN && !is_last)
		return false;
	if (r == -EAGAIN)
		error_set(&n->trouble, r, "that takes too long");
	if (!r)
		learn_all(n);
	reader_free(n->reader);
	n->reader = NULL;
	inlined_question_deinit(&n->question);
	return true;
}

static struct plan_inlined told(const struct fact *f, struct arena *a)
{
	if (!f || !f->inlined.is_known)
		return (struct plan_inlined){};
	return (struct plan_inlined){
		.is_known = true,
		.n_places = f->inlined.n_places,
		.callers = f->inlined.callers ? arena_strdup(a, f->inlined.callers) : NULL,
	};
}

struct plan_inlined inlined_at(const struct target *t, uint64_t address, struct arena *a)
{
	return told(find_address(t->notes, address), a);
}

struct plan_inlined inlined_named(const struct target *t, const char *name, struct arena *a)
{
	return told(find_name(t->notes, name), a);
}

bool plan_has_news(const struct plan *p)
{
	bool has_news = false;

	for (size_t i = 0; i < p->n_targets; i++)
		has_news |= inlined_await(p->targets[i], 0, false);
	return has_news;
}

bool plan_await_news(const struct plan *p, int timeout_ms)
{
	uint64_t end_ms = clock_ms() + (uint64_t)timeout_ms;
	bool has_news = false;

	for (size_t i = 0; i < p->n_targets; i++) {
		uint64_t now_ms = clock_ms();

		has_news |= inlined_await(
			p->targets[i], now_ms < end_ms ? (int)(end_ms - now_ms) : 0, true);
	}
	return has_news;
}
