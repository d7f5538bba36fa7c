// SPDX-License-Identifier: Apache-2.0
/*
 * Series of labels that calls bring along: what keys read as, and that no text, however hostile,
 * spoils an exposition. The readings are made by hand, as the kernel's side would leave them.
 */
#include "metric/metrics.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "by_hand.h"
#include "check.h"
#include "plan/carry.h"

enum { N_HOSTILE = 1000, TEXT_BYTES = 16, MOST_LINES = 4096 };

static const char head[] =
	"probes:\n  - binary: /b\n    function: f\n    metric: m\n    measure: [calls]\n";

/* A probe whose calls carry something, and the readings of its one series. */
struct carried {
	struct config *config;
	struct by_hand by_hand;
	struct carry carry;
	struct plan_series *series;
	struct series_reading *readings;
	size_t n;
	struct buffer text;
};

static void carried_init(struct carried *c, const char *lines, size_t most)
{
	_cleanup_(buffer_deinit) struct buffer yaml = {};
	_cleanup_(error_deinit) struct error e = {};
	struct plan_probe *p;

	*c = (struct carried){};
	buffer_printf(&yaml, "%s%s", head, lines);
	CHECK_INT(config_parse(&c->config, "test", yaml.data, yaml.size, &e), 0);
	by_hand_init(&c->by_hand, 1);
	by_hand_probe(&c->by_hand, 0, c->config->probes, most, 0);
	by_hand_series(&c->by_hand, 0, 0, "/b", "f", NULL);
	p = &c->by_hand.plan.probes[0];
	p->n_series = 1;
	c->series = p->series[0];
	c->readings = c->by_hand.snapshot.probes[0].series;
	carry_init(&c->carry, c->config->probes, 0);
}

static void carried_deinit(struct carried *c)
{
	by_hand_deinit(&c->by_hand);
	config_free(c->config);
	buffer_deinit(&c->text);
}

/* Another reading, with an empty key. */
static struct series_reading *add(struct carried *c, uint64_t calls)
{
	struct label_key *key = arena_alloc(c->by_hand.arena, sizeof(*key));
	struct series_reading *r = &c->readings[c->n++];

	*r = (struct series_reading){.series = c->series, .key = key, .calls = calls};
	c->by_hand.snapshot.probes[0].n_series = c->n;
	return r;
}

static void set_number(const struct carried *c, const struct series_reading *r, size_t label,
	enum key_tag tag, uint64_t number)
{
	struct label_key *key = (struct label_key *)r->key;

	key->tags[label] = (uint8_t)tag;
	key->words[c->carry.labels[label].word] = number;
}

static void set_text(const struct carried *c, const struct series_reading *r, size_t label,
	const char *bytes, size_t n)
{
	set_number(c, r, label, KEY_TEXT, n);
	memcpy((char *)&r->key->words[c->carry.labels[label].word + 1], bytes, n);
}

static void render(struct carried *c)
{
	static const struct self_reading self = {.version = "0"};
	_cleanup_(metrics_freep) struct metrics *m = NULL;

	buffer_clear(&c->text);
	metrics_new(&m, &c->by_hand.plan, NULL);
	metrics_render_text(m, &c->by_hand.snapshot, &self, &c->text);
}

static bool has_line(struct carried *c, const char *labels, uint64_t calls)
{
	_cleanup_(buffer_deinit) struct buffer line = {};

	buffer_printf(&line,
		"\nm_calls_total{probe=\"b:f\",binary=\"/b\",function=\"f\",%s} %" PRIu64 "\n",
		labels, calls);
	return strstr(buffer_text(&c->text), buffer_text(&line));
}

static void numbers_read_as_their_types_say(void)
{
	static const char lines[] =
		"    labels: {s: {from: s32 arg1}, u: {from: u64 arg2}, b: {from: bool arg3}, "
		"p: {from: ptr arg4}, n: {from: s8 arg5, values: {0: zero}, otherwise: more}}\n";
	_cleanup_(carried_deinit) struct carried c;
	struct series_reading *r;

	carried_init(&c, lines, 2);
	r = add(&c, 3);
	set_number(&c, r, 0, KEY_NUMBER, operand_order(true, (uint64_t)-5));
	set_number(&c, r, 1, KEY_NUMBER, UINT64_MAX);
	set_number(&c, r, 2, KEY_NUMBER, 1);
	set_number(&c, r, 3, KEY_NUMBER, 0xabc);
	set_number(&c, r, 4, KEY_PART, 1);
	r = add(&c, 4);
	for (size_t i = 0; i < 5; i++)
		set_number(&c, r, i, KEY_UNREADABLE, 0);
	render(&c);
	CHECK(has_line(
		&c, "s=\"-5\",u=\"18446744073709551615\",b=\"true\",p=\"0xabc\",n=\"zero\"", 3));
	CHECK(has_line(&c,
		"s=\"unreadable\",u=\"unreadable\",b=\"unreadable\",p=\"unreadable\","
		"n=\"unreadable\"",
		4));
}

static void what_reads_the_same_is_one_series(void)
{
	_cleanup_(carried_deinit) struct carried c;

	carried_init(&c, "    labels: {t: {from: string arg1, size: 16}}\n", 6);
	set_text(&c, add(&c, 1), 0, "\xff", 1);
	set_text(&c, add(&c, 2), 0, "\\xff", 4);
	set_text(&c, add(&c, 4), 0, "other", 5);
	set_text(&c, add(&c, 0), 0, "nobody has called", 16);
	add(&c, 8)->key = NULL; /* past the limit */
	render(&c);
	CHECK(has_line(&c, "t=\"\\\\xff\"", 3));
	CHECK(has_line(&c, "t=\"other\"", 12));
	CHECK(!strstr(buffer_text(&c.text), "nobody"));
}

static void a_cut_character_is_left_out(void)
{
	_cleanup_(carried_deinit) struct carried c;

	carried_init(&c, "    labels: {t: {from: string arg1, size: 4}}\n", 4);
	set_text(&c, add(&c, 1), 0, "abc\xc3", 4);
	set_text(&c, add(&c, 2), 0, "a\xf0\x9f\x98", 4);
	set_text(&c, add(&c, 3), 0, "a\xc3", 2); /* not cut: it ended so */
	set_text(&c, add(&c, 4), 0, "a\0b", 3);
	render(&c);
	CHECK(has_line(&c, "t=\"abc\"", 1));
	CHECK(has_line(&c, "t=\"a\"", 2));
	CHECK(has_line(&c, "t=\"a\\\\xc3\"", 3));
	CHECK(has_line(&c, "t=\"a\\\\x00b\"", 4));
}

static void values_have_whole_bounds_and_signs(void)
{
	static const uint64_t buckets[] = {1, 2, 3};
	const struct value_reading values[] = {{(uint64_t)-7, 6, buckets}, {12, 0, NULL}};
	_cleanup_(carried_deinit) struct carried c;
	struct series_reading *r;

	carried_init(&c,
		"    values:\n"
		"      - {metric: m_v, from: s32 return, as: histogram, buckets: [-10, 10]}\n"
		"      - {metric: m_b_total, from: u64 arg1, as: counter}\n",
		1);
	r = add(&c, 6);
	r->key = NULL;
	r->values = values;
	render(&c);
	CHECK(strstr(buffer_text(&c.text), "le=\"-10\"} 1\n"));
	CHECK(strstr(buffer_text(&c.text), "le=\"10\"} 3\n"));
	CHECK(strstr(buffer_text(&c.text), "le=\"+Inf\"} 6\n"));
	CHECK(strstr(buffer_text(&c.text), "function=\"f\"} -7\n"));
	CHECK(strstr(buffer_text(&c.text),
		"m_b_total{probe=\"b:f\",binary=\"/b\",function=\"f\"} 12\n"));
}

/* Takes a label's value, from behind its opening quote to behind the closing one. */
static const char *pass_value(const char *at)
{
	while (*at != '"') {
		size_t n = utf8_sequence_size(at);

		if (!n || *at == '\n')
			return NULL;
		if (*at == '\\' && !strchr("\\\"n", at[1]))
			return NULL;
		at += *at == '\\' ? 2 : n;
	}
	return at + 1;
}

/* Passes one line of a sample; NULL where it is none. */
static const char *pass_sample(const char *at)
{
	at += strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
	if (*at == '{') {
		do {
			at++;
			at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
			if (strncmp(at, "=\"", 2) != 0 || !(at = pass_value(at + 2)))
				return NULL;
		} while (*at == ',');
		if (*at++ != '}')
			return NULL;
	}
	if (*at++ != ' ')
		return NULL;
	at += strspn(at, "0123456789.e+-Inf");
	return *at == '\n' ? at + 1 : NULL;
}

/* Whether all is well-formed; the calls of the probe are added up. */
static bool is_well_formed(const char *text, uint64_t *calls)
{
	static const char family[] = "m_calls_total{";
	const char *next;

	for (*calls = 0; *text; text = next) {
		next = *text == '#' ? strchr(text, '\n') + 1 : pass_sample(text);
		if (!next)
			return false;
		if (!strncmp(text, family, strlen(family)))
			for (const char *digit = next - 2; *digit != ' '; digit--)
				if (digit[-1] == ' ')
					*calls += strtoull(digit, NULL, 10);
	}
	return true;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether two lines of calls have the same labels. Changes text. */
static bool has_duplicates(char *text)
{
	static char *lines[MOST_LINES];
	size_t n = 0;

	for (char *line = strtok(text, "\n"); line && n < MOST_LINES; line = strtok(NULL, "\n")) {
		if (strncmp(line, "m_calls_total{", 14) != 0)
			continue;
		*strrchr(line, ' ') = '\0';
		lines[n++] = line;
	}
	qsort(lines, n, sizeof(*lines), compare_lines);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(lines[i - 1], lines[i]))
			return true;
	return !n;
}

static uint64_t random_number(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 33;
}

/* Bytes that have spoilt somebody's text before, and few enough that texts meet. */
static void random_text(char *out, size_t n)
{
	static const char bytes[] = "a\"\\\n\r\0,}{=#\x7f\x80\xbf\xc0\xc3\xa9\xe2\x82\xac\xed\xa0"
				    "\xf0\x9f\x98\x80\xf4\xff";

	for (size_t i = 0; i < n; i++)
		out[i] = bytes[random_number() % (sizeof(bytes) - 1)];
}

static void no_text_spoils_an_exposition(void)
{
	_cleanup_(carried_deinit) struct carried c;
	uint64_t expected = 0, calls;

	carried_init(&c, "    labels: {t: {from: string arg1, size: 16}}\n", N_HOSTILE);
	for (size_t i = 0; i < N_HOSTILE; i++) {
		char text[TEXT_BYTES];
		size_t n = random_number() % (TEXT_BYTES + 1);

		random_text(text, n);
		set_text(&c, add(&c, i + 1), 0, text, n);
		expected += i + 1;
	}
	render(&c);
	CHECK(is_well_formed(buffer_text(&c.text), &calls));
	CHECK_INT(calls, expected);
	CHECK(!has_duplicates(c.text.data));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(numbers_read_as_their_types_say),
		CHECK_TEST(what_reads_the_same_is_one_series),
		CHECK_TEST(a_cut_character_is_left_out),
		CHECK_TEST(values_have_whole_bounds_and_signs),
		CHECK_TEST(no_text_spoils_an_exposition),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
