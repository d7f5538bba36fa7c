// SPDX-License-Identifier: Apache-2.0
#include "web/http.h"

#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

/* Of a connection: its request line, headers and what the library needs for them. */
enum { CONNECTION_BYTES = 16 << 10 };

static void on_connection(void *data, struct MHD_Connection *connection, void **out_ours,
	enum MHD_ConnectionNotificationCode what)
{
	struct http *h = data;

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*out_ours = connections_add(&h->connections,
			MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				->connect_fd,
			h->patience.request_ms);
	else if (*out_ours)
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
	connection_set_answered(c, false, h->patience.idle_ms);
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
	};
}

int http_start(struct http *h, const struct web_options *options, const struct web_source *source,
	struct error *e)
{
	router_init(&h->router, options, source);
	patience_init(&h->patience, &options->patience);
	h->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG,
		0, NULL, NULL, on_request, h, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_NOTIFY_COMPLETED,
		on_request_end, h, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
	if (!h->daemon)
		return error_set_errno(e, errno ? -errno : -EIO, "starting the HTTP library");
	if (!MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD))
		return error_set(e, -ENOTSUP, "the HTTP library can't wait with epoll");
	return 0;
}

void http_stop(struct http *h)
{
	if (h->daemon)
		MHD_stop_daemon(h->daemon);
	h->daemon = NULL;
	free(TAKE_PTR(h->router.telemetry_path));
}

int http_fd(const struct http *h)
{
	return MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

void http_run(struct http *h)
{
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
	MHD_run(h->daemon);
	return h->connections.n < n_before;
}

void http_add(struct http *h, int fd, const struct sockaddr *peer, socklen_t size)
{
	MHD_add_connection(h->daemon, fd, peer, size);
}
