// SPDX-License-Identifier: Apache-2.0
/*
 * Programs are looked for in /proc, which tells them of all processes at once; control groups in
 * the tree of directories where version 2 is mounted, for a group's id is its inode number. What
 * isn't found is looked for again after a second.
 */
#include "target/naming.h"

#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <uthash.h>

#include "base/clock.h"
#include "base/memory.h"

enum { LOOK_AGAIN_NS = 1000000000, MOST_OPEN = 16, MOST_NAMES = 65536 };

struct number {
	uint64_t device, inode;
};

struct name {
	UT_hash_handle hh;
	struct number number;
	char *path;         /* NULL: it was looked for in vain */
	uint64_t looked_ns; /* when last */
};

struct naming {
	struct name *programs, *groups;
	char *proc;
	char *mount;                     /* of control groups, version 2; or NULL */
	uint64_t programs_ns, groups_ns; /* when was looked last */
};

static void names_clear(struct name **names)
{
	struct name *name, *next;

	HASH_ITER (hh, *names, name, next) {
		HASH_DEL(*names, name);
		free(name->path);
		free(name);
	}
}

static struct name *name_find(struct name *names, struct number number)
{
	struct name *found;

	HASH_FIND(hh, names, &number, sizeof(number), found);
	return found;
}

/* The entry of a number, made where there is none; NULL: there are too many. */
static struct name *name_take(struct name **names, struct number number)
{
	struct name *name = name_find(*names, number);

	if (name || HASH_COUNT(*names) >= MOST_NAMES)
		return name;
	name = memory_alloc(sizeof(*name));
	name->number = number;
	HASH_ADD(hh, *names, number, sizeof(name->number), name);
	return name;
}

static void name_add(struct name **names, struct number number, const char *path)
{
	struct name *name = name_take(names, number);

	if (name && !name->path)
		name->path = memory_strdup(path);
}

/* Where control groups of version 2 are mounted, or NULL. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *m;
	char *path = NULL;

	while (mounts && !path && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, "cgroup2"))
			path = memory_strdup(m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return path;
}

struct naming *naming_new(const char *proc)
{
	struct naming *n = memory_alloc(sizeof(*n));

	n->proc = memory_strdup(proc);
	n->mount = find_mount();
	return n;
}

void naming_free(struct naming *n)
{
	if (!n)
		return;
	names_clear(&n->programs);
	names_clear(&n->groups);
	free(n->mount);
	free(n->proc);
	free(n);
}

/* A device number as the kernel writes it. */
static uint64_t kernel_device(dev_t device)
{
	return (uint64_t)major(device) << 20 | minor(device);
}

static void add_program_of(struct naming *n, const char *pid)
{
	static const char deleted[] = " (deleted)";
	char link[4096 + 32], path[4096];
	struct stat s;
	ssize_t size;

	snprintf(link, sizeof(link), "%s/%.20s/exe", n->proc, pid);
	size = readlink(link, path, sizeof(path) - 1);
	if (size <= 0 || stat(link, &s))
		return;
	path[size] = '\0';
	if ((size_t)size > strlen(deleted) && !strcmp(path + size - strlen(deleted), deleted))
		path[size - (ssize_t)strlen(deleted)] = '\0';
	name_add(&n->programs, (struct number){kernel_device(s.st_dev), s.st_ino}, path);
}

/* Whether so much time has passed since *last, which is now from then on. */
static bool is_due(uint64_t *last_ns)
{
	uint64_t now_ns = clock_ns();

	if (*last_ns && now_ns - *last_ns < LOOK_AGAIN_NS)
		return false;
	*last_ns = now_ns;
	return true;
}

static void look_for_programs(struct naming *n)
{
	const struct dirent *entry;
	DIR *proc = opendir(n->proc);

	while (proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]))
			add_program_of(n, entry->d_name);
	if (proc)
		closedir(proc);
}

void naming_look(struct naming *n)
{
	if (is_due(&n->programs_ns))
		look_for_programs(n);
}

const char *naming_program(struct naming *n, uint64_t device, uint64_t inode)
{
	struct name *name = name_take(&n->programs, (struct number){device, inode});

	if (name && !name->path && is_due(&name->looked_ns))
		look_for_programs(n);
	return name ? name->path : NULL;
}

/* nftw() passes nothing on: who is called by it. */
static _Thread_local struct naming *looking;

static int visit(const char *path, const struct stat *s, int kind, struct FTW *where)
{
	const char *below = path + strlen(looking->mount);

	(void)where;
	if (kind == FTW_D)
		name_add(&looking->groups, (struct number){0, s->st_ino}, *below ? below : "/");
	return 0;
}

static void look_for_groups(struct naming *n)
{
	if (!n->mount)
		return;
	names_clear(&n->groups);
	looking = n;
	nftw(n->mount, visit, MOST_OPEN, FTW_PHYS | FTW_MOUNT);
	looking = NULL;
}

const char *naming_cgroup(struct naming *n, uint64_t id)
{
	const struct name *found = name_find(n->groups, (struct number){0, id});

	if (!found && is_due(&n->groups_ns)) {
		look_for_groups(n);
		found = name_find(n->groups, (struct number){0, id});
	}
	return found ? found->path : NULL;
}

bool naming_process_is_gone(const struct naming *n, uint64_t pid)
{
	char path[4096 + 32];

	snprintf(path, sizeof(path), "%s/%u", n->proc, (unsigned)pid);
	return access(path, F_OK) != 0;
}

bool naming_cgroup_is_gone(struct naming *n, uint64_t id)
{
	/* One that was made since the last look is not gone. */
	if (!name_find(n->groups, (struct number){0, id}))
		look_for_groups(n);
	return n->mount && !name_find(n->groups, (struct number){0, id});
}
