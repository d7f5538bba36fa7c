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

struct suffix {
	const char *text;
	enum clone_kind kind;
	bool has_number; /* .part.0 */
};

static const struct suffix suffixes[] = {
	{".cold", CLONE_COLD, false},
	{".cold", CLONE_COLD, true},
	{".part", CLONE_VARIANT, true},
	{".isra", CLONE_VARIANT, true},
	{".constprop", CLONE_VARIANT, true},
	{".lto_priv", CLONE_VARIANT, true},
	{".llvm", CLONE_VARIANT, true},
};

/* Whether name[0..n) ends with the suffix; *n then becomes the length before it. */
static bool strip(const char *name, size_t *n, const struct suffix *s)
{
	size_t n_suffix = strlen(s->text), end = *n;

	while (s->has_number && end && isdigit((unsigned char)name[end - 1]))
		end--;
	if (s->has_number && (end == *n || !end || name[--end] != '.'))
		return false;
	if (end <= n_suffix || memcmp(name + end - n_suffix, s->text, n_suffix) != 0)
		return false;
	*n = end - n_suffix;
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
	while ((one = strip_one(name, n_base)) != CLONE_NONE)
		if (kind == CLONE_NONE)
			kind = one;
	return kind;
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
