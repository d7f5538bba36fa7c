// SPDX-License-Identifier: Apache-2.0
/*
 * ":port" is one IPv6 socket that takes IPv4 clients too; where the host has no IPv6 it is an
 * IPv4 one. A name is listened on at each of its addresses that this host has: "localhost" may
 * be ::1, 127.0.0.1 or both.
 */
#include "web/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"

static int split(const char *text, const char **host, size_t *host_size, const char **port)
{
	const char *colon = strrchr(text, ':'), *end = colon;

	if (!colon)
		return -EINVAL;
	*host = text;
	if (text[0] == '[') {
		if (colon == text || colon[-1] != ']')
			return -EINVAL;
		(*host)++;
		end--;
		if (end == *host || memchr(*host, '[', (size_t)(end - *host)))
			return -EINVAL;
	} else if (memchr(text, ':', (size_t)(colon - text))) {
		return -EINVAL;
	}
	*host_size = (size_t)(end - *host);
	*port = colon + 1;
	return 0;
}

static bool is_port(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n && !text[n] && n < sizeof(((struct listen_address *)0)->port) &&
	       strtoul(text, NULL, 10) <= 65535;
}

int listen_address_parse(struct listen_address *out, const char *text, struct error *e)
{
	const char *host, *port;
	size_t host_size;

	if (split(text, &host, &host_size, &port) || host_size >= sizeof(out->host))
		return error_set(e, -EINVAL,
			"\"%s\" is no listen address: write host:port, :port or [ipv6]:port", text);
	if (!is_port(port))
		return error_set(e, -EINVAL, "\"%s\" has no port between 0 and 65535", text);
	memcpy(out->host, host, host_size);
	out->host[host_size] = '\0';
	memcpy(out->port, port, strlen(port) + 1);
	return 0;
}

/* A listening socket or -errno. */
static int listen_at(const struct sockaddr *address, socklen_t size, bool dual)
{
	const int on = 1, v6_only = !dual;
	_cleanup_(closep) int fd =
		socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
		(address->sa_family == AF_INET6 &&
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &v6_only, sizeof(v6_only))) ||
		bind(fd, address, size) || listen(fd, SOMAXCONN))
		return -errno;
	return TAKE_FD(fd);
}

static void add(struct listeners *l, int fd)
{
	l->fds = memory_grow(l->fds, l->n + 1, sizeof(*l->fds));
	l->fds[l->n++] = fd;
}

static void truncate_to(struct listeners *l, size_t n)
{
	while (l->n > n)
		close(l->fds[--l->n]);
}

/* The host lacks this address, or its whole family. */
static bool is_absent(int code)
{
	return code == -EADDRNOTAVAIL || code == -EAFNOSUPPORT;
}

static int add_any(struct listeners *l, const char *port)
{
	const in_port_t number = htons((in_port_t)strtoul(port, NULL, 10));
	const struct sockaddr_in6 all = {
		.sin6_family = AF_INET6, .sin6_port = number, .sin6_addr = IN6ADDR_ANY_INIT};
	const struct sockaddr_in all_v4 = {.sin_family = AF_INET, .sin_port = number};
	int fd = listen_at((const struct sockaddr *)&all, sizeof(all), true);

	if (is_absent(fd))
		fd = listen_at((const struct sockaddr *)&all_v4, sizeof(all_v4), false);
	if (fd < 0)
		return fd;
	add(l, fd);
	return 0;
}

/* Whether the list has the address of a before a: a hosts file may repeat itself. */
static bool is_repeated(const struct addrinfo *list, const struct addrinfo *a)
{
	for (; list != a; list = list->ai_next)
		if (list->ai_addrlen == a->ai_addrlen &&
			!memcmp(list->ai_addr, a->ai_addr, a->ai_addrlen))
			return true;
	return false;
}

static int add_each(struct listeners *l, const struct addrinfo *addresses)
{
	const size_t n_before = l->n;

	for (const struct addrinfo *a = addresses; a; a = a->ai_next) {
		int fd;

		if (is_repeated(addresses, a))
			continue;
		fd = listen_at(a->ai_addr, a->ai_addrlen, false);
		if (fd >= 0) {
			add(l, fd);
		} else if (!is_absent(fd)) {
			truncate_to(l, n_before);
			return fd;
		}
	}
	return l->n > n_before ? 0 : -EADDRNOTAVAIL;
}

DEFINE_CLEANUP(freeaddrinfo, struct addrinfo *)

int listeners_add(struct listeners *l, const char *text, struct error *e)
{
	const struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM};
	_cleanup_(freeaddrinfop) struct addrinfo *addresses = NULL;
	struct listen_address address;
	int r;

	r = listen_address_parse(&address, text, e);
	if (r)
		return r;
	if (!address.host[0]) {
		r = add_any(l, address.port);
	} else {
		r = getaddrinfo(address.host, address.port, &hints, &addresses);
		if (r)
			return error_set(e, -EADDRNOTAVAIL, "listening on \"%s\": %s", text,
				gai_strerror(r));
		r = add_each(l, addresses);
	}
	return r ? error_set_errno(e, r, "listening on \"%s\"", text) : 0;
}

void listeners_deinit(struct listeners *l)
{
	truncate_to(l, 0);
	free(l->fds);
	*l = (struct listeners){};
}

unsigned listener_port(int fd)
{
	struct sockaddr_storage address = {};
	socklen_t size = sizeof(address);

	if (getsockname(fd, (struct sockaddr *)&address, &size))
		return 0;
	if (address.ss_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)&address)->sin6_port);
	return ntohs(((const struct sockaddr_in *)&address)->sin_port);
}
