// SPDX-License-Identifier: Apache-2.0
#include "plan/name.h"

#include <ctype.h>
#include <string.h>

struct wanted_name wanted_name_parse(const char *text, struct arena *a)
{
	const char *at = *text ? strchr(text + 1, '@') : NULL;
	bool is_double = at && at[1] == '@';

	if (!at)
		return (struct wanted_name){.name = text};
	return (struct wanted_name){
		.name = arena_strndup(a, text, (size_t)(at - text)),
		.version = at + (is_double ? 2 : 1),
		.must_be_default = is_double,
	};
}

const char *name_with_version(
	const char *name, const char *version, bool is_default, struct arena *a)
{
	return version && !is_default ? arena_printf(a, "%s@%s", name, version) : name;
}

enum number { HAS_NONE, HAS_NUMBER, MAY_HAVE_NUMBER };

struct suffix {
	const char *text;
	enum clone_kind kind;
	enum number number; /* .part.0 */
};

static const struct suffix suffixes[] = {
	{".cold", CLONE_COLD, MAY_HAVE_NUMBER}, {".part", CLONE_PART, HAS_NUMBER},
	{".isra", CLONE_CHANGED, HAS_NUMBER}, {".constprop", CLONE_CHANGED, HAS_NUMBER},
	{".lto_priv", CLONE_RENAMED, HAS_NUMBER}, {".localalias", CLONE_RENAMED, MAY_HAVE_NUMBER},
	{".llvm", CLONE_RENAMED, HAS_NUMBER}, {".__uniq", CLONE_RENAMED, HAS_NUMBER},
	{".abi0", CLONE_RENAMED, HAS_NONE}, /* Go's, of functions in assembler */
};

/* Where a number behind a dot begins that ends at n; n where there is none. */
static size_t before_number(const char *name, size_t n)
{
	size_t end = n;

	while (end && isdigit((unsigned char)name[end - 1]))
		end--;
	return end < n && end && name[end - 1] == '.' ? end - 1 : n;
}

static bool ends_with(const char *name, size_t n, const char *text)
{
	size_t n_text = strlen(text);

	return n > n_text && !memcmp(name + n - n_text, text, n_text);
}

/* Whether name[0..n) ends with the suffix; *n then becomes the length before it. */
static bool strip(const char *name, size_t *n, const struct suffix *s)
{
	size_t end = s->number == HAS_NONE ? *n : before_number(name, *n);

	if ((end == *n && s->number == HAS_NUMBER) || !ends_with(name, end, s->text))
		return false;
	*n = end - strlen(s->text);
	return true;
}

static enum clone_kind strip_one(const char *name, size_t *n)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (strip(name, n, &suffixes[i]))
			return suffixes[i].kind;
	return CLONE_NONE;
}

/* foo.part.0.isra.0.cold is a cold part. */
enum clone_kind name_clone_kind(const char *name, size_t *n_base)
{
	enum clone_kind kind = CLONE_NONE, one;

	*n_base = strlen(name);
	if (!strchr(name, '.'))
		return kind;
	while ((one = strip_one(name, n_base)) != CLONE_NONE)
		if (kind < one)
			kind = one;
	return kind;
}

size_t name_size_without_renaming(const char *name)
{
	size_t n = strlen(name), shorter = n;

	while (strip_one(name, &shorter) == CLONE_RENAMED)
		n = shorter;
	return n;
}

bool name_is_startup_code(const char *name)
{
	static const char *const names[] = {"_init", "_fini", "deregister_tm_clones",
		"register_tm_clones", "__do_global_dtors_aux", "frame_dummy"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}
