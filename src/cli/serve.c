// SPDX-License-Identifier: Apache-2.0
/*
 * The event loop: signals, a slow tick, files that someone writes to. Between two ticks the
 * exporter sleeps; scrapes are served by the server's own thread, calls are counted by the kernel.
 */
#include "cli/serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "cli/exporter.h"
#include "cli/version.h"

enum { TICK_SECONDS = 2 };

/* Blocks the signals for every thread to come and gives a descriptor that reads them. */
static int open_signals(struct error *e)
{
	sigset_t signals;
	int fd;

	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &signals, SFD_CLOEXEC);
	return fd < 0 ? error_set_errno(e, -errno, "signalfd") : fd;
}

static int open_ticks(struct error *e)
{
	const struct itimerspec period = {{TICK_SECONDS, 0}, {TICK_SECONDS, 0}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd < 0 || timerfd_settime(fd, 0, &period, NULL))
		return error_set_errno(e, -errno, "timerfd");
	return fd;
}

/* Serves until a signal says to end. */
static void loop(struct exporter *x, int signals, int ticks)
{
	struct pollfd fds[] = {
		{signals, POLLIN, 0},
		{ticks, POLLIN, 0},
		{exporter_files_fd(x), POLLIN, 0},
	};
	struct signalfd_siginfo info;
	uint64_t n_ticks;

	for (;;) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[0].revents && read(signals, &info, sizeof(info)) == sizeof(info)) {
			if (info.ssi_signo != SIGHUP)
				return;
			exporter_reload(x);
		}
		if (fds[1].revents && read(ticks, &n_ticks, sizeof(n_ticks)) == sizeof(n_ticks))
			exporter_tick(x);
		if (fds[2].revents)
			exporter_files_changed(x);
	}
}

static int run(const struct options *options, struct error *e)
{
	_cleanup_(exporter_freep) struct exporter *x = NULL;
	_cleanup_(closep) int signals = open_signals(e), ticks = -1;
	int r;

	if (signals < 0)
		return signals;
	ticks = open_ticks(e);
	if (ticks < 0)
		return ticks;
	r = exporter_new(&x, options, e);
	if (r)
		return r;
	log_info("ready", "address", options->listen_addresses[0], "version", VERSION);
	loop(x, signals, ticks);
	return 0;
}

int serve_command(int argc, char **argv)
{
	_cleanup_(error_deinit) struct error e = {};
	struct options options;

	if (options_parse(&options, argc, argv, &e)) {
		fprintf(stderr, "uprobe_exporter: %s\nTry --help.\n", error_text(&e));
		return 2;
	}
	if (options.show_help) {
		options_print_help();
		return 0;
	}
	if (options.show_version) {
		puts("uprobe_exporter, version " VERSION);
		return 0;
	}
	log_setup(options.log_level, options.log_format);
	if (!run(&options, &e))
		return 0;
	/* As text too: an error in the configuration has lines and a caret. */
	fprintf(stderr, "uprobe_exporter: %s\n", error_text(&e));
	return 1;
}
