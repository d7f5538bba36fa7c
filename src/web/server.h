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
	bool (*is_ready)(void *data); /* a plan is in force */
};

struct web_options {
	const char *const *listen_addresses; /* "host:port", ":port", "[::1]:port" */
	size_t n_listen_addresses;
	const char *telemetry_path; /* "/metrics" */
	unsigned max_requests;      /* at once; more get 503 */
};

struct web_server;

/* Listens on every address, or on none and fails with the address in e. */
int web_server_new(struct web_server **out, const struct web_options *options,
	const struct web_source *source, struct error *e);
void web_server_free(struct web_server *s);
DEFINE_CLEANUP(web_server_free, struct web_server *)
