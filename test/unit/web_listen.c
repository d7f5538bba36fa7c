// SPDX-License-Identifier: Apache-2.0
#include "web/listen.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "check.h"

static void addresses_are_read(void)
{
	static const struct {
		const char *text, *host, *port;
	} cases[] = {
		{":10435", "", "10435"},
		{"127.0.0.1:9", "127.0.0.1", "9"},
		{"localhost:65535", "localhost", "65535"},
		{"[::1]:0", "::1", "0"},
		{"[fe80::1%eth0]:80", "fe80::1%eth0", "80"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct listen_address a = {};

		CHECK_INT(listen_address_parse(&a, cases[i].text, NULL), 0);
		CHECK_STR(a.host, cases[i].host);
		CHECK_STR(a.port, cases[i].port);
	}
}

static void bad_addresses_are_errors(void)
{
	static const char *const form[] = {"", "10435", "localhost", "::1:80", "[::1]", "[::1]80",
		"[::1:80", "::1]:80", "[]:80", "[[::1]]:80", "a:b:80"};
	static const char *const port[] = {":", "localhost:", ":65536", ":-1", ":+1", ": 1", ":1 ",
		":http", ":100000", ":00000080", "[::1]:x"};
	struct listen_address a = {"kept", "7"};

	for (size_t i = 0; i < ARRAY_SIZE(form); i++) {
		_cleanup_(error_deinit) struct error e = {};
		_cleanup_(freep) char *text = memory_printf(
			"\"%s\" is no listen address: write host:port, :port or [ipv6]:port",
			form[i]);

		CHECK_INT(listen_address_parse(&a, form[i], &e), -EINVAL);
		CHECK_STR(error_text(&e), text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(port); i++) {
		_cleanup_(error_deinit) struct error e = {};
		_cleanup_(freep) char *text =
			memory_printf("\"%s\" has no port between 0 and 65535", port[i]);

		CHECK_INT(listen_address_parse(&a, port[i], &e), -EINVAL);
		CHECK_STR(error_text(&e), text);
	}
	CHECK_STR(a.host, "kept");
	CHECK_STR(a.port, "7");
}

static void long_hosts_are_refused(void)
{
	struct listen_address a;
	char text[300];

	memset(text, 'a', sizeof(text));
	strcpy(text + 255, ":80");
	CHECK_INT(listen_address_parse(&a, text, NULL), 0);
	strcpy(text + 256, ":80");
	CHECK_INT(listen_address_parse(&a, text, NULL), -EINVAL);
}

static int connect_v4(unsigned port)
{
	const struct sockaddr_in to = {.sin_family = AF_INET,
		.sin_port = htons((in_port_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	_cleanup_(closep) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return connect(fd, (const struct sockaddr *)&to, sizeof(to)) ? -errno : 0;
}

static int connect_v6(unsigned port)
{
	const struct sockaddr_in6 to = {.sin6_family = AF_INET6,
		.sin6_port = htons((in_port_t)port),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT};
	_cleanup_(closep) int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return connect(fd, (const struct sockaddr *)&to, sizeof(to)) ? -errno : 0;
}

static unsigned listen_on(struct listeners *l, const char *text)
{
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(listeners_add(l, text, &e), 0);
	CHECK(!e.text);
	return l->n ? listener_port(l->fds[0]) : 0;
}

static bool has_ipv6(void)
{
	_cleanup_(listeners_deinit) struct listeners l = {};

	if (!listeners_add(&l, "[::1]:0", NULL))
		return true;
	puts("skipped: this host has no IPv6");
	return false;
}

/* A new chroot has no /etc/hosts. */
static bool knows_localhost(void)
{
	struct addrinfo *found;

	if (getaddrinfo("localhost", "0", NULL, &found)) {
		puts("skipped: this host has no name localhost");
		return false;
	}
	freeaddrinfo(found);
	return true;
}

static void a_port_alone_means_both_families(void)
{
	_cleanup_(listeners_deinit) struct listeners l = {};
	unsigned port = listen_on(&l, ":0");

	if (!has_ipv6())
		return;
	CHECK_INT(l.n, 1);
	CHECK_INT(connect_v4(port), 0);
	CHECK_INT(connect_v6(port), 0);
}

static void an_address_means_itself(void)
{
	_cleanup_(listeners_deinit) struct listeners v4 = {}, v6 = {};
	unsigned v4_port, v6_port;

	if (!has_ipv6())
		return;
	v4_port = listen_on(&v4, "127.0.0.1:0");
	v6_port = listen_on(&v6, "[::1]:0");
	CHECK_INT(connect_v4(v4_port), 0);
	CHECK_INT(connect_v6(v4_port), -ECONNREFUSED);
	CHECK_INT(connect_v6(v6_port), 0);
	CHECK_INT(connect_v4(v6_port), -ECONNREFUSED);
}

static void what_the_host_lacks_is_named(void)
{
	_cleanup_(listeners_deinit) struct listeners l = {};
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(listeners_add(&l, "192.0.2.1:80", &e), -EADDRNOTAVAIL);
	CHECK_STR(error_text(&e), "listening on \"192.0.2.1:80\": Cannot assign requested address");
	CHECK_INT(listeners_add(&l, "no such host:80", &e), -EADDRNOTAVAIL);
	CHECK(strstr(error_text(&e), "listening on \"no such host:80\": ") == error_text(&e));
	CHECK_INT(l.n, 0);
}

/* As on a host without IPv6: from here on the kernel refuses such sockets to this process. */
static void without_ipv6_a_port_alone_means_ipv4(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {ARRAY_SIZE(filter), filter};
	_cleanup_(listeners_deinit) struct listeners l = {};
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	CHECK_INT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
	CHECK_INT(socket(AF_INET6, SOCK_STREAM, 0), -1);
	CHECK_INT(connect_v4(listen_on(&l, ":0")), 0);
	CHECK_INT(l.n, 1);
	if (knows_localhost())
		listen_on(&l, "localhost:0");
	CHECK_INT(listeners_add(&l, "[::1]:0", &e), -EADDRNOTAVAIL);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(addresses_are_read),
		CHECK_TEST(bad_addresses_are_errors),
		CHECK_TEST(long_hosts_are_refused),
		CHECK_TEST(a_port_alone_means_both_families),
		CHECK_TEST(an_address_means_itself),
		CHECK_TEST(what_the_host_lacks_is_named),
		CHECK_TEST(without_ipv6_a_port_alone_means_ipv4),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
