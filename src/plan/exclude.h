/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "config/config.h"
#include "plan/forms.h"

/* Whether one of the patterns names a symbol, or matches its name or a readable form of it. */
bool excludes(const struct patterns *patterns, const char *symbol, struct forms *f);
