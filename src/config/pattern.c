// SPDX-License-Identifier: Apache-2.0
/*
 * Function names: plain, glob or regular expression.
 *
 * Regular expressions are the C library's, which copies what {n,m} and + repeat: a line of nested
 * ones could fill the memory. Length times copies is therefore bounded, for one expression and for
 * the file. Back-references are refused: they take exponential time, and POSIX has none here.
 */
#include "config/pattern.h"

#include <fnmatch.h>
#include <regex.h>

#include "base/memory.h"
#include "config/scalar.h"

enum { REGEX_LONGEST = 1000, REGEX_WEIGHT_MAX = 10000, FILE_WEIGHT_MAX = 100000 };

bool pattern_matches(const struct pattern *p, const char *name)
{
	switch (p->kind) {
	case PATTERN_GLOB:
		return !fnmatch(p->text, name, 0);
	case PATTERN_REGEX:
		return !regexec(p->regex, name, 0, NULL, 0);
	default:
		return !strcmp(p->text, name);
	}
}

bool pattern_is_exactly(const struct pattern *p, const char *name)
{
	return !strcmp(p->text, name);
}

static bool has_back_reference(const char *text)
{
	for (; (text = strchr(text, '\\')) && text[1]; text += 2)
		if (text[1] >= '1' && text[1] <= '9')
			return true;
	return false;
}

/* How many copies the C library makes, at most, of what the quantifier at c stands behind. */
static size_t copies(const char *c)
{
	unsigned long least, most, larger;
	char *end;

	if (*c != '{')
		return *c == '+' ? 2 : 1;
	least = strtoul(c + 1, &end, 10);
	most = *end == ',' ? strtoul(end + 1, NULL, 10) : 0;
	larger = least > most ? least : most;
	return larger < REGEX_WEIGHT_MAX ? larger + 1 : REGEX_WEIGHT_MAX + 1;
}

/* Upper bound of the positions that the compiled expression has: as if all its quantifiers were
 * nested. */
static size_t regex_weight(const char *text)
{
	size_t weight = strlen(text);

	for (const char *c = text; *c && weight <= REGEX_WEIGHT_MAX; c++) {
		weight *= copies(c);
		if (*c == '\\' && c[1])
			c++;
	}
	return weight;
}

/* Why text must not be compiled, or NULL. */
static const char *regex_mistake(struct reader *r, const char *text)
{
	size_t weight = regex_weight(text);

	if (!*text)
		return "is empty";
	if (strlen(text) > REGEX_LONGEST)
		return "is longer than 1000 bytes";
	if (has_back_reference(text))
		return "has a back-reference, which can take for ever";
	if (weight > REGEX_WEIGHT_MAX)
		return "repeats too much with {} or +";
	if (r->regex_weight + weight > FILE_WEIGHT_MAX)
		return "is too much: all of the file together are too large";
	r->regex_weight += weight;
	return NULL;
}

static bool compile(struct reader *r, const char *key, const struct node *value, struct pattern *p)
{
	const char *mistake = regex_mistake(r, p->text);
	regex_t *regex;
	char why[200];
	int error;

	if (mistake) {
		located_add(
			r->errors, value->place, "`%s`: the regular expression %s", key, mistake);
		return false;
	}
	regex = memory_alloc(sizeof(*regex));
	error = regcomp(regex, p->text, REG_EXTENDED | REG_NOSUB);
	if (!error) {
		p->regex = regex;
		return true;
	}
	regerror(error, regex, why, sizeof(why));
	located_add(r->errors, value->place, "`%s`: not a regular expression: %s", key, why);
	free(regex);
	return false;
}

static void read_regex(
	struct reader *r, const char *key, const struct node *value, struct pattern *p)
{
	size_t n = strlen(value->text);

	p->kind = PATTERN_REGEX;
	if (n < 2 || value->text[n - 1] != '/') {
		located_add(
			r->errors, value->place, "`%s`: a regular expression must end in /", key);
		return;
	}
	p->text = arena_strndup(r->config->arena, value->text + 1, n - 2);
	compile(r, key, value, p);
}

static void read_one(struct reader *r, const char *key, const struct node *value, struct pattern *p)
{
	if (!scalar_is_line(r, key, value))
		return;
	if (value->text[0] == '/') {
		read_regex(r, key, value, p);
		return;
	}
	p->kind = strpbrk(value->text, "*?[") ? PATTERN_GLOB : PATTERN_NAME;
	p->text = arena_strdup(r->config->arena, value->text);
}

void patterns_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	bool is_list = value->kind == NODE_LIST;
	struct patterns *p = out;

	p->n = is_list ? value->n : 1;
	p->items = arena_array(r->config->arena, p->n, sizeof(p->items[0]));
	for (size_t i = 0; i < p->n; i++)
		if (!is_list)
			read_one(r, key, value, &p->items[i]);
		else if (fields_accept_item(r, key, value->items[i], NODE_TEXT))
			read_one(r, key, value->items[i], &p->items[i]);
}

void patterns_deinit(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!p->items[i].regex)
			continue;
		regfree(p->items[i].regex);
		free(p->items[i].regex);
	}
}
