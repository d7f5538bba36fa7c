/* SPDX-License-Identifier: Apache-2.0 */
/* The key `usdt`: points to be counted, or pairs of them that begin and end what is timed. */
#pragma once

#include "config/fields.h"

/* Into a struct usdt: one text, a list of them, or a mapping with start and end. */
field_read usdt_read;

/* Whether a probe is of points without ends. */
bool usdt_is_passed(const struct node *probe);

/* Reports what doesn't hold between `usdt` and other keys of the probe, `function` first of all. */
void usdt_check(struct reader *r, const struct node *node, const struct probe *p);
