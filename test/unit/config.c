// SPDX-License-Identifier: Apache-2.0
/* Loading: what comes from where, and what files can't be read. Meaning is in test/golden/config.
 */
#include "config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "check.h"

#define MINIMAL "probes:\n  - binary: /bin/bash\n    function: readline\n"

static char folder[] = "/tmp/unit_config.XXXXXX";

static char *write_file(const char *name, const char *text, size_t n)
{
	char *path = memory_printf("%s/%s", folder, name);
	_cleanup_(fclosep) FILE *f = fopen(path, "w");

	CHECK(f && fwrite(text, 1, n, f) == n);
	return path;
}

static void a_file_is_loaded(void)
{
	_cleanup_(freep) char *path = write_file("good.yml", MINIMAL, strlen(MINIMAL));
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(config_load(&c, path, &e), 0);
	CHECK(!e.text);
	CHECK_STR(c->file, path);
	CHECK_INT(c->n_probes, 1);
	CHECK_STR(c->probes[0].name, "bash:readline");
	CHECK_INT(c->probes[0].line, 2);
	CHECK_INT(c->probes[0].bounds.n, 22);
}

static void errors_name_the_file(void)
{
	_cleanup_(freep) char *path = write_file("bad.yml", "probes: 5\n", 10);
	_cleanup_(freep) char *expected = memory_printf(
		"%s:1:9: `probes` must be a list, not a number\n    probes: 5\n            ^",
		path);
	struct config *untouched = (struct config *)folder, *c = untouched;
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(config_load(&c, path, &e), -EINVAL);
	CHECK_STR(error_text(&e), expected);
	CHECK(c == untouched);
	CHECK_INT(config_load(&c, path, NULL), -EINVAL);
	CHECK(c == untouched);
}

static void check_unreadable(const char *path, int code, const char *why)
{
	_cleanup_(freep) char *expected = memory_printf("%s: %s", path, why);
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(config_load(&c, path, &e), code);
	CHECK_STR(error_text(&e), expected);
	CHECK(!c);
}

static void unreadable_files_say_why(void)
{
	_cleanup_(freep) char *missing = memory_printf("%s/missing.yml", folder);

	check_unreadable(missing, -ENOENT, "No such file or directory");
	check_unreadable(folder, -EISDIR, "Is a directory");
	check_unreadable("/dev/zero", -EFBIG, "larger than 4 MiB");
}

static void the_largest_file_is_read(void)
{
	size_t n = 4 << 20, n_minimal = strlen(MINIMAL);
	_cleanup_(freep) char *text = memory_alloc(n + 1);
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(freep) char *path = NULL, *larger = NULL;
	_cleanup_(error_deinit) struct error e = {};

	memset(text, '\n', n + 1);
	memcpy(text, MINIMAL, n_minimal);
	path = write_file("largest.yml", text, n);
	CHECK_INT(config_load(&c, path, &e), 0);
	CHECK_INT(c->n_probes, 1);
	larger = write_file("larger.yml", text, n + 1);
	check_unreadable(larger, -EFBIG, "larger than 4 MiB");
}

static void a_pipe_is_read(void)
{
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};
	char path[32];
	int ends[2];

	CHECK_INT(pipe(ends), 0);
	CHECK_INT(write(ends[1], MINIMAL, strlen(MINIMAL)), strlen(MINIMAL));
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	CHECK_INT(config_load(&c, path, &e), 0);
	CHECK_INT(c->n_probes, 1);
	close(ends[0]);
}

static void text_needs_no_end(void)
{
	size_t n = strlen(MINIMAL);
	_cleanup_(freep) char *exact = memcpy(memory_alloc(n), MINIMAL, n);
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(config_parse(&c, "x.yml", exact, n, &e), 0);
	CHECK_STR(c->probes[0].functions.items[0].text, "readline");
}

static void values_of_variables_are_checked(void)
{
	static const char text[] = "probes: [{binary: /bin/bash, function: \"${UNIT_CONFIG}\"}]";
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};

	setenv("UNIT_CONFIG", "a\xff", 1);
	CHECK_INT(config_parse(&c, "x.yml", text, strlen(text), &e), -EINVAL);
	CHECK(strstr(error_text(&e), "x.yml:1:40: the value of ${UNIT_CONFIG} is not UTF-8\n"));
	setenv("UNIT_CONFIG", "a", 1);
	CHECK_INT(config_parse(&c, "x.yml", text, strlen(text), &e), 0);
	CHECK_STR(c->probes[0].functions.items[0].text, "a");
}

static void freeing_nothing_is_fine(void)
{
	config_free(NULL);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_file_is_loaded),
		CHECK_TEST(errors_name_the_file),
		CHECK_TEST(unreadable_files_say_why),
		CHECK_TEST(the_largest_file_is_read),
		CHECK_TEST(a_pipe_is_read),
		CHECK_TEST(text_needs_no_end),
		CHECK_TEST(values_of_variables_are_checked),
		CHECK_TEST(freeing_nothing_is_fine),
	};
	static const char *const files[] = {"good.yml", "bad.yml", "largest.yml", "larger.yml"};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = check_run(tests, ARRAY_SIZE(tests));
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(freep) char *path = memory_printf("%s/%s", folder, files[i]);

		unlink(path);
	}
	rmdir(folder);
	return failed;
}
