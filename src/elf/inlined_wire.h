/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: between the reader that counts inlined functions and who started it. */
#pragma once

#include "elf/inlined.h"

enum { INLINED_CALLERS_BYTES = 512 };

/* Followed by that many bytes of text. */
struct inlined_record {
	uint32_t index; /* in the answer */
	uint32_t n_places;
	uint32_t n_callers_bytes;
};

/* The reader's work; data is the question. */
int inlined_work(int out_fd, const void *data);
