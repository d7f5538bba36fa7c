/* SPDX-License-Identifier: Apache-2.0 */
/* A server with known content, and clients of it over real sockets. */
#pragma once

#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "base/memory.h"
#include "check.h"
#include "metric/process.h"

struct content {
	size_t metrics_size; /* of the text, beside its first line; about */
	_Atomic bool is_ready;
	_Atomic unsigned n_scrapes;
};

static inline void metrics(void *data, struct buffer *out)
{
	struct content *c = data;
	static const char filler[4096];

	c->n_scrapes++;
	buffer_puts(out, "up 1\n");
	for (size_t i = 0; i < c->metrics_size; i += sizeof(filler))
		buffer_append(out, filler, sizeof(filler));
}

static inline void status_page(void *data, struct buffer *out)
{
	(void)data;
	buffer_puts(out, "<!DOCTYPE html>\n");
}

static inline bool is_ready(void *data)
{
	return ((struct content *)data)->is_ready;
}

static inline struct web_server *start(struct content *content, struct web_options options)
{
	static const char *const loopback[] = {"127.0.0.1:0"};
	const struct web_source source = {content, metrics, status_page, is_ready};
	_cleanup_(error_deinit) struct error e = {};
	struct web_server *s = NULL;

	options.telemetry_path = "/metrics";
	if (!options.listen_addresses) {
		options.listen_addresses = loopback;
		options.n_listen_addresses = 1;
	}
	CHECK_INT(web_server_new(&s, &options, &source, &e), 0);
	CHECK_INT(web_server_start(s, &e), 0);
	CHECK(!e.text);
	return s;
}

static inline int new_client(void)
{
	const struct timeval patience = {.tv_sec = 20};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return fd;
}

static inline void connect_client(int fd, unsigned port)
{
	const struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons((in_port_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	CHECK_INT(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
}

static inline int connect_to(unsigned port)
{
	int fd = new_client();

	connect_client(fd, port);
	return fd;
}

static inline void say(int fd, const char *text)
{
	CHECK_INT(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* What comes until the server closes. -1: it did not within the client's patience. */
static inline ssize_t read_all(int fd, struct buffer *out)
{
	char bytes[65536];
	ssize_t n;

	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		buffer_append(out, bytes, (size_t)n);
	return n < 0 && errno == EAGAIN ? -1 : 0;
}

static inline void ask(unsigned port, const char *request, struct buffer *reply)
{
	_cleanup_(closep) int fd = connect_to(port);

	buffer_clear(reply);
	say(fd, request);
	CHECK_INT(read_all(fd, reply), 0);
}

static inline bool has(const struct buffer *reply, const char *text)
{
	return strstr(buffer_text(reply), text) != NULL;
}

static inline bool begins(const struct buffer *reply, const char *text)
{
	return !strncmp(buffer_text(reply), text, strlen(text));
}

static inline const char *body(const struct buffer *reply)
{
	const char *end = strstr(buffer_text(reply), "\r\n\r\n");

	return end ? end + 4 : "(no body)";
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

static inline uint64_t open_fds(void)
{
	struct self_reading self = {};

	CHECK_INT(process_read(&self), 0);
	return self.open_fds;
}
