// SPDX-License-Identifier: Apache-2.0
#include "web/labels.h"

#include "base/utf8.h"
#include "plan/carry.h"

static void put_value(
	struct buffer *out, const struct series_reading *r, const struct carry *carry, size_t i)
{
	static const struct carry_names unknown;
	_cleanup_(buffer_deinit) struct buffer raw = {};

	if (r->key)
		carry_put_label(&raw, r->series->probe->config, carry, i, r->key, &unknown);
	else
		buffer_puts(&raw, "other");
	utf8_put_bytes(out, buffer_text(&raw), raw.size, NULL);
}

void labels_put(struct buffer *out, const struct series_reading *r, const struct carry *carry)
{
	const struct dynamic_labels *all = &r->series->probe->config->dynamic;

	for (size_t i = 0; i < all->n; i++) {
		buffer_printf(out, "%s%s=", i ? " " : "", all->items[i].name);
		put_value(out, r, carry, i);
	}
}
