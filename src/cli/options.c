// SPDX-License-Identifier: Apache-2.0
/*
 * One table makes the parser and the help: an option is a row.
 */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "web/listen.h"

/* What getopt is to give for the first row; different for each, or short forms of several would be
 * taken for the first. */
enum { ROW = 256 };

struct option_row {
	const char *name;
	const char *value; /* how help names it; NULL: a flag */
	const char *help;
	int (*set)(struct options *o, const char *text, struct error *e);
};

static int set_config_file(struct options *o, const char *text, struct error *e)
{
	(void)e;
	o->config_file = text;
	return 0;
}

static int set_listen_address(struct options *o, const char *text, struct error *e)
{
	struct listen_address address;
	int r;

	if (o->n_listen_addresses == OPTIONS_MAX_LISTEN_ADDRESSES)
		return error_set(
			e, -EINVAL, "more than %d addresses", OPTIONS_MAX_LISTEN_ADDRESSES);
	r = listen_address_parse(&address, text, e);
	if (r)
		return r;
	o->listen_addresses[o->n_listen_addresses++] = text;
	return 0;
}

static int set_telemetry_path(struct options *o, const char *text, struct error *e)
{
	if (text[0] != '/' || !text[1] || !strncmp(text, "/-/", 3))
		return error_set(e, -EINVAL, "\"%s\" is no path such as /metrics", text);
	o->telemetry_path = text;
	return 0;
}

static int set_max_requests(struct options *o, const char *text, struct error *e)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || end == text || *text == '-' || n > 100000)
		return error_set(e, -EINVAL, "\"%s\" is no number from 0 to 100000", text);
	o->max_requests = (unsigned)n;
	return 0;
}

static int set_log_level(struct options *o, const char *text, struct error *e)
{
	if (log_level_parse(text, &o->log_level))
		return error_set(e, -EINVAL, "\"%s\" is none of debug, info, warn, error", text);
	return 0;
}

static int set_log_format(struct options *o, const char *text, struct error *e)
{
	if (log_format_parse(text, &o->log_format))
		return error_set(e, -EINVAL, "\"%s\" is neither logfmt nor json", text);
	return 0;
}

static int set_attach_mode(struct options *o, const char *text, struct error *e)
{
	if (attach_mode_parse(text, &o->attach_mode))
		return error_set(e, -EINVAL, "\"%s\" is none of auto, session, multi, perf", text);
	return 0;
}

static int set_proc_path(struct options *o, const char *text, struct error *e)
{
	(void)e;
	o->proc_path = text;
	return 0;
}

static int set_version(struct options *o, const char *text, struct error *e)
{
	(void)text, (void)e;
	o->show_version = true;
	return 0;
}

static int set_help(struct options *o, const char *text, struct error *e)
{
	(void)text, (void)e;
	o->show_help = true;
	return 0;
}

static const struct option_row rows[] = {
	{"config.file", "FILE", "Configuration. [/etc/uprobe_exporter/uprobe_exporter.yml]",
		set_config_file},
	{"web.listen-address", "ADDRESS",
		"Where to serve: HOST:PORT, :PORT or [IPV6]:PORT; may be given again. [:10435]",
		set_listen_address},
	{"web.telemetry-path", "PATH", "Path of the metrics. [/metrics]", set_telemetry_path},
	{"web.max-requests", "N", "Requests at once; more are answered 503. 0: no limit. [40]",
		set_max_requests},
	{"attach.mode", "MODE",
		"How to attach: auto (the best that works here), session, multi or perf. [auto]",
		set_attach_mode},
	{"proc.path", "DIR", "Where the host's /proc is mounted. [/proc]", set_proc_path},
	{"log.level", "LEVEL", "Lowest level to log: debug, info, warn or error. [info]",
		set_log_level},
	{"log.format", "FORMAT", "logfmt or json. [logfmt]", set_log_format},
	{"version", NULL, "Print the version and exit.", set_version},
	{"help", NULL, "Print this and exit.", set_help},
};

static void fill_defaults(struct options *o)
{
	*o = (struct options){
		.config_file = "/etc/uprobe_exporter/uprobe_exporter.yml",
		.telemetry_path = "/metrics",
		.max_requests = 40,
		.log_level = LOG_INFO,
		.proc_path = "/proc",
	};
}

static int finish(struct options *o, int argc, char **argv, struct error *e)
{
	if (optind < argc)
		return error_set(e, -EINVAL, "unexpected \"%s\": no such command", argv[optind]);
	if (!o->n_listen_addresses)
		o->listen_addresses[o->n_listen_addresses++] = ":10435";
	return 0;
}

/* Rows that an argument's name (n bytes) may be short for; *out is the last. An exact one is alone.
 */
static size_t find_rows(const char *name, size_t n, const struct option_row **out)
{
	size_t n_found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strncmp(rows[i].name, name, n) != 0)
			continue;
		*out = &rows[i];
		n_found++;
		if (!rows[i].name[n])
			return 1;
	}
	return n_found;
}

/* The one that getopt has just refused: it stays at one that has more letters behind a dash. */
static const char *refused_argument(char **argv)
{
	const char *next = argv[optind];
	bool stays = optopt && optopt < ROW && next && next[0] == '-' && next[1] == optopt;

	return stays ? next : argv[optind - 1];
}

/* Why the argument was not taken. */
static int refuse(const char *argument, bool lacks_value, struct error *e)
{
	const char *name = argument + strspn(argument, "-");
	size_t n = strcspn(name, "="), n_rows;
	const struct option_row *row = NULL;
	_cleanup_(freep) char *plain = strndup(name, n);
	struct nearest nearest = nearest_to(plain);

	if (lacks_value)
		return error_set(e, -EINVAL, "%s: needs a value", argument);
	n_rows = n && !strncmp(argument, "--", 2) ? find_rows(name, n, &row) : 0;
	if (n_rows > 1)
		return error_set(e, -EINVAL, "%s: may be short for several options", argument);
	if (n_rows)
		return error_set(e, -EINVAL, "%s: --%s takes no value", argument, row->name);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		nearest_offer(&nearest, rows[i].name);
	if (nearest.best)
		return error_set(e, -EINVAL, "%s: no such option; did you mean --%s?", argument,
			nearest.best);
	return error_set(e, -EINVAL, "%s: no such option", argument);
}

static int set(struct options *o, const struct option_row *row, const char *value, struct error *e)
{
	int r = value && !*value ? error_set(e, -EINVAL, "its value is empty")
				 : row->set(o, value, e);

	return r ? error_wrap(e, r, "--%s", row->name) : 0;
}

int options_parse(struct options *out, int argc, char **argv, struct error *e)
{
	struct option long_options[ARRAY_SIZE(rows) + 1] = {};
	int c, r;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		long_options[i] = (struct option){rows[i].name,
			rows[i].value ? required_argument : no_argument, NULL, ROW + (int)i};
	fill_defaults(out);
	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		if (c == 'h') {
			out->show_help = true;
			continue;
		}
		if (c < ROW)
			return refuse(refused_argument(argv), c == ':', e);
		r = set(out, &rows[c - ROW], optarg, e);
		if (r)
			return r;
	}
	return finish(out, argc, argv, e);
}

void options_print_help(void)
{
	puts("Prometheus metrics from any function of any running program.\n"
	     "\n"
	     "  uprobe_exporter [OPTION]...                  attach and serve\n"
	     "  uprobe_exporter check CONFIG                 check a configuration; no privilege\n"
	     "  uprobe_exporter plan CONFIG [--json]         show what would be attached here\n"
	     "  uprobe_exporter list BINARY [PATTERN]        show what can be probed in a file\n"
	     "\n"
	     "Options of serving (with their defaults):");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		printf("  --%s%s%s\n        %s\n", rows[i].name, rows[i].value ? "=" : "",
			rows[i].value ? rows[i].value : "", rows[i].help);
	puts("\n"
	     "SIGHUP reads the configuration again; a bad one changes nothing. SIGTERM and SIGINT\n"
	     "detach every probe, then end. More: man uprobe_exporter");
}
