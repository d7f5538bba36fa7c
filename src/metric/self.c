// SPDX-License-Identifier: Apache-2.0
/* One row of the table is one family, of one sample. */
#include "metric/self.h"

struct self_family {
	struct family family;
	void (*get)(const struct self_reading *self, struct sample *out);
	bool of_process; /* absent when /proc/self could not be read */
};

static void series_limit(const struct self_reading *self, struct sample *out)
{
	out->integer = self->series_limit;
}

static void last_reload_successful(const struct self_reading *self, struct sample *out)
{
	out->integer = self->last_reload_successful;
}

static void last_reload_success(const struct self_reading *self, struct sample *out)
{
	out->number = self->last_reload_success_seconds;
}

static void scrape_duration(const struct self_reading *self, struct sample *out)
{
	out->number = self->scrape_seconds;
}

static void cpu(const struct self_reading *self, struct sample *out)
{
	out->number = self->cpu_seconds;
}

static void open_fds(const struct self_reading *self, struct sample *out)
{
	out->integer = self->open_fds;
}

static void max_fds(const struct self_reading *self, struct sample *out)
{
	out->integer = self->max_fds;
}

static void resident_bytes(const struct self_reading *self, struct sample *out)
{
	out->integer = self->resident_bytes;
}

static void virtual_bytes(const struct self_reading *self, struct sample *out)
{
	out->integer = self->virtual_bytes;
}

static void virtual_max_bytes(const struct self_reading *self, struct sample *out)
{
	out->integer = self->virtual_max_bytes;
}

static void start_time(const struct self_reading *self, struct sample *out)
{
	out->number = self->start_time_seconds;
}

static const struct self_family families[] = {
	{{"uprobe_exporter_series_limit", "Label sets that all probes together may count.",
		 FAMILY_GAUGE, SAMPLE_INTEGER},
		series_limit},
	{{"uprobe_exporter_config_last_reload_successful",
		 "Whether the last attempt to load the configuration succeeded.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		last_reload_successful},
	{{"uprobe_exporter_config_last_reload_success_timestamp_seconds",
		 "When the configuration was last loaded with success.", FAMILY_GAUGE,
		 SAMPLE_NUMBER},
		last_reload_success},
	{{"uprobe_exporter_scrape_duration_seconds",
		 "How long making the answer to the last scrape took; 0 before the first.",
		 FAMILY_GAUGE, SAMPLE_NUMBER},
		scrape_duration},
	{{"process_cpu_seconds_total", "Total user and system CPU time spent in seconds.",
		 FAMILY_COUNTER, SAMPLE_NUMBER},
		cpu, true},
	{{"process_open_fds", "Number of open file descriptors.", FAMILY_GAUGE, SAMPLE_INTEGER},
		open_fds, true},
	{{"process_max_fds", "Maximum number of open file descriptors.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		max_fds, true},
	{{"process_resident_memory_bytes", "Resident memory size in bytes.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		resident_bytes, true},
	{{"process_virtual_memory_bytes", "Virtual memory size in bytes.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		virtual_bytes, true},
	{{"process_virtual_memory_max_bytes",
		 "Maximum amount of virtual memory available in bytes.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		virtual_max_bytes, true},
	{{"process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
		 FAMILY_GAUGE, SAMPLE_NUMBER},
		start_time, true},
};

static void put_build_info(struct metrics *m, const struct self_reading *self, struct buffer *out)
{
	static const struct family build_info = {"uprobe_exporter_build_info",
		"The exporter's version; always 1.", FAMILY_GAUGE, SAMPLE_INTEGER};

	if (!m->version.n)
		label_set_init(&m->version, &(struct label){"version", self->version}, 1, m->arena);
	samples_clear(&m->samples);
	samples_add(&m->samples, &m->version, NULL)->integer = 1;
	metrics_put_family(m, &build_info, out);
}

void self_families_put(struct metrics *m, const struct self_reading *self, struct buffer *out)
{
	put_build_info(m, self, out);
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].of_process && !self->has_process)
			continue;
		samples_clear(&m->samples);
		families[i].get(self, samples_add(&m->samples, NULL, NULL));
		metrics_put_family(m, &families[i].family, out);
	}
}
