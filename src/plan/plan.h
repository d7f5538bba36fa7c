/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan: which sites are to exist, and why others are not. A value: plan_resolve() reads files
 * and /proc and changes nothing, so that `plan` and tests need no privilege. trace applies it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "bpf/usdt.h"
#include "code/code.h"
#include "config/config.h"
#include "target/world.h"

enum exit_kind { EXIT_BY_NONE, EXIT_BY_URETPROBE, EXIT_BY_EXITS, N_EXIT_KINDS };

/* Whose the calls under way are, where their ends are seen by EXIT_BY_EXITS. */
enum calls_of {
	CALLS_OF_THREADS,
	CALLS_OF_STACKS,     /* any thread may go on with any of them */
	CALLS_OF_GOROUTINES, /* whose stacks besides are moved */
	CALLS_OF_POINTS, /* threads, told apart by nothing else: begun and ended by USDT points */
	N_CALLS_OF
};

/* Where the compiler has put a copy of a function in place of a call, which no probe sees then. */
struct plan_inlined {
	bool is_known; /* false: nothing tells, or it isn't read yet */
	uint32_t n_places;
	const char *callers; /* the first few functions that these are in; or NULL */
};

/* One series of a probe: the identity that a slot belongs to. Sites of several files share it
 * where probe, binary and function are the same. */
struct plan_series {
	const struct plan_probe *probe;
	const char *binary;   /* label value */
	const char *function; /* label value */
	/* Equal for equal series of different plans, whatever else has changed; it holds the
	 * probe's name and labels, binary, function and the histogram's bounds. */
	const char *identity;
	unsigned measures;  /* the probe's, less what its sites' exits can't give */
	size_t n_functions; /* in files, not refused: it counts the calls of all */
	/* Of all functions of its sites; is_known only if it is of each of them. */
	struct plan_inlined inlined;
};

/* An instruction at which a call ends, and where a site is to sit. */
struct plan_exit {
	uint64_t offset; /* in the file */
	uint8_t bytes[16];
	uint8_t n_bytes;
	enum cost_class cost;
	uint64_t semaphore; /* see struct plan_site */
	bool is_start;      /* of USDT points: no exit, but another place where calls begin */
	const struct usdt_place
		*place;      /* of USDT points: where arguments are; NULL: none is read */
	bool is_jump;        /* to another function, which returns in the place of this one */
	uint64_t target;     /* where to, in the file's addresses; 0: a pointer names it */
	bool is_conditional; /* the call ends only where condition holds, see code/function.h */
	uint8_t condition;
};

/* What a site is that is no function's. */
struct plan_point {
	const char *arguments;          /* in the assembler's words; or NULL */
	const struct usdt_place *place; /* see struct plan_exit; of the first of its places */
	bool is_guarded;                /* by a semaphore */
	bool is_nested; /* where calls begin and end at points: they may within each other */
};

/* A function in a file: where the site at its entry is to sit, and those at its exits. Or a USDT
 * point: with EXIT_BY_NONE one place at which it is passed; with EXIT_BY_EXITS all places at which
 * calls begin and end, which are attached together or not at all. */
struct plan_site {
	struct plan_probe *probe;
	struct plan_series *series; /* NULL when refused */
	struct target *target;
	/* Equal for equal sites of different plans (see plan_difference); NULL when refused. */
	const char *key;
	const struct plan_point *point; /* NULL: a function's site */
	const char *name;               /* for people, as nm -C shows it; with @version */
	const char *symbol;             /* as in the file, with @version where it has one */
	const char *aliases;            /* other names of the same address, "a, b"; or NULL */
	struct plan_inlined inlined;
	const char *name_origin; /* where the name is from, if not from the file; or NULL */
	/* A copy that the compiler made, which may take other arguments than the function whose
	 * name it was found by. */
	bool is_changed_clone;
	bool is_go;                     /* called by Go's own convention */
	uint64_t address, offset, size; /* of the function */
	/* Where in the file 16 bits lie that must be counted up for as long as the site exists, so
	 * that the program comes there (a USDT point's semaphore); 0: nowhere. */
	uint64_t semaphore;
	uint8_t behind;      /* how far the site lies behind its first byte */
	uint32_t depth;      /* and the stack pointer there below that at the entry */
	bool is_conditional; /* a call goes by where condition holds, another way round */
	uint8_t condition;   /* in the instruction set's code */
	uint8_t bytes[16];   /* the file's there; compared again just before attaching */
	uint8_t n_bytes;
	enum cost_class cost;
	const char *cost_reason; /* why it lies on no cheap instruction; or NULL. Static */
	enum exit_kind exit;
	enum calls_of calls_of;
	struct plan_exit *exits; /* EXIT_BY_EXITS */
	size_t n_exits;
	/* Why exit is not uretprobe although the probe asks for the end of calls; or NULL. */
	const char *exit_reason;
	const char *warning; /* what a person should know who insisted on it; or NULL */
	const char *refusal; /* why the site must not exist; NULL: to be attached */
};

/* How many sites the function takes: one at its entry, and one at each exit. */
static inline size_t plan_site_count(const struct plan_site *s)
{
	return 1 + s->n_exits;
}

enum plan_state {
	PLAN_READY,   /* every selected function has a site, in every file */
	PLAN_PARTLY,  /* some have not: refused, or not found */
	PLAN_WAITING, /* no file yet, or it is being written; looked for again */
	PLAN_REFUSED, /* nothing to attach: see reason */
};

struct plan_probe {
	const struct probe *config;
	enum plan_state state;
	/* One or more lines for people: why it is not ready; when PLAN_READY, what is worth knowing
	 * (calls whose ends are not seen, clones that the compiler made); or NULL. */
	const char *reason;
	struct target **targets;
	size_t n_targets;
	struct plan_site **sites; /* by target, then address */
	size_t n_sites;
	size_t n_refused; /* of sites; and, without a site each, what max_series left out */
	struct plan_series **series; /* sorted by binary, function */
	size_t n_series;
};

/* Facts about the kernel that decide about sites. {} is what holds on any: nothing is allowed that
 * some kernel gets wrong. */
struct plan_rules {
	bool allows_nop5;       /* a site on a 5-byte nop was seen to do no harm */
	bool allows_uretprobes; /* a return probe does none to a process with a seccomp filter */
};

/* Holds a reference on every target; borrows config, which must outlive it. */
struct plan {
	struct arena *arena;
	const struct config *config;
	struct plan_rules rules;
	struct plan_probe *probes; /* one for each of config's, in its order */
	size_t n_probes;
	struct target **targets;
	size_t n_targets;
	size_t n_series;
};

const char *plan_state_name(enum plan_state s); /* ready partly waiting refused */
const char *exit_kind_name(enum exit_kind e);   /* none uretprobe exits */

/* One probe's trouble is in its reason and stops no other; the result is negative only when no
 * plan could be made at all. */
int plan_resolve(struct plan **out, const struct config *config, const struct plan_rules *rules,
	struct world *world, struct error *e);
void plan_free(struct plan *p);
DEFINE_CLEANUP(plan_free, struct plan *)

/* Whether something has become known of the plan's files since it was made, so that a new plan
 * would tell more; and the same after a wait of at most so long, for what isn't known by then is
 * given up. */
bool plan_has_news(const struct plan *p);
bool plan_await_news(const struct plan *p, int timeout_ms);

/* A value that changes whenever world_find() would give another set of files for config: whether
 * a new plan is worth making. */
uint64_t plan_fingerprint(const struct config *config, struct world *world);

/* Sites of the old plan that must go and of the new that must come; what is in neither stays
 * untouched. Two sites are the same when file, offset, exit, series identity and measures are.
 * old may be NULL. The arrays are the caller's; elements are borrowed from the plans. */
struct plan_difference {
	struct plan_site **removed, **added;
	size_t n_removed, n_added;
};
void plan_difference_init(
	struct plan_difference *d, const struct plan *old, const struct plan *new);
void plan_difference_deinit(struct plan_difference *d);
