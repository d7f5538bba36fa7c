// SPDX-License-Identifier: Apache-2.0
/*
 * A connection is dropped by shutting its socket down: the library then sees it end, and closes
 * and forgets it in its own time. A place for each connection, since they are few, is simpler
 * than a list, and bounded.
 */
#include "web/connection.h"

#include <limits.h>
#include <sys/socket.h>

#include "base/clock.h"

void connection_set_answered(struct connection *c, bool is_answered, unsigned patience_ms)
{
	c->is_answered = is_answered;
	c->since_ms = (int64_t)clock_ms();
	c->deadline_ms = c->since_ms + patience_ms;
}

void connection_set_closing(struct connection *c, unsigned patience_ms)
{
	c->is_closing = true;
	if (!c->is_answered)
		c->deadline_ms = (int64_t)clock_ms() + patience_ms;
}

struct connection *connections_add(struct connections *c, int fd, unsigned patience_ms)
{
	for (struct connection *item = c->items; item < c->items + MAX_CONNECTIONS; item++)
		if (!item->is_open) {
			*item = (struct connection){.is_open = true, .fd = fd};
			connection_set_answered(item, false, patience_ms);
			c->n++;
			return item;
		}
	return NULL;
}

void connections_remove(struct connections *c, struct connection *connection)
{
	connection->is_open = false;
	c->n--;
}

/* Without lingering: what the client has not taken by now does not stay in the kernel either. */
static void drop(struct connection *c)
{
	const struct linger none = {.l_onoff = 1, .l_linger = 0};

	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	shutdown(c->fd, SHUT_RDWR);
	c->is_dropped = true;
}

int connections_expire(struct connections *c)
{
	const int64_t now_ms = (int64_t)clock_ms();
	int64_t next_ms = INT64_MAX;

	for (struct connection *item = c->items; item < c->items + MAX_CONNECTIONS; item++) {
		if (!item->is_open || item->is_dropped)
			continue;
		if (item->deadline_ms <= now_ms)
			drop(item);
		else if (item->deadline_ms < next_ms)
			next_ms = item->deadline_ms;
	}
	if (next_ms == INT64_MAX)
		return -1;
	return next_ms - now_ms < INT_MAX ? (int)(next_ms - now_ms) : INT_MAX;
}

bool connections_drop_oldest(struct connections *c)
{
	struct connection *oldest = NULL;

	for (struct connection *item = c->items; item < c->items + MAX_CONNECTIONS; item++)
		if (item->is_open && !item->is_dropped && !item->is_answered &&
			(!oldest || item->since_ms < oldest->since_ms))
			oldest = item;
	if (oldest)
		drop(oldest);
	return oldest != NULL;
}
