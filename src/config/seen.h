/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that must be there once, and the node that had each first. {} is a valid empty set. */
#pragma once

#include "config/document.h"

struct seen_text;

struct seen {
	struct seen_text *texts;
};

void seen_deinit(struct seen *s);

/* Enters text, borrowed, for node. NULL when it is new, else the node that had it before. */
const struct node *seen_enter(struct seen *s, const char *text, const struct node *node);

/* The node that had text first, or NULL. */
const struct node *seen_find(const struct seen *s, const char *text);

/* A number for another one like text, which must have been entered: 2, then 3, and so on. */
unsigned seen_again(struct seen *s, const char *text);
