/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the room: reading the tables of unwinders, whose numbers come in many forms, from memory
 * that a hostile file filled. Reading past the end gives zeros, and leaves is_broken set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	const uint8_t *at, *end; /* what is left */
	uint64_t address;        /* of at, where the file is loaded */
	bool is_broken;
};

/* How a pointer is written (DW_EH_PE_*): the form in the low four bits, what it is relative to
 * above. */
enum { CURSOR_FORM = 0x0f, CURSOR_OMITTED = 0xff };

/* A little-endian number of n bytes, at most 8. */
uint64_t cursor_take(struct cursor *c, size_t n);
/* A number of as many bytes as it needs (ULEB128). */
uint64_t cursor_leb(struct cursor *c);
/* The first n bytes of what is left, as a cursor of its own; c moves on behind them. */
struct cursor cursor_part(struct cursor *c, uint64_t n);
/* A number of an encoding's form, as 64 bits. */
uint64_t cursor_number(struct cursor *c, uint8_t encoding);
/* An address; 0 for none. Only what stands for itself or is relative to its own place is read. */
uint64_t cursor_pointer(struct cursor *c, uint8_t encoding);
