// SPDX-License-Identifier: Apache-2.0
/* A target's view is a directory here, as a container's is. */
#include "target/debug.h"

#include "target_fixture.h"

static const struct debug_names names = {
	.build_id = "00f00dfeed", .link = "uprobe_exporter-test.debug"};

struct offers {
	char text[1024]; /* what the accepted file holds; the paths of all others */
	const char *wanted;
};

static bool accept(const struct debug_candidate *c, void *data)
{
	struct offers *o = data;
	char bytes[64] = "";

	CHECK(pread(c->fd, bytes, sizeof(bytes) - 1, 0) >= 0);
	strcat(strcat(o->text, bytes), c->is_own ? "(own) " : " ");
	if (!o->wanted || strcmp(o->wanted, bytes) != 0)
		return false;
	strcat(o->text, c->path + strlen(directory));
	close(c->fd);
	return true;
}

static void make(const char *path, const char *text)
{
	char *command = memory_printf("mkdir -p $(dirname %s/%s)", directory, path);

	CHECK_INT(system(command), 0);
	free(command);
	write_file(at(path), text);
}

/* What is offered for bin/program until one holds wanted. */
static void check_offers(const char *wanted, bool is_found, const char *expected)
{
	_cleanup_(target_unrefp) struct target *t = NULL;
	struct offers o = {.wanted = wanted};

	CHECK_INT(target_open(&t, at("bin/program"), NULL), 0);
	free(t->root);
	free(t->path);
	t->root = memory_strdup(directory);
	t->path = memory_strdup("/bin/program");
	CHECK_INT(debug_files_offer(t, &names, accept, &o), is_found);
	CHECK_STR(o.text, expected);
}

static void every_usual_place_is_looked_at(void)
{
	begin();
	make("bin/program", "program");
	make("usr/lib/debug/.build-id/00/f00dfeed.debug", "1");
	make("bin/uprobe_exporter-test.debug", "2");
	make("bin/.debug/uprobe_exporter-test.debug", "3");
	make("usr/lib/debug/bin/uprobe_exporter-test.debug", "4");
	check_offers(NULL, false, "1 2 3 4 2(own) 3(own) ");
	check_offers("1", true, "1 /usr/lib/debug/.build-id/00/f00dfeed.debug");
	check_offers("4", true, "1 2 3 4 /usr/lib/debug/bin/uprobe_exporter-test.debug");
	end();
}

/* In the exporter's own view the program's path is the one that the kernel tells. */
static void its_own_view_comes_last(void)
{
	begin();
	make("bin/program", "program");
	make("bin/uprobe_exporter-test.debug", "2");
	check_offers(NULL, false, "2 2(own) ");
	end();
}

static void only_other_regular_files_are_offered(void)
{
	begin();
	make("bin/program", "program");
	make("bin/.debug/directory", "");
	make("usr/lib/debug/.build-id/00/x", "");
	CHECK_INT(link(at("bin/program"), at("bin/uprobe_exporter-test.debug")), 0);
	CHECK_INT(mkdir(at("bin/.debug/uprobe_exporter-test.debug"), 0700), 0);
	CHECK_INT(mkfifo(at("usr/lib/debug/.build-id/00/f00dfeed.debug"), 0600), 0);
	CHECK_INT(symlink("/dev/zero", at("usr/lib/debug/bin")), 0);
	check_offers(NULL, false, "");
	end();
}

static void nothing_leads_out_of_the_view(void)
{
	begin();
	make("bin/program", "program");
	make("inside", "inside");
	make("usr/lib/debug/.build-id/00/x", "");
	CHECK_INT(symlink("../../../../../../../../../inside",
			  at("usr/lib/debug/.build-id/00/f00dfeed.debug")),
		0);
	CHECK_INT(symlink("/etc/passwd", at("bin/uprobe_exporter-test.debug")), 0);
	CHECK_INT(symlink("/proc/self/exe", at("bin/.debug")), 0);
	check_offers("inside", true, "inside /usr/lib/debug/.build-id/00/f00dfeed.debug");
	end();
}

static void a_target_of_its_own_view_is_looked_for_once(void)
{
	_cleanup_(target_unrefp) struct target *t = NULL;
	struct offers o = {.wanted = "2"};

	begin();
	make("bin/program", "program");
	make("bin/uprobe_exporter-test.debug", "2");
	make("bin/.debug/uprobe_exporter-test.debug", "3");
	CHECK_INT(target_open(&t, at("bin/program"), NULL), 0);
	CHECK(debug_files_offer(t, &names, accept, &o));
	CHECK_STR(o.text, "2(own) /bin/uprobe_exporter-test.debug");
	o = (struct offers){.wanted = "no such"};
	CHECK(!debug_files_offer(t, &names, accept, &o));
	CHECK_STR(o.text, "2(own) 3(own) ");
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(every_usual_place_is_looked_at),
		CHECK_TEST(its_own_view_comes_last),
		CHECK_TEST(a_target_of_its_own_view_is_looked_for_once),
		CHECK_TEST(only_other_regular_files_are_offered),
		CHECK_TEST(nothing_leads_out_of_the_view),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
