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
#include "code/function.h"
#include "elf/file.h"

enum { MOST_PARTS = 8, LARGEST = 16 << 20, MOST_REASONS = 64, LARGE_FILE = 90 << 20, LIMIT_S = 2 };

struct reason {
	const char *text;
	size_t n;
};

struct survey {
	struct elf_file *elf;
	size_t n, n_cheap, n_cheap_moved, n_exits_known;
	struct reason entry[MOST_REASONS], exits[MOST_REASONS];
};

struct symbols {
	struct code_part *parts;
	size_t n, capacity;
};

static int read_code(void *elf, uint64_t address, void *bytes, size_t n)
{
	return elf_file_read_address(elf, address, bytes, n);
}

static enum code_beginning beginning(void *elf, uint64_t address)
{
	const struct elf_frame *frame = elf_file_frame(elf, address);

	if (elf_file_has_function(elf, address) || elf_file_is_import(elf, address))
		return CODE_BEGINS_FUNCTION;
	return frame && frame->address == address && !frame->is_part ? CODE_BEGINS_FRAME
								     : CODE_BEGINS_NOTHING;
}

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

static void judge(struct survey *s, const struct code_function *f, bool has_landing_pads)
{
	const struct code_entry *e = &f->entry;
	const char *unknown = f->exits_unknown;

	if (!unknown && has_landing_pads)
		unknown = "exceptions are handled inside it";
	s->n++;
	s->n_cheap += is_cheap(&e->first);
	s->n_cheap_moved += is_cheap(&e->site);
	if (e->site.refusal || e->held_back)
		count(s->entry, e->site.refusal ? e->site.refusal : e->held_back);
	if (unknown)
		count(s->exits, unknown);
	s->n_exits_known += !unknown;
}

/* Reads a piece of code behind those that are there. */
static bool add_part(
	struct elf_file *elf, struct code_part *parts, size_t *n, uint64_t address, uint64_t size)
{
	uint8_t *bytes;

	if (*n == MOST_PARTS || !size || size > LARGEST)
		return false;
	for (size_t i = 0; i < *n; i++)
		if (parts[i].address == address)
			return false;
	bytes = memory_alloc(size);
	parts[(*n)++] = (struct code_part){address, bytes, size};
	return !elf_file_read_address(elf, address, bytes, size);
}

static void look_at(struct survey *s, uint64_t address, uint64_t size)
{
	const struct elf_frame *frame = elf_file_frame(s->elf, address);
	struct code_part parts[MOST_PARTS];
	struct code_question question = {
		.machine = elf_file_machine(s->elf),
		.parts = parts,
		.read = read_code,
		.begins = beginning,
		.data = s->elf,
	};
	struct code_function f = {};

	while (add_part(s->elf, parts, &question.n_parts, address, size)) {
		const struct elf_frame *part;

		code_function_deinit(&f);
		code_function_decode(&f, &question);
		part = f.elsewhere ? elf_file_frame(s->elf, f.elsewhere) : NULL;
		address = part ? part->address : 0;
		size = part ? part->size : 0;
	}
	judge(s, &f, frame && frame->has_landing_pads);
	code_function_deinit(&f);
	for (size_t i = 0; i < question.n_parts; i++)
		free((void *)parts[i].bytes);
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
