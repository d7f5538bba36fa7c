// SPDX-License-Identifier: Apache-2.0
/* What the server answers over real sockets, to requests that are right and wrong. */
#include "web_client.h"

static void routes_answer(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	unsigned port = web_server_port(s, 0);
	_cleanup_(buffer_deinit) struct buffer r = {};

	ask(port, GET("/metrics"), &r);
	CHECK(begins(&r, "HTTP/1.1 200 "));
	CHECK(has(&r, "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
	CHECK(has(&r, "\r\nContent-Length: 5\r\n"));
	CHECK_STR(body(&r), "up 1\n");
	ask(port, GET("/metrics?collect[]=x"), &r);
	CHECK_STR(body(&r), "up 1\n");
	ask(port, GET("/"), &r);
	CHECK(begins(&r, "HTTP/1.1 200 "));
	CHECK(has(&r, "\r\nContent-Type: text/html; charset=utf-8\r\n"));
	CHECK(has(&r, "\r\nContent-Security-Policy: default-src 'none'; style-src"));
	CHECK(has(&r, "\r\nX-Content-Type-Options: nosniff\r\n"));
	CHECK_STR(body(&r), "<!DOCTYPE html>\n");
	ask(port, GET("/-/healthy"), &r);
	CHECK(begins(&r, "HTTP/1.1 200 "));
	CHECK_STR(body(&r), "uprobe_exporter is healthy.\n");
	ask(port, GET("/-/ready"), &r);
	CHECK(begins(&r, "HTTP/1.1 503 "));
	content.is_ready = true;
	ask(port, GET("/-/ready"), &r);
	CHECK(begins(&r, "HTTP/1.1 200 "));
	ask(port, GET("/%6detrics"), &r);
	CHECK_STR(body(&r), "up 1\n");
	ask(port, GET("http://x/metrics"), &r);
	CHECK_STR(body(&r), "up 1\n");
	ask(port, GET("HTTPS://user@[::1]:1/metrics?x=/y"), &r);
	CHECK_STR(body(&r), "up 1\n");
	ask(port, GET("http://x"), &r);
	CHECK_STR(body(&r), "<!DOCTYPE html>\n");
	ask(port, GET("/metrics/"), &r);
	CHECK(begins(&r, "HTTP/1.1 404 "));
}

static void head_is_get_without_the_body(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(buffer_deinit) struct buffer r = {};

	ask(web_server_port(s, 0), "HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		&r);
	CHECK(begins(&r, "HTTP/1.1 200 "));
	CHECK(has(&r, "\r\nContent-Length: 5\r\n"));
	CHECK_STR(body(&r), "");
}

static void wrong_requests_are_refused(void)
{
	static const struct {
		const char *request, *begins, *has;
	} cases[] = {
		{"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
			"HTTP/1.1 405 ", "\r\nAllow: GET, HEAD\r\n"},
		{"DELETE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 405 ",
			"\r\nAllow: GET, HEAD\r\n"},
		{"get /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 405 ",
			"\r\nAllow: GET, HEAD\r\n"},
		{"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: "
		 "close\r\n\r\n",
			"HTTP/1.1 404 ", ""},
		{"GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
			"HTTP/1.1 400 ", "\r\nConnection: close\r\n"},
		{"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
			"HTTP/1.1 400 ", "\r\nConnection: close\r\n"},
		{"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
		 "chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
			"HTTP/1.1 400 ", "\r\nConnection: close\r\n"},
		{"GET /../../etc/passwd HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"GET /%2e%2e HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"GET /%00x HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"GET /metrics%00 HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"GET http://x/nowhere HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"GET httpd://x/metrics HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"GET * HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
		{"OPTIONS * HTTP/1.0\r\n\r\n", "HTTP/1.1 204 ", "\r\nAllow: GET, HEAD\r\n"},
		{"OPTIONS /metrics HTTP/1.0\r\n\r\n", "HTTP/1.1 405 ", "\r\nAllow: GET, HEAD\r\n"},
		{"nonsense\r\n\r\n", "", ""},
		{"\x16\x03\x01\x02\x01\x01\r\n\r\n", "", ""}, /* TLS, to a port that has none */
	};
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(buffer_deinit) struct buffer r = {};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ask(web_server_port(s, 0), cases[i].request, &r);
		CHECK(begins(&r, cases[i].begins));
		CHECK(has(&r, cases[i].has));
		CHECK(!has(&r, "up 1"));
	}
	CHECK_INT(content.n_scrapes, 0);
}

static void huge_headers_are_refused(void)
{
	const size_t size = 4 << 20;
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(closep) int fd = connect_to(web_server_port(s, 0));
	_cleanup_(freep) char *junk = memory_alloc(size);
	_cleanup_(buffer_deinit) struct buffer r = {};

	memset(junk, 'a', size);
	say(fd, "GET /metrics HTTP/1.1\r\nHost: x\r\nX-Junk: ");
	send(fd, junk, size, MSG_NOSIGNAL);
	CHECK_INT(read_all(fd, &r), 0);
	CHECK(!r.size || begins(&r, "HTTP/1.1 431 "));
	CHECK_INT(content.n_scrapes, 0);
	ask(web_server_port(s, 0), GET("/metrics"), &r);
	CHECK_STR(body(&r), "up 1\n");
}

/* Requests in one connection, also when several arrive at once. */
static void connections_are_kept(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(buffer_deinit) struct buffer r = {};

	ask(web_server_port(s, 0),
		"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
		"GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n" GET("/metrics"),
		&r);
	CHECK_INT(content.n_scrapes, 2);
	CHECK(has(&r, "is healthy"));
}

static void more_than_max_requests_get_503(void)
{
	enum { LIMIT = 3 };
	struct content content = {.metrics_size = 32 << 20};
	_cleanup_(web_server_freep) struct web_server *s =
		start(&content, (struct web_options){.max_requests = LIMIT});
	unsigned port = web_server_port(s, 0);
	_cleanup_(buffer_deinit) struct buffer r = {};
	int slow[LIMIT];
	char first[9];

	/* Each has read the beginning of its answer, and leaves the rest where it is. */
	for (int i = 0; i < LIMIT; i++) {
		slow[i] = connect_to(port);
		say(slow[i], GET("/metrics"));
		CHECK_INT(recv(slow[i], first, sizeof(first), MSG_WAITALL), sizeof(first));
	}
	ask(port, GET("/metrics"), &r);
	CHECK(begins(&r, "HTTP/1.1 503 "));
	CHECK_STR(body(&r), "Too many requests at once.\n");
	ask(port, GET("/-/healthy"), &r);
	CHECK(begins(&r, "HTTP/1.1 200 "));
	read_all(slow[0], &r);
	close(slow[1]);
	do
		ask(port, GET("/metrics"), &r);
	while (begins(&r, "HTTP/1.1 503 "));
	CHECK(begins(&r, "HTTP/1.1 200 "));
	close(slow[0]);
	close(slow[2]);
}

static void a_port_in_use_is_named(void)
{
	struct content content = {};
	const struct web_source source = {&content, metrics, status_page, is_ready};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(freep) char *taken = memory_printf("127.0.0.1:%u", web_server_port(s, 0));
	_cleanup_(freep) char *text =
		memory_printf("listening on \"%s\": Address already in use", taken);
	const char *const addresses[] = {"127.0.0.1:0", taken};
	const struct web_options options = {addresses, 2, "/metrics"};
	_cleanup_(error_deinit) struct error e = {};
	struct web_server *second = NULL;
	uint64_t fds_before = open_fds();

	CHECK_INT(web_server_new(&second, &options, &source, &e), -EADDRINUSE);
	CHECK_STR(error_text(&e), text);
	CHECK(!second);
	CHECK_INT(open_fds(), fds_before);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(routes_answer),
		CHECK_TEST(head_is_get_without_the_body),
		CHECK_TEST(wrong_requests_are_refused),
		CHECK_TEST(huge_headers_are_refused),
		CHECK_TEST(connections_are_kept),
		CHECK_TEST(more_than_max_requests_get_503),
		CHECK_TEST(a_port_in_use_is_named),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
