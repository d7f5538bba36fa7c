// SPDX-License-Identifier: Apache-2.0
#include "plan/reason.h"

#include <stdarg.h>
#include <string.h>
#include <uthash.h>

#include "base/memory.h"
#include "plan/listing.h"

enum { MAX_LINES = 50 };

struct reason {
	const char *text;
	struct listing subjects;
	const char *last_subject; /* several functions of one name come one after the other */
	UT_hash_handle hh;
};

void reasons_deinit(struct reasons *r)
{
	HASH_CLEAR(hh, r->troubles);
	HASH_CLEAR(hh, r->notes);
}

static void add(struct arena *a, struct reason **table, const char *subject, const char *text)
{
	struct reason *r;

	HASH_FIND_STR(*table, text, r);
	if (!r) {
		r = arena_alloc(a, sizeof(*r));
		r->text = text;
		HASH_ADD_KEYPTR(hh, *table, r->text, strlen(r->text), r);
	}
	if (subject && (!r->last_subject || strcmp(r->last_subject, subject) != 0))
		listing_add(&r->subjects, subject);
	r->last_subject = subject;
}

void reasons_trouble(struct reasons *r, const char *subject, const char *text)
{
	add(r->arena, &r->troubles, subject, text);
}

void reasons_note(struct reasons *r, const char *subject, const char *text)
{
	add(r->arena, &r->notes, subject, text);
}

void reasons_troublef(struct reasons *r, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	va_list args;

	va_start(args, format);
	text = memory_vprintf(format, args);
	va_end(args);
	reasons_trouble(r, NULL, arena_strdup(r->arena, text));
}

static void put_lines(const struct reason *table, struct buffer *out)
{
	size_t n = 0, n_all = HASH_COUNT(table);

	for (const struct reason *r = table; r && n < MAX_LINES; r = r->hh.next, n++) {
		if (out->size)
			buffer_putc(out, '\n');
		listing_put(&r->subjects, out);
		buffer_printf(out, "%s%s", r->subjects.n ? ": " : "", r->text);
	}
	if (n < n_all)
		buffer_printf(out, "\nand %zu more reasons", n_all - n);
}

const char *reasons_text(const struct reasons *r, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	put_lines(r->troubles, &text);
	put_lines(r->notes, &text);
	return text.size ? arena_strdup(a, buffer_text(&text)) : NULL;
}
