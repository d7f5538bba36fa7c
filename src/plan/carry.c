// SPDX-License-Identifier: Apache-2.0
/*
 * A probe's configuration in the kernel's words. Labels, values and partitions keep their order, so
 * that what is read back is told by its index alone.
 */
#include "plan/carry.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/number.h"
#include "bpf/native.h"
#include "config/carried.h"

_Static_assert((int)CARRY_MAX_LABELS == (int)CONFIG_MAX_DYNAMIC, "as many labels");
_Static_assert((int)CARRY_MAX_VALUES == (int)CONFIG_MAX_VALUES, "as many values");
_Static_assert((int)CARRY_MAX_STARTS == (int)CONFIG_MAX_STARTS, "as many starts");
_Static_assert((int)CARRY_MAX_BOUNDS == (int)CONFIG_MAX_VALUE_BOUNDS, "as many bounds");
_Static_assert((int)CARRY_MAX_OFFSETS == (int)CONFIG_MAX_OFFSETS, "as many offsets");
_Static_assert((int)CARRY_MAX_CARRIED == (int)CONFIG_MAX_CARRIED, "as many carried");
_Static_assert((int)CARRY_MAX_TEXT == (int)CONFIG_MAX_STRING, "as much text");
_Static_assert(KEY_MAX_WORDS - KEY_HEADER_WORDS == (int)CONFIG_MAX_KEY_WORDS, "as long keys");

static const struct {
	uint8_t kind, bytes;
	bool is_signed;
} types[N_OPERAND_TYPES] = {
	[OPERAND_S8] = {CARRY_NUMBER, 1, true},
	[OPERAND_U8] = {CARRY_NUMBER, 1, false},
	[OPERAND_S16] = {CARRY_NUMBER, 2, true},
	[OPERAND_U16] = {CARRY_NUMBER, 2, false},
	[OPERAND_S32] = {CARRY_NUMBER, 4, true},
	[OPERAND_U32] = {CARRY_NUMBER, 4, false},
	[OPERAND_S64] = {CARRY_NUMBER, 8, true},
	[OPERAND_U64] = {CARRY_NUMBER, 8, false},
	[OPERAND_BOOL] = {CARRY_TRUTH, 1, false},
	[OPERAND_PTR] = {CARRY_NUMBER, 8, false},
	[OPERAND_STRING] = {CARRY_TEXT, 8, false},
	[OPERAND_GO_STRING] = {CARRY_GO_TEXT, 8, false},
};

static const struct {
	uint8_t kind;
	uint16_t text_bytes;
} sources[N_LABEL_SOURCES] = {
	[LABEL_PID] = {CARRY_PID, 0},
	[LABEL_COMM] = {CARRY_COMM, CARRIED_COMM_BYTES},
	[LABEL_EXE] = {CARRY_EXE, 0},
	[LABEL_CGROUP] = {CARRY_CGROUP, 0},
};

static struct carry_operand operand_of(const struct operand *o, uint32_t text_bytes)
{
	struct carry_operand out = {
		.kind = types[o->type].kind,
		.is_return = o->is_return,
		.number = o->number,
		.n_offsets = o->n_offsets,
		.bytes = types[o->type].bytes,
		.is_signed = types[o->type].is_signed,
		.text_bytes = (uint16_t)text_bytes,
	};

	memcpy(out.offsets, o->offsets, sizeof(out.offsets));
	return out;
}

static struct carry_condition condition_of(const struct condition *c)
{
	if (!c)
		return (struct carry_condition){};
	return (struct carry_condition){
		.operand = operand_of(&c->operand, 0),
		.low = c->low,
		.high = c->high,
		.is_outside = c->is_outside,
	};
}

/* The first part of p with the text of part number `part`, or CARRY_RAW. */
static uint16_t first_part(const struct partition *p, size_t part)
{
	size_t i = 0;

	if (!p->texts[part])
		return CARRY_RAW;
	while (!p->texts[i] || strcmp(p->texts[i], p->texts[part]) != 0)
		i++;
	return (uint16_t)i;
}

/* Where the next label's begin. */
struct position {
	uint32_t word, start, part, bound, carried;
};

static void init_partition(
	struct carry *c, struct carry_label *l, const struct partition *p, struct position *next)
{
	l->first_start = (uint16_t)next->start;
	l->first_part = p->texts ? (uint16_t)next->part : CARRY_RAW;
	l->n_starts = (uint16_t)p->n_starts;
	if (!p->texts)
		return;
	assert(next->start + p->n_starts <= CARRY_MAX_STARTS);
	for (size_t i = 0; i < p->n_starts; i++)
		c->starts[next->start++] = p->starts[i];
	for (size_t i = 0; i <= p->n_starts; i++)
		c->parts[next->part++] = first_part(p, i);
}

static void init_label(struct carry *c, const struct dynamic_label *from, struct position *next)
{
	struct carry_label *l = &c->labels[c->n_labels++];

	if (from->source == LABEL_OPERAND)
		l->operand = operand_of(
			&from->operand, operand_is_text(from->operand.type) ? from->size : 0);
	else
		l->operand = (struct carry_operand){
			.kind = sources[from->source].kind,
			.text_bytes = sources[from->source].text_bytes,
		};
	l->word = (uint16_t)next->word;
	next->word += carried_words(from);
	init_partition(c, l, &from->partition, next);
	if (l->operand.is_return)
		c->has_return_labels = 1;
	else
		c->has_entry_labels = 1;
}

static enum native_kind native_kind_of(const struct probe *p, const struct value *v)
{
	if (!p->has_native_histograms || v->form == VALUE_COUNTER)
		return NATIVE_NONE;
	return operand_is_signed(v->from.type) ? NATIVE_SIGNED : NATIVE_UNSIGNED;
}

/* Returns the first word of the cell behind the value's. */
static uint32_t init_value(struct carry *c, const struct probe *p, const struct value *from,
	uint32_t word, struct position *next)
{
	struct carry_value *v = &c->values[c->n_values++];

	*v = (struct carry_value){
		.operand = operand_of(&from->from, 0),
		.only = condition_of(from->only),
		.word = (uint16_t)word,
		.first_bound = (uint16_t)next->bound,
		.n_bounds = (uint16_t)from->n_bounds,
		.is_counter = from->form == VALUE_COUNTER,
		.is_late = carried_value_is_late(p, from),
		.native = (uint8_t)native_kind_of(p, from),
	};
	if (!v->is_counter)
		v->n_buckets = (uint16_t)(v->n_bounds + native_ranks(v->native));
	if (v->is_late && !v->operand.is_return)
		v->carried = (uint8_t)++next->carried;
	assert(next->bound + from->n_bounds <= CARRY_MAX_BOUNDS);
	for (size_t i = 0; i < from->n_bounds; i++)
		c->bounds[next->bound++] = from->bounds[i];
	return word + 1 + v->n_buckets;
}

uint32_t carry_init(struct carry *out, const struct probe *p, uint32_t first_word)
{
	struct position next = {};
	uint32_t word = first_word;

	*out = (struct carry){
		.is_used = carried_is_wanted(p),
		.is_late = carried_is_late(p),
		.is_point = p->usdt.points.n || p->usdt.starts.n,
	};
	for (size_t i = 0; i < p->dynamic.n; i++)
		init_label(out, &p->dynamic.items[i], &next);
	if (out->n_labels)
		out->key_bytes = 8 * (KEY_HEADER_WORDS + next.word);
	out->only = condition_of(p->only);
	out->errors = condition_of(p->errors);
	out->hits_word = word++;
	if (p->errors)
		out->errors_word = word++;
	if (out->is_late) {
		out->begun_word = word;
		word += 2;
	}
	for (size_t i = 0; i < p->values.n; i++)
		word = init_value(out, p, &p->values.items[i], word, &next);
	assert(next.carried <= CARRY_MAX_CARRIED);
	return word;
}

static void put_number(struct buffer *out, enum operand_type t, uint64_t number)
{
	uint64_t bits = operand_order(operand_is_signed(t), number);

	if (t == OPERAND_BOOL)
		buffer_puts(out, bits ? "true" : "false");
	else if (t == OPERAND_PTR)
		buffer_printf(out, "0x%" PRIx64, bits);
	else if (operand_is_signed(t))
		buffer_printf(out, "%" PRId64, (int64_t)bits);
	else
		number_put_unsigned(out, bits);
}

static void put_name(struct buffer *out, const char *name)
{
	buffer_puts(out, name ? name : "unknown");
}

static void put_source(struct buffer *out, const struct dynamic_label *l, const uint64_t *words,
	const struct carry_names *names)
{
	switch (l->source) {
	case LABEL_EXE:
		put_name(out, names->of_program ? names->of_program(words[0], words[1], names->data)
						: NULL);
		break;
	case LABEL_CGROUP:
		put_name(out, names->of_cgroup ? names->of_cgroup(words[0], names->data) : NULL);
		break;
	case LABEL_PID:
		number_put_unsigned(out, words[0]);
		break;
	default:
		put_number(out, l->operand.type, words[0]);
	}
}

void carry_put_label(struct buffer *out, const struct probe *p, const struct carry *c, size_t index,
	const struct label_key *key, const struct carry_names *names)
{
	const struct dynamic_label *l = &p->dynamic.items[index];
	const uint64_t *words = (const uint64_t *)key->words + c->labels[index].word;

	switch (key->tags[index]) {
	case KEY_NUMBER:
		put_source(out, l, words, names);
		break;
	case KEY_PART:
		buffer_puts(out, l->partition.texts[words[0]]);
		break;
	case KEY_TEXT:
		buffer_append(out, (const char *)(words + 1), words[0]);
		break;
	default:
		buffer_puts(out, "unreadable");
	}
}
