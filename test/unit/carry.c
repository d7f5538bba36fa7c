// SPDX-License-Identifier: Apache-2.0
/* A probe's configuration in the kernel's words, and label values out of keys. */
#include "plan/carry.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "check.h"

enum { FIRST_WORD = 7 };

/* A probe of a file, and what has become of it. */
struct probed {
	struct config *config;
	const struct probe *probe;
	struct carry carry;
	uint32_t end;
};

static void probed_init(struct probed *p, const char *keys)
{
	_cleanup_(buffer_deinit) struct buffer b = {};
	_cleanup_(error_deinit) struct error e = {};

	*p = (struct probed){};
	buffer_printf(&b, "probes:\n  - binary: /bin/x\n    function: f\n%s", keys);
	CHECK_INT(config_parse(&p->config, "x.yml", buffer_text(&b), b.size, &e), 0);
	CHECK_STR(e.text ? e.text : "", "");
	if (!p->config)
		exit(1);
	p->probe = &p->config->probes[0];
	p->end = carry_init(&p->carry, p->probe, FIRST_WORD);
}

static void probed_deinit(struct probed *p)
{
	config_free(p->config);
}

static void a_probe_that_takes_nothing_uses_nothing(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p, "");
	CHECK(!p.carry.is_used);
	CHECK_INT(p.carry.key_bytes, 0);
	CHECK_INT(p.carry.n_labels, 0);
	CHECK_INT(p.carry.n_values, 0);
}

static void operands_keep_all_that_was_written(void)
{
	_cleanup_(probed_deinit) struct probed p;
	const struct carry_operand *o;

	probed_init(&p, "    labels:\n"
			"      a: {from: 's16 arg3[16][-8]'}\n"
			"      b: {from: u32 return2}\n"
			"      c: {from: bool arg8}\n"
			"      d: {from: 'go_string arg1[8]', size: 24}\n");
	o = &p.carry.labels[0].operand;
	CHECK_INT(o->kind, CARRY_NUMBER);
	CHECK_INT(o->number, 3);
	CHECK_INT(o->is_return, 0);
	CHECK_INT(o->bytes, 2);
	CHECK_INT(o->is_signed, 1);
	CHECK_INT(o->n_offsets, 2);
	CHECK_INT(o->offsets[0], 16);
	CHECK_INT(o->offsets[1], -8);
	o = &p.carry.labels[1].operand;
	CHECK_INT(o->number, 2);
	CHECK_INT(o->is_return, 1);
	CHECK_INT(o->bytes, 4);
	CHECK_INT(o->is_signed, 0);
	o = &p.carry.labels[2].operand;
	CHECK_INT(o->number, 8);
	CHECK_INT(o->bytes, 1);
	o = &p.carry.labels[3].operand;
	CHECK_INT(o->kind, CARRY_GO_TEXT);
	CHECK_INT(o->text_bytes, 24);
	CHECK_INT(o->n_offsets, 1);
	CHECK_INT(o->offsets[0], 8);
}

/* Each label's words follow those of the one before: a text's are its size and the bytes. */
static void labels_follow_each_other_in_the_key(void)
{
	_cleanup_(probed_deinit) struct probed p;
	static const struct {
		int word, kind, text_bytes;
	} expected[] = {
		{0, CARRY_TEXT, 17}, /* 1 + 3 words */
		{4, CARRY_EXE, 0},   /* 2 */
		{6, CARRY_PID, 0},
		{7, CARRY_COMM, 16}, /* 1 + 2 */
		{10, CARRY_CGROUP, 0},
		{11, CARRY_NUMBER, 0},
	};

	probed_init(&p, "    labels:\n"
			"      table: {from: string arg2, size: 17}\n"
			"      team: payments\n"
			"      exe: {from: exe}\n"
			"      pid: {from: pid}\n"
			"      comm: {from: comm}\n"
			"      cgroup: {from: cgroup}\n"
			"      op: {from: u8 arg1}\n");
	CHECK_INT(p.carry.n_labels, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		CHECK_INT(p.carry.labels[i].word, expected[i].word);
		CHECK_INT(p.carry.labels[i].operand.kind, expected[i].kind);
		CHECK_INT(p.carry.labels[i].operand.text_bytes, expected[i].text_bytes);
	}
	CHECK_INT(p.carry.key_bytes, 8 * (2 + 12));
	CHECK(p.carry.has_entry_labels && !p.carry.has_return_labels && !p.carry.is_late);
}

/* The part that a number lies in, by the rule that the kernel's side follows. */
static unsigned part_of(const struct probed *p, size_t label, uint64_t number)
{
	const struct carry_label *l = &p->carry.labels[label];
	unsigned at = 0;

	if (l->first_part == CARRY_RAW)
		return CARRY_RAW;
	while (at < l->n_starts && p->carry.starts[l->first_start + at] <= number)
		at++;
	return p->carry.parts[l->first_part + at];
}

static void put_key(struct probed *p, struct label_key *key, size_t label, uint64_t number)
{
	unsigned part = part_of(p, label, number);

	key->tags[label] = part == CARRY_RAW ? KEY_NUMBER : KEY_PART;
	key->words[p->carry.labels[label].word] = part == CARRY_RAW ? number : part;
}

static const char *program_name(uint64_t device, uint64_t inode, void *data __attribute__((unused)))
{
	return device == 2049 && inode == 77 ? "/usr/bin/shop" : NULL;
}

static const char *cgroup_name(uint64_t id, void *data)
{
	return id == *(uint64_t *)data ? "/system.slice" : NULL;
}

/* The label's value; what lies behind a NUL is left to who asks for bytes. */
static void check_value(
	const struct probed *p, const struct label_key *key, size_t label, const char *expected)
{
	_cleanup_(buffer_deinit) struct buffer b = {};
	uint64_t known_cgroup = 5;
	const struct carry_names names = {program_name, cgroup_name, &known_cgroup};

	carry_put_label(&b, p->probe, &p->carry, label, key, &names);
	CHECK_STR(buffer_text(&b), expected);
}

static void check_number(struct probed *p, size_t label, uint64_t number, const char *expected)
{
	struct label_key key = {};

	put_key(p, &key, label, number);
	check_value(p, &key, label, expected);
}

static uint64_t ordered(int64_t number)
{
	return (uint64_t)number ^ 1ULL << 63;
}

/* Also where another label's partition comes before. */
static void partitions_give_each_number_its_text(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p,
		"    labels:\n"
		"      op: {from: u32 arg1, values: {0: get, 1: set, 9: get}, otherwise: other}\n"
		"      result: {from: s32 arg2, ranges: {'< 0': error, '0': empty, '> 0': ok}}\n"
		"      bare: {from: u16 arg3, values: {3: three}}\n");
	CHECK_INT(p.carry.labels[0].first_start, 0);
	CHECK_INT(p.carry.labels[1].first_start, p.carry.labels[0].n_starts);
	CHECK_INT(p.carry.labels[1].first_part, p.carry.labels[0].n_starts + 1);
	CHECK_INT(p.carry.labels[2].first_start,
		p.carry.labels[0].n_starts + p.carry.labels[1].n_starts);
	check_number(&p, 0, 0, "get");
	check_number(&p, 0, 1, "set");
	check_number(&p, 0, 2, "other");
	check_number(&p, 0, 8, "other");
	check_number(&p, 0, 9, "get");
	check_number(&p, 0, UINT32_MAX, "other");
	check_number(&p, 1, ordered(INT32_MIN), "error");
	check_number(&p, 1, ordered(-1), "error");
	check_number(&p, 1, ordered(0), "empty");
	check_number(&p, 1, ordered(1), "ok");
	check_number(&p, 1, ordered(INT32_MAX), "ok");
	check_number(&p, 2, 2, "2");
	check_number(&p, 2, 3, "three");
	check_number(&p, 2, 4, "4");
}

/* Or two series would have the same labels. */
static void numbers_with_the_same_text_have_one_key(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p, "    labels:\n"
			"      op: {from: u32 arg1, values: {0: get, 5: get}, otherwise: get}\n");
	CHECK_INT(p.carry.labels[0].n_starts, 0);
	for (uint64_t number = 0; number < 8; number++)
		CHECK_INT(part_of(&p, 0, number), 0);
	check_number(&p, 0, 7, "get");
}

static void numbers_read_as_their_type_says(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p, "    labels:\n"
			"      a: {from: s32 arg1}\n"
			"      b: {from: u64 arg2}\n"
			"      c: {from: bool arg3}\n"
			"      d: {from: ptr arg4}\n");
	check_number(&p, 0, ordered(-5), "-5");
	check_number(&p, 0, ordered(INT64_MIN), "-9223372036854775808");
	check_number(&p, 1, UINT64_MAX, "18446744073709551615");
	check_number(&p, 2, 0, "false");
	check_number(&p, 2, 1, "true");
	CHECK_INT(p.carry.labels[2].operand.kind, CARRY_TRUTH);
	check_number(&p, 3, 0xdeadbeef, "0xdeadbeef");
	check_number(&p, 3, 0, "0x0");
}

static void processes_are_named_where_they_are_known(void)
{
	_cleanup_(probed_deinit) struct probed p;
	struct label_key key = {.tags = {KEY_NUMBER, KEY_NUMBER, KEY_NUMBER}};

	probed_init(&p, "    labels: {a: {from: exe}, b: {from: cgroup}, c: {from: pid}}\n");
	key.words[0] = 2049;
	key.words[1] = 77;
	key.words[2] = 5;
	key.words[3] = 4711;
	check_value(&p, &key, 0, "/usr/bin/shop");
	check_value(&p, &key, 1, "/system.slice");
	check_value(&p, &key, 2, "4711");
	key.words[0] = 2050;
	key.words[2] = 6;
	check_value(&p, &key, 0, "unknown");
	check_value(&p, &key, 1, "unknown");
}

static void texts_are_as_the_program_had_them(void)
{
	static const char bytes[] = "a\0b\xff\"\n";
	_cleanup_(probed_deinit) struct probed p;
	_cleanup_(buffer_deinit) struct buffer b = {};
	const struct carry_names names = {program_name, cgroup_name, NULL};
	struct label_key key = {.tags = {KEY_TEXT}};

	probed_init(&p, "    labels: {a: {from: go_string arg1}}\n");
	key.words[0] = sizeof(bytes) - 1;
	memcpy(key.words + 1, bytes, sizeof(bytes) - 1);
	carry_put_label(&b, p.probe, &p.carry, 0, &key, &names);
	CHECK_INT(b.size, sizeof(bytes) - 1);
	CHECK(!memcmp(b.data, bytes, sizeof(bytes) - 1));
	key.words[0] = 0;
	check_value(&p, &key, 0, "");
	key.tags[0] = KEY_UNREADABLE;
	check_value(&p, &key, 0, "unreadable");
}

/* Words of the cell, in order: calls met, errors, those begun and ended, then values. */
static void words_of_the_cell_follow_each_other(void)
{
	_cleanup_(probed_deinit) struct probed p;
	const struct carry_value *v;

	probed_init(&p,
		"    metric: shop\n"
		"    errors: s32 return < 0\n"
		"    only: s64 return != 7\n"
		"    values:\n"
		"      - {metric: shop_bytes, from: u64 arg3, as: histogram, buckets: [64, 256, "
		"1024]}\n"
		"      - {metric: shop_items_total, from: s64 return, as: counter}\n"
		"      - {metric: shop_delta, from: s32 arg1, as: histogram, buckets: [-1, 0]}\n");
	CHECK(p.carry.is_used && p.carry.is_late);
	CHECK_INT(p.carry.key_bytes, 0);
	CHECK_INT(p.carry.hits_word, FIRST_WORD);
	CHECK_INT(p.carry.errors_word, FIRST_WORD + 1);
	CHECK_INT(p.carry.begun_word, FIRST_WORD + 2); /* and ended */
	v = p.carry.values;
	CHECK_INT(v[0].word, FIRST_WORD + 4); /* the sum and four buckets */
	CHECK_INT(v[0].n_bounds, 3);
	CHECK_INT(v[0].first_bound, 0);
	CHECK_INT(v[1].word, FIRST_WORD + 9);
	CHECK(v[1].is_counter && !v[0].is_counter);
	CHECK_INT(v[2].word, FIRST_WORD + 10);
	CHECK_INT(v[2].first_bound, 3);
	CHECK_INT(p.carry.bounds[2], 1024);
	CHECK(p.carry.bounds[3] == ordered(-1) && p.carry.bounds[4] == ordered(0));
	CHECK_INT(p.end, FIRST_WORD + 14);
	CHECK_INT(v[0].carried, 1);
	CHECK_INT(v[1].carried, 0); /* known at the return itself */
	CHECK_INT(v[2].carried, 2);
}

static void a_value_waits_only_for_what_it_needs(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p, "    metric: shop\n"
			"    values:\n"
			"      - {metric: shop_a_total, from: u64 arg1, as: counter}\n"
			"      - {metric: shop_b_total, from: u64 arg2, as: counter,\n"
			"         only: s64 return > 0}\n"
			"      - {metric: shop_c_total, from: u64 return, as: counter}\n");
	CHECK(!p.carry.is_late);
	CHECK_INT(p.carry.begun_word, 0);
	CHECK_INT(p.carry.errors_word, 0);
	CHECK(!p.carry.values[0].is_late && p.carry.values[1].is_late && p.carry.values[2].is_late);
	CHECK_INT(p.carry.values[0].carried, 0);
	CHECK_INT(p.carry.values[1].carried, 1);
	CHECK_INT(p.carry.values[2].carried, 0);
	CHECK_INT(p.carry.values[0].only.operand.kind, CARRY_NOTHING);
	CHECK_INT(p.carry.values[1].only.operand.is_return, 1);
}

static void a_label_of_the_return_is_late(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p, "    labels: {a: {from: u32 arg1}, b: {from: s32 return}}\n");
	CHECK(p.carry.is_late && p.carry.has_entry_labels && p.carry.has_return_labels);
	CHECK_INT(p.carry.begun_word, FIRST_WORD + 1);
	CHECK_INT(p.end, FIRST_WORD + 3);
}

/* As the kernel's side looks at them. */
static bool holds(const struct carry_condition *c, uint64_t number)
{
	return (number - c->low <= c->high - c->low) != c->is_outside;
}

static void conditions_keep_what_they_say(void)
{
	_cleanup_(probed_deinit) struct probed p;

	probed_init(&p, "    errors: s32 return < 0\n    only: u64 arg3 != 4096\n");
	CHECK_INT(p.carry.only.operand.number, 3);
	CHECK(holds(&p.carry.only, 4095) && !holds(&p.carry.only, 4096));
	CHECK(holds(&p.carry.only, 4097) && holds(&p.carry.only, 0));
	CHECK(holds(&p.carry.errors, ordered(-1)) && holds(&p.carry.errors, ordered(INT32_MIN)));
	CHECK(!holds(&p.carry.errors, ordered(0)) && !holds(&p.carry.errors, ordered(INT32_MAX)));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_probe_that_takes_nothing_uses_nothing),
		CHECK_TEST(operands_keep_all_that_was_written),
		CHECK_TEST(labels_follow_each_other_in_the_key),
		CHECK_TEST(partitions_give_each_number_its_text),
		CHECK_TEST(numbers_with_the_same_text_have_one_key),
		CHECK_TEST(numbers_read_as_their_type_says),
		CHECK_TEST(processes_are_named_where_they_are_known),
		CHECK_TEST(texts_are_as_the_program_had_them),
		CHECK_TEST(words_of_the_cell_follow_each_other),
		CHECK_TEST(a_value_waits_only_for_what_it_needs),
		CHECK_TEST(a_label_of_the_return_is_late),
		CHECK_TEST(conditions_keep_what_they_say),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
