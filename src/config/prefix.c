// SPDX-License-Identifier: Apache-2.0
/*
 * A prefix gets one of _calls_total, _duration_seconds (with _bucket, _sum, _count) and _in_flight
 * behind it. None of these ends in another, so families of different prefixes can't meet; only
 * those that the exporter has of itself need to be kept clear of.
 */
#include "config/prefix.h"

#include <string.h>

#include "config/scalar.h"

#define NAME_START "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_:"
#define NAME_REST NAME_START "0123456789"

static const char *const reserved[] = {"uprobe_exporter", "process_", "go_"};

void prefix_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	const char *text = value->text;

	if (strcspn(text, NAME_START) || text[strspn(text, NAME_REST)]) {
		located_add(r->errors, value->place,
			"`%s` must be letters, digits, _ and :, not starting with a digit", key);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strncmp(text, reserved[i], strlen(reserved[i]))) {
			located_add(r->errors, value->place,
				"`%s` can't start with `%s`: those are the exporter's own metrics",
				key, reserved[i]);
			return;
		}
	scalar_read_text(r, key, value, out);
}
