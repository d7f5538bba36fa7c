// SPDX-License-Identifier: Apache-2.0
/*
 * plan_word FILE...: what is not made readable couldn't match. Of each form of every mangled symbol
 * of real files the telling word stands in the mangled name; and so does that of any part of a
 * form, as a glob has it. Files that aren't there are left aside.
 */
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>

#include "elf/file.h"
#include "plan/forms.h"
#include "plan/sieve.h"
#include "plan/word.h"

enum { CUTS = 8, FAILURES_SHOWN = 10 };

struct looking {
	struct forms forms;
	const char *symbol;
	unsigned long n_symbols, n_forms, n_told;
};

static void expect(bool holds, const char *what, const char *symbol, const char *form)
{
	if (holds)
		return;
	if (check_failures++ < FAILURES_SHOWN)
		printf("%s: %s, of which %s is a form\n", what, symbol, form);
}

static void look_at_name(const struct looking *l, const char *form)
{
	_cleanup_(sieve_deinit) struct sieve sieve = {};
	struct subject subject;

	subject_init(&subject, l->symbol);
	sieve_add(&sieve, form);
	expect(sieve_passes(&sieve, &subject), "the sieve holds back", l->symbol, form);
}

static void look_at_part(struct looking *l, const char *form)
{
	size_t n = strlen(form), first = (size_t)rand() % n, end = first + 1;
	struct word w;
	char *word;

	end += (size_t)rand() % (n - first);
	w = word_of_part(form + first, end - first, first > 0, end < n);
	word = strndup(w.n ? w.text : "", w.n);
	l->n_told += w.n > 0;
	expect(strstr(l->symbol, word) != NULL, word, l->symbol, form);
	free(word);
}

static void look_at_form(const char *spelling, unsigned fit, void *data)
{
	struct looking *l = data;

	if (fit % FIT_OF_CLONE == FIT_SYMBOL)
		return;
	l->n_forms++;
	look_at_name(l, spelling);
	for (int i = 0; i < CUTS; i++)
		look_at_part(l, spelling);
}

static int look_at_symbol(const struct elf_symbol *s, void *data)
{
	struct looking *l = data;

	if (!is_mangled(s->name))
		return 0;
	l->symbol = s->name;
	l->n_symbols++;
	forms_visit(&l->forms, s->name, true, look_at_form, l);
	return 0;
}

static void look_at_file(struct looking *l, const char *path)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	if (fd < 0)
		return;
	CHECK(!elf_file_open(&f, fd, &e));
	CHECK(!f || !elf_file_each_symbol(f, look_at_symbol, l, &e));
}

/* Names of Rust's newer scheme, which few programs have yet. */
static void look_at_rust(struct looking *l)
{
	static const char *const symbols[] = {
		"_RNvCs1234_7mycrate3foo",
		"_RINvNtC3std3mem8align_ofjEB2_",
		"_RNCNvC1a4main0B3_",
		"_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner11finish_grow",
		"_RNvC1au9gre_6ka8i",
		"_RNvNtC4shop6item_27__hidden",
		"_RNvXs_C4shopNtB4_5OrderNtNtC4core3fmt5Debug3fmt",
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		struct elf_symbol s = {.name = symbols[i]};

		CHECK(forms_read(&l->forms, symbols[i]));
		look_at_symbol(&s, l);
	}
}

int main(int n, char **paths)
{
	struct looking l = {};

	for (int i = 1; i < n; i++)
		look_at_file(&l, paths[i]);
	look_at_rust(&l);
	forms_deinit(&l.forms);
	CHECK(l.n_symbols > 1000);
	CHECK(l.n_told > l.n_forms);
	printf("%lu symbols, %lu forms\n%d passed, %d failed\n", l.n_symbols, l.n_forms,
		!check_failures, check_failures != 0);
	return check_failures != 0;
}
