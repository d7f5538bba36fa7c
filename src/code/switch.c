// SPDX-License-Identifier: Apache-2.0
/*
 * Coroutines of a program's own go from one stack to the next by a few instructions of assembler:
 * they save the stack pointer, load another, and return, or jump, to where that one's owner left.
 * Names tell of known ones alone, and of none in a stripped file.
 *
 * A compiler also loads the stack pointer, where an array of variable size goes out of use. But it
 * keeps the old one in a register that calls leave alone or in the frame, and leaves by way of the
 * frame. longjmp() loads, and does not save. So a load from a register that a call may change, or
 * by way of memory, is rare. Its bytes are searched for fast, whether they are an instruction or
 * not; only then are those around them followed, from each place before that may be the save.
 */
#include "code/switch.h"

#include "base/cleanup.h"
#include "code/step.h"
#include "code/x86_decode.h"

/* Bytes from a save to the load, instructions from there to where control leaves, bytes that tell
 * a pattern; and instructions that are followed in all, which only hostile code comes near. */
enum { MOST_BEFORE = 160, MOST_BEHIND = 48, PATTERN_BYTES = 4, MOST_STEPS = 1 << 20 };

/* The registers that a call may change. */
enum { X86_CHANGED = 0x0fc7, ARM64_CHANGED = 0x3ffff };

/* Which bytes may be what. PATTERN_BYTES are there, from any place that is looked at. */
struct patterns {
	/* The first place from at on, and before end, where there may be a load; or end. */
	size_t (*find_load)(const uint8_t *bytes, size_t at, size_t end);
	bool (*saves)(const uint8_t *bytes);
	size_t step_bytes;
};

static bool x86_is_changed(unsigned reg)
{
	return X86_CHANGED >> reg & 1;
}

/* An operand in memory whose address has to do with neither stack nor frame. */
static bool x86_is_elsewhere(const uint8_t *bytes)
{
	unsigned base = bytes[2] & 7;

	if (base == X86_RSP)
		base = bytes[3] & 7;
	return bytes[0] & 1 || (base != X86_RSP && base != X86_RBP);
}

/* mov of 64 bits, told from most other instructions by two bytes. */
static inline bool x86_moves(const uint8_t *bytes)
{
	return (bytes[0] & 0xf8) == 0x48 && (bytes[1] == 0x8b || bytes[1] == 0x89);
}

/* Whether such a one goes to rsp. Others could, as xchg does; nobody uses them, and their bytes are
 * met by chance. */
static bool x86_loads(const uint8_t *bytes)
{
	unsigned reg = (bytes[2] >> 3 & 7) | (bytes[0] & 4u) << 1;
	unsigned rm = (bytes[2] & 7) | (bytes[0] & 1u) << 3;
	bool is_register = bytes[2] >> 6 == 3;

	if (bytes[1] == 0x89)
		return is_register && rm == X86_RSP && x86_is_changed(reg);
	if (reg != X86_RSP)
		return false;
	return is_register ? x86_is_changed(rm) : x86_is_elsewhere(bytes);
}

static size_t x86_find_load(const uint8_t *bytes, size_t at, size_t end)
{
	while (at < end && !(x86_moves(bytes + at) && x86_loads(bytes + at)))
		at++;
	return at;
}

/* mov from rsp, and lea of what is on the stack. */
static bool x86_saves(const uint8_t *bytes)
{
	unsigned reg = bytes[2] >> 3 & 7, rm = bytes[2] & 7;
	bool is_register = bytes[2] >> 6 == 3;

	if ((bytes[0] & 0xf8) != 0x48)
		return false;
	if (bytes[1] == 0x8b)
		return is_register && rm == X86_RSP && !(bytes[0] & 1);
	if (bytes[1] == 0x8d)
		return !is_register && rm == X86_RSP && (bytes[3] & 7) == X86_RSP;
	return bytes[1] == 0x89 && reg == X86_RSP && !(bytes[0] & 4);
}

static uint32_t arm64_word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/* mov sp, x */
static size_t arm64_find_load(const uint8_t *bytes, size_t at, size_t end)
{
	for (; at < end; at += 4) {
		uint32_t word = arm64_word(bytes + at);

		if ((word & 0xfffffc1f) == 0x9100001f && ARM64_CHANGED >> (word >> 5 & 31) & 1)
			return at;
	}
	return end;
}

/* add x, sp, number, of which mov is one */
static bool arm64_saves(const uint8_t *bytes)
{
	uint32_t word = arm64_word(bytes);

	return (word & 0xffc003e0) == 0x910003e0 && (word & 31) != 31;
}

static const struct patterns patterns_of[] = {
	[ELF_MACHINE_X86_64] = {x86_find_load, x86_saves, 1},
	[ELF_MACHINE_ARM64] = {arm64_find_load, arm64_saves, 4},
};

struct code {
	const struct stepper *stepper;
	const uint8_t *bytes;
	size_t n;
	unsigned n_steps;
};

static bool take(struct code *c, size_t at, struct state *state, struct step *out)
{
	c->n_steps++;
	return c->stepper->take(c->bytes + at, c->n - at, at, state, out);
}

static bool goes_on(const struct step *s)
{
	return !(s->traits & STEP_CALLS) && (s->flow == FLOW_ON || s->flow == FLOW_BRANCH);
}

static void begin_on_stack(const struct code *c, struct state *s)
{
	s->registers.values[c->stepper->stack_register] = value_of(VALUE_STACK, 0);
}

/* Whether control that is behind the load leaves on the new stack. */
static bool leaves(struct code *c, size_t at, struct state *state)
{
	struct step step = {};

	for (int i = 0; i < MOST_BEHIND; i++, at += step.size) {
		if (!take(c, at, state, &step) || step.traits & STEP_SWITCHES_STACK)
			return false;
		if (step.flow == FLOW_RETURN || step.flow == FLOW_INDIRECT)
			return true;
		if (!goes_on(&step))
			return false;
	}
	return false;
}

/* Whether control that comes from a save at start comes to the load, which is one, and leaves. */
static bool is_switch(struct code *c, size_t start, size_t load)
{
	struct state state = {};
	struct step step = {};
	size_t at = start;

	begin_on_stack(c, &state);
	for (; at < load; at += step.size)
		if (!take(c, at, &state, &step) || step.traits & STEP_SWITCHES_STACK ||
			!goes_on(&step))
			return false;
	if (at > load || !take(c, at, &state, &step) || !(step.traits & STEP_SWITCHES_STACK))
		return false;
	begin_on_stack(c, &state);
	return leaves(c, at + step.size, &state);
}

static bool is_switch_at(struct code *c, const struct patterns *p, size_t load)
{
	size_t first = load > MOST_BEFORE ? load - MOST_BEFORE : load % p->step_bytes;

	for (size_t start = load + p->step_bytes; start > first; start -= p->step_bytes)
		if (p->saves(c->bytes + start - p->step_bytes) &&
			is_switch(c, start - p->step_bytes, load))
			return true;
	return false;
}

bool code_switches_stacks(enum elf_machine machine, const uint8_t *bytes, size_t n)
{
	struct code code = {.stepper = stepper_find(machine), .bytes = bytes, .n = n};
	size_t end = n > PATTERN_BYTES ? n - PATTERN_BYTES : 0, at = 0;
	const struct patterns *p;

	if (!code.stepper)
		return false;
	p = &patterns_of[machine];
	while ((at = p->find_load(bytes, at, end)) < end) {
		if (is_switch_at(&code, p, at) || code.n_steps > MOST_STEPS)
			return true;
		at += p->step_bytes;
	}
	return false;
}
