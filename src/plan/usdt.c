// SPDX-License-Identifier: Apache-2.0
/*
 * USDT points take the place of functions: each place of a point that is passed is one that the
 * label of all its places leads to one series. Where points begin and end calls, all of their
 * places are one, because none of them counts right without the others.
 */
#include "plan/usdt.h"

#include <string.h>

#include "base/memory.h"
#include "plan/library.h"

bool usdt_is_wanted(const struct probe *p)
{
	return p->usdt.points.n || p->usdt.starts.n;
}

static const char *origin(const struct selection *s)
{
	return s->file->target->origin;
}

/* ---- what is not there ---- */

struct search {
	const char *name;
	struct arena *arena;
	const char *found; /* path of a library that has it */
};

static void search_library(struct elf_file *library, const char *path, void *data)
{
	struct search *s = data;
	struct points points;
	size_t n;

	if (!library || s->found)
		return;
	points_load(&points, library, s->arena);
	if (points_find(&points, s->name, &n))
		s->found = arena_strdup(s->arena, path);
}

static const char *library_with(const struct selection *s, const char *name)
{
	struct search search = {.name = name, .arena = s->file->arena};

	libraries_visit(s->file->target, s->file->elf, search_library, &search);
	return search.found;
}

static void put_near(const struct selection *s, const char *name, struct buffer *text)
{
	const struct points *points = file_points(s->file);
	struct hints hints = {.wanted = name};

	for (size_t i = 0; i < points->n; i++)
		if (!i || points->items[i].name != points->items[i - 1].name)
			hints_consider_near(&hints, points->items[i].name, s->file->arena);
	for (size_t i = 0; i < hints.n_near; i++)
		buffer_printf(text, "%s%s", i ? ", " : "; nearest: ", hints.near[i]);
}

static void put_providers(const struct selection *s, struct buffer *text)
{
	const struct points *points = file_points(s->file);
	struct listing providers = {};

	for (size_t i = 0; i < points->n; i++) {
		const char *name = points->items[i].name;
		const char *provider = arena_strndup(s->file->arena, name, strcspn(name, ":"));

		if (!listing_has(&providers, provider))
			listing_add(&providers, provider);
	}
	buffer_puts(text, "; its providers: ");
	listing_put(&providers, text);
}

static void put_hints(const struct selection *s, const struct pattern *p, struct buffer *text)
{
	const char *library = p->kind == PATTERN_NAME ? library_with(s, p->text) : NULL;
	size_t n_before = text->size;

	if (library)
		buffer_printf(text, "; a library that it is linked with has it: %s", library);
	else if (!elf_file_has_sections(s->file->elf))
		buffer_puts(text, "; its section headers are gone, and where its notes of USDT "
				  "points are with them");
	else if (!file_points(s->file)->n)
		buffer_puts(text, "; it has no USDT points");
	else if (p->kind == PATTERN_NAME)
		put_near(s, p->text, text);
	if (text->size == n_before)
		put_providers(s, text);
}

static void tell_missing(const struct selection *s, const struct pattern *p)
{
	_cleanup_(buffer_deinit) struct buffer hints = {};
	const char *mark = p->kind == PATTERN_REGEX ? "/" : "\"";

	put_hints(s, p, &hints);
	if (p->kind == PATTERN_NAME)
		reasons_troublef(s->reasons, "no USDT point \"%s\" in %s%s", p->text, origin(s),
			buffer_text(&hints));
	else
		reasons_troublef(s->reasons, "no USDT point in %s matches %s%s%s%s", origin(s),
			mark, p->text, mark, buffer_text(&hints));
}

/* ---- points that are passed ---- */

static struct function *add(struct selection *s, const struct point *first, const char *label,
	const struct point_places *places)
{
	struct function *f = arena_alloc(s->file->arena, sizeof(*f));

	*f = (struct function){
		.place = {.address = first->address, .name = first->name},
		.selection = s,
		.label = label,
		.is_exact = true,
		.readable = {.full = label, .signature = label, .bare = label},
		.places = places,
	};
	HASH_ADD(hh, s->functions, place, sizeof(f->place), f);
	return f;
}

/* Whether a pattern selects the name; each that does is marked in met, where that is asked for. */
static bool select_by(const struct patterns *p, const char *name, bool *met)
{
	bool is_selected = false;

	for (size_t i = 0; i < p->n; i++) {
		if (!pattern_matches(&p->items[i], name))
			continue;
		is_selected = true;
		if (met)
			met[i] = true;
	}
	return is_selected;
}

static void add_passed(struct selection *s, const struct point *p)
{
	struct arena *a = s->file->arena;
	struct point_places *places = arena_alloc(a, sizeof(*places));

	places->starts = arena_array(a, 1, sizeof(const struct point *));
	places->starts[0] = p;
	places->n_starts = 1;
	add(s, p, p->name, places);
}

static void select_passed(struct selection *s)
{
	const struct probe *config = s->probe->config;
	const struct patterns *wanted = &config->usdt.points;
	const struct points *points = file_points(s->file);
	bool *met = arena_array(s->file->arena, wanted->n, sizeof(*met)), has_any = false;

	for (size_t i = 0; i < points->n; i++) {
		if (!select_by(wanted, points->items[i].name, met))
			continue;
		has_any = true;
		if (!select_by(&config->exclude, points->items[i].name, NULL))
			add_passed(s, &points->items[i]);
	}
	for (size_t i = 0; i < wanted->n; i++)
		if (!met[i])
			tell_missing(s, &wanted->items[i]);
	if (has_any && !s->functions)
		reasons_troublef(s->reasons, "`exclude` leaves no USDT point in %s", origin(s));
}

/* ---- points that begin and end calls ---- */

/* Adds a place; linkers lay those with the same code around them together, and it counts once. */
static void add_place(const struct point **places, size_t *n, const struct point *p)
{
	for (size_t i = 0; i < *n; i++)
		if (places[i]->address == p->address)
			return;
	if (*n <= MOST_PLACES)
		places[(*n)++] = p;
}

/* All places of the points named; false, and it is told, where one of them isn't there. */
static bool find_all(
	struct selection *s, const struct patterns *names, const struct point ***out, size_t *n_out)
{
	const struct points *points = file_points(s->file);
	bool has_all = true;
	size_t n;

	*out = arena_array(s->file->arena, points->n * names->n, sizeof(const struct point *));
	for (size_t i = 0; i < names->n; i++) {
		const struct point *first = points_find(points, names->items[i].text, &n);

		if (!first)
			tell_missing(s, &names->items[i]);
		has_all = has_all && first;
		for (size_t k = 0; k < n; k++)
			add_place(*out, n_out, &first[k]);
	}
	return has_all;
}

static void select_calls(struct selection *s)
{
	const struct usdt *wanted = &s->probe->config->usdt;
	struct point_places *places = arena_alloc(s->file->arena, sizeof(*places));
	bool has_starts = find_all(s, &wanted->starts, &places->starts, &places->n_starts);
	bool has_ends = find_all(s, &wanted->ends, &places->ends, &places->n_ends);

	if (has_starts && has_ends)
		add(s, places->starts[0], wanted->starts.items[0].text, places);
}

void usdt_select(struct selection *s)
{
	const struct points *points = file_points(s->file);

	if (points->trouble)
		reasons_troublef(s->reasons, "%s: %s", origin(s), points->trouble);
	if (s->probe->config->usdt.starts.n)
		select_calls(s);
	else
		select_passed(s);
}
