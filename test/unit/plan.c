// SPDX-License-Identifier: Apache-2.0
/* Plans of the golden tests' programs: what is the same in two plans, and what differs. */
#include "plan_fixture.h"

static void check_difference(
	const struct plan *old, const struct plan *new, size_t n_removed, size_t n_added)
{
	struct plan_difference d;

	plan_difference_init(&d, old, new);
	CHECK_INT(d.n_removed, n_removed);
	CHECK_INT(d.n_added, n_added);
	for (size_t i = 0; i < d.n_removed; i++)
		CHECK(d.removed[i]->probe >= old->probes &&
			d.removed[i]->probe < old->probes + old->n_probes);
	for (size_t i = 0; i < d.n_added; i++)
		CHECK(d.added[i]->probe >= new->probes &&d.added[i]->probe <
			new->probes + new->n_probes);
	plan_difference_deinit(&d);
}

static const char two_probes[] =
	"probes:\n"
	"  - {name: a, binary: %s/program, function: 'place*', labels: {x: '1'}}\n"
	"  - {name: b, binary: %s/program, function: [place, hot, twin]}\n";

static void a_site_is_what_the_file_says(void)
{
	begin_with_program();
	{
		_cleanup_(made_deinit) struct made m = make(two_probes);
		const struct plan_probe *a = &m.plan->probes[0];
		const uint8_t code[] = {0x55, 0x5d, 0xc3}; /* push, pop, ret */
		uint8_t bytes[16];

		CHECK_INT(m.plan->n_probes, 2);
		CHECK_INT(m.plan->n_targets, 1);
		CHECK_INT(m.plan->n_series, 4);
		CHECK_INT(a->n_sites, 3);
		CHECK_INT(a->n_series, 3);
		CHECK_STR(a->series[0]->function, "place");
		CHECK_STR(a->series[1]->function, "place_one");
		CHECK_STR(a->series[2]->function, "place_two");
		CHECK_STR(a->series[0]->binary, at("program"));
		for (size_t i = 0; i < a->n_sites; i++) {
			const struct plan_site *s = a->sites[i];

			CHECK(s->series == a->series[i]);
			CHECK_INT(s->series->n_functions, 1);
			CHECK_INT(s->n_bytes, 16);
			CHECK_INT(pread(s->target->fd, bytes, 16, (off_t)s->offset), 16);
			CHECK(!memcmp(bytes, s->bytes, 16));
			CHECK(!memcmp(code, s->bytes, sizeof(code)));
			CHECK(s->address - s->offset == 0x400000);
		}
	}
	end();
}

static void a_nop5_needs_a_kernel_that_is_trusted(void)
{
	static const char hot[] = "probes:\n"
				  "  - {binary: %s/program, function: hot}\n";

	begin_with_program();
	{
		_cleanup_(made_deinit) struct made any = make(hot);
		_cleanup_(made_deinit) struct made trusted =
			make_by(&(struct plan_rules){.allows_nop5 = true}, hot);

		CHECK_INT(any.plan->probes[0].state, PLAN_REFUSED);
		CHECK(strstr(any.plan->probes[0].sites[0]->refusal, "5-byte nop"));
		CHECK_INT(trusted.plan->probes[0].state, PLAN_READY);
		CHECK(!trusted.plan->probes[0].sites[0]->refusal);
		CHECK_INT(trusted.plan->probes[0].sites[0]->cost, COST_NOP5);
	}
	end();
}

static void a_uretprobe_needs_a_kernel_that_is_right(void)
{
	static const char place[] =
		"probes:\n"
		"  - {name: auto, binary: %s/program, function: place}\n"
		"  - {name: insists, binary: %s/program, function: place, exit: uretprobe}\n";

	begin_with_program();
	{
		_cleanup_(made_deinit) struct made right = make(place);
		_cleanup_(made_deinit) struct made wrong = make_by(&(struct plan_rules){}, place);
		const struct plan_probe *insists = &wrong.plan->probes[1];

		CHECK_INT(right.plan->probes[0].sites[0]->exit, EXIT_BY_URETPROBE);
		CHECK_INT(right.plan->probes[1].sites[0]->exit, EXIT_BY_URETPROBE);
		CHECK_INT(wrong.plan->probes[0].sites[0]->exit, EXIT_BY_EXITS);
		CHECK_INT(wrong.plan->probes[0].sites[0]->n_exits, 1);
		CHECK_INT(insists->state, PLAN_REFUSED);
		CHECK_STR(insists->sites[0]->refusal,
			"`exit: uretprobe` is not safe here: this kernel's return probes crash "
			"processes that have a seccomp filter");
	}
	end();
}

static void equal_configurations_make_equal_plans(void)
{
	begin_with_program();
	{
		_cleanup_(made_deinit) struct made a = make(two_probes), b = make(two_probes);

		check_difference(a.plan, b.plan, 0, 0);
		check_difference(NULL, b.plan, 0, 4);
		for (size_t i = 0; i < 3; i++)
			CHECK_STR(a.plan->probes[0].series[i]->identity,
				b.plan->probes[0].series[i]->identity);
		CHECK_INT(plan_fingerprint(a.config, world), plan_fingerprint(b.config, world));
		/* The same function in two probes is two sites. */
		CHECK(strcmp(a.plan->probes[0].sites[0]->key, a.plan->probes[1].sites[0]->key) !=
			0);
		CHECK(!a.plan->probes[1].sites[a.plan->probes[1].n_sites - 1]->key);
	}
	end();
}

/* What a change of one probe's keys does to its sites and to the identity of its series. */
static void changes_show_as_far_as_they_go(void)
{
	static const struct {
		const char *keys;
		bool is_same_site, is_same_series;
	} cases[] = {
		{"function: place", true, true},
		{"function: 'plac[e]'", true, true},
		{"function: place, metric: shop, help: Shopping", true, true},
		{"function: [place, place_one]", true, true},
		{"function: place, labels: {x: '1'}", false, false},
		{"function: place, buckets: [1us]", false, false},
		{"function: place, measure: [calls]", false, true},
		{"function: place, measure: [calls, duration, in_flight]", false, true},
		{"function: place_one", false, false},
	};

	begin_with_program();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = memory_printf(
			"probes:\n  - {name: a, binary: %s/program, %s}\n", "%s", cases[i].keys);
		_cleanup_(made_deinit) struct made a =
			make("probes:\n  - {name: a, binary: %s/program, function: place}\n");
		_cleanup_(made_deinit) struct made b = make(text);
		size_t n_others = b.plan->probes[0].n_sites - 1;

		check_difference(
			a.plan, b.plan, !cases[i].is_same_site, !cases[i].is_same_site + n_others);
		CHECK_INT(!strcmp(a.plan->probes[0].series[0]->identity,
				  b.plan->probes[0].series[0]->identity),
			cases[i].is_same_series);
		free(text);
	}
	end();
}

static void no_two_lists_of_labels_are_one_identity(void)
{
	begin_with_program();
	{
		_cleanup_(made_deinit) struct made m =
			make("probes:\n"
			     "  - {name: a, binary: %s/program, function: place,\n"
			     "     labels: {x: '1,1:y,1:2'}}\n"
			     "  - {name: b, binary: %s/program, function: place,\n"
			     "     labels: {x: '1', y: '2'}}\n");
		const char *a = m.plan->probes[0].series[0]->identity;
		const char *b = m.plan->probes[1].series[0]->identity;

		CHECK_INT(strncmp(a, "1:a,", 4), 0);
		CHECK(strcmp(a + 4, b + 4) != 0);
	}
	end();
}

static void a_replaced_file_keeps_its_series(void)
{
	static const char text[] = "probes:\n  - {binary: %s/program, function: [place, twin]}\n";

	begin_with_program();
	{
		_cleanup_(made_deinit) struct made a = make(text), b = {};
		uint64_t before = plan_fingerprint(a.config, world), after;

		copy_program(at("program"), at("program.new"));
		CHECK_INT(rename(at("program.new"), at("program")), 0);
		b = make(text);
		after = plan_fingerprint(b.config, world);
		check_difference(a.plan, b.plan, 1, 1);
		CHECK_STR(a.plan->probes[0].series[0]->identity,
			b.plan->probes[0].series[0]->identity);
		CHECK(before != after);
	}
	end();
}

/* As tools do that restore a package: the same size and time, another file. */
static void a_fingerprint_tells_copies_apart(void)
{
	static const char text[] = "probes:\n  - {binary: %s/program, function: place}\n";
	char *command;

	begin_with_program();
	command = memory_printf(
		"cp -p %s %s && mv %s %s", at("program"), at("copy"), at("copy"), at("program"));
	{
		_cleanup_(made_deinit) struct made m = make(text);
		uint64_t before = plan_fingerprint(m.config, world);

		CHECK_INT(system(command), 0);
		CHECK_INT(plan_fingerprint(m.config, world), before);
		CHECK_INT(world_refresh(world, NULL), 0);
		CHECK(plan_fingerprint(m.config, world) != before);
	}
	free(command);
	end();
}

static void a_file_may_come_later(void)
{
	static const char text[] = "probes:\n  - {binary: %s/later, function: place}\n";

	begin_with_program();
	{
		_cleanup_(made_deinit) struct made a = make(text), b = {};
		uint64_t before = plan_fingerprint(a.config, world);

		CHECK_INT(a.plan->probes[0].state, PLAN_WAITING);
		CHECK_INT(a.plan->probes[0].n_targets, 0);
		CHECK_INT(rename(at("program"), at("later")), 0);
		b = make(text);
		CHECK_INT(b.plan->probes[0].state, PLAN_READY);
		CHECK(plan_fingerprint(b.config, world) != before);
		check_difference(a.plan, b.plan, 0, 1);
	}
	end();
}

static void a_limit_is_the_same_after_a_reload(void)
{
	static const char text[] = "global: {max_series: 2}\n"
				   "probes:\n"
				   "  - {name: a, binary: %s/program, function: 'place*'}\n"
				   "  - {name: b, binary: %s/program, function: place}\n";

	begin_with_program();
	{
		_cleanup_(made_deinit) struct made a = make(text), b = make(text);

		check_difference(a.plan, b.plan, 0, 0);
		CHECK_INT(a.plan->n_series, 2);
		CHECK_INT(a.plan->probes[0].n_series, 2);
		CHECK_STR(a.plan->probes[0].series[1]->function, "place_one");
		CHECK_INT(a.plan->probes[0].n_refused, 1);
		CHECK_INT(a.plan->probes[1].n_refused, 1);
		CHECK_INT(a.plan->probes[1].state, PLAN_REFUSED);
	}
	end();
}

/* Many patterns share what may be kept of one file: 300 of them 1024 symbols each. */
static void a_pattern_that_is_too_wide_takes_nothing_from_others(void)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	begin();
	buffer_puts(&text, "probes:\n  - {name: wide, binary: " PLAN_TARGETS "/crowd, function: [");
	for (int i = 0; i < 300; i++)
		buffer_printf(&text, "/%d|face/, ", i);
	buffer_puts(&text, "]}\n  - {name: narrow, binary: " PLAN_TARGETS "/crowd, "
			   "function: [face_7, 'face_1*']}\n");
	{
		_cleanup_(made_deinit) struct made m = make(buffer_text(&text));
		const char *reason = m.plan->probes[0].reason;

		CHECK_INT(m.plan->probes[0].state, PLAN_REFUSED);
		CHECK(reason &&
			strstr(reason, "/0|face/ matches too many functions in " PLAN_TARGETS
				       "/crowd: 1024 or more\n"));
		CHECK_INT(m.plan->probes[1].state, PLAN_READY);
		CHECK_INT(m.plan->probes[1].n_sites, 1 + 1 + 10 + 100 + 100);
	}
	end();
}

static void calls_on_switched_stacks_are_not_their_threads(void)
{
	static const struct {
		const char *name;
		enum exit_kind exit;
		enum calls_of calls_of;
	} expected[] = {
		{"hand_over", EXIT_BY_EXITS, CALLS_OF_STACKS},
		{"only_add", EXIT_BY_EXITS, CALLS_OF_STACKS},
		{"leap_to", EXIT_BY_NONE, CALLS_OF_THREADS},
		{"pass_it_on", EXIT_BY_EXITS, CALLS_OF_THREADS},
	};

	begin();
	{
		_cleanup_(made_deinit) struct made m = make(
			"probes:\n"
			"  - {name: a, binary: " PLAN_TARGETS "/libswitcher.so, function: '*'}\n"
			"  - {name: b, binary: " PLAN_TARGETS
			"/libthrower.so, function: pass_it_on}\n");

		CHECK_INT(m.plan->probes[0].n_sites, 3);
		for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
			const struct plan_probe *p = &m.plan->probes[i / 3];
			const struct plan_site *s = p->sites[i % 3];

			CHECK_STR(s->symbol, expected[i].name);
			CHECK_INT(s->exit, expected[i].exit);
			CHECK_INT(s->calls_of, expected[i].calls_of);
		}
	}
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_site_is_what_the_file_says),
		CHECK_TEST(a_nop5_needs_a_kernel_that_is_trusted),
		CHECK_TEST(a_uretprobe_needs_a_kernel_that_is_right),
		CHECK_TEST(equal_configurations_make_equal_plans),
		CHECK_TEST(changes_show_as_far_as_they_go),
		CHECK_TEST(no_two_lists_of_labels_are_one_identity),
		CHECK_TEST(a_replaced_file_keeps_its_series),
		CHECK_TEST(a_fingerprint_tells_copies_apart),
		CHECK_TEST(a_file_may_come_later),
		CHECK_TEST(a_limit_is_the_same_after_a_reload),
		CHECK_TEST(a_pattern_that_is_too_wide_takes_nothing_from_others),
		CHECK_TEST(calls_on_switched_stacks_are_not_their_threads),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
