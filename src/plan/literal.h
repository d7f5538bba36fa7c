/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a glob or regular expression that stand for themselves. */
#pragma once

#include "base/buffer.h"
#include "config/config.h"

/* What every name that matches begins with, ends with, and has somewhere; each may be empty. */
struct literals {
	struct buffer head, tail, inner;
};

void literals_init(struct literals *l, const struct pattern *p);
void literals_deinit(struct literals *l);
