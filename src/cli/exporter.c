// SPDX-License-Identifier: Apache-2.0
/*
 * Where the floors meet. Plans are made and applied here, and every change of a probe's state is
 * logged once.
 *
 * Locking: the trace's lock guards the plan in force against being swapped under a scrape; `lock`
 * guards what scrapes use among themselves and what a reload writes for them.
 */
#include "cli/exporter.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/names.h"
#include "cli/report.h"
#include "cli/version.h"
#include "metric/metrics.h"
#include "metric/process.h"
#include "web/page.h"
#include "web/server.h"

/* Ticks after which what couldn't be attached is tried again, and after which processes are looked
 * at although none seems to have come or gone: some change their namespace; and after which it is
 * looked into those that have come whether the probes fire there. */
enum { TICKS_TO_RETRY = 15, TICKS_TO_LOOK = 15, TICKS_TO_PROVE = 15 };

struct exporter {
	const struct options *options;
	struct config *config;
	struct world *world;
	struct trace *trace;
	struct web_server *server;
	struct report *report;
	uint64_t fingerprint;     /* of the plan in force */
	uint64_t process_changes; /* as of the last look at all processes */
	uint64_t proven_changes;  /* as of the last look into them */
	bool is_proven;           /* none since the one before that */
	unsigned ticks_to_retry, ticks_to_look, ticks_to_prove;

	pthread_mutex_t lock; /* over all that follows */
	struct snapshot snapshot;
	struct metrics *metrics;
	struct naming *naming;
	struct carry_names names;
	uint64_t metrics_generation; /* of the plan that metrics belongs to */
	struct self_reading self;
};

static double unix_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_ns() - start_ns) / 1e9;
}

/* The rendering that belongs to the plan of the snapshot just taken. */
static struct metrics *current_metrics(struct exporter *x)
{
	if (x->metrics && x->metrics_generation == x->snapshot.generation)
		return x->metrics;
	metrics_free(x->metrics);
	metrics_new(&x->metrics, x->snapshot.plan, &x->names);
	x->metrics_generation = x->snapshot.generation;
	return x->metrics;
}

static void render_metrics(void *data, struct buffer *out)
{
	struct exporter *x = data;
	uint64_t start_ns = clock_ns();

	pthread_mutex_lock(&x->lock);
	trace_lock(x->trace);
	x->self.has_process = !process_read(&x->self);
	snapshot_take(&x->snapshot, x->trace);
	metrics_render_text(current_metrics(x), &x->snapshot, &x->self, out);
	trace_unlock(x->trace);
	x->self.scrape_seconds = seconds_since(start_ns);
	pthread_mutex_unlock(&x->lock);
}

static void render_page(void *data, struct buffer *out)
{
	struct exporter *x = data;

	pthread_mutex_lock(&x->lock);
	trace_lock(x->trace);
	snapshot_take(&x->snapshot, x->trace);
	page_render(&x->snapshot, VERSION, x->options->telemetry_path, out);
	trace_unlock(x->trace);
	pthread_mutex_unlock(&x->lock);
}

static bool is_ready(void *data)
{
	struct exporter *x = data;
	bool ready;

	trace_lock(x->trace);
	ready = trace_plan(x->trace);
	trace_unlock(x->trace);
	return ready;
}

static void note_reload(struct exporter *x, const struct config *good)
{
	pthread_mutex_lock(&x->lock);
	x->self.last_reload_successful = good;
	if (good) {
		x->self.last_reload_success_seconds = unix_seconds();
		x->self.series_limit = good->max_series;
	}
	pthread_mutex_unlock(&x->lock);
}

/* Whether what is attached can fire; and tells what has changed. A program may arrange its code in
 * memory some time after its start: so there is one more look after the last process has come. */
static void prove(struct exporter *x)
{
	uint64_t changes = trace_process_changes(x->trace);

	x->ticks_to_prove = TICKS_TO_PROVE;
	x->is_proven = x->proven_changes == changes;
	x->proven_changes = changes;
	trace_prove(x->trace, x->world);
	report_changes(x->report, x->trace);
}

/* Makes the plan for config and puts it into force. */
static int apply(struct exporter *x, const struct config *config, struct error *e)
{
	_cleanup_(plan_freep) struct plan *plan = NULL;
	int r = plan_resolve(&plan, config, trace_rules(x->trace), x->world, e);

	if (r)
		return r;
	x->fingerprint = plan_fingerprint(config, x->world);
	x->ticks_to_retry = TICKS_TO_RETRY;
	report_unguarded(x->report, plan);
	trace_apply(x->trace, TAKE_PTR(plan));
	prove(x);
	memory_give_back();
	return 0;
}

static void tell_progress(size_t n_left, void *data)
{
	_cleanup_(freep) char *links = memory_printf("%zu", n_left);

	(void)data;
	log_info("still detaching: the kernel makes each link wait", "links_left", links);
}

static int listen_for_scrapes(struct exporter *x, struct error *e)
{
	const struct web_options options = {
		.listen_addresses = x->options->listen_addresses,
		.n_listen_addresses = x->options->n_listen_addresses,
		.telemetry_path = x->options->telemetry_path,
		.max_requests = x->options->max_requests,
	};
	const struct web_source source = {x, render_metrics, render_page, is_ready};

	return web_server_new(&x->server, &options, &source, e);
}

static void tell_findings(const struct trace *t)
{
	if (trace_nop5_reason(t))
		log_info("5-byte nops are not probed on this kernel", "reason",
			trace_nop5_reason(t));
	if (!trace_rules(t)->allows_uretprobes)
		log_warn("this kernel's return probes crash processes that have a seccomp filter: "
			 "calls are timed by exits alone");
	log_info("attaching", "mode", attach_mode_name(trace_mode(t)));
}

static void start_naming(struct exporter *x, const char *proc)
{
	x->naming = naming_new(proc);
	x->names = names_of(x->naming);
}

static int start(struct exporter *x, struct error *e)
{
	const struct options *o = x->options;
	int r = config_load(&x->config, o->config_file, e);

	start_naming(x, o->proc_path);
	/* Before the kernel has to do with it: what fails most is the port. */
	if (!r)
		r = listen_for_scrapes(x, e);
	if (!r)
		r = world_new(&x->world, o->proc_path, e);
	if (!r)
		r = world_watch(x->world, e);
	if (!r)
		r = trace_new(&x->trace, o->attach_mode, x->config->max_series, e);
	if (!r)
		r = web_server_start(x->server, e);
	if (r)
		return r;
	trace_on_detach(x->trace, tell_progress, NULL);
	tell_findings(x->trace);
	note_reload(x, x->config);
	return apply(x, x->config, e);
}

int exporter_new(struct exporter **out, const struct options *options, struct error *e)
{
	_cleanup_(exporter_freep) struct exporter *x = memory_alloc(sizeof(*x));
	int r;

	x->options = options;
	x->self.version = VERSION;
	pthread_mutex_init(&x->lock, NULL);
	x->report = report_new();
	r = start(x, e);
	if (!r)
		*out = TAKE_PTR(x);
	return r;
}

static void detach(struct exporter *x)
{
	_cleanup_(freep) char *seconds = NULL;
	uint64_t start_ns = clock_ns();

	log_info("detaching every probe");
	trace_detach(x->trace);
	seconds = memory_printf("%.3f", seconds_since(start_ns));
	log_info("detached", "seconds", seconds);
}

void exporter_free(struct exporter *x)
{
	if (!x)
		return;
	if (x->trace && trace_plan(x->trace))
		detach(x);
	if (x->server)
		web_server_free(x->server);
	trace_free(x->trace);
	metrics_free(x->metrics);
	snapshot_deinit(&x->snapshot);
	naming_free(x->naming);
	world_free(x->world);
	config_free(x->config);
	report_free(x->report);
	pthread_mutex_destroy(&x->lock);
	free(x);
}

static bool wants_retry(struct exporter *x)
{
	if (!report_has_failures(x->report))
		return false;
	return !--x->ticks_to_retry;
}

static int look_around(struct exporter *x, struct error *e)
{
	uint64_t changes = trace_process_changes(x->trace);

	if (x->ticks_to_look && changes == x->process_changes) {
		x->ticks_to_look--;
		world_refresh_files(x->world);
		return 0;
	}
	x->ticks_to_look = TICKS_TO_LOOK;
	x->process_changes = changes;
	return world_refresh(x->world, e);
}

/* Whether what was found out meanwhile makes the plan tell more. */
static bool has_news(const struct exporter *x)
{
	const struct plan *p = trace_plan(x->trace);

	return p && plan_has_news(p);
}

static void renew(struct exporter *x)
{
	_cleanup_(error_deinit) struct error e = {};

	if (plan_fingerprint(x->config, x->world) == x->fingerprint && !has_news(x) &&
		!wants_retry(x))
		return;
	if (apply(x, x->config, &e))
		log_error("making a new plan", "error", error_text(&e));
}

static void tell_sweep(uint32_t process, uint32_t n_dropped, void *data)
{
	struct exporter *x = data;

	report_sweep(x->report, process, n_dropped);
}

/* What calls carry names processes, which end. */
static void look_at_names(struct exporter *x)
{
	const struct trace_gone gone = names_gone(x->naming);

	if (!config_names_processes(x->config))
		return;
	pthread_mutex_lock(&x->lock);
	naming_look(x->naming);
	trace_reclaim(x->trace, &gone);
	pthread_mutex_unlock(&x->lock);
}

void exporter_tick(struct exporter *x)
{
	_cleanup_(error_deinit) struct error e = {};

	if (look_around(x, &e))
		log_error("looking for processes and files", "error", error_text(&e));
	else
		renew(x);
	trace_sweep(x->trace, tell_sweep, x);
	look_at_names(x);
	if (trace_check_budgets(x->trace, clock_ns()))
		prove(x);
	else if (x->ticks_to_prove)
		x->ticks_to_prove--;
	else if (!x->is_proven || x->proven_changes != trace_process_changes(x->trace))
		prove(x);
}

int exporter_files_fd(const struct exporter *x)
{
	return world_watch_fd(x->world);
}

static void release(const struct target *t, void *data)
{
	struct exporter *x = data;

	trace_release(x->trace, t, "someone is about to write to the file");
}

void exporter_files_changed(struct exporter *x)
{
	if (!world_watch_read(x->world, release, x))
		return;
	world_refresh_files(x->world);
	renew(x);
}

void exporter_reload(struct exporter *x)
{
	_cleanup_(config_freep) struct config *fresh = NULL;
	_cleanup_(error_deinit) struct error e = {};
	struct config *old = x->config;
	int r = config_load(&fresh, x->options->config_file, &e);

	if (!r)
		r = world_refresh(x->world, &e);
	if (!r)
		r = apply(x, fresh, &e);
	if (r) {
		note_reload(x, NULL);
		log_error("the configuration was not reloaded: the old one stays in force", "error",
			error_text(&e));
		return;
	}
	x->config = TAKE_PTR(fresh);
	note_reload(x, x->config);
	config_free(old);
	log_info("configuration reloaded", "file", x->options->config_file);
}
