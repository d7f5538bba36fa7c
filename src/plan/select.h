/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From patterns to functions: what the probes of one file select in it.
 *
 * A request is one pattern of one probe in one file; a selection is all requests of that probe.
 * All of it lives in a scratch arena for as long as a plan is being made.
 */
#pragma once

#include "plan/address.h"
#include "plan/forms.h"
#include "plan/hint.h"
#include "plan/matcher.h"
#include "plan/name.h"
#include "plan/plan.h"
#include "plan/points.h"
#include "plan/reason.h"
#include "plan/symbols.h"

struct request {
	struct selection *selection;
	const struct pattern *pattern;
	struct wanted_name wanted; /* of a plain name, and of a glob taken as one */
	struct matcher matcher;    /* of the others */
	struct symbols exact;      /* that the wanted name could mean */
	size_t met;                /* see plan/wanted.c */
	struct symbols matched;    /* by glob or regular expression */
	bool is_too_wide;          /* more than can be looked at have the name */
	bool matches_too_many;     /* or, unless it is a name, match the pattern */
	bool is_exact;             /* chosen is made from exact */
	unsigned fit;              /* then: how well the name fits those chosen */
	struct symbols chosen;     /* those that count: one per address, by address */
	struct hints hints;
	struct request *next_of_name;
};

/* Where a function is; for what is no code of the file (data, an import), what it is called. */
struct function_place {
	uint64_t address;
	const char *name;
};

/* Places of USDT points: one that is passed; or, where there are ends, all at which calls begin and
 * end. */
struct point_places {
	const struct point **starts, **ends;
	size_t n_starts, n_ends;
};

/* An address that a selection has, and what it is called there. */
struct function {
	struct function_place place;
	struct selection *selection;
	struct symbol symbol;
	struct readable readable;          /* of the symbol; {} in a list */
	const char *label;                 /* value of the label `function` */
	bool is_exact;                     /* a plain name led to it */
	bool is_changed_clone;             /* see plan_site */
	bool is_ambiguous;                 /* refused, which is told already */
	const char *refusal;               /* of what the symbol is; or NULL */
	const struct address *names;       /* NULL where the symbol is no code */
	const struct point_places *places; /* of USDT points: then it has no symbol; or NULL */
	UT_hash_handle hh;                 /* in the selection, by place */
};

struct selection {
	struct plan_probe *probe;
	struct reasons *reasons; /* the probe's */
	struct plan_rules rules;
	struct file *file;
	size_t target_index;
	struct request *requests;
	size_t n_requests;
	uint64_t code_read;         /* bytes of functions looked at */
	struct function *functions; /* uthash by place */
};

/* What one file can cost a plan. */
enum { SYMBOLS_OF_A_PLAN = 1 << 18 };

/* See plan/evidence.h. */
struct evidence {
	bool is_known;
	const char *why;
	const char *by_exits; /* the same, of functions that are timed by exits because of it */
	enum elf_stack_use use;
};

/* One target's file with all that is wanted of it. */
struct file {
	struct target *target;
	struct world *world; /* NULL where no process is looked at */
	struct elf_file *elf;
	struct error error; /* why elf is NULL, or why it could not be read to the end */
	struct selection **selections;
	size_t n_selections;
	size_t most_symbols;       /* that are kept: the patterns share them */
	bool has_local_names;      /* false of a stripped file */
	bool is_listed;            /* all that can be named is to be shown */
	const char *debug_trouble; /* why a debug file that there is isn't used; or NULL */
	bool debug_is_foreign;     /* the one that is used is in a process's view */
	struct forms forms;        /* scratch */
	struct arena *arena;       /* the scratch one */
	struct arena *kept;        /* for what its sites say of it */
	struct addresses addresses;
	bool has_points; /* they were read */
	struct points points;
	struct evidence evidence;
	size_t names_read; /* for what functions that only jump lead to */
	UT_hash_handle hh; /* by target */
};

/* Notes what a probe wants of f, which is the target_index-th of its targets. */
struct selection *file_add_selection(
	struct file *f, struct plan_probe *p, struct reasons *reasons, size_t target_index);

/* Read when they are first asked for. */
const struct points *file_points(struct file *f);

/* Fills the selections' functions, and tells the reasons of what selects nothing. */
void file_select(struct file *f);

void file_deinit(struct file *f);
