// SPDX-License-Identifier: Apache-2.0
/*
 * The patterns are those of the YAML 1.2 specification, chapter 10.3.2. What editors and the JSON
 * Schema take for a number is one here too, so that nobody is told another story.
 */
#include "config/type.h"

#include <stdlib.h>

#include "base/cleanup.h"

static const struct {
	enum node_kind kind;
	const char *pattern;
} rules[TYPE_PATTERNS] = {
	{NODE_NULL, "^(null|Null|NULL|~|)$"},
	{NODE_BOOLEAN, "^(true|True|TRUE|false|False|FALSE)$"},
	{NODE_NUMBER, "^([-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?"
		      "|0o[0-7]+|0x[0-9a-fA-F]+"
		      "|[-+]?(\\.inf|\\.Inf|\\.INF)|\\.nan|\\.NaN|\\.NAN)$"},
};

void types_init(struct types *t)
{
	for (size_t i = 0; i < TYPE_PATTERNS; i++)
		if (regcomp(&t->patterns[i], rules[i].pattern, REG_EXTENDED | REG_NOSUB))
			abort();
}

void types_deinit(struct types *t)
{
	for (size_t i = 0; i < TYPE_PATTERNS; i++)
		regfree(&t->patterns[i]);
}

enum node_kind types_find(const struct types *t, const char *text)
{
	for (size_t i = 0; i < TYPE_PATTERNS; i++)
		if (!regexec(&t->patterns[i], text, 0, NULL, 0))
			return rules[i].kind;
	return NODE_TEXT;
}
