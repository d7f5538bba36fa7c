/* SPDX-License-Identifier: Apache-2.0 */
/* One spelling for names that differ in blanks alone: "f( int,char const * )" is
 * "f(int, char const*)", and "> >" is ">>". */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

/* Whether c can be part of an identifier. Bytes of UTF-8 can. */
bool is_of_identifier(char c);

/* Replaces what out holds by the name, less the blanks that separate no two identifiers. */
const char *spelling_of(const char *name, struct buffer *out);

/* The same without tags: foo[abi:cxx11]() becomes foo(). */
const char *spelling_without_tags(const char *name, struct buffer *out);

/* The same with all that stands in square brackets, as in instances of Go's generic functions,
 * replaced by types: "[...]" as Go's own stack traces do, or "". */
const char *spelling_of_generic(const char *name, const char *types, struct buffer *out);
