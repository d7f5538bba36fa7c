// SPDX-License-Identifier: Apache-2.0
/*
 * What a path means in other processes' mount namespaces and root directories. Skipped, loudly,
 * where there is no privilege for them.
 */
#include "target_fixture.h"

#include <sched.h>
#include <sys/mount.h>

static bool is_skipped(const struct child *c, const char *test)
{
	if (!c->is_ready)
		printf("SKIPPED %s: no privilege for mount namespaces here\n", test);
	return !c->is_ready;
}

static int own_namespace(void)
{
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static int own_copy(void)
{
	if (own_namespace() || mount("tmpfs", at("place"), "tmpfs", 0, NULL))
		return 1;
	write_file(at("place/program"), "inner");
	return 0;
}

static void each_namespace_has_its_own_file(void)
{
	_cleanup_(child_end) struct child c = {};
	char *origin;

	begin();
	CHECK_INT(mkdir(at("place"), 0755), 0);
	write_file(at("place/program"), "outer");
	c = child_start(own_copy);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(answer_deinit) struct answer a = find_again(at("place/program"));

		CHECK_INT(a.n, 2);
		check_text(a.targets[0], "outer");
		check_text(a.targets[a.n - 1], "inner");
		CHECK_INT(a.targets[a.n - 1]->pid, c.pid);
		origin = memory_printf("/proc/%d/root%s", c.pid, at("place/program"));
		CHECK_STR(a.targets[a.n - 1]->origin, origin);
		free(origin);
	}
	child_end(&c);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("place/program"));

		CHECK_INT(a.n, 1);
	}
	end();
}

static int only_copy(void)
{
	if (own_copy())
		return 1;
	return unlink(at("place/program")) || mkfifo(at("place/program"), 0644) ||
	       symlink("/proc/self/exe", at("place/magic"));
}

static void traps_in_a_namespace_catch_nobody(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	CHECK_INT(mkdir(at("place"), 0755), 0);
	c = child_start(only_copy);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(answer_deinit) struct answer fifo = find_again(at("place/program"));
		_cleanup_(answer_deinit) struct answer magic = find(at("place/magic"));

		CHECK_INT(fifo.n, 0);
		CHECK_INT(magic.n, 0);
	}
	end();
}

static int change_root(void)
{
	return chroot(at("root")) || chdir("/");
}

/* In the chroot: /absolute -> /tmp/.../secret, /upward -> ../../../tmp/..., /inside -> /real */
static void symlinks_do_not_lead_out_of_a_root(void)
{
	_cleanup_(child_end) struct child c = {};
	char *upward;

	begin();
	CHECK_INT(mkdir(at("root"), 0755), 0);
	write_file(at("secret"), "secret");
	write_file(at("root/real"), "real");
	upward = memory_printf("../../../../../../..%s", at("secret"));
	CHECK_INT(symlink(at("secret"), at("root/absolute")), 0);
	CHECK_INT(symlink(upward, at("root/upward")), 0);
	CHECK_INT(symlink("/real", at("root/inside")), 0);
	free(upward);
	c = child_start(change_root);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(answer_deinit) struct answer absolute = find_again("/absolute");
		_cleanup_(answer_deinit) struct answer up = find("/upward");
		_cleanup_(answer_deinit) struct answer inside = find("/inside");

		CHECK_INT(absolute.n, 0);
		CHECK_INT(up.n, 0);
		CHECK_INT(inside.n, 1);
		if (inside.n)
			check_text(inside.targets[0], "real");
	}
	end();
}

/* The program of a child: this test, copied into the root that it then changes to. */
static int live_in_root(const char *root)
{
	return chroot(root) || chdir("/") || raise(SIGSTOP);
}

static void a_deleted_program_in_a_root_is_found_by_its_name_there(void)
{
	_cleanup_(child_end) struct child c = {};
	char self[4096] = "";
	int status = 0;

	if (geteuid()) {
		printf("SKIPPED %s: no privilege for chroot here\n", __func__);
		return;
	}
	begin();
	CHECK_INT(mkdir(at("root"), 0755), 0);
	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	copy_program(self, at("root/program"));
	c = child_run(at("root/program"), at("root"));
	CHECK_INT(waitpid(c.pid, &status, WUNTRACED), c.pid);
	CHECK(WIFSTOPPED(status));
	CHECK_INT(unlink(at("root/program")), 0);
	{
		_cleanup_(answer_deinit) struct answer inner = find_again("/program");
		_cleanup_(answer_deinit) struct answer outer = find(at("root/program"));

		CHECK_INT(inner.n, 1);
		CHECK_INT(inner.n ? inner.targets[0]->pid : 0, c.pid);
		CHECK_INT(outer.n, 1);
	}
	end();
}

static int share_mounts(void)
{
	return own_namespace();
}

static void one_file_in_two_namespaces_is_one_target(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	write_file(at("program"), "shared");
	c = child_start(share_mounts);
	if (!is_skipped(&c, __func__)) {
		_cleanup_(answer_deinit) struct answer a = find_again(at("program"));

		CHECK_INT(a.n, 1);
		CHECK_INT(a.n ? a.targets[0]->pid : -1, 0);
	}
	end();
}

static int on_overlay(const char *upper, const char *work)
{
	char *options =
		memory_printf("lowerdir=%s,upperdir=%s,workdir=%s", at("lower"), upper, work);
	int r = own_namespace() || mount("overlay", at("merged"), "overlay", 0, options);

	free(options);
	return r;
}

static int overlay_a(void)
{
	return on_overlay(at("disk/upper_a"), at("disk/work_a"));
}

static int overlay_b(void)
{
	return on_overlay(at("disk/upper_b"), at("disk/work_b"));
}

static int overlay_with_own_copy(void)
{
	if (on_overlay(at("disk/upper_c"), at("disk/work_c")))
		return 1;
	write_file(at("merged/program"), "upper");
	return 0;
}

/* The kernel probes the lower file, which both overlays show under a device of their own. */
static void one_file_below_two_overlays_is_one_target(void)
{
	static const char *const folders[] = {"lower", "merged", "disk", "disk/upper_a",
		"disk/work_a", "disk/upper_b", "disk/work_b", "disk/upper_c", "disk/work_c"};
	_cleanup_(child_end) struct child a = {}, b = {}, other = {};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		CHECK_INT(mkdir(at(folders[i]), 0755), 0);
	write_file(at("lower/program"), "lower");
	a = child_start(overlay_a);
	b = child_start(overlay_b);
	other = child_start(overlay_with_own_copy);
	if (!is_skipped(&other, __func__)) {
		_cleanup_(answer_deinit) struct answer found = find_again(at("merged/program"));

		CHECK_INT(found.n, 2);
		check_text(found.targets[0], "lower");
		check_text(found.targets[found.n - 1], "upper");
		CHECK(found.targets[0]->on_overlay);
	}
	end();
}

int main(int argc, char **argv)
{
	static const struct check_test tests[] = {
		CHECK_TEST(each_namespace_has_its_own_file),
		CHECK_TEST(traps_in_a_namespace_catch_nobody),
		CHECK_TEST(symlinks_do_not_lead_out_of_a_root),
		CHECK_TEST(a_deleted_program_in_a_root_is_found_by_its_name_there),
		CHECK_TEST(one_file_in_two_namespaces_is_one_target),
		CHECK_TEST(one_file_below_two_overlays_is_one_target),
	};

	if (argc == 2)
		return live_in_root(argv[1]);
	return check_run(tests, ARRAY_SIZE(tests));
}
