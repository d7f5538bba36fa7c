// SPDX-License-Identifier: Apache-2.0
/*
 * First a table of all probes, then a section for each: what is wrong with it, its series, and
 * the sites that are not as asked for, with the reasons. A probe can have thousands of series;
 * the page shows the first and says how many it leaves out.
 */
#include "web/page.h"

#include <inttypes.h>

#include "base/number.h"
#include "plan/handover.h"
#include "web/html.h"
#include "web/labels.h"
#include "web/quantile.h"
#include "web/style.h"

enum { MAX_ROWS = 200 };

static void put_head(struct buffer *out, const char *version, const char *telemetry_path)
{
	buffer_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
			 "<title>uprobe_exporter</title>\n<style>");
	buffer_puts(out, page_style);
	buffer_puts(out, "</style>\n</head>\n<body>\n<header>\n<h1>uprobe_exporter <small>");
	html_put(out, version);
	buffer_puts(out, "</small></h1>\n<nav><a href=\"");
	html_put(out, telemetry_path);
	buffer_puts(out, "\">Metrics</a><a href=\"/-/healthy\">Health</a>"
			 "<a href=\"/-/ready\">Readiness</a></nav>\n</header>\n<main>\n");
}

static void put_state(struct buffer *out, const struct probe_reading *r)
{
	buffer_puts(out,
		r->is_up ? "<span class=\"up\">up</span>" : "<span class=\"down\">down</span>");
	if (r->n_shed) {
		buffer_puts(out, " <small>(shed)</small>");
	} else if (r->probe->state != PLAN_READY) {
		buffer_puts(out, " <small>(");
		html_put(out, plan_state_name(r->probe->state));
		buffer_puts(out, ")</small>");
	}
}

/* The different ways in which the probe's calls are seen to end. */
static void put_exits(struct buffer *out, const struct plan_probe *p)
{
	bool has[N_EXIT_KINDS] = {}, is_first = true;

	for (size_t i = 0; i < p->n_sites; i++)
		if (!p->sites[i]->refusal)
			has[p->sites[i]->exit] = true;
	for (size_t exit = 0; exit < ARRAY_SIZE(has); exit++)
		if (has[exit]) {
			buffer_puts(out, is_first ? "" : ", ");
			buffer_puts(out, exit_kind_name((enum exit_kind)exit));
			is_first = false;
		}
}

static void put_overview_row(struct buffer *out, const struct probe_reading *r, size_t i)
{
	uint64_t calls = 0;

	for (size_t k = 0; k < r->n_series; k++)
		calls += r->series[k].calls;
	buffer_printf(out, "<tr><td><a href=\"#probe-%zu\">", i);
	html_put(out, r->probe->config->name);
	buffer_puts(out, "</a></td><td>");
	put_state(out, r);
	buffer_puts(out, "</td>");
	html_cell(out, r->probe->config->binary);
	html_cell_count(out, r->probe->n_series);
	html_cell_count(out, r->n_attached);
	html_cell_count(out, r->n_refused);
	html_cell_count(out, r->n_failed);
	buffer_puts(out, "<td>");
	put_exits(out, r->probe);
	buffer_puts(out, "</td>");
	if (r->n_series)
		html_cell_count(out, calls);
	else
		buffer_puts(out, "<td class=\"number\">\u2013</td>"); /* nobody counts */
	buffer_puts(out, "</tr>\n");
}

static void put_overview(struct buffer *out, const struct snapshot *s)
{
	static const char *const columns[] = {"Probe", "State", "Binary", "#Functions", "#Attached",
		"#Refused", "#Failed", "Exit", "#Calls"};

	buffer_puts(out, "<div class=\"scroll\"><table>\n<caption>");
	buffer_printf(out, "Probes: %zu. Sites, at entries and exits, are attached in mode ",
		s->n_probes);
	html_put(out, attach_mode_name(s->mode));
	buffer_puts(out, ".</caption>\n");
	html_head_row(out, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < s->n_probes; i++)
		put_overview_row(out, &s->probes[i], i);
	buffer_puts(out, "</table></div>\n");
}

static void put_reason(struct buffer *out, const char *reason)
{
	if (!reason)
		return;
	buffer_puts(out, "<pre>");
	html_put(out, reason);
	buffer_puts(out, "</pre>\n");
}

static void cell_duration(struct buffer *out, double ns)
{
	buffer_puts(out, "<td class=\"number\">");
	quantile_put_duration(out, ns);
	buffer_puts(out, "</td>");
}

static void cell_quantile(struct buffer *out, const struct series_reading *r, double q)
{
	const struct bounds *bounds = &r->series->probe->config->bounds;
	double ns;

	if (quantile_estimate(r->buckets, bounds, q, &ns)) {
		cell_duration(out, ns);
		return;
	}
	buffer_puts(out, "<td class=\"number\">&gt; ");
	quantile_put_duration(out, bounds->n ? (double)bounds->ns[bounds->n - 1] : 0);
	buffer_puts(out, "</td>");
}

static void put_timing(struct buffer *out, const struct series_reading *r)
{
	static const double quantiles[] = {0.5, 0.9, 0.99};

	if (!r->buckets || !r->completed) {
		buffer_printf(out, "<td colspan=\"4\" class=\"faint\">%s</td>",
			r->buckets ? "no call has returned yet" : "not timed");
		return;
	}
	cell_duration(out, (double)r->sum_ns / (double)r->completed);
	for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++)
		cell_quantile(out, r, quantiles[i]);
}

/* The function, and what its calls brought along. */
static void cell_function(
	struct buffer *out, const struct series_reading *r, const struct carry *carry)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	buffer_puts(&text, r->series->function);
	if (carry) {
		buffer_putc(&text, ' ');
		labels_put(&text, r, carry);
	}
	html_cell(out, buffer_text(&text));
}

static void put_series_row(struct buffer *out, const struct series_reading *r,
	const struct carry *carry, bool with_timing)
{
	buffer_puts(out, "<tr>");
	cell_function(out, r, carry);
	html_cell(out, r->series->binary);
	html_cell_count(out, r->calls);
	if (with_timing)
		put_timing(out, r);
	buffer_puts(out, "</tr>\n");
}

/* Whether half of the calls measure less than twice what an empty one would. */
static bool is_at_floor(const struct series_reading *r)
{
	double median_ns;

	return r->buckets && r->floor_ns && r->completed &&
	       quantile_estimate(r->buckets, &r->series->probe->config->bounds, 0.5, &median_ns) &&
	       median_ns < 2.0 * r->floor_ns;
}

/* Says of which of the functions shown more is seen of the probe than of themselves. */
static void put_floor_warning(struct buffer *out, const struct probe_reading *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_series && n < MAX_ROWS; i++) {
		const struct series_reading *s = &r->series[i];

		if (!is_at_floor(s))
			continue;
		buffer_puts(out, n++ ? ", " : "<p class=\"down\">At the floor: ");
		html_put(out, s->series->function);
		buffer_puts(out, " (");
		quantile_put_duration(out, s->floor_ns);
		buffer_putc(out, ')');
	}
	if (n)
		buffer_puts(out, ". A call that takes no time would measure what stands behind the "
				 "name: half of the calls measure less than twice that, so most of "
				 "what is seen is the probe itself.</p>\n");
}

static void put_left_out(struct buffer *out, size_t n, const char *what)
{
	if (n > MAX_ROWS)
		buffer_printf(out, "<p class=\"faint\">And %zu more %s.</p>\n", n - MAX_ROWS, what);
}

/* Those of series that were called, or of all others. How many were put, of at most n_most. */
static size_t put_rows(struct buffer *out, const struct probe_reading *r, const struct carry *carry,
	bool were_called, size_t n_most)
{
	const bool with_timing = r->probe->config->measures & MEASURE_DURATION;
	size_t n = 0;

	for (size_t i = 0; i < r->n_series && n < n_most; i++) {
		if (!r->series[i].calls == were_called)
			continue;
		put_series_row(out, &r->series[i], carry, with_timing);
		n++;
	}
	return n;
}

static void put_all_rows(
	struct buffer *out, const struct probe_reading *r, const struct carry *carry)
{
	size_t n = put_rows(out, r, carry, true, MAX_ROWS);

	put_rows(out, r, carry, false, MAX_ROWS - n);
}

static void put_series(struct buffer *out, const struct probe_reading *r)
{
	static const char *const columns[] = {
		"Function", "Binary", "#Calls", "#Mean", "#p50", "#p90", "#p99"};
	const bool with_timing = r->probe->config->measures & MEASURE_DURATION;
	struct carry carry = {};

	if (!r->n_series)
		return;
	buffer_puts(out, "<div class=\"scroll\"><table>\n<caption>Series.");
	if (with_timing)
		buffer_puts(out, " Quantiles are estimated from the buckets.");
	buffer_puts(out, "</caption>\n");
	html_head_row(out, columns, with_timing ? ARRAY_SIZE(columns) : 3);
	if (r->probe->config->dynamic.n)
		carry_init(&carry, r->probe->config, 0);
	put_all_rows(out, r, carry.n_labels ? &carry : NULL);
	buffer_puts(out, "</table></div>\n");
	put_floor_warning(out, r);
	put_left_out(out, r->n_series, "in the metrics");
}

/* What keeps the site from doing all that was asked for; NULL: nothing. */
static const char *shortcoming(const struct plan_site *site)
{
	if (site->refusal)
		return site->refusal;
	if (handover_count(site))
		return "calls that end with a jump to another function are timed until that jump";
	return site->exit == EXIT_BY_NONE ? site->exit_reason : NULL;
}

static const char *short_state(const struct plan_site *site)
{
	if (site->refusal)
		return "refused";
	return site->exit == EXIT_BY_NONE ? "not timed" : "timed in part";
}

static void put_site_row(struct buffer *out, const struct plan_site *site)
{
	buffer_puts(out, "<tr>");
	html_cell(out, site->name);
	html_cell(out, site->target->origin);
	buffer_printf(out, "<td class=\"number\">0x%" PRIx64 "</td>", site->address);
	html_cell(out, short_state(site));
	html_cell(out, shortcoming(site));
	buffer_puts(out, "</tr>\n");
}

static void put_shortcomings(struct buffer *out, const struct plan_probe *p)
{
	static const char *const columns[] = {"Function", "File", "#Address", "State", "Reason"};
	size_t n = 0;

	for (size_t i = 0; i < p->n_sites; i++) {
		if (!shortcoming(p->sites[i]) || ++n > MAX_ROWS)
			continue;
		if (n == 1) {
			buffer_puts(out, "<div class=\"scroll\"><table>\n"
					 "<caption>Sites that are not as asked for.</caption>\n");
			html_head_row(out, columns, ARRAY_SIZE(columns));
		}
		put_site_row(out, p->sites[i]);
	}
	if (n)
		buffer_puts(out, "</table></div>\n");
	put_left_out(out, n, "are refused, not timed, or timed in part");
}

static void put_probe(struct buffer *out, const struct probe_reading *r, size_t i)
{
	const struct probe *config = r->probe->config;

	buffer_printf(out, "<section id=\"probe-%zu\">\n<h2>", i);
	html_put(out, config->name);
	buffer_putc(out, ' ');
	put_state(out, r);
	buffer_puts(out, " <small>");
	html_put(out, config->binary);
	buffer_puts(out, "</small></h2>\n");
	put_reason(out, r->probe->reason);
	put_reason(out, r->failure);
	put_series(out, r);
	put_shortcomings(out, r->probe);
	buffer_puts(out, "</section>\n");
}

void page_render(const struct snapshot *s, const char *version, const char *telemetry_path,
	struct buffer *out)
{
	put_head(out, version, telemetry_path);
	if (!s->plan)
		buffer_puts(out, "<p>No plan is in force yet.</p>\n");
	else
		put_overview(out, s);
	for (size_t i = 0; i < s->n_probes; i++)
		put_probe(out, &s->probes[i], i);
	buffer_puts(out, "</main>\n</body>\n</html>\n");
}
