/* SPDX-License-Identifier: Apache-2.0 */
/* One pattern of one probe in one file: the symbols that it meets, and which of them count. */
#pragma once

#include "plan/select.h"

void request_init(struct request *r, struct selection *s, const struct pattern *p);

/* After all symbols were met by name: chooses those that the name means. */
void request_choose_exact(struct request *r);

/* After they were met by the patterns that are no names too: chooses those that count. */
void request_choose(struct request *r);

/* Which hints about the wanted name are of use. */
bool request_misses(const struct request *r);
bool request_is_ifunc(const struct request *r);
bool request_is_import(const struct request *r);

/* After the second walk: hands on to the selection what it chose, and tells what is wrong. */
void request_finish(struct request *r);
