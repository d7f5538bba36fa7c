/* SPDX-License-Identifier: Apache-2.0 */
/* The debug file of a file that is planned for. */
#pragma once

#include "plan/select.h"

/* Looks for it, where it could tell something, and makes it a source of f's names; or else what of
 * them is packed in the file. */
void debug_file_add(struct file *f);

/* After the walks: notes, for every selection, why names are missing that could be known. */
void debug_file_tell(const struct file *f);

/* Why a symbol's address isn't to be believed; or NULL. A static text. */
const char *debug_file_doubt(const struct file *f, const struct symbol *s);
