/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration as structs. Everything lives in one arena: immutable after load, freed at
 * once. A reload builds a new one.
 */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Histogram bounds a probe may have; +Inf is not counted. The BPF side's limit is the same. */
enum { CONFIG_MAX_BOUNDS = 128 };

struct label {
	const char *name;
	const char *value;
};

struct labels {
	struct label *items;
	size_t n;
};

enum pattern_kind { PATTERN_NAME, PATTERN_GLOB, PATTERN_REGEX };

/* How a function is named. A text with any of *?[ is a glob, /text/ an extended regular
 * expression that may match anywhere, all else a plain name. A glob's own text is also tried as
 * a plain name, and wins: C++ and Go names contain those characters. */
struct pattern {
	enum pattern_kind kind;
	const char *text; /* as written, without the slashes of a regex */
	regex_t *regex;   /* PATTERN_REGEX alone */
};

/* Whether p selects name, by its kind alone (a glob does not match its own text here unless the
 * glob says so; see pattern_is_exactly). */
bool pattern_matches(const struct pattern *p, const char *name);
bool pattern_is_exactly(const struct pattern *p, const char *name);

struct patterns {
	struct pattern *items;
	size_t n;
};

/* USDT points, each PROVIDER:NAME: either those whose passes are counted, or (plain names alone)
 * those at which a thread begins a call and those at which it ends. */
struct usdt {
	struct patterns points;
	struct patterns starts, ends;
	bool is_nested; /* a call may begin while another is open in its thread */
};

/* Inclusive upper bounds in ns, strictly ascending; +Inf is implied. */
struct bounds {
	uint64_t *ns;
	size_t n;
};

enum match { MATCH_DEFAULT, MATCH_ONE, MATCH_ALL };
enum exit_choice { EXIT_AUTO, EXIT_URETPROBE, EXIT_EXITS, EXIT_NONE };
enum { MEASURE_CALLS = 1, MEASURE_DURATION = 2, MEASURE_IN_FLIGHT = 4 };

/* One entry of `probes`. No pointer is NULL but help and metric. */
struct probe {
	const char *name;   /* unique; made from binary and function where not given */
	const char *metric; /* prefix of the family names, or NULL: uprobe_function */
	const char *help;   /* or NULL */
	const char *binary; /* absolute path */
	struct patterns functions, exclude;
	struct usdt usdt; /* of a probe without functions */
	enum match match;
	unsigned measures; /* MEASURE_*; MEASURE_CALLS is always in it */
	struct bounds bounds;
	enum exit_choice exit;
	bool is_unsafe;       /* EXIT_URETPROBE even where it may crash the program */
	struct labels labels; /* global ones first, then the probe's own */
	unsigned line;        /* where the entry starts, for messages */
};

/* CPU cores that the calls of probes may cost before they are shed. INFINITY: any. */
struct overhead {
	double per_probe, total;
};

struct config {
	struct arena *arena;
	const char *file; /* name for messages */
	struct labels labels;
	struct bounds bounds;
	uint32_t max_series;
	struct overhead overhead;
	struct probe *probes;
	size_t n_probes;
};

/* Reads and checks a file. On failure e holds every error found (at most 20), each as
 *     FILE:LINE:COLUMN: what is wrong
 *         the line of the file
 *         ^ below the first character of the offending key or value
 * -EINVAL for bad content, else what opening or reading gave. */
int config_load(struct config **out, const char *path, struct error *e);

/* The same for text in memory; name stands in messages for the file's. */
int config_parse(
	struct config **out, const char *name, const char *text, size_t n, struct error *e);

/* The configuration of one probe without a file: those functions of binary that pattern (written as
 * in a file) selects, all that have the name, called and timed. name stands in messages for the
 * file's. */
int config_of_functions(struct config **out, const char *name, const char *binary,
	const char *pattern, struct error *e);

/* The same of its USDT points. */
int config_of_points(struct config **out, const char *name, const char *binary, const char *pattern,
	struct error *e);

void config_free(struct config *c);
DEFINE_CLEANUP(config_free, struct config *)
