// SPDX-License-Identifier: Apache-2.0
#include "cli/site_json.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "plan/handover.h"

json_t *text_json(const char *text)
{
	_cleanup_(buffer_deinit) struct buffer valid = {};

	if (!text)
		return json_null();
	utf8_put(&valid, text, NULL);
	return json_string(buffer_text(&valid));
}

static json_t *hex_json(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

/* Of a USDT point; the semaphore is that of the first place. */
static void set_point(json_t *site, const struct plan_point *p)
{
	json_object_set_new(site, "arguments", text_json(p->arguments));
	json_object_set_new(site, "semaphore", json_boolean(p->is_guarded));
	json_object_set_new(site, "nested", json_boolean(p->is_nested));
}

static void set_inlined(json_t *site, const struct plan_inlined *i)
{
	json_object_set_new(site, "inlined_places",
		i->is_known ? json_integer((json_int_t)i->n_places) : json_null());
	json_object_set_new(site, "inlined_into", text_json(i->callers));
}

json_t *site_json(const struct plan_site *s, const char *function)
{
	json_t *site = json_pack("{so so so sb so so so so so so sI sI so so sI sI so so so}",
		"function", text_json(function), "name", text_json(s->name), "symbol",
		text_json(s->symbol), "changed_clone", s->is_changed_clone, "aliases",
		text_json(s->aliases), "name_origin", text_json(s->name_origin), "binary",
		text_json(s->probe->config->binary), "origin", text_json(s->target->origin),
		"address", hex_json(s->address), "offset", hex_json(s->offset), "size",
		(json_int_t)s->size, "behind", (json_int_t)s->behind, "exit",
		text_json(s->refusal ? NULL : exit_kind_name(s->exit)), "exit_reason",
		text_json(s->exit_reason), "exit_sites", (json_int_t)s->n_exits, "exit_jumps",
		(json_int_t)handover_count(s), "cost",
		text_json(s->refusal ? NULL : cost_class_name(s->cost)), "cost_reason",
		text_json(s->refusal ? NULL : s->cost_reason), "refusal", text_json(s->refusal));

	set_inlined(site, &s->inlined);
	if (s->point)
		set_point(site, s->point);
	return site;
}
