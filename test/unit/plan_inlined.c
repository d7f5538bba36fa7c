// SPDX-License-Identifier: Apache-2.0
/* test/golden/plan/targets/inlined.c says what is inlined where. */
#include <elf.h>

#include "plan/list.h"
#include "plan/rules.h"

#include "target_fixture.h"

#include "base/buffer.h"

static const char *const programs[] = {"plain", "packed", "apart"};

static void put_site(const struct plan_site *s, const char *label, void *data)
{
	if (!s->inlined.is_known)
		return;
	buffer_printf(data, "%s %u", label, s->inlined.n_places);
	buffer_printf(data, s->inlined.callers ? ": %s\n" : "\n", s->inlined.callers);
}

/* What is known of the functions of that pattern, and else what is said. */
static void check_list(const char *program, const char *pattern, const char *expected)
{
	_cleanup_(freep) char *path = memory_printf(PLAN_TARGETS "/inlined_%s", program);
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *t = NULL;
	_cleanup_(buffer_deinit) struct buffer list = {};
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(config_of_functions(&config, "PATTERN", path, pattern, &e), 0);
	CHECK_INT(target_open(&t, path, &e), 0);
	if (plan_list(config, &(struct plan_rules){}, t, put_site, &list, &e))
		buffer_puts(&list, strchr(error_text(&e), ';'));
	CHECK_STR(buffer_text(&list), expected);
}

static void places_are_counted_by_function(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		check_list(programs[i], "partly", "partly 1: first\n");
		check_list(programs[i], "never", "never 0\n");
		check_list(programs[i], "shared", "shared 2: first, second\n");
	}
}

/* The other file's is inlined twice. */
static void namesakes_are_others(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		check_list(programs[i], "twin", "twin 0\n");
}

static void a_name_without_a_function_is_explained(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		check_list(programs[i], "everywhere",
			"; the compiler left only copies of it, in 2 places: in first");
}

/* Places by lambda, and 100 for each function that is one. */
static void count_lambda(const struct plan_site *s, const char *label, void *data)
{
	unsigned *n = data;

	n[!strncmp(label, "first", 5)          ? 0
		: !strncmp(label, "second", 6) ? 1
					       : 2] += 100 + s->inlined.n_places;
}

/* gcc gives them one name, and no place in the source. */
static void lambdas_are_told_apart(void)
{
	static const char path[] = PLAN_TARGETS "/inlined_lambda";
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *t = NULL;
	_cleanup_(error_deinit) struct error e = {};
	unsigned n[3] = {};

	if (access(path, F_OK)) {
		printf("SKIPPED %s: no compiler for C++\n", __func__);
		return;
	}
	CHECK_INT(config_of_functions(
			  &config, "PATTERN", path, "/(first|second|third).*operator/", &e),
		0);
	CHECK_INT(target_open(&t, path, &e), 0);
	CHECK_INT(plan_list(config, &(struct plan_rules){}, t, count_lambda, n, &e), 0);
	CHECK_INT(n[0], 101);
	CHECK_INT(n[1], 100);
	CHECK_INT(n[2], 0);
}

static void count_site(const struct plan_site *s, const char *label, void *data)
{
	CHECK(s && *label);
	++*(int *)data;
}

/* The sections of debug information: those that aren't loaded and have no flags. */
static size_t find_sections(int fd, Elf64_Shdr *out)
{
	Elf64_Ehdr header;
	Elf64_Shdr s;
	size_t n = 0;

	CHECK_INT(pread(fd, &header, sizeof(header), 0), sizeof(header));
	for (size_t i = 0; i < header.e_shnum && n < 16; i++) {
		CHECK_INT(pread(fd, &s, sizeof(s), (off_t)(header.e_shoff + i * sizeof(s))),
			sizeof(s));
		if (s.sh_type == SHT_PROGBITS && !s.sh_flags && s.sh_size > 16)
			out[n++] = s;
	}
	CHECK(n > 2);
	return n;
}

/* Without those of a sanitizer, which are thousands. */
static const char own_functions[] = "/^(first|main|never|partly|second|shared|twin)$/";

/* Spoils some bytes of it by what looks like chance; functions are found all the same. */
static void check_spoilt(int fd, unsigned seed)
{
	Elf64_Shdr sections[16], *s = &sections[seed % find_sections(fd, sections)];
	uint64_t place = s->sh_offset + seed * 2654435761u % (s->sh_size - 16);
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(target_unrefp) struct target *t = NULL;
	_cleanup_(error_deinit) struct error e = {};
	unsigned char bytes[16];
	int n = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)((seed + i) * 2246822519u >> 24);
	CHECK_INT(pwrite(fd, bytes, 1 + seed % sizeof(bytes), (off_t)place),
		1 + seed % sizeof(bytes));
	CHECK_INT(config_of_functions(&config, "PATTERN", at("program"), own_functions, &e), 0);
	CHECK_INT(target_open(&t, at("program"), &e), 0);
	CHECK_INT(plan_list(config, &(struct plan_rules){}, t, count_site, &n, &e), 0);
	CHECK_INT(n, 7);
}

static void broken_debug_information_is_survived(void)
{
	begin();
	for (unsigned seed = 1; seed <= 60; seed++) {
		_cleanup_(closep) int fd = -1;

		copy_program(PLAN_TARGETS "/inlined_plain", at("program"));
		fd = open(at("program"), O_RDWR | O_CLOEXEC);
		check_spoilt(fd, seed);
	}
	end();
}

static struct plan *resolve(struct config *config)
{
	_cleanup_(error_deinit) struct error e = {};
	struct plan *plan = NULL;

	CHECK_INT(world_refresh(world, &e), 0);
	CHECK_INT(plan_resolve(&plan, config, &(struct plan_rules){}, world, &e), 0);
	return plan;
}

/* A plan doesn't wait; the next one knows, and none asks again. */
static void a_plan_is_told_later(void)
{
	static const char text[] = "probes:\n  - {binary: " PLAN_TARGETS
				   "/inlined_plain, function: [partly, never]}\n";
	_cleanup_(config_freep) struct config *config = NULL;
	struct plan *first, *second, *third;

	begin();
	CHECK_INT(config_parse(&config, "test", text, sizeof(text) - 1, NULL), 0);
	first = resolve(config);
	CHECK(!first->probes[0].series[0]->inlined.is_known);
	CHECK(plan_await_news(first, 10000));
	CHECK(!plan_has_news(first));
	second = resolve(config);
	CHECK_STR(second->probes[0].series[1]->function, "partly");
	CHECK(second->probes[0].series[1]->inlined.is_known);
	CHECK_INT(second->probes[0].series[1]->inlined.n_places, 1);
	CHECK(second->probes[0].series[0]->inlined.is_known);
	CHECK_INT(second->probes[0].series[0]->inlined.n_places, 0);
	CHECK(!plan_await_news(second, 10000));
	third = resolve(config);
	CHECK(third->probes[0].series[0]->inlined.is_known);
	plan_free(first);
	plan_free(second);
	plan_free(third);
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(places_are_counted_by_function),
		CHECK_TEST(namesakes_are_others),
		CHECK_TEST(a_name_without_a_function_is_explained),
		CHECK_TEST(lambdas_are_told_apart),
		CHECK_TEST(a_plan_is_told_later),
		CHECK_TEST(broken_debug_information_is_survived),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
