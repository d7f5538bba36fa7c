/* SPDX-License-Identifier: Apache-2.0 */
/* Listen addresses as options give them, and the sockets they mean. */
#pragma once

#include <stddef.h>

#include "base/error.h"

struct listen_address {
	char host[256]; /* a name or address, without brackets; empty: all */
	char port[6];   /* decimal, at most 65535 */
};

/* -EINVAL for what is none of "host:port", ":port", "[ipv6]:port". */
int listen_address_parse(struct listen_address *out, const char *text, struct error *e);

/* Listening sockets; {} is a valid empty set. */
struct listeners {
	int *fds;
	size_t n;
};

void listeners_deinit(struct listeners *l);

/* Opens the sockets that text means: one, or one for each address of a name. On failure none
 * is added, and e names the address. */
int listeners_add(struct listeners *l, const char *text, struct error *e);

unsigned listener_port(int fd);
