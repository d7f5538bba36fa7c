// SPDX-License-Identifier: Apache-2.0
/*
 * survey FILE...: what a probe on each function of real programs would cost, before and after its
 * site is moved, of how many functions all exits are known, and how long finding out takes. With
 * WHY set in the environment also what holds the others back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "bench.h"
#include "plan/body.h"

enum { MOST_REASONS = 64, LARGE_FILE = 90 << 20, LIMIT_S = 4 };

struct reason {
	const char *text;
	size_t n;
};

struct survey {
	struct elf_file *elf;
	size_t n, n_cheap, n_cheap_moved, n_cheap_deep, n_exits_known;
	struct reason entry[MOST_REASONS], exits[MOST_REASONS];
};

struct symbols {
	struct code_part *parts;
	size_t n, capacity;
};

static void count(struct reason *reasons, const char *text)
{
	while (reasons->text && strcmp(reasons->text, text) != 0)
		reasons++;
	reasons->text = text;
	reasons->n++;
}

static bool is_cheap(const struct code_site *s)
{
	return !s->refusal && s->cost != COST_STEP && s->cost != COST_NOP5;
}

static void judge(struct survey *s, const struct code_function *f)
{
	const struct code_entry *e = &f->entry;

	s->n++;
	s->n_cheap += is_cheap(&e->first);
	s->n_cheap_moved += is_cheap(&e->site) && !e->depth;
	s->n_cheap_deep += is_cheap(&e->site);
	if (e->site.refusal || e->held_back)
		count(s->entry, e->site.refusal ? e->site.refusal : e->held_back);
	if (f->exits_unknown)
		count(s->exits, f->exits_unknown);
	s->n_exits_known += !f->exits_unknown;
}

static void look_at(struct survey *s, uint64_t address, uint64_t size)
{
	const struct body_question question = {
		.address = address, .size = size, .allows_depth = true};
	_cleanup_(code_function_deinit) struct code_function f = {};
	const char *refusal = body_decode(&f, s->elf, &question);

	if (refusal)
		f.exits_unknown = f.entry.held_back = refusal;
	judge(s, &f);
}

static int keep(const struct elf_symbol *symbol, void *data)
{
	struct symbols *all = data;

	if (symbol->kind != ELF_FUNCTION || strstr(symbol->name, ".cold"))
		return 0;
	if (all->n == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 1024;
		all->parts = memory_grow(all->parts, all->capacity, sizeof(*all->parts));
	}
	all->parts[all->n++] = (struct code_part){.address = symbol->address, .size = symbol->size};
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct code_part *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void report_share(const char *file, const char *what, size_t n, size_t of)
{
	_cleanup_(freep) char *text = memory_printf("%s: %s", file, what);
	double share = of ? 100.0 * (double)n / (double)of : 0;

	report_figure(text, (struct spread){share, share, share}, (struct unit){1, " %"});
}

static void report_reasons(const char *file, const struct reason *reasons, size_t of)
{
	for (; getenv("WHY") && reasons->text; reasons++)
		report_share(file, reasons->text, reasons->n, of);
}

static int report(const char *file, const struct survey *s, double spent_s, bool is_large)
{
	_cleanup_(freep) char *what = memory_printf("%s: decode %zu functions", file, s->n);
	struct spread spent = {spent_s, spent_s, spent_s};

	report_share(file, "a cheap first instruction", s->n_cheap, s->n);
	report_share(file, "a cheap site", s->n_cheap_moved, s->n);
	report_share(file, "a cheap site, by exits or for calls alone", s->n_cheap_deep, s->n);
	report_reasons(file, s->entry, s->n);
	report_share(file, "exits known", s->n_exits_known, s->n);
	report_reasons(file, s->exits, s->n);
	if (is_large)
		return report_promise(what, spent, UNIT_S, LIMIT_S);
	report_figure(what, spent, UNIT_S);
	return 0;
}

static int survey(const char *path)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	struct survey s = {};
	struct symbols all = {};
	struct stat status;
	double start_ns;

	if (fd < 0 || fstat(fd, &status) || elf_file_open(&elf, fd, &e)) {
		report_skip(path, e.text ? error_text(&e) : strerror(errno));
		return 0;
	}
	if (elf_file_each_symbol(elf, keep, &all, &e))
		fail(path, error_text(&e));
	s.elf = elf;
	qsort(all.parts, all.n, sizeof(*all.parts), by_address);
	elf_file_frame(elf, 0);
	start_ns = spent_ns();
	for (size_t i = 0; i < all.n; i++)
		if (!i || all.parts[i].address != all.parts[i - 1].address)
			look_at(&s, all.parts[i].address, all.parts[i].size);
	free(all.parts);
	return report(
		basename(path), &s, (spent_ns() - start_ns) / 1e9, status.st_size >= LARGE_FILE);
}

int main(int n, char **arguments)
{
	int broken = 0;

	for (int i = 1; i < n; i++)
		broken += survey(arguments[i]);
	return broken != 0;
}
