// SPDX-License-Identifier: Apache-2.0
/*
 * The loader looks in the directories that the file names, in the index that ldconfig makes
 * (/etc/ld.so.cache), and in directories of its own. All of it is read in the view of the target's
 * process, whose files are not to be trusted: nothing leads out of its root, and what the index
 * says is a path to try.
 *
 * Left out: LD_LIBRARY_PATH, which is each process's own; entries of the index for special
 * processors, because there is a plain one beside them; $LIB and $PLATFORM, which hardly a file
 * has.
 */
#include "target/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "target/path.h"

/* The index as glibc writes it since 2.2; all numbers are the machine's. */
static const char index_magic[] = "glibc-ld.so.cache1.1";

struct index_head {
	char magic[sizeof(index_magic) - 1];
	uint32_t n_entries, unused[6];
};

struct index_entry {
	int32_t flags;
	uint32_t name, path; /* offsets of texts in the file */
	uint32_t unused;
	uint64_t processor; /* 0: any */
};

static const off_t largest_index_bytes = 16 << 20;

/* Entries of one name, for several kinds of processor and system. */
enum { MOST_ENTRIES_OF_A_NAME = 16 };

struct loader {
	int root_fd;
	char *index;
	size_t index_size;
};

/* One search on its way. */
struct search {
	const struct loader *loader;
	const struct loader_request *request;
	loader_accepts *accepts;
	void *data;
};

static int open_regular(int root_fd, const char *path, struct stat *st)
{
	_cleanup_(closep) int path_fd = path_open_below(root_fd, path);

	if (path_fd < 0)
		return path_fd;
	if (fstat(path_fd, st) || !S_ISREG(st->st_mode))
		return -EINVAL;
	return path_reopen(path_fd);
}

static void read_index(struct loader *l)
{
	struct stat st;
	_cleanup_(closep) int fd = open_regular(l->root_fd, "/etc/ld.so.cache", &st);
	ssize_t n;

	if (fd < 0 || st.st_size > largest_index_bytes)
		return;
	l->index = memory_alloc((size_t)st.st_size + 1);
	n = pread(fd, l->index, (size_t)st.st_size, 0);
	l->index_size = n > 0 ? (size_t)n : 0;
}

int loader_new(struct loader **out, const struct target *t)
{
	_cleanup_(loader_freep) struct loader *l = memory_alloc(sizeof(*l));

	l->root_fd = open(t->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (l->root_fd < 0)
		return -errno;
	read_index(l);
	*out = TAKE_PTR(l);
	return 0;
}

void loader_free(struct loader *l)
{
	if (!l)
		return;
	closep(&l->root_fd);
	free(l->index);
	free(l);
}

char *loader_origin(const struct loader *l, const struct target *t)
{
	_cleanup_(freep) char *path = path_of_descriptor(t->fd);
	struct stat st;
	_cleanup_(closep) int fd = path ? open_regular(l->root_fd, path, &st) : -1;

	if (fd >= 0 && st.st_dev == t->device && st.st_ino == t->inode)
		return TAKE_PTR(path);
	return memory_strdup(t->path);
}

static bool try_path(const struct search *s, const char *path)
{
	struct stat st;
	_cleanup_(closep) int fd = open_regular(s->loader->root_fd, path, &st);

	return fd >= 0 && s->accepts(fd, path, s->data);
}

static bool try_directory(const struct search *s, const char *directory)
{
	_cleanup_(freep) char *path = memory_printf("%s/%s", directory, s->request->name);

	return try_path(s, path);
}

/* Appends the directory with $ORIGIN replaced; false where it can't be known. */
static bool expand(struct buffer *out, const char *text, size_t n, const char *origin)
{
	static const char *const names[] = {"$ORIGIN", "${ORIGIN}"};
	const char *end = text + n, *slash = strrchr(origin, '/');

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t n_name = strlen(names[i]);

		if (n < n_name || memcmp(text, names[i], n_name) != 0)
			continue;
		buffer_append(out, origin, slash ? (size_t)(slash - origin) : 0);
		text += n_name;
		break;
	}
	buffer_append(out, text, (size_t)(end - text));
	return buffer_text(out)[0] == '/' && !strchr(buffer_text(out), '$');
}

static bool try_library_path(const struct search *s)
{
	const char *at = s->request->library_path;

	while (at && *at) {
		_cleanup_(buffer_deinit) struct buffer directory = {};
		size_t n = strcspn(at, ":");

		if (expand(&directory, at, n, s->request->origin) &&
			try_directory(s, buffer_text(&directory)))
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

static const char *index_text(const struct loader *l, uint32_t offset)
{
	return offset < l->index_size ? l->index + offset : "";
}

static bool is_wanted(const struct search *s, const struct index_entry *e)
{
	return !e->processor && !strcmp(index_text(s->loader, e->name), s->request->name);
}

static bool try_index(const struct search *s)
{
	const struct loader *l = s->loader;
	struct index_entry entry;
	struct index_head head;
	size_t n_tried = 0;

	if (l->index_size < sizeof(head))
		return false;
	memcpy(&head, l->index, sizeof(head));
	if (memcmp(head.magic, index_magic, sizeof(head.magic)) != 0)
		return false;
	for (size_t i = 0; i < head.n_entries && n_tried < MOST_ENTRIES_OF_A_NAME; i++) {
		size_t offset = sizeof(head) + i * sizeof(entry);

		if (l->index_size - sizeof(entry) < offset)
			return false;
		memcpy(&entry, l->index + offset, sizeof(entry));
		if (!is_wanted(s, &entry))
			continue;
		if (try_path(s, index_text(l, entry.path)))
			return true;
		n_tried++;
	}
	return false;
}

static bool try_own_directories(const struct search *s)
{
	static const char *const directories[] = {"/lib/x86_64-linux-gnu",
		"/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
		"/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"};

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		if (try_directory(s, directories[i]))
			return true;
	return false;
}

bool loader_find(
	struct loader *l, const struct loader_request *r, loader_accepts *accepts, void *data)
{
	const struct search s = {l, r, accepts, data};

	if (strchr(r->name, '/'))
		return r->name[0] == '/' && try_path(&s, r->name);
	return try_library_path(&s) || try_index(&s) || try_own_directories(&s);
}
