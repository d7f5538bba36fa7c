// SPDX-License-Identifier: Apache-2.0
/* The two ways below a root, which must lead to the same file, or not there for the same reason. */
#include "target_fixture.h"

#include "target/path.h"

/* Links that lead out, round, nowhere, up and on, in and beside the root. */
static const struct {
	const char *name, *text;
} links[] = {
	{"out", "/../../outside"},
	{"up", "../../../../.."},
	{"absolute", "/a/file"},
	{"beside", "../a/./b/../file"},
	{"round", "round"},
	{"to", "fro"},
	{"fro", "to"},
	{"nowhere", "a/nothing"},
	{"folder", "a/b"},
	{"slash", "a/b/"},
	{"a/b/top", "/"},
	{"a/b/here", "."},
	{"a/back", "../folder/../../file"},
	{"a/long", "b/here/here/here/../b/top/a/back"},
};

static int open_root(void)
{
	int fd;

	CHECK_INT(mkdir(at("root"), 0755), 0);
	CHECK_INT(mkdir(at("root/a"), 0755), 0);
	CHECK_INT(mkdir(at("root/a/b"), 0755), 0);
	write_file(at("outside"), "outside");
	write_file(at("root/file"), "file");
	write_file(at("root/a/file"), "a/file");
	CHECK_INT(mkfifo(at("root/a/b/fifo"), 0600), 0);
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		char *place = memory_printf("%s/root/%s", directory, links[i].name);

		CHECK_INT(symlink(links[i].text, place), 0);
		free(place);
	}
	fd = open(at("root"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	CHECK(fd >= 0);
	return fd;
}

static bool are_same(int a, int b)
{
	struct stat x, y;

	if (a < 0 || b < 0)
		return a == b;
	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns whether there is such a file. */
static bool compare(int root, const char *path)
{
	int a = path_open_below(root, path), b = path_walk_below(root, path);
	bool is_there = a >= 0;

	CHECK(are_same(a, b));
	if (!are_same(a, b))
		printf("  \"%s\": %d and %d\n", path, a, b);
	closep(&a);
	closep(&b);
	return is_there;
}

static void known_paths(void)
{
	static const char *const there[] = {"/file", "file", "/", "//", ".", "..", "/..", "a", "a/",
		"/a//b/.//fifo", "/up/file", "absolute", "beside", "folder/fifo", "folder/",
		"slash", "slash/fifo", "a/b/top/file", "a/b/top", "a/b/here/here/fifo", "a/long",
		"../../file", "folder/../file"};
	static const char *const not_there[] = {"", "nothing", "file/", "file/..", "file/.", "out",
		"absolute/", "beside/x", "round", "to", "fro/x", "nowhere", "a/b/fifo/",
		"../outside", "a/nothing/.."};
	int root;

	begin();
	root = open_root();
	for (size_t i = 0; i < ARRAY_SIZE(there); i++)
		CHECK(compare(root, there[i]));
	for (size_t i = 0; i < ARRAY_SIZE(not_there); i++)
		CHECK(!compare(root, not_there[i]));
	close(root);
	end();
}

/* Elements in any order; the numbers are the same in each run. */
static void all_sorts_of_paths(void)
{
	static const char *const elements[] = {"a", "b", "file", "fifo", "top", "here", "back",
		"long", "up", "folder", "slash", "beside", "out", "to", "nothing", ".", "..", "",
		"/"};
	uint32_t random = 1;
	size_t n_there = 0;
	int root;

	begin();
	root = open_root();
	for (int i = 0; i < 20000; i++) {
		char path[128] = "";

		for (uint32_t n = 1 + random % 6; n; n--) {
			random = random * 1664525 + 1013904223;
			strcat(path, elements[(random >> 8) % ARRAY_SIZE(elements)]);
			strcat(path, n > 1 || random >> 31 ? "/" : "");
		}
		n_there += compare(root, path);
	}
	CHECK(n_there > 1000 && n_there < 19000);
	close(root);
	end();
}

static void too_long_and_too_deep(void)
{
	char path[8192];
	int root;

	begin();
	root = open_root();
	memset(path, '/', sizeof(path));
	path[4095] = '\0';
	CHECK(compare(root, path));
	path[4095] = '/';
	path[4096] = '\0';
	CHECK(!compare(root, path));
	for (int i = 0; i < 1000; i++)
		memcpy(path + (size_t)3 * (size_t)i, "a/.", 4);
	CHECK(!compare(root, path));
	close(root);
	end();
}

static void links_of_proc(void)
{
	static const char *const magic[] = {
		"self/exe", "self/root", "self/cwd/", "self/fd/0", "self/root/etc", "self/ns/mnt"};
	int root = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < ARRAY_SIZE(magic); i++) {
		int a = path_open_below(root, magic[i]), b = path_walk_below(root, magic[i]);

		CHECK(a < 0 && b < 0);
	}
	CHECK(compare(root, "self/status"));
	CHECK(compare(root, "mounts"));
	close(root);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(known_paths),
		CHECK_TEST(all_sorts_of_paths),
		CHECK_TEST(too_long_and_too_deep),
		CHECK_TEST(links_of_proc),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
