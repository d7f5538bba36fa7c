// SPDX-License-Identifier: Apache-2.0
/*
 * The library waits with an edge-triggered epoll and can miss that a client has closed its side
 * when this was seen together with the client's last bytes. So each socket is watched for that
 * here too, and a connection whose client will send no more gets little time.
 */
#include "web/http.h"

#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/log.h"
#include "base/memory.h"

/* Of a connection: its request line, headers and what the library needs for them. */
enum { CONNECTION_BYTES = 16 << 10 };

static struct connection *add_connection(struct http *h, int fd)
{
	struct connection *c = connections_add(&h->connections, fd, h->patience.request_ms);
	struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = c};

	epoll_ctl(h->epoll_fd, EPOLL_CTL_ADD, fd, &event);
	return c;
}

static void on_connection(void *data, struct MHD_Connection *connection, void **out_ours,
	enum MHD_ConnectionNotificationCode what)
{
	struct http *h = data;

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*out_ours = add_connection(
			h, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				   ->connect_fd);
	else
		connections_remove(&h->connections, *out_ours);
}

static struct connection *ours(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
}

/*
 * The library calls twice for a request: when its headers are there, and when all is. To answer
 * at the first call means to close the connection and to leave unread what else comes: that is
 * for bodies, which nobody here wants.
 */
static enum MHD_Result on_request(void *data, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *upload, size_t *upload_size,
	void **request)
{
	struct http *h = data;
	struct connection *c = ours(connection);

	(void)version, (void)upload, (void)upload_size;
	if (!*request) {
		*request = c;
		if (!request_has_body(connection))
			return MHD_YES;
	}
	connection_set_answered(c, true, h->patience.answer_ms);
	return router_answer(&h->router, connection, path, method, &c->is_counted);
}

static void on_request_end(void *data, struct MHD_Connection *connection, void **request,
	enum MHD_RequestTerminationCode why)
{
	struct http *h = data;
	struct connection *c = ours(connection);

	(void)why, (void)request;
	h->router.n_in_work -= c->is_counted;
	c->is_counted = false;
	connection_set_answered(
		c, false, c->is_closing ? h->patience.closing_ms : h->patience.idle_ms);
}

/* What holds a NUL would end there for who reads it as text: it stays as it was written, and so is
 * no path that there is. */
static size_t on_escaped(void *data, struct MHD_Connection *connection, char *text)
{
	(void)data, (void)connection;
	return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

static void on_library_log(void *data, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void on_library_log(void *data, const char *format, va_list args)
{
	_cleanup_(freep) char *text = memory_vprintf(format, args);

	(void)data;
	text[strcspn(text, "\n")] = '\0';
	log_debug("http", "cause", text);
}

static void router_init(
	struct router *r, const struct web_options *options, const struct web_source *source)
{
	*r = (struct router){
		.source = *source,
		.telemetry_path = memory_strdup(options->telemetry_path),
		.max_requests = options->max_requests,
	};
}

static void patience_init(struct web_patience *out, const struct web_patience *wanted)
{
	*out = (struct web_patience){
		.request_ms = wanted->request_ms ? wanted->request_ms : 10 * 1000,
		.answer_ms = wanted->answer_ms ? wanted->answer_ms : 60 * 1000,
		.idle_ms = wanted->idle_ms ? wanted->idle_ms : 120 * 1000,
		.closing_ms = wanted->closing_ms ? wanted->closing_ms : 1000,
	};
}

static int start_library(struct http *h, struct error *e)
{
	h->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG,
		0, NULL, NULL, on_request, h, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_NOTIFY_COMPLETED,
		on_request_end, h, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_UNESCAPE_CALLBACK, on_escaped, NULL, MHD_OPTION_END);
	if (!h->daemon)
		return error_set_errno(e, errno ? -errno : -EIO, "starting the HTTP library");
	return 0;
}

static int watch_library(struct http *h, struct error *e)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct epoll_event event = {.events = EPOLLIN};

	if (!info)
		return error_set(e, -ENOTSUP, "the HTTP library can't wait with epoll");
	h->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (h->epoll_fd < 0 || epoll_ctl(h->epoll_fd, EPOLL_CTL_ADD, info->epoll_fd, &event))
		return error_set_errno(e, -errno, "epoll");
	return 0;
}

int http_start(struct http *h, const struct web_options *options, const struct web_source *source,
	struct error *e)
{
	int r;

	h->epoll_fd = -1;
	router_init(&h->router, options, source);
	patience_init(&h->patience, &options->patience);
	r = start_library(h, e);
	if (!r)
		r = watch_library(h, e);
	if (r)
		http_stop(h);
	return r;
}

void http_stop(struct http *h)
{
	if (!h->router.telemetry_path)
		return;
	if (h->daemon)
		MHD_stop_daemon(h->daemon);
	closep(&h->epoll_fd);
	free(h->router.telemetry_path);
	*h = (struct http){};
}

void http_run(struct http *h)
{
	struct epoll_event events[16];
	int n = epoll_wait(h->epoll_fd, events, ARRAY_SIZE(events), 0);

	for (int i = 0; i < n; i++)
		if (events[i].data.ptr)
			connection_set_closing(events[i].data.ptr, h->patience.closing_ms);
	MHD_run(h->daemon);
}

int http_time_left(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG library_ms;
	int left_ms = connections_expire(&h->connections);

	if (MHD_get_timeout(h->daemon, &library_ms) == MHD_YES && library_ms < INT_MAX &&
		(left_ms < 0 || (int)library_ms < left_ms))
		left_ms = (int)library_ms;
	return left_ms;
}

bool http_is_full(const struct http *h)
{
	return h->connections.n == MAX_CONNECTIONS;
}

bool http_make_room(struct http *h)
{
	const size_t n_before = h->connections.n;

	if (!connections_drop_oldest(&h->connections))
		return false;
	http_run(h);
	return h->connections.n < n_before;
}

void http_add(struct http *h, int fd, const struct sockaddr *peer, socklen_t size)
{
	MHD_add_connection(h->daemon, fd, peer, size);
}
