// SPDX-License-Identifier: Apache-2.0
/*
 * Label sets as programs could have left them: any bytes as texts, any numbers, any tags that the
 * kernel's side writes. What comes out must be lines of the text format, in valid UTF-8, with no
 * label set twice and no call lost.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "metric/metrics.h"
#include "test/unit/by_hand.h"

enum { MOST_SETS = 32, TEXT_BYTES = 16, MOST_LINES = 2 * MOST_SETS };

static const char yaml[] = "probes:\n"
			   "  - binary: /b\n"
			   "    function: f\n"
			   "    metric: m\n"
			   "    measure: [calls]\n"
			   "    labels:\n"
			   "      t: {from: string arg1, size: 16}\n"
			   "      s: {from: s32 arg2, values: {0: zero}}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char family[] = "m_calls_total{";

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* Fills a key from n bytes: what tags, a number, a text. Returns how many were used. */
static size_t fill(struct label_key *key, const struct carry *c, const uint8_t *data, size_t n)
{
	size_t size = n > 2 ? n - 2 : 0;
	__u64 *text = &key->words[c->labels[0].word];

	if (size > TEXT_BYTES)
		size = TEXT_BYTES;
	if (size > data[0] % (TEXT_BYTES + 1u))
		size = data[0] % (TEXT_BYTES + 1u);
	key->tags[0] = data[0] & 0x80 ? KEY_UNREADABLE : KEY_TEXT;
	key->tags[1] = n > 1 && data[1] & 1 ? KEY_NUMBER : KEY_PART;
	key->words[c->labels[1].word] = key->tags[1] == KEY_NUMBER ? (n > 1 ? data[1] : 0) : 1;
	text[0] = size;
	memcpy(text + 1, data + (n > 2 ? 2 : 0), size);
	return 2 + size;
}

/* From behind a value's opening quote to behind the closing one. */
static const char *pass_value(const char *at)
{
	while (*at != '"') {
		size_t n = utf8_sequence_size(at);

		require(n && *at != '\n' && (*at != '\\' || strchr("\\\"n", at[1])));
		at += *at == '\\' ? 2 : n;
	}
	return at + 1;
}

static const char *pass_sample(const char *at)
{
	at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
	while (*at == '{' || *at == ',') {
		at++;
		at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
		require(!strncmp(at, "=\"", 2));
		at = pass_value(at + 2);
	}
	at += *at == '}';
	require(*at++ == ' ');
	at += strspn(at, "0123456789.e+-");
	require(*at == '\n');
	return at + 1;
}

/* Checks every line, and adds up the calls. */
static uint64_t check(char *text)
{
	const char *labels[MOST_LINES];
	uint64_t calls = 0;
	size_t n = 0;

	for (char *line = text, *next; *line; line = next) {
		next = *line == '#' ? strchr(line, '\n') + 1 : (char *)pass_sample(line);
		if (strncmp(line, family, strlen(family)) != 0)
			continue;
		next[-1] = '\0';
		calls += strtoull(strrchr(line, ' ') + 1, NULL, 10);
		*strrchr(line, ' ') = '\0';
		for (size_t i = 0; i < n; i++)
			require(strcmp(labels[i], line) != 0);
		require(n < MOST_LINES);
		labels[n++] = line;
	}
	return calls;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct self_reading self = {.version = "0"};
	static struct config *config;
	static struct carry carry;
	_cleanup_(by_hand_deinit) struct by_hand h;
	_cleanup_(metrics_freep) struct metrics *m = NULL;
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct series_reading *readings;
	struct error e = {};
	uint64_t calls = 0;
	size_t n = 0;

	if (!config && config_parse(&config, "fuzz", yaml, strlen(yaml), &e))
		abort();
	carry_init(&carry, config->probes, 0);
	by_hand_init(&h, 1);
	by_hand_probe(&h, 0, config->probes, MOST_SETS, 0);
	by_hand_series(&h, 0, 0, "/b", "f", NULL);
	h.plan.probes[0].n_series = 1;
	readings = h.snapshot.probes[0].series;
	for (size_t at = 0; at < size && n < MOST_SETS; n++) {
		struct label_key *key = arena_alloc(h.arena, sizeof(*key));

		at += fill(key, &carry, data + at, size - at);
		readings[n] = (struct series_reading){
			.series = h.plan.probes[0].series[0], .key = key, .calls = n + 1};
		calls += n + 1;
	}
	h.snapshot.probes[0].n_series = n;
	metrics_new(&m, &h.plan, NULL);
	metrics_render_text(m, &h.snapshot, &self, &text);
	require(check(text.data) == calls);
	return 0;
}
