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

/* What a probe may have at most. The BPF side's limits are the same. */
enum {
	CONFIG_MAX_BOUNDS = 128,    /* of a histogram; +Inf is not counted */
	CONFIG_MAX_OFFSETS = 4,     /* of an operand */
	CONFIG_MAX_ARGUMENTS = 8,   /* and the results of a Go function */
	CONFIG_MAX_STRING = 128,    /* bytes of a string label */
	CONFIG_STRING_DEFAULT = 64, /* where `size` isn't given */
	CONFIG_MAX_DYNAMIC = 8,     /* labels that calls tell apart */
	CONFIG_MAX_KEY_WORDS = 62,  /* of 8 bytes, that they take together */
	CONFIG_MAX_STARTS = 256,    /* all partitions of a probe together */
	CONFIG_MAX_VALUES = 4,
	CONFIG_MAX_VALUE_BOUNDS = 256, /* all of a probe's values together */
	CONFIG_MAX_CARRIED = 2, /* numbers known at the entry that are needed at the return */
};

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

enum operand_type {
	OPERAND_S8,
	OPERAND_U8,
	OPERAND_S16,
	OPERAND_U16,
	OPERAND_S32,
	OPERAND_U32,
	OPERAND_S64,
	OPERAND_U64,
	OPERAND_BOOL,      /* one byte: 0 or not */
	OPERAND_PTR,       /* 64 bits */
	OPERAND_STRING,    /* the address of bytes that end with a NUL */
	OPERAND_GO_STRING, /* two words: the address of bytes, and how many */
	N_OPERAND_TYPES
};

/* Something that a call carries: a register's content, or what lies where it points. Each offset
 * follows a pointer: with none the operand is the register itself. */
struct operand {
	enum operand_type type;
	bool is_return; /* known when the call returns; else when it begins */
	uint8_t number; /* which argument or result, from 1. Of Go functions: which word of them */
	uint8_t n_offsets;
	int32_t offsets[CONFIG_MAX_OFFSETS];
	const char *text; /* TYPE SOURCE[OFFSET]... */
};

bool operand_is_signed(enum operand_type t);
bool operand_is_text(enum operand_type t); /* OPERAND_STRING, OPERAND_GO_STRING */

/* Numbers of all types compare as unsigned ones in this form: 64 bits, sign-extended, and with the
 * sign bit of signed types turned over. Doing it again undoes it. */
static inline uint64_t operand_order(bool is_signed, uint64_t bits)
{
	return is_signed ? bits ^ 1ULL << 63 : bits;
}

/* Holds where the operand's number, in order, lies in low .. high (both included), or does not. */
struct condition {
	struct operand operand;
	uint64_t low, high;
	bool is_outside;
	const char *text; /* OPERAND COMPARISON NUMBER */
};

/* A division of all numbers in order: part i ends before starts[i], the last has no end. Those of a
 * part have a label value in common, or (NULL) each its own. */
struct partition {
	uint64_t *starts;   /* strictly ascending, none 0 */
	const char **texts; /* n_starts + 1 */
	size_t n_starts;
};

enum label_source {
	LABEL_OPERAND,
	LABEL_PID,
	LABEL_COMM,
	LABEL_EXE,
	LABEL_CGROUP,
	N_LABEL_SOURCES
};

/* A label whose value each call brings along. */
struct dynamic_label {
	const char *name;
	enum label_source source;
	struct operand operand;     /* LABEL_OPERAND */
	uint32_t size;              /* of text: the most bytes that are kept of it */
	struct partition partition; /* of numbers; without texts: each is its own value */
};

struct dynamic_labels {
	struct dynamic_label *items;
	size_t n;
};

enum value_form { VALUE_HISTOGRAM, VALUE_COUNTER };

/* A number that calls carry, added up in a family of its own. */
struct value {
	const char *metric; /* the family's whole name */
	const char *help;   /* or NULL */
	struct operand from;
	struct condition *only; /* or NULL */
	enum value_form form;
	uint64_t *bounds; /* VALUE_HISTOGRAM: inclusive, ascending, in order */
	size_t n_bounds;
};

struct values {
	struct value *items;
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
	bool has_native_histograms;
	enum exit_choice exit;
	bool is_unsafe;       /* EXIT_URETPROBE even where it may crash the program */
	struct labels labels; /* constant ones: global ones first, then the probe's own */
	struct dynamic_labels dynamic;
	struct condition *only, *errors; /* or NULL */
	struct values values;
	uint32_t max_series; /* of label sets of dynamic labels, over all its functions */
	unsigned line;       /* where the entry starts, for messages */
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
	bool has_native_histograms;
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

/* Whether some probe's labels tell processes apart, or what they run and belong to. */
bool config_names_processes(const struct config *c);

void config_free(struct config *c);
DEFINE_CLEANUP(config_free, struct config *)
