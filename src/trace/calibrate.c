// SPDX-License-Identifier: Apache-2.0
/*
 * Every class of site sits on a function of its own, which is called before and while it is probed;
 * the difference is the cost. The best of many small batches counts: what disturbs a batch makes it
 * longer, never shorter. All is attached at once and goes at once, because the kernel lets many
 * links go in the time of one.
 */
#include "trace/calibrate.h"

#include "base/clock.h"
#include "base/memory.h"
#include "trace/selftest.h"
#include "trace/specimen.h"

enum { BATCHES = 16, CALLS = 50 };

/* The slots of the bank that times. */
enum { SLOT_WATCHED, SLOT_LEFT, N_SLOTS };

struct calibration {
	struct bank *counting, *timing;
	struct link_set links;
	double hit_ns[N_COST_CLASSES], call_ns[N_EXIT_KINDS], floor_ns[N_EXIT_KINDS];
};

static void calibration_deinit(struct calibration *c)
{
	link_detach(&c->links, NULL);
	bank_free(c->counting);
	bank_free(c->timing);
}

static double time_batch(const struct specimen *s)
{
	uint64_t start_ns = clock_ns();

	for (int i = 0; i < CALLS; i++)
		s->function();
	return (double)(clock_ns() - start_ns) / CALLS;
}

static double best(double a, double b)
{
	return a == 0 || b < a ? b : a;
}

static double time_calls(const struct specimen *s)
{
	double ns = 0;

	for (int i = 0; s->function && i < BATCHES; i++)
		ns = best(ns, time_batch(s));
	return ns;
}

static uint64_t measured_ns(const struct bank *b, uint32_t slot)
{
	uint64_t sum = 0;

	for (uint32_t shard = 0; shard < b->n_shards; shard++)
		sum += __atomic_load_n(&bank_cell(b, slot, shard)[CELL_SUM_NS], __ATOMIC_ACQUIRE);
	return sum;
}

/* As time_calls(), with the duration that the probe measures in *floor_ns. */
static double time_timed(
	const struct specimen *s, const struct bank *b, uint32_t slot, double *floor)
{
	double ns = 0;

	for (int i = 0; i < BATCHES; i++) {
		uint64_t before_ns = measured_ns(b, slot);

		ns = best(ns, time_batch(s));
		*floor = best(*floor, (double)(measured_ns(b, slot) - before_ns) / CALLS);
	}
	return ns;
}

/* Attaches the addresses to slots and keeps the links. */
static int attach(struct calibration *c, const struct link_programs *programs,
	const char *const *addresses, const uint64_t *cookies, size_t n, struct error *e)
{
	uint64_t offsets[N_COST_CLASSES];
	const struct link_places places = {
		.offsets = offsets, .cookies = cookies, .n = n, .only_in = getpid()};
	struct link_set links;
	int r;

	for (size_t i = 0; i < n; i++)
		offsets[i] = selftest_own_offset(addresses[i]);
	r = link_attach(&links, programs, "/proc/self/exe", &places, e);
	if (!r)
		link_set_move(&c->links, &links);
	return r;
}

/* The functions that are to be tried. */
static const struct specimen *candidate(enum cost_class class, const struct plan_rules *rules)
{
	const struct specimen *s = specimen_of(class);

	return s->function && (class != COST_NOP5 || rules->allows_nop5) ? s : NULL;
}

static int attach_counting(struct calibration *c, const struct plan_rules *rules, struct error *e)
{
	const char *addresses[N_COST_CLASSES];
	const uint64_t cookies[N_COST_CLASSES] = {};
	size_t n = 0;

	for (int class = 0; class < N_COST_CLASSES; class ++) {
		const struct specimen *s = candidate((enum cost_class) class, rules);

		if (s)
			addresses[n++] = s->site;
	}
	return attach(c, &c->counting->programs, addresses, cookies, n, e);
}

static int attach_timing(struct calibration *c, struct error *e)
{
	const struct specimen *watched = specimen_timed(EXIT_BY_URETPROBE);
	const struct specimen *left = specimen_timed(EXIT_BY_EXITS);
	const uint64_t cookies[] = {SLOT_LEFT, SLOT_LEFT | COOKIE_IS_EXIT};
	const uint64_t watched_cookie = SLOT_WATCHED;
	int r = attach(c, &c->timing->programs, &watched->site, &watched_cookie, 1, e);

	if (r)
		return r;
	return attach(c, &c->timing->by_exits[CALLS_OF_THREADS],
		(const char *[]){left->site, left->exit}, cookies, 2, e);
}

/* Calls what is probed, or will be. */
static void measure(struct calibration *c, const struct plan_rules *rules)
{
	for (int class = 0; class < N_COST_CLASSES; class ++) {
		const struct specimen *s = candidate((enum cost_class) class, rules);

		if (s)
			c->hit_ns[class] = time_calls(s);
	}
	c->call_ns[EXIT_BY_URETPROBE] = time_timed(specimen_timed(EXIT_BY_URETPROBE), c->timing,
		SLOT_WATCHED, &c->floor_ns[EXIT_BY_URETPROBE]);
	c->call_ns[EXIT_BY_EXITS] = time_timed(
		specimen_timed(EXIT_BY_EXITS), c->timing, SLOT_LEFT, &c->floor_ns[EXIT_BY_EXITS]);
}

/* A cost is at least 1, so that it is known. */
static uint32_t whole_ns(double ns)
{
	return ns < 1 ? 1 : (uint32_t)(ns + 0.5);
}

static void conclude(
	struct costs *out, const struct calibration *bare, const struct calibration *probed)
{
	const struct specimen *watched = specimen_timed(EXIT_BY_URETPROBE);
	const struct specimen *left = specimen_timed(EXIT_BY_EXITS);
	uint32_t call[N_EXIT_KINDS];

	*out = (struct costs){.floor_class = watched->cost, .return_class = left->exit_cost};
	for (int class = 0; class < N_COST_CLASSES; class ++)
		if (probed->hit_ns[class] > 0)
			out->hit[class] = whole_ns(probed->hit_ns[class] - bare->hit_ns[class]);
	for (int exit = EXIT_BY_URETPROBE; exit < N_EXIT_KINDS; exit++) {
		call[exit] = whole_ns(probed->call_ns[exit] - bare->call_ns[exit]);
		out->floor[exit] = whole_ns(probed->floor_ns[exit]);
	}
	out->end[EXIT_BY_URETPROBE] =
		whole_ns((double)call[EXIT_BY_URETPROBE] - (double)out->hit[watched->cost]);
	out->end[EXIT_BY_EXITS] =
		whole_ns((double)call[EXIT_BY_EXITS] - (double)out->hit[left->cost] -
			 (double)out->hit[left->exit_cost]);
}

int calibrate(struct costs *out, struct shared *shared, enum attach_mode mode,
	const struct plan_rules *rules, struct error *e)
{
	_cleanup_(calibration_deinit) struct calibration c = {};
	uint64_t bound = 1000000;
	const struct bounds bounds = {&bound, 1};
	struct calibration bare;
	int r = bank_new_plain(&c.counting, shared, mode, NULL, 0, 1, e);

	if (!r)
		r = bank_new_plain(&c.timing, shared, mode, &bounds, 0, N_SLOTS, e);
	if (r)
		return r;
	measure(&c, rules);
	bare = c;
	c.floor_ns[EXIT_BY_URETPROBE] = c.floor_ns[EXIT_BY_EXITS] = 0;
	r = attach_counting(&c, rules, e);
	if (!r)
		r = attach_timing(&c, e);
	if (r)
		return r;
	measure(&c, rules);
	conclude(out, &bare, &c);
	return 0;
}
