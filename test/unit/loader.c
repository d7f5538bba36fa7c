// SPDX-License-Identifier: Apache-2.0
/* Where the loader of a view looks. The view is a directory, with an index made by hand. */
#include "target_fixture.h"

#include "base/buffer.h"
#include "target/loader.h"

/* What was offered: paths with the text of each file, "path=text " one after the other. */
struct offers {
	struct buffer text;
	const char *accepted; /* the text of the file that is taken */
};

static bool offer(int fd, const char *path, void *data)
{
	struct offers *o = data;
	char text[32] = "";

	CHECK(pread(fd, text, sizeof(text) - 1, 0) >= 0);
	buffer_printf(&o->text, "%s=%s ", path, text);
	return o->accepted && !strcmp(text, o->accepted);
}

static void place(const char *path, const char *text)
{
	char *command = memory_printf("mkdir -p $(dirname %s)", at(path));

	CHECK_INT(system(command), 0);
	free(command);
	write_file(at(path), text);
}

/* Checks what is offered for a request, and whether it is found. */
static void check_find(
	struct loader_request request, const char *accepted, const char *offers, bool is_found)
{
	struct target t = {.root = directory, .fd = -1};
	struct offers o = {.accepted = accepted};
	_cleanup_(loader_freep) struct loader *l = NULL;

	request.origin = request.origin ? request.origin : "/opt/app/bin/app";
	CHECK_INT(loader_new(&l, &t), 0);
	CHECK_INT(loader_find(l, &request, offer, &o), is_found);
	CHECK_STR(buffer_text(&o.text), offers);
	buffer_deinit(&o.text);
}

/* ---- the index ---- */

static struct buffer entries, texts;
static unsigned n_entries;

static void put_number(struct buffer *b, uint32_t n)
{
	buffer_append(b, &n, sizeof(n));
}

/* Where a text is going to lie when there are n entries in all. */
static uint32_t text_offset(unsigned n)
{
	return (uint32_t)(48 + 24 * n + texts.size);
}

static void put_entry(unsigned n, const char *name, const char *path, uint32_t processor)
{
	put_number(&entries, 0x303);
	put_number(&entries, text_offset(n));
	buffer_append(&texts, name, strlen(name) + 1);
	put_number(&entries, path ? text_offset(n) : UINT32_MAX);
	if (path)
		buffer_append(&texts, path, strlen(path) + 1);
	put_number(&entries, 0);
	put_number(&entries, processor);
	put_number(&entries, 0);
	n_entries++;
}

static void write_index(uint32_t claimed)
{
	_cleanup_(buffer_deinit) struct buffer all = {};
	int fd;

	buffer_puts(&all, "glibc-ld.so.cache1.1");
	put_number(&all, claimed);
	for (int i = 0; i < 6; i++)
		put_number(&all, 0);
	buffer_append(&all, buffer_text(&entries), entries.size);
	buffer_append(&all, buffer_text(&texts), texts.size);
	place("etc/ld.so.cache", "");
	fd = open(at("etc/ld.so.cache"), O_WRONLY | O_TRUNC | O_CLOEXEC);
	CHECK_INT(write(fd, all.data, all.size), all.size);
	close(fd);
	buffer_deinit(&entries);
	buffer_deinit(&texts);
	n_entries = 0;
}

/* ---- tests ---- */

static void its_own_directories_come_first_then_the_index_then_the_usual(void)
{
	begin();
	place("opt/app/lib/libx.so", "own");
	place("srv/libx.so", "indexed");
	place("usr/lib/libx.so", "usual");
	put_entry(1, "libx.so", "/srv/libx.so", 0);
	write_index(1);
	check_find((struct loader_request){"libx.so", "/nowhere:/opt/app/lib", NULL}, NULL,
		"/opt/app/lib/libx.so=own /srv/libx.so=indexed /usr/lib/libx.so=usual ", false);
	check_find((struct loader_request){"libx.so", "/opt/app/lib", NULL}, "indexed",
		"/opt/app/lib/libx.so=own /srv/libx.so=indexed ", true);
	check_find((struct loader_request){"liby.so", "/opt/app/lib", NULL}, NULL, "", false);
	end();
}

static void origin_is_the_directory_of_who_asks(void)
{
	begin();
	place("opt/app/lib/libx.so", "found");
	check_find((struct loader_request){"libx.so", "$ORIGIN/../lib", NULL}, "found", "", false);
	place("opt/app/bin/app", "");
	check_find((struct loader_request){"libx.so", "$ORIGIN/../lib", NULL}, "found",
		"/opt/app/bin/../lib/libx.so=found ", true);
	check_find((struct loader_request){"libx.so", "${ORIGIN}", "/opt/app/lib/liby.so"}, "found",
		"/opt/app/lib/libx.so=found ", true);
	check_find((struct loader_request){"libx.so", "/opt/$LIB:lib:", NULL}, "found", "", false);
	end();
}

static void a_path_is_taken_as_it_is(void)
{
	begin();
	place("srv/libx.so", "found");
	check_find((struct loader_request){"/srv/libx.so", NULL, NULL}, "found",
		"/srv/libx.so=found ", true);
	check_find((struct loader_request){"srv/libx.so", "/", NULL}, "found", "", false);
	end();
}

static void nothing_leads_out_of_the_view(void)
{
	begin();
	place("lib/real.so", "inside");
	CHECK_INT(symlink("/lib/real.so", at("lib/libx.so")), 0);
	CHECK_INT(symlink("/etc/passwd", at("lib/liby.so")), 0);
	CHECK_INT(mkfifo(at("lib/libz.so"), 0600), 0);
	check_find((struct loader_request){"libx.so", NULL, NULL}, "inside", "/lib/libx.so=inside ",
		true);
	check_find((struct loader_request){"liby.so", NULL, NULL}, NULL, "", false);
	check_find((struct loader_request){"libz.so", NULL, NULL}, NULL, "", false);
	end();
}

static void entries_for_special_processors_are_passed_over(void)
{
	begin();
	place("srv/v3/libx.so", "special");
	place("srv/libx.so", "plain");
	put_entry(2, "libx.so", "/srv/v3/libx.so", 2);
	put_entry(2, "libx.so", "/srv/libx.so", 0);
	write_index(2);
	check_find(
		(struct loader_request){"libx.so", NULL, NULL}, NULL, "/srv/libx.so=plain ", false);
	end();
}

static void an_index_that_lies_costs_little(void)
{
	begin();
	place("srv/libx.so", "x");
	put_entry(20, "libx.so", NULL, 0);
	for (int i = 1; i < 20; i++)
		put_entry(20, "libx.so", "/srv/libx.so", 0);
	write_index(UINT32_MAX);
	check_find((struct loader_request){"libx.so", NULL, NULL}, NULL,
		"/srv/libx.so=x /srv/libx.so=x /srv/libx.so=x /srv/libx.so=x /srv/libx.so=x "
		"/srv/libx.so=x /srv/libx.so=x /srv/libx.so=x /srv/libx.so=x /srv/libx.so=x "
		"/srv/libx.so=x /srv/libx.so=x /srv/libx.so=x /srv/libx.so=x /srv/libx.so=x ",
		false);
	put_entry(1, "libx.so", "/srv/libx.so", 0);
	write_index(UINT32_MAX);
	check_find((struct loader_request){"liby.so", NULL, NULL}, NULL, "", false);
	place("etc/ld.so.cache", "glibc-ld.so.cache1.1");
	check_find((struct loader_request){"libx.so", NULL, NULL}, NULL, "", false);
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(its_own_directories_come_first_then_the_index_then_the_usual),
		CHECK_TEST(origin_is_the_directory_of_who_asks),
		CHECK_TEST(a_path_is_taken_as_it_is),
		CHECK_TEST(nothing_leads_out_of_the_view),
		CHECK_TEST(entries_for_special_processors_are_passed_over),
		CHECK_TEST(an_index_that_lies_costs_little),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
