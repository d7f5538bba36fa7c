// SPDX-License-Identifier: Apache-2.0
/* Whose debug file it is. The path through this process leads to the same file as the plain one. */
#include "plan/list.h"
#include "plan/rules.h"

#include "base/buffer.h"
#include "check.h"

static void put_site(const struct plan_site *s, const char *label, void *data)
{
	buffer_printf(data, "%s%s%s\n", label, s->name_origin ? " from " : "",
		s->name_origin ? strrchr(s->name_origin, '/') + 1 : "");
	if (s->refusal)
		buffer_printf(data, "  %s\n", s->refusal);
}

/* What can be probed in the file of that path. */
static void check_list(const char *path, const char *expected)
{
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *t = NULL;
	_cleanup_(buffer_deinit) struct buffer list = {};
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(config_of_functions(&config, "PATTERN", path, "*", &e), 0);
	CHECK_INT(target_open(&t, path, &e), 0);
	CHECK_INT(plan_list(config, &(struct plan_rules){}, t, put_site, &list, &e), 0);
	CHECK_STR(buffer_text(&list), expected);
}

static void in_the_exporter_s_view_it_is_believed(void)
{
	check_list(PLAN_TARGETS "/libsplit1.so", "visible\n"
						 "inner from 1.debug\n"
						 "bare from 1.debug\n");
}

static void in_a_process_s_view_the_file_must_agree(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "/proc/%d/root" PLAN_TARGETS "/libsplit1.so", getpid());
	check_list(path,
		"visible\n"
		"inner from 1.debug\n"
		"bare from 1.debug\n"
		"  only a debug file in a process's view says that a function begins there, "
		"and the file's own tables for unwinding don't\n");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(in_the_exporter_s_view_it_is_believed),
		CHECK_TEST(in_a_process_s_view_the_file_must_agree),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
