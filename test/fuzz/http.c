// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes as what a client sends, in two parts: the first byte says where the cut is. However
 * bad, what comes back is HTTP or nothing, the connection ends with the client's, and no request
 * stays in work. The same bytes are also tried as a listen address.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "web/http.h"
#include "web/listen.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ROUNDS = 1000 };

static struct http http;

static void text(void *data, struct buffer *out)
{
	(void)data;
	buffer_puts(out, "up 1\n");
}

static bool is_ready(void *data)
{
	(void)data;
	return true;
}

int LLVMFuzzerInitialize(int *argc __attribute__((unused)), char ***argv __attribute__((unused)))
{
	const struct web_options options = {
		.telemetry_path = "/metrics", .max_requests = 1, .patience.closing_ms = 1};
	const struct web_source source = {NULL, text, text, is_ready};

	return http_start(&http, &options, &source, NULL);
}

static void send_part(int fd, const uint8_t *data, size_t size)
{
	/* The server may have closed already; it must not have left room for too little. */
	if (size && send(fd, data, size, MSG_NOSIGNAL) != (ssize_t)size && errno != EPIPE)
		abort();
	http_run(&http);
}

static void receive(int fd, struct buffer *reply)
{
	char bytes[4096];
	ssize_t n;

	for (int i = 0; i < MOST_ROUNDS; i++) {
		struct pollfd ready = {.fd = http.epoll_fd, .events = POLLIN};

		http_run(&http);
		while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
			buffer_append(reply, bytes, (size_t)n);
		if (!n || errno == ECONNRESET)
			return;
		poll(&ready, 1, http_time_left(&http));
	}
	abort();
}

static void try_request(const uint8_t *data, size_t size)
{
	const struct sockaddr_in peer = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	_cleanup_(buffer_deinit) struct buffer reply = {};
	size_t cut = size ? data[0] * size / 256 : 0;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends))
		abort();
	http_add(&http, ends[0], (const struct sockaddr *)&peer, sizeof(peer));
	send_part(ends[1], data, cut);
	send_part(ends[1], data + cut, size - cut);
	shutdown(ends[1], SHUT_WR);
	receive(ends[1], &reply);
	close(ends[1]);
	if (reply.size && strncmp(reply.data, "HTTP/1.", 7))
		abort();
	if (http.connections.n || http.router.n_in_work)
		abort();
}

static void try_address(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *copy = memory_alloc(size + 1);
	struct listen_address address;

	memcpy(copy, data, size);
	if (!listen_address_parse(&address, copy, NULL) &&
		strlen(address.host) + strlen(address.port) >= strlen(copy))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_request(data, size);
	try_address(data, size);
	return 0;
}
