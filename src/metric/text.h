/* SPDX-License-Identifier: Apache-2.0 */
/* The text exposition format, version 0.0.4. */
#pragma once

#include "base/buffer.h"
#include "metric/family.h"

void text_put_family(struct buffer *out, const struct family *f);
