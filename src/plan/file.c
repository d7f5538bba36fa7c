// SPDX-License-Identifier: Apache-2.0
/*
 * All probes of a file share their walks over its symbols. The first asks every symbol which names
 * want it, by one table, however many there are; and which patterns, one by one. Of many patterns
 * most will be names, as C++ signatures are globs by their pointers: there the others have a walk
 * of their own. The last, once it is known what was chosen, gathers the other names of those
 * addresses and, where a name led to nothing, what may have been meant. Before it, names that are
 * not the file's own are looked for in the libraries that it is linked with.
 */
#include <errno.h>
#include <string.h>

#include "plan/debug.h"
#include "plan/inlined.h"
#include "plan/library.h"
#include "plan/request.h"
#include "plan/usdt.h"
#include "plan/wanted.h"
#include "plan/wild.h"

/* A pattern that is too wide takes nothing from the others: each has its share of the symbols. And
 * for so many names that miss, similar ones are looked for. */
enum { LEAST_SHARE = 1 << 10, MAX_MISSES = 8, MOST_READ = 1 << 14, FEW_PATTERNS = 64 };

struct walk {
	struct file *file;
	struct wanted wanted;
	struct wild wild; /* patterns that are no names */
	size_t n_requests;
	size_t n_patterns;                 /* of them, globs and regular expressions */
	struct request **ifuncs, **misses; /* what else to ask of a symbol */
	size_t n_ifuncs, n_misses, n_read;
	const struct elf_mover *mover;
	const char *library; /* path of the one whose exports are just met */
	bool is_known;       /* the file, if not its symbols */
	bool has_foreign;    /* a name that is imported, or that the file doesn't have */
	size_t share;        /* symbols that are kept for one request */
	const struct elf_symbol *symbol; /* that is just met */
};

typedef void request_visit(struct request *r, struct walk *w);

static void each_request(struct walk *w, request_visit *visit)
{
	for (size_t i = 0; i < w->file->n_selections; i++)
		for (size_t k = 0; k < w->file->selections[i]->n_requests; k++)
			visit(&w->file->selections[i]->requests[k], w);
}

static void index_request(struct request *r, struct walk *w)
{
	if (r->wanted.name)
		wanted_add(&w->wanted, r);
	w->n_patterns += r->pattern->kind != PATTERN_NAME;
}

static void index_unnamed(struct request *r, struct walk *w)
{
	if (r->pattern->kind != PATTERN_NAME && !r->is_exact)
		w->wild.requests[w->wild.n++] = r;
}

static struct request **new_list(const struct walk *w, size_t n)
{
	return arena_array(w->file->arena, n, sizeof(struct request *));
}

static void walk_init(struct walk *w, struct file *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_selections; i++)
		n += f->selections[i]->n_requests;
	*w = (struct walk){.file = f, .wanted.arena = f->arena};
	w->wild = (struct wild){
		.requests = new_list(w, n), .takes_parts = f->is_listed, .forms = &f->forms};
	w->ifuncs = new_list(w, n);
	w->misses = new_list(w, n);
	w->n_requests = n;
	each_request(w, index_request);
	if (w->n_patterns <= FEW_PATTERNS)
		each_request(w, index_unnamed);
	w->share = w->n_patterns ? f->most_symbols / w->n_patterns : f->most_symbols;
	if (w->share < LEAST_SHARE)
		w->share = LEAST_SHARE;
}

/* ---- the first walk ---- */

/* Keeps the symbol that is just met; false: there are too many. */
static bool keep(const struct walk *w, struct symbols *list, unsigned fit)
{
	if (list->n < w->share)
		symbols_add(list, w->symbol, fit, w->file->arena);
	return list->n < w->share;
}

static void meet_by_name(struct request *r, unsigned fit, void *data)
{
	r->is_too_wide |= !keep(data, &r->exact, fit);
}

static void meet_by_match(struct request *r, void *data)
{
	r->matches_too_many |= !keep(data, &r->matched, FIT_SYMBOL);
}

static void meet_patterns(struct walk *w, const struct subject *subject)
{
	const char *name = subject->name;

	if (is_code(w->symbol->kind) && (is_mangled(name) || !name_is_startup_code(name)))
		wild_meet(&w->wild, subject, meet_by_match, w);
}

static int meet(const struct elf_symbol *s, void *data)
{
	struct walk *w = data;
	struct subject subject;

	w->file->has_local_names |= s->is_local || s->source == ELF_GO;
	if (!w->mover)
		w->mover = elf_symbol_moves(s->name);
	w->symbol = s;
	subject_init(&subject, s->name);
	wanted_meet(&w->wanted, &subject, meet_by_name, w);
	if (w->wild.n)
		meet_patterns(w, &subject);
	return 0;
}

/* ---- the walk for many patterns ---- */

static int meet_unnamed(const struct elf_symbol *s, void *data)
{
	struct walk *w = data;
	struct subject subject;

	w->symbol = s;
	subject_init(&subject, s->name);
	meet_patterns(w, &subject);
	return 0;
}

static void choose_exact(struct request *r, struct walk *w)
{
	(void)w;
	request_choose_exact(r);
}

static int match_patterns(struct walk *w)
{
	each_request(w, choose_exact);
	if (w->wild.n)
		return 0;
	each_request(w, index_unnamed);
	return w->wild.n ? elf_file_each_symbol(w->file->elf, meet_unnamed, w, &w->file->error) : 0;
}

/* ---- between ---- */

static void choose(struct request *r, struct walk *w)
{
	request_choose(r);
	for (size_t i = 0; i < r->chosen.n; i++)
		if (is_code(r->chosen.items[i].kind))
			address_want(&w->file->addresses, r->chosen.items[i].address, r->selection,
				w->file->arena);
	w->has_foreign |= request_misses(r) || request_is_import(r);
	if (request_is_ifunc(r))
		w->ifuncs[w->n_ifuncs++] = r;
	else if (request_misses(r) && w->n_misses < MAX_MISSES)
		w->misses[w->n_misses++] = r;
}

static void note_library(struct request *r, unsigned fit, void *data)
{
	const struct walk *w = data;

	if (!r->hints.library && fit < FIT_OF_CLONE)
		r->hints.library = arena_strdup(w->file->arena, w->library);
}

static int meet_in_library(const struct elf_symbol *s, void *data)
{
	struct walk *w = data;
	struct subject subject;

	if (!is_code(s->kind))
		return 0;
	subject_init(&subject, s->name);
	wanted_meet(&w->wanted, &subject, note_library, w);
	return 0;
}

static void meet_library(struct elf_file *library, const char *path, void *data)
{
	_cleanup_(error_deinit) struct error ignored = {};
	struct walk *w = data;

	w->library = path;
	if (library)
		elf_file_each_export(library, meet_in_library, w, &ignored);
}

static void search_libraries(struct walk *w)
{
	if (w->has_foreign)
		libraries_visit(w->file->target, w->file->elf, meet_library, w);
}

/* ---- the second walk ---- */

/* The resolver has names of its own. */
static bool is_resolver(const struct request *r, const struct elf_symbol *s)
{
	for (size_t i = 0; i < r->chosen.n; i++)
		if (r->chosen.items[i].address == s->address)
			return true;
	return false;
}

static void consider_near(struct walk *w, const char *name)
{
	struct forms *f = &w->file->forms;
	bool is_akin = false;

	for (size_t i = 0; i < w->n_misses; i++) {
		struct hints *h = &w->misses[i]->hints;

		if (!is_mangled(name) || h->is_mangled)
			hints_consider_near(h, name, w->file->arena);
		else
			is_akin |= w->n_read < MOST_READ && hints_are_akin(h, name);
	}
	if (!is_akin || !forms_read(f, name))
		return;
	w->n_read++;
	for (size_t i = 0; i < w->n_misses; i++)
		hints_consider_near(
			&w->misses[i]->hints, buffer_text(&f->demangled.bare), w->file->arena);
}

static bool is_chosen(uint64_t address, const void *data)
{
	const struct walk *w = data;

	return address_find(&w->file->addresses, address);
}

static int gather(const struct elf_symbol *s, void *data)
{
	struct walk *w = data;
	struct address *entry;

	if (!is_code(s->kind))
		return 0;
	entry = address_find(&w->file->addresses, s->address);
	if (entry)
		address_add_name(entry, s, &w->file->forms, w->file->arena);
	if (s->kind != ELF_FUNCTION)
		return 0;
	for (size_t i = 0; i < w->n_ifuncs; i++)
		if (!is_resolver(w->ifuncs[i], s))
			hints_consider_implementation(
				&w->ifuncs[i]->hints, s->name, w->file->arena);
	consider_near(w, s->name);
	return 0;
}

static int gather_all(struct walk *w)
{
	struct file *f = w->file;

	if (w->n_ifuncs || w->n_misses)
		return elf_file_each_symbol(f->elf, gather, w, &f->error);
	return elf_file_each_symbol_at(f->elf, is_chosen, gather, w, &f->error);
}

static void finish(struct request *r, struct walk *w)
{
	(void)w;
	request_finish(r);
}

static void tell_error_to(const struct selection *s)
{
	reasons_troublef(
		s->reasons, "%s: %s", s->file->target->origin, error_text(&s->file->error));
}

static void tell_error(struct request *r, struct walk *w)
{
	(void)w;
	tell_error_to(r->selection);
}

/* Why breakpoints in the file would be copied to where the kernel doesn't know them; or NULL. */
static const char *move(const struct walk *w)
{
	const struct elf_mover *m = w->mover;
	struct world *world = w->file->world;

	if (world && world_has_moved_code(world, w->file->target))
		return "a process that runs it has copied its code to other memory (huge pages?), "
		       "as the next one will";
	if (m && !m->option)
		return m->text;
	if (m && world && world_has_option(world, w->file->target, m->option, m->variable))
		return m->text;
	return elf_file_moves(w->file->elf);
}

static int read_file(struct walk *w)
{
	struct file *f = w->file;
	const char *why;
	int r;

	if (target_trouble(f->target))
		return error_set(&f->error, -EBUSY, "%s", target_trouble(f->target));
	r = elf_file_open(&f->elf, f->target->fd, &f->error);
	if (r)
		return r;
	debug_file_add(f);
	r = elf_file_each_symbol(f->elf, meet, w, &f->error);
	if (r && r != -ENODATA)
		return r;
	why = move(w);
	if (why)
		return error_set(&f->error, -EPERM,
			"%s: the copy of a breakpoint would end the program", why);
	w->is_known = true;
	if (r || !w->n_requests)
		return r; /* only USDT points are wanted: names are not */
	r = match_patterns(w);
	if (r)
		return r;
	each_request(w, choose);
	inlined_want(f);
	search_libraries(w);
	return gather_all(w);
}

static void select_points(const struct walk *w, struct selection *s)
{
	if (!usdt_is_wanted(s->probe->config))
		return;
	if (w->is_known)
		usdt_select(s);
	else
		tell_error_to(s);
}

void file_select(struct file *f)
{
	struct walk w;

	walk_init(&w, f);
	each_request(&w, read_file(&w) ? tell_error : finish);
	elf_file_forget_names(f->elf);
	debug_file_tell(f);
	for (size_t i = 0; i < f->n_selections; i++)
		select_points(&w, f->selections[i]);
	wanted_deinit(&w.wanted);
}
