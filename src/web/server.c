// SPDX-License-Identifier: Apache-2.0
/*
 * One thread waits, with one epoll, for all there is to wait for: new clients on the listening
 * sockets, what the HTTP side waits for (its own epoll, nested), the next connection's
 * deadline, and the end. So the source is called by one thread only, and an idle server sleeps.
 * Clients are accepted here, not by the library, because it would let a crowd of silent ones keep
 * all others out.
 */
#include "web/server.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/memory.h"
#include "web/http.h"
#include "web/listen.h"

enum { ACCEPT_PAUSE_MS = 100 };

struct web_server {
	struct http http;
	struct listeners listeners;
	int epoll_fd, stop_fd;
	bool is_accepting;
	bool has_thread;
	pthread_t thread;
};

static void set_accepting(struct web_server *s, bool on)
{
	if (s->is_accepting == on)
		return;
	s->is_accepting = on;
	for (size_t i = 0; i < s->listeners.n; i++) {
		struct epoll_event event = {
			.events = on ? EPOLLIN : 0, .data.fd = s->listeners.fds[i]};

		epoll_ctl(s->epoll_fd, EPOLL_CTL_MOD, s->listeners.fds[i], &event);
	}
}

/* Descriptors or memory have run out, as opposed to a client that left before it was accepted. */
static bool is_shortage(int code)
{
	return code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM;
}

/* Where there is no room and none can be made, the others wait a while. */
static void accept_client(struct web_server *s, int listener)
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);
	int fd;

	if (http_is_full(&s->http) && !http_make_room(&s->http)) {
		set_accepting(s, false);
		return;
	}
	fd = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd >= 0)
		http_add(&s->http, fd, (const struct sockaddr *)&peer, size);
	else if (is_shortage(errno) && !http_make_room(&s->http))
		set_accepting(s, false);
}

static int time_left(struct web_server *s)
{
	int left_ms = http_time_left(&s->http);

	if (!s->is_accepting && (left_ms < 0 || left_ms > ACCEPT_PAUSE_MS))
		return ACCEPT_PAUSE_MS;
	return left_ms;
}

static void *serve(void *data)
{
	struct web_server *s = data;
	struct epoll_event events[16];

	for (;;) {
		int n = epoll_wait(s->epoll_fd, events, ARRAY_SIZE(events), time_left(s));

		set_accepting(s, true);
		for (int i = 0; i < n; i++) {
			if (events[i].data.fd == s->stop_fd)
				return NULL;
			if (events[i].data.fd != s->http.epoll_fd)
				accept_client(s, events[i].data.fd);
		}
		http_run(&s->http);
	}
}

static int watch(struct web_server *s, int fd, struct error *e)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	if (epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &event))
		return error_set_errno(e, -errno, "epoll");
	return 0;
}

static int watch_all(struct web_server *s, struct error *e)
{
	int r;

	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	s->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (s->epoll_fd < 0 || s->stop_fd < 0)
		return error_set_errno(e, -errno, "epoll");
	r = watch(s, s->stop_fd, e);
	if (!r)
		r = watch(s, s->http.epoll_fd, e);
	for (size_t i = 0; !r && i < s->listeners.n; i++)
		r = watch(s, s->listeners.fds[i], e);
	s->is_accepting = true;
	return r;
}

int web_server_new(struct web_server **out, const struct web_options *options,
	const struct web_source *source, struct error *e)
{
	_cleanup_(web_server_freep) struct web_server *s = memory_alloc(sizeof(*s));
	int r = 0;

	s->epoll_fd = s->stop_fd = -1;
	for (size_t i = 0; !r && i < options->n_listen_addresses; i++)
		r = listeners_add(&s->listeners, options->listen_addresses[i], e);
	if (!r)
		r = http_start(&s->http, options, source, e);
	if (!r)
		r = watch_all(s, e);
	if (r)
		return r;
	*out = TAKE_PTR(s);
	return 0;
}

/* Signals are for the main thread. */
int web_server_start(struct web_server *s, struct error *e)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&s->thread, NULL, serve, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r)
		return error_set_errno(e, -r, "starting the HTTP server's thread");
	s->has_thread = true;
	return 0;
}

void web_server_free(struct web_server *s)
{
	if (!s)
		return;
	if (s->has_thread) {
		eventfd_write(s->stop_fd, 1);
		pthread_join(s->thread, NULL);
	}
	http_stop(&s->http);
	listeners_deinit(&s->listeners);
	closep(&s->epoll_fd);
	closep(&s->stop_fd);
	free(s);
}

unsigned web_server_port(const struct web_server *s, size_t i)
{
	return i < s->listeners.n ? listener_port(s->listeners.fds[i]) : 0;
}
