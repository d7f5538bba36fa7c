// SPDX-License-Identifier: Apache-2.0
/*
 * A file becomes a configuration in three steps: its bytes are checked (source.c), YAML makes a
 * tree of them (document.c), and tables of keys read the tree into structs (this file's, and
 * probe.c's). The tree and the errors live in an arena of their own, which ends with the load.
 *
 * Rows are read in the order of the tables, not of the file: `global` before `probes`, which take
 * from it what they leave out.
 */
#include "config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/memory.h"
#include "config/buckets.h"
#include "config/fields.h"
#include "config/labels.h"
#include "config/overhead.h"
#include "config/pattern.h"
#include "config/probe.h"
#include "config/scalar.h"
#include "config/usdt.h"

enum { FILE_MAX_BYTES = 4 << 20, SERIES_DEFAULT = 10000 };

static const struct field global_rows[] = {
	{"labels", NODE_MAPPING, labels_read, offsetof(struct config, labels)},
	{"buckets", NODE_LIST | NODE_MAPPING, buckets_read, offsetof(struct config, bounds)},
	{"max_series", NODE_NUMBER, scalar_read_max_series, offsetof(struct config, max_series)},
	{"native_histograms", NODE_BOOLEAN, scalar_read_boolean,
		offsetof(struct config, has_native_histograms)},
	{"overhead", NODE_MAPPING, overhead_read, offsetof(struct config, overhead)},
};

static void read_global(struct reader *r, const char *key, const struct node *value, void *out)
{
	const struct fields fields = {key, global_rows, ARRAY_SIZE(global_rows)};

	fields_read(r, &fields, value, out);
}

static const struct field root_rows[] = {
	{"global", NODE_MAPPING, read_global},
	{"probes", NODE_LIST | FIELD_REQUIRED | FIELD_MAY_BE_EMPTY, probes_read},
};

static const struct fields root_fields = {"a configuration", root_rows, ARRAY_SIZE(root_rows)};

static struct config *config_new(const char *name)
{
	struct arena *arena = arena_new();
	struct config *c = arena_alloc(arena, sizeof(*c));

	c->arena = arena;
	c->file = arena_strdup(arena, name);
	c->max_series = SERIES_DEFAULT;
	buckets_default(arena, &c->bounds);
	overhead_default(&c->overhead);
	return c;
}

void config_free(struct config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_probes; i++) {
		patterns_deinit(&c->probes[i].functions);
		patterns_deinit(&c->probes[i].exclude);
		patterns_deinit(&c->probes[i].usdt.points);
		patterns_deinit(&c->probes[i].usdt.starts);
		patterns_deinit(&c->probes[i].usdt.ends);
	}
	arena_free(c->arena);
}

static void read_source(struct config *c, const struct source *s, struct located *errors)
{
	struct reader r = {.config = c, .errors = errors};
	struct node *root;

	if (document_parse(&root, s, errors->arena, errors))
		return;
	if (fields_accept(&r, "the file", root, NODE_MAPPING))
		fields_read(&r, &root_fields, root, c);
}

static int report(const struct located *errors, const char *name, const char *text, struct error *e)
{
	_cleanup_(buffer_deinit) struct buffer all = {};

	located_render(errors, name, text, &all);
	return error_set(e, -EINVAL, "%s", buffer_text(&all));
}

int config_parse(struct config **out, const char *name, const char *text, size_t n, struct error *e)
{
	_cleanup_(arena_freep) struct arena *scratch = arena_new();
	_cleanup_(config_freep) struct config *c = config_new(name);
	_cleanup_(source_deinit) struct source source = {};
	struct located errors = {.arena = scratch};

	if (!source_init(&source, scratch, text, n, &errors))
		read_source(c, &source, &errors);
	if (errors.n_found)
		return report(&errors, name, source.text, e);
	*out = TAKE_PTR(c);
	return 0;
}

/* One probe that measures so, of what the field selects by pattern. */
static int config_of(struct config **out, const char *name, const char *binary, unsigned measures,
	const struct field *field, const char *pattern, struct error *e)
{
	_cleanup_(arena_freep) struct arena *scratch = arena_new();
	_cleanup_(config_freep) struct config *c = config_new(name);
	const struct node value = {.kind = NODE_TEXT, .place = {1, 1}, .text = pattern};
	struct located errors = {.arena = scratch};
	struct reader r = {.config = c, .errors = &errors};

	c->n_probes = 1;
	c->probes = arena_array(c->arena, 1, sizeof(c->probes[0]));
	c->probes[0] = (struct probe){
		.name = c->file,
		.binary = arena_strdup(c->arena, binary),
		.match = MATCH_ALL,
		.measures = measures,
		.bounds = c->bounds,
	};
	field->read(&r, field->key, &value, (char *)&c->probes[0] + field->offset);
	if (errors.n_found)
		return report(&errors, name, pattern, e);
	*out = TAKE_PTR(c);
	return 0;
}

int config_of_functions(struct config **out, const char *name, const char *binary,
	const char *pattern, struct error *e)
{
	static const struct field field = {
		"function", NODE_TEXT, patterns_read, offsetof(struct probe, functions)};

	return config_of(out, name, binary, MEASURE_CALLS | MEASURE_DURATION, &field, pattern, e);
}

int config_of_points(struct config **out, const char *name, const char *binary, const char *pattern,
	struct error *e)
{
	static const struct field field = {
		"usdt", NODE_TEXT, usdt_read, offsetof(struct probe, usdt)};

	return config_of(out, name, binary, MEASURE_CALLS, &field, pattern, e);
}

/* Reads no more than one byte past the limit, whatever path is. */
static int read_file(const char *path, struct buffer *out, struct error *e)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return error_set_errno(e, -errno, "%s", path);
	do {
		buffer_reserve(out, 65536);
		n = read(fd, out->data + out->size, 65536);
		if (n < 0 && errno != EINTR)
			return error_set_errno(e, -errno, "%s", path);
		out->size += n > 0 ? (size_t)n : 0;
	} while (n && out->size <= FILE_MAX_BYTES);
	if (out->size > FILE_MAX_BYTES)
		return error_set(e, -EFBIG, "%s: larger than 4 MiB", path);
	return 0;
}

int config_load(struct config **out, const char *path, struct error *e)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	int r = read_file(path, &text, e);

	return r ? r : config_parse(out, path, buffer_text(&text), text.size, e);
}
