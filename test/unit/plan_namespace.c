// SPDX-License-Identifier: Apache-2.0
/* Plans where one path is another file in another mount namespace. Skipped, loudly, without the
 * privilege to make one. */
#include "plan_fixture.h"

#include <sched.h>
#include <sys/mount.h>

static const char two_probes[] =
	"probes:\n"
	"  - {name: a, binary: %s/program, function: 'place*', labels: {x: '1'}}\n"
	"  - {name: b, binary: %s/program, function: [place, hot, twin]}\n";

static int show_library(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount(PLAN_TARGETS "/liblibrary.so", at("program"), NULL, MS_BIND, NULL);
}

static int show_copy(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount(at("copy"), at("program"), NULL, MS_BIND, NULL);
}

static int bind(const char *target, const char *name)
{
	char *from = memory_printf("%s/%s", PLAN_TARGETS, target);
	int r = mount(from, at(name), NULL, MS_BIND, NULL);

	free(from);
	return r;
}

static int show_linked_library(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       bind("librpath.so", "program") || bind("libmiddle.so", "libmiddle.so") ||
	       bind("liblibrary.so", "liblibrary.so");
}

static bool is_skipped(const struct child *c, const char *test)
{
	if (!c->is_ready)
		printf("SKIPPED %s: no privilege for mount namespaces here\n", test);
	return !c->is_ready;
}

static void files_of_one_path_share_series(void)
{
	_cleanup_(child_end) struct child c = {};

	begin_with_program();
	copy_program(at("program"), at("copy"));
	c = child_start(show_copy);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(made_deinit) struct made m = make(two_probes);
		const struct plan_probe *a = &m.plan->probes[0];

		CHECK_INT(a->state, PLAN_READY);
		CHECK_INT(a->n_targets, 2);
		CHECK_INT(m.plan->n_targets, 2);
		CHECK_INT(a->n_series, 3);
		CHECK_INT(a->n_sites, 6);
		CHECK_INT(a->series[0]->n_functions, 2);
		for (size_t i = 0; i < 6 && a->n_sites == 6; i++) {
			CHECK(a->sites[i]->target == a->targets[i / 3]);
			CHECK(a->sites[i]->series == a->series[i % 3]);
		}
		CHECK_INT(m.plan->n_series, 4);
	}
	end();
}

static void a_file_that_lacks_the_function_is_named(void)
{
	_cleanup_(child_end) struct child c = {};

	begin_with_program();
	c = child_start(show_library);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(made_deinit) struct made m =
			make("probes:\n  - {binary: %s/program, function: place_one}\n");
		const struct plan_probe *p = &m.plan->probes[0];
		char *reason = memory_printf(
			"no function \"place_one\" in /proc/%d/root%s", c.pid, at("program"));

		CHECK_INT(p->state, PLAN_PARTLY);
		CHECK_INT(p->n_sites, 1);
		CHECK_INT(p->n_targets, 2);
		CHECK(p->reason && !strncmp(p->reason, reason, strlen(reason)));
		free(reason);
	}
	end();
}

/* Here these are no libraries; there the program's are, two steps away. */
static void libraries_are_looked_for_where_the_program_is(void)
{
	_cleanup_(child_end) struct child c = {};

	begin_with_program();
	write_file(at("libmiddle.so"), "");
	write_file(at("liblibrary.so"), "");
	c = child_start(show_linked_library);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(made_deinit) struct made m =
			make("probes:\n  - {binary: %s/program, function: [place_one, many]}\n");
		const struct plan_probe *p = &m.plan->probes[0];
		char *refusal = memory_printf("imported: it is defined in another file: %s, which "
					      "this one is linked with",
			at("liblibrary.so"));

		CHECK_INT(p->n_targets, 2);
		CHECK_INT(p->n_sites, 2);
		CHECK_STR(p->sites[p->n_sites - 1]->symbol, "many");
		CHECK_STR(p->sites[p->n_sites - 1]->refusal, refusal);
		free(refusal);
	}
	end();
}

/* A histogram that lacks one file's calls would lie, so the others' calls aren't timed either. */
static void ends_are_seen_in_all_files_or_in_none(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	copy_program(PLAN_TARGETS "/libcalm.so", at("program"));
	copy_program(PLAN_TARGETS "/libthrower.so", at("copy"));
	c = child_start(show_copy);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(made_deinit) struct made m =
			make("probes:\n  - {binary: %s/program, function: throw_it}\n");
		const struct plan_probe *p = &m.plan->probes[0];
		char *reason = memory_printf(
			"it can throw C++ exceptions (__cxa_throw); and where calls end can't be "
			"told: it has an indirect jump whose targets can't be told (so it is in "
			"/proc/%d/root%s; the same name in other files is not timed either)",
			c.pid, at("program"));
		char *note = memory_printf(
			"throw_it: calls are counted, but their ends are not seen: %s", reason);

		CHECK_STR(p->reason, note);
		CHECK_INT(p->state, PLAN_READY);
		CHECK_INT(p->n_series, 1);
		CHECK_INT(p->series[0]->measures, MEASURE_CALLS);
		CHECK_INT(p->n_sites, 2);
		for (size_t i = 0; i < p->n_sites; i++) {
			CHECK_INT(p->sites[i]->exit, EXIT_BY_NONE);
			CHECK_STR(p->sites[i]->exit_reason, reason);
		}
		free(note);
		free(reason);
	}
	child_end(&c);
	{
		_cleanup_(made_deinit) struct made m =
			make("probes:\n  - {binary: %s/program, function: throw_it}\n");

		CHECK_INT(m.plan->probes[0].sites[0]->exit, EXIT_BY_EXITS);
	}
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(files_of_one_path_share_series),
		CHECK_TEST(a_file_that_lacks_the_function_is_named),
		CHECK_TEST(libraries_are_looked_for_where_the_program_is),
		CHECK_TEST(ends_are_seen_in_all_files_or_in_none),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
