// SPDX-License-Identifier: Apache-2.0
/*
 * The compiler has written into a point's note where it keeps each argument there, as it would for
 * the assembler: SIZE@OPERAND, with a minus before the size of what is signed. Operands are
 * constants, registers, and memory at an address made of registers and a number. All else (memory
 * at a symbol, registers of floating-point numbers, halves of registers) has no location that is
 * known for sure, so that it can't be read.
 */
#include "plan/usdt_arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/carried.h"

/* ---- words of the assembler ---- */

struct scanner {
	const char *at, *end;
	bool is_x86;
};

static bool take(struct scanner *s, char c)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static bool is_at_end(const struct scanner *s)
{
	return s->at == s->end;
}

/* A number with its sign, decimal or hexadecimal. */
static bool take_number(struct scanner *s, __s64 *out)
{
	bool is_negative = take(s, '-'), is_hex;
	uint64_t value = 0, base;
	const char *start;

	is_hex = s->end - s->at > 2 && s->at[0] == '0' && s->at[1] == 'x';
	base = is_hex ? 16 : 10;
	s->at += is_hex ? 2 : 0;
	start = s->at;
	for (; s->at < s->end && isxdigit((unsigned char)*s->at); s->at++) {
		uint64_t digit = isdigit((unsigned char)*s->at)
					 ? (uint64_t)*s->at - '0'
					 : ((uint64_t)*s->at | 32) - 'a' + 10;

		if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
			__builtin_add_overflow(value, digit, &value))
			return false;
	}
	*out = (__s64)(is_negative ? -value : value);
	return s->at != start;
}

/* ---- registers ---- */

enum { MOST_NAMES = 4, LONGEST_REGISTER = 4 };

/* x86-64's, of 8, 4, 2 and 1 bytes, by their words in struct pt_regs. */
static const char *const x86_registers[][MOST_NAMES] = {
	[0] = {"r15", "r15d", "r15w", "r15b"},
	[1] = {"r14", "r14d", "r14w", "r14b"},
	[2] = {"r13", "r13d", "r13w", "r13b"},
	[3] = {"r12", "r12d", "r12w", "r12b"},
	[4] = {"rbp", "ebp", "bp", "bpl"},
	[5] = {"rbx", "ebx", "bx", "bl"},
	[6] = {"r11", "r11d", "r11w", "r11b"},
	[7] = {"r10", "r10d", "r10w", "r10b"},
	[8] = {"r9", "r9d", "r9w", "r9b"},
	[9] = {"r8", "r8d", "r8w", "r8b"},
	[10] = {"rax", "eax", "ax", "al"},
	[11] = {"rcx", "ecx", "cx", "cl"},
	[12] = {"rdx", "edx", "dx", "dl"},
	[13] = {"rsi", "esi", "si", "sil"},
	[14] = {"rdi", "edi", "di", "dil"},
	[19] = {"rsp", "esp", "sp", "spl"},
};

enum { ARM64_REGISTERS = 31, ARM64_STACK_POINTER = 31 };

static bool find_x86(const char *name, uint8_t *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86_registers); i++)
		for (size_t k = 0; k < MOST_NAMES; k++)
			if (x86_registers[i][k] && !strcmp(x86_registers[i][k], name)) {
				*out = (uint8_t)i;
				return true;
			}
	return false;
}

static bool find_arm64(const char *name, uint8_t *out)
{
	char *end;
	unsigned long n;

	if (!strcmp(name, "sp")) {
		*out = ARM64_STACK_POINTER;
		return true;
	}
	if ((*name != 'x' && *name != 'w') || !isdigit((unsigned char)name[1]))
		return false;
	n = strtoul(name + 1, &end, 10);
	*out = (uint8_t)n;
	return !*end && n < ARM64_REGISTERS;
}

static bool take_register(struct scanner *s, uint8_t *out)
{
	char name[LONGEST_REGISTER + 1] = {};
	size_t n = 0;

	if (s->is_x86 && !take(s, '%'))
		return false;
	while (s->at < s->end && isalnum((unsigned char)*s->at)) {
		if (n == LONGEST_REGISTER)
			return false;
		name[n++] = *s->at++;
	}
	return s->is_x86 ? find_x86(name, out) : find_arm64(name, out);
}

/* ---- operands ---- */

/* ADDED(%BASE,%INDEX,SCALE), of which not all need be there. */
static bool take_x86_memory(struct scanner *s, struct usdt_location *out)
{
	__s64 scale = 1;

	if (!take(s, '(')) {
		if (!take_number(s, &out->number) || !take(s, '('))
			return false;
	}
	if (!take(s, ',')) {
		if (!take_register(s, &out->base))
			return false;
		if (take(s, ')'))
			return true;
		if (!take(s, ','))
			return false;
	}
	if (!take_register(s, &out->index))
		return false;
	if (take(s, ',') && !take_number(s, &scale))
		return false;
	if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
		return false;
	out->shift = (uint8_t)__builtin_ctzll((uint64_t)scale);
	return take(s, ')');
}

static bool take_x86(struct scanner *s, struct usdt_location *out)
{
	if (take(s, '$')) {
		out->kind = USDT_CONSTANT;
		return take_number(s, &out->number);
	}
	if (s->at < s->end && *s->at == '%') {
		out->kind = USDT_REGISTER;
		return take_register(s, &out->base);
	}
	out->kind = USDT_MEMORY;
	return take_x86_memory(s, out);
}

/* ", lsl SHIFT" may follow an index. */
static bool take_arm64_shift(struct scanner *s, uint8_t *out)
{
	__s64 shift = 0;

	if (!take(s, ','))
		return true;
	if (!take(s, 'l') || !take(s, 's') || !take(s, 'l'))
		return false;
	take(s, ' ');
	take(s, '#');
	if (!take_number(s, &shift) || shift < 0 || shift > 3)
		return false;
	*out = (uint8_t)shift;
	return true;
}

/* BASE, NUMBER] or BASE, INDEX, lsl SHIFT] */
static bool take_arm64_memory(struct scanner *s, struct usdt_location *out)
{
	if (!take_register(s, &out->base))
		return false;
	if (!take(s, ','))
		return take(s, ']');
	take(s, ' ');
	if (s->at < s->end && *s->at == 'x')
		return take_register(s, &out->index) && take_arm64_shift(s, &out->shift) &&
		       take(s, ']');
	take(s, '#');
	return take_number(s, &out->number) && take(s, ']');
}

static bool take_arm64(struct scanner *s, struct usdt_location *out)
{
	if (take(s, '[')) {
		out->kind = USDT_MEMORY;
		return take_arm64_memory(s, out);
	}
	if (s->at < s->end && isalpha((unsigned char)*s->at)) {
		out->kind = USDT_REGISTER;
		return take_register(s, &out->base);
	}
	out->kind = USDT_CONSTANT;
	return take_number(s, &out->number);
}

static bool take_size(struct scanner *s, struct usdt_location *out)
{
	uint64_t n_bytes;
	__s64 size;

	if (!take_number(s, &size) || !take(s, '@'))
		return false;
	out->is_signed = size < 0;
	n_bytes = size < 0 ? -(uint64_t)size : (uint64_t)size;
	out->bytes = (uint8_t)n_bytes;
	return n_bytes == 1 || n_bytes == 2 || n_bytes == 4 || n_bytes == 8;
}

static struct usdt_location location_of(struct scanner s)
{
	struct usdt_location l = {.base = USDT_NO_REGISTER, .index = USDT_NO_REGISTER};

	if (take_size(&s, &l) && (s.is_x86 ? take_x86 : take_arm64)(&s, &l) && is_at_end(&s))
		return l;
	return (struct usdt_location){};
}

/* Where the argument at text ends: at a blank, but for those within brackets. */
static const char *end_of(const char *text)
{
	unsigned depth = 0;

	for (; *text && (depth || *text != ' '); text++) {
		if (*text == '[' || *text == '(')
			depth++;
		else if ((*text == ']' || *text == ')') && depth)
			depth--;
	}
	return text;
}

size_t usdt_arguments_parse(struct usdt_place *out, enum elf_machine machine, const char *text)
{
	size_t n = 0;

	*out = (struct usdt_place){};
	for (;;) {
		const char *end;

		text += strspn(text, " ");
		if (!*text)
			return n;
		end = end_of(text);
		if (n < USDT_MAX_ARGUMENTS)
			out->arguments[n] = location_of(
				(struct scanner){text, end, machine == ELF_MACHINE_X86_64});
		n++;
		text = end;
	}
}

/* ---- what a probe wants of them ---- */

static const char *argument_refusal(
	const struct usdt_place *place, size_t n, size_t number, bool is_address, struct arena *a)
{
	const struct usdt_location *l;

	if (number > n)
		return arena_printf(
			a, "it has %zu arguments here, and the probe reads number %zu", n, number);
	if (number > USDT_MAX_ARGUMENTS)
		return arena_printf(a, "argument %zu is behind the last that can be read, %d",
			number, USDT_MAX_ARGUMENTS);
	l = &place->arguments[number - 1];
	if (l->kind == USDT_UNKNOWN)
		return arena_printf(a, "its note puts argument %zu where it can't be read", number);
	if (is_address && l->bytes != 8)
		return arena_printf(a, "argument %zu has %u bytes and is no address", number,
			(unsigned)l->bytes);
	return NULL;
}

const char *usdt_arguments_refusal(const struct usdt_place *place, size_t n, const struct probe *p,
	bool is_end, struct arena *a)
{
	const struct operand *operands[CARRIED_MAX_OPERANDS];
	size_t n_operands = carried_operands(p, operands);
	const char *why = NULL;

	for (size_t i = 0; !why && i < n_operands; i++) {
		const struct operand *o = operands[i];

		if (o->is_return != is_end)
			continue;
		why = argument_refusal(
			place, n, o->number, o->n_offsets || operand_is_text(o->type), a);
		if (!why && o->type == OPERAND_GO_STRING && !o->n_offsets)
			why = argument_refusal(place, n, o->number + 1u, false, a);
	}
	return why;
}
