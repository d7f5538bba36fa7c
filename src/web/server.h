/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTP server, on libmicrohttpd, in a thread of its own. It knows routes and bytes; what they
 * say comes from the source.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* What the server serves. Called in the server's thread, one call at a time. */
struct web_source {
	void *data;
	void (*metrics)(void *data, struct buffer *out);     /* text format 0.0.4 */
	void (*status_page)(void *data, struct buffer *out); /* the HTML of / */
	bool (*is_ready)(void *data);                        /* a plan is in force */
};

/* How long a client may take; 0: the default. */
struct web_patience {
	unsigned request_ms; /* from connecting to the end of its first request: 10 s */
	unsigned answer_ms;  /* from there to having taken the answer: 60 s */
	unsigned idle_ms;    /* from there to the end of its next request: 120 s */
	unsigned closing_ms; /* the same two once it has said that it will send no more: 1 s */
};

struct web_options {
	/* "host:port", ":port" (all of IPv6 and IPv4), "[::1]:port"; port 0: any free one. */
	const char *const *listen_addresses;
	size_t n_listen_addresses;
	const char *telemetry_path; /* "/metrics" */
	unsigned max_requests;      /* at once; more get 503. 0: no limit */
	struct web_patience patience;
};

struct web_server;

/* Listens on every address, or on none and fails with the address in e. Clients wait until the
 * server is started. Borrows nothing but source->data. */
int web_server_new(struct web_server **out, const struct web_options *options,
	const struct web_source *source, struct error *e);

/* Serves from now on. */
int web_server_start(struct web_server *s, struct error *e);

/* Closes all connections at once, also those with an answer under way. */
void web_server_free(struct web_server *s);
DEFINE_CLEANUP(web_server_free, struct web_server *)

/* Port of the i-th listening socket; 0 past the last. One address can give several sockets. */
unsigned web_server_port(const struct web_server *s, size_t i);
