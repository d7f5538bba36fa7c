/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open connections and how long each may still take. The HTTP library knows idle clients,
 * not those that send or take a byte now and then; nor does it make room for new clients.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_CONNECTIONS = 256 };

struct connection {
	bool is_open;
	bool is_answered; /* it has sent a request that is in work; else it is to send one */
	bool is_counted;  /* that request is one of router.n_in_work */
	bool is_closing;  /* its client sends no more */
	bool is_dropped;
	int fd;
	int64_t since_ms, deadline_ms; /* of what is_answered says; CLOCK_MONOTONIC */
};

/* {} is a valid empty set. */
struct connections {
	struct connection items[MAX_CONNECTIONS];
	size_t n;
};

/* The new connection is to send a request within patience_ms. NULL when the set is full. */
struct connection *connections_add(struct connections *c, int fd, unsigned patience_ms);
void connections_remove(struct connections *c, struct connection *connection);

/* The connection's request is in work now, or (false) has been, and the next is awaited. */
void connection_set_answered(struct connection *c, bool is_answered, unsigned patience_ms);

/* Its client sends no more: what it still has to say must come within patience_ms. */
void connection_set_closing(struct connection *c, unsigned patience_ms);

/* Drops those whose time is over. Returns in how many ms the next one's will be; -1: none has
 * a deadline. */
int connections_expire(struct connections *c);

/* Drops the one that has waited longest for its client's request; false when there is none. */
bool connections_drop_oldest(struct connections *c);
