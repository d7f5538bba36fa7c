/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTP library at work on connections that others have accepted. It has no thread: whoever
 * owns it waits until epoll_fd is readable or http_time_left() is over, then calls http_run().
 */
#pragma once

#include <sys/socket.h>

#include "web/connection.h"
#include "web/route.h"

struct http {
	int epoll_fd;
	struct MHD_Daemon *daemon;
	struct router router;
	struct web_patience patience; /* no 0 */
	struct connections connections;
};

/* {} is a valid stopped one; a started one stays where it is in memory. */
int http_start(struct http *h, const struct web_options *options, const struct web_source *source,
	struct error *e);
void http_stop(struct http *h); /* closes all connections */

void http_run(struct http *h);

/* In how many ms http_run() has something to do without an event; -1: not before one. Drops the
 * connections whose time is over. */
int http_time_left(struct http *h);

bool http_is_full(const struct http *h);

/* Drops the connection that has waited longest for a request; false: none could be. */
bool http_make_room(struct http *h);

/* Takes the non-blocking socket fd; h must not be full. */
void http_add(struct http *h, int fd, const struct sockaddr *peer, socklen_t size);
