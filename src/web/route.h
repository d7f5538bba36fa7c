/* SPDX-License-Identifier: Apache-2.0 */
/* What a request gets: the table of paths, and the answers to all that is not in it. */
#pragma once

#include <microhttpd.h>

#include "web/server.h"

struct router {
	struct web_source source;
	char *telemetry_path;
	unsigned max_requests;
	unsigned n_in_work;  /* requests that count, until their clients have taken the answer */
	size_t metrics_size; /* of the last answer: room to make the next one in */
};

/* Whether the headers announce a body, of any size but 0. */
bool request_has_body(struct MHD_Connection *connection);

/* Queues the answer. *out_counts: it is one in work; n_in_work is then for the caller to lower
 * when the request has ended. */
enum MHD_Result router_answer(struct router *r, struct MHD_Connection *connection, const char *path,
	const char *method, bool *out_counts);
