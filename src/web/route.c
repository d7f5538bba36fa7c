// SPDX-License-Identifier: Apache-2.0
/*
 * Every answer is made whole before its first byte is sent, so that a scrape is of one moment
 * however slowly it is taken; the library owns the text from then on.
 */
#include "web/route.h"

#include <string.h>
#include <strings.h>

struct header {
	const char *name, *value;
};

struct answer {
	unsigned status;
	const char *type;
	struct buffer body;
};

static const char plain_text[] = "text/plain; charset=utf-8";
static const char html[] = "text/html; charset=utf-8";
static const char text_format[] = "text/plain; version=0.0.4; charset=utf-8";

static void say(struct answer *a, unsigned status, const char *text)
{
	a->status = status;
	a->type = plain_text;
	buffer_puts(&a->body, text);
}

static void answer_metrics(struct router *r, struct answer *a)
{
	a->type = text_format;
	buffer_reserve(&a->body, r->metrics_size + r->metrics_size / 16);
	r->source.metrics(r->source.data, &a->body);
	r->metrics_size = a->body.size;
}

static void answer_status_page(struct router *r, struct answer *a)
{
	a->type = html;
	r->source.status_page(r->source.data, &a->body);
}

static void answer_healthy(struct router *r, struct answer *a)
{
	(void)r;
	say(a, MHD_HTTP_OK, "uprobe_exporter is healthy.\n");
}

static void answer_ready(struct router *r, struct answer *a)
{
	if (r->source.is_ready(r->source.data))
		say(a, MHD_HTTP_OK, "uprobe_exporter is ready.\n");
	else
		say(a, MHD_HTTP_SERVICE_UNAVAILABLE, "No plan is in force yet.\n");
}

/* The first row whose path is the request's. */
struct route {
	const char *path; /* NULL: the telemetry path */
	bool is_limited;  /* by max_requests */
	void (*answer)(struct router *r, struct answer *a);
};

static const struct route routes[] = {
	{NULL, true, answer_metrics},
	{"/", true, answer_status_page},
	{"/-/healthy", false, answer_healthy},
	{"/-/ready", false, answer_ready},
};

/* A target may be a whole address (RFC 9112, 3.2.2): the path in it. */
static const char *path_of(const char *target)
{
	static const char *const schemes[] = {"http://", "https://"};

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (strncasecmp(target, schemes[i], n))
			continue;
		target = strchr(target + n, '/');
		return target ? target : "/";
	}
	return target;
}

static const struct route *find(const struct router *r, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(routes); i++)
		if (!strcmp(path, routes[i].path ? routes[i].path : r->telemetry_path))
			return &routes[i];
	return NULL;
}

bool request_has_body(struct MHD_Connection *connection)
{
	const char *length =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

	return (length && strcmp(length, "0")) ||
	       MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding");
}

/* Sent with every answer: nothing here is to be stored, guessed at, framed or scripted. */
static const struct header headers[] = {
	{"Cache-Control", "no-store"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; "
				    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
};

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct answer *a)
{
	const size_t size = a->body.size;
	char *body = buffer_take(&a->body);
	struct MHD_Response *response =
		MHD_create_response_from_buffer(size, body, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result;

	if (!response) {
		free(body);
		return MHD_NO;
	}
	MHD_add_response_header(response, "Content-Type", a->type);
	if (a->status == MHD_HTTP_METHOD_NOT_ALLOWED || a->status == MHD_HTTP_NO_CONTENT)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		MHD_add_response_header(response, headers[i].name, headers[i].value);
	result = MHD_queue_response(connection, a->status, response);
	MHD_destroy_response(response);
	return result;
}

static bool is_full(const struct router *r)
{
	return r->max_requests && r->n_in_work >= r->max_requests;
}

enum MHD_Result router_answer(struct router *r, struct MHD_Connection *connection, const char *path,
	const char *method, bool *out_counts)
{
	const struct route *route = find(r, path_of(path));
	struct answer a = {.status = MHD_HTTP_OK};

	*out_counts = false;
	if (!strcmp(path, "*") && !strcmp(method, "OPTIONS")) {
		say(&a, MHD_HTTP_NO_CONTENT, "");
	} else if (!route) {
		say(&a, MHD_HTTP_NOT_FOUND, "There is nothing here.\n");
	} else if (strcmp(method, "GET") && strcmp(method, "HEAD")) {
		say(&a, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and HEAD are allowed.\n");
	} else if (request_has_body(connection)) {
		say(&a, MHD_HTTP_BAD_REQUEST, "A request must have no body.\n");
	} else if (route->is_limited && is_full(r)) {
		say(&a, MHD_HTTP_SERVICE_UNAVAILABLE, "Too many requests at once.\n");
	} else {
		*out_counts = route->is_limited;
		r->n_in_work += route->is_limited;
		route->answer(r, &a);
	}
	return send_answer(connection, &a);
}
