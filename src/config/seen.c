// SPDX-License-Identifier: Apache-2.0
#include "config/seen.h"

#include <string.h>
#include <uthash.h>

#include "base/memory.h"

struct seen_text {
	UT_hash_handle hh;
	const char *text;
	const struct node *node;
	unsigned n; /* of those like it */
};

static struct seen_text *find(const struct seen *s, const char *text)
{
	struct seen_text *found = NULL;

	HASH_FIND_STR(s->texts, text, found);
	return found;
}

void seen_deinit(struct seen *s)
{
	struct seen_text *next, *text = s->texts;

	HASH_CLEAR(hh, s->texts); /* the table; the texts are still a list */
	for (; text; text = next) {
		next = text->hh.next;
		free(text);
	}
}

const struct node *seen_enter(struct seen *s, const char *text, const struct node *node)
{
	struct seen_text *entry = find(s, text);

	if (entry)
		return entry->node;
	entry = memory_alloc(sizeof(*entry));
	*entry = (struct seen_text){.text = text, .node = node, .n = 1};
	HASH_ADD_KEYPTR(hh, s->texts, entry->text, strlen(entry->text), entry);
	return NULL;
}

const struct node *seen_find(const struct seen *s, const char *text)
{
	const struct seen_text *entry = find(s, text);

	return entry ? entry->node : NULL;
}

unsigned seen_again(struct seen *s, const char *text)
{
	return ++find(s, text)->n;
}
