/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of plans share: the golden tests' programs, and plans made of them. */
#pragma once

#include "target_fixture.h"

#include "base/buffer.h"
#include "plan/plan.h"

struct made {
	struct config *config;
	struct plan *plan;
};

static inline void made_deinit(struct made *m)
{
	plan_free(m->plan);
	config_free(m->config);
}

/* The plan for a configuration in which %s stands for the test's directory. */
static inline struct made make_by(const struct plan_rules *rules, const char *format)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct made m = {};

	for (const char *c = format; *c; c++) {
		if (c[0] == '%' && c[1] == 's')
			buffer_puts(&text, directory);
		else if (c == format || c[-1] != '%')
			buffer_putc(&text, *c);
	}
	if (config_parse(&m.config, "test", buffer_text(&text), text.size, &e) ||
		world_refresh(world, &e) || plan_resolve(&m.plan, m.config, rules, world, &e)) {
		printf("%s\n", error_text(&e));
		exit(1);
	}
	return m;
}

static inline struct made make(const char *format)
{
	return make_by(&(struct plan_rules){.allows_uretprobes = true}, format);
}

static inline void begin_with_program(void)
{
	begin();
	copy_program(PLAN_TARGETS "/program", at("program"));
}
