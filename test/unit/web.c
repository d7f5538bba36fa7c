// SPDX-License-Identifier: Apache-2.0
/* The server over real sockets, by clients that are good, wrong, greedy, slow or gone. */
#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "allocated.h"
#include "base/memory.h"
#include "check.h"
#include "metric/process.h"
#include "web/connection.h"

struct content {
	size_t metrics_size; /* of the text, beside its first line; about */
	_Atomic bool is_ready;
	_Atomic unsigned n_scrapes;
};

static void metrics(void *data, struct buffer *out)
{
	struct content *c = data;
	static const char filler[4096];

	c->n_scrapes++;
	buffer_puts(out, "up 1\n");
	for (size_t i = 0; i < c->metrics_size; i += sizeof(filler))
		buffer_append(out, filler, sizeof(filler));
}

static void status_page(void *data, struct buffer *out)
{
	(void)data;
	buffer_puts(out, "<!DOCTYPE html>\n");
}

static bool is_ready(void *data)
{
	return ((struct content *)data)->is_ready;
}

static struct web_server *start(struct content *content, struct web_options options)
{
	static const char *const loopback[] = {"127.0.0.1:0"};
	const struct web_source source = {content, metrics, status_page, is_ready};
	_cleanup_(error_deinit) struct error e = {};
	struct web_server *s = NULL;

	options.telemetry_path = "/metrics";
	if (!options.listen_addresses) {
		options.listen_addresses = loopback;
		options.n_listen_addresses = 1;
	}
	CHECK_INT(web_server_new(&s, &options, &source, &e), 0);
	CHECK(!e.text);
	return s;
}

static int new_client(void)
{
	const struct timeval patience = {.tv_sec = 20};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return fd;
}

static void connect_client(int fd, unsigned port)
{
	const struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons((in_port_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	CHECK_INT(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
}

static int connect_to(unsigned port)
{
	int fd = new_client();

	connect_client(fd, port);
	return fd;
}

static void say(int fd, const char *text)
{
	CHECK_INT(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* What comes until the server closes. -1: it did not within the client's patience. */
static ssize_t read_all(int fd, struct buffer *out)
{
	char bytes[65536];
	ssize_t n;

	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		buffer_append(out, bytes, (size_t)n);
	return n < 0 && errno == EAGAIN ? -1 : 0;
}

static void ask(unsigned port, const char *request, struct buffer *reply)
{
	_cleanup_(closep) int fd = connect_to(port);

	buffer_clear(reply);
	say(fd, request);
	CHECK_INT(read_all(fd, reply), 0);
}

static bool has(const struct buffer *reply, const char *text)
{
	return strstr(buffer_text(reply), text) != NULL;
}

static bool begins(const struct buffer *reply, const char *text)
{
	return !strncmp(buffer_text(reply), text, strlen(text));
}

static const char *body(const struct buffer *reply)
{
	const char *end = strstr(buffer_text(reply), "\r\n\r\n");

	return end ? end + 4 : "(no body)";
}

#define GET(path) "GET " path " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

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
		{"GET http://x/metrics HTTP/1.0\r\n\r\n", "HTTP/1.1 404 ", ""},
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

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* It sends a byte now and then, so that it is never idle, and never gets to the end. */
static void a_dribbling_client_is_dropped(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s =
		start(&content, (struct web_options){.patience.request_ms = 300});
	_cleanup_(closep) int fd = connect_to(web_server_port(s, 0));
	double start_seconds = now_seconds();
	const struct timespec pause = {.tv_nsec = 20000000};

	say(fd, "GET /metrics HTTP/1.1\r\nX-Slow: ");
	while (send(fd, "a", 1, MSG_NOSIGNAL) == 1 && now_seconds() < start_seconds + 10)
		nanosleep(&pause, NULL);
	CHECK(now_seconds() >= start_seconds + 0.3);
	CHECK(now_seconds() < start_seconds + 3);
}

static void silent_clients_are_dropped(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(
		&content, (struct web_options){.patience = {.request_ms = 200, .idle_ms = 400}});
	_cleanup_(closep) int half_open = connect_to(web_server_port(s, 0));
	_cleanup_(closep) int idle = connect_to(web_server_port(s, 0));
	_cleanup_(buffer_deinit) struct buffer r = {};
	double start_seconds = now_seconds();

	say(idle, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
	CHECK_INT(read_all(half_open, &r), 0);
	CHECK_INT(r.size, 0);
	CHECK(now_seconds() >= start_seconds + 0.15);
	CHECK_INT(read_all(idle, &r), 0);
	CHECK(has(&r, "up 1\n"));
	CHECK(now_seconds() >= start_seconds + 0.35);
	CHECK(now_seconds() < start_seconds + 4);
}

/* It keeps the connection, but closes its own side of it together with its last bytes. */
static void a_client_that_sends_no_more_is_not_waited_for(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s =
		start(&content, (struct web_options){.patience.closing_ms = 200});
	double start_seconds = now_seconds();

	for (int i = 0; i < 3; i++) {
		_cleanup_(closep) int fd = connect_to(web_server_port(s, 0));
		_cleanup_(buffer_deinit) struct buffer r = {};

		say(fd, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
		shutdown(fd, SHUT_WR);
		CHECK_INT(read_all(fd, &r), 0);
		CHECK_STR(body(&r), "up 1\n");
	}
	CHECK(now_seconds() < start_seconds + 8);
}

/* It takes a little of the answer now and then. */
static void a_slow_reader_is_dropped(void)
{
	struct content content = {.metrics_size = 32 << 20};
	_cleanup_(web_server_freep) struct web_server *s =
		start(&content, (struct web_options){.patience.answer_ms = 300});
	_cleanup_(closep) int fd = connect_to(web_server_port(s, 0));
	double start_seconds = now_seconds();
	const struct timespec pause = {.tv_nsec = 20000000};
	char bytes[4096];

	say(fd, GET("/metrics"));
	while (recv(fd, bytes, sizeof(bytes), 0) > 0 && now_seconds() < start_seconds + 10)
		nanosleep(&pause, NULL);
	CHECK(now_seconds() >= start_seconds + 0.3);
	CHECK(now_seconds() < start_seconds + 8);
}

/* More silent clients than there are places: the newest still gets its answer, at once. */
static void a_crowd_keeps_nobody_out(void)
{
	enum { CROWD = MAX_CONNECTIONS + 50 };
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(buffer_deinit) struct buffer r = {};
	int crowd[CROWD];
	double start_seconds = now_seconds();

	for (int i = 0; i < CROWD; i++)
		crowd[i] = connect_to(web_server_port(s, 0));
	for (int i = 0; i < 3; i++) {
		ask(web_server_port(s, 0), GET("/metrics"), &r);
		CHECK_STR(body(&r), "up 1\n");
	}
	CHECK(now_seconds() < start_seconds + 8);
	for (int i = 0; i < CROWD; i++)
		close(crowd[i]);
}

static uint64_t open_fds(void)
{
	struct self_reading self = {};

	CHECK_INT(process_read(&self), 0);
	return self.open_fds;
}

static void nothing_grows_or_leaks(void)
{
	struct content content = {.metrics_size = 20000};
	uint64_t fds_before = open_fds(), fds_serving = 0;
	size_t bytes_before = 0;
	struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(buffer_deinit) struct buffer r = {};

	for (int i = 0; i < 3000; i++) {
		if (i == 500) {
			fds_serving = open_fds();
			bytes_before = allocated_bytes();
		}
		ask(web_server_port(s, 0), i % 2 ? GET("/metrics") : GET("/"), &r);
	}
	/* The last connections may not be closed on the server's side yet. */
	CHECK(open_fds() <= fds_serving + 1);
	CHECK(allocated_bytes() < bytes_before + 65536);
	CHECK_INT(content.n_scrapes, 1500);
	web_server_free(s);
	CHECK_INT(open_fds(), fds_before);
}

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* With and without clients that wait. */
static void an_idle_server_sleeps(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	const struct timespec second = {.tv_sec = 1};
	double before = cpu_seconds();
	_cleanup_(closep) int fd = -1;
	char answer[64];

	nanosleep(&second, NULL);
	CHECK(cpu_seconds() - before < 0.005);
	fd = connect_to(web_server_port(s, 0));
	say(fd, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /metr");
	CHECK(recv(fd, answer, sizeof(answer), 0) > 0);
	before = cpu_seconds();
	nanosleep(&second, NULL);
	CHECK(cpu_seconds() - before < 0.005);
}

/* It neither spins while the process has no descriptor left, nor forgets who waits. */
static void a_shortage_of_descriptors_passes(void)
{
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s = start(&content, (struct web_options){});
	const struct timespec half_second = {.tv_nsec = 500000000};
	const struct rlimit few = {256, 256};
	_cleanup_(closep) int fd = new_client();
	_cleanup_(buffer_deinit) struct buffer r = {};
	int fillers[256], n_fillers = 0;
	double before;

	CHECK_INT(setrlimit(RLIMIT_NOFILE, &few), 0);
	while ((fillers[n_fillers] = dup(fd)) >= 0)
		n_fillers++;
	connect_client(fd, web_server_port(s, 0));
	say(fd, GET("/metrics"));
	before = cpu_seconds();
	nanosleep(&half_second, NULL);
	CHECK(cpu_seconds() - before < 0.01);
	CHECK_INT(content.n_scrapes, 0);
	while (n_fillers)
		close(fillers[--n_fillers]);
	CHECK_INT(read_all(fd, &r), 0);
	CHECK_STR(body(&r), "up 1\n");
}

static void it_ends_while_clients_wait(void)
{
	struct content content = {.metrics_size = 32 << 20};
	struct web_server *s = start(&content, (struct web_options){});
	_cleanup_(closep) int silent = connect_to(web_server_port(s, 0));
	_cleanup_(closep) int slow = connect_to(web_server_port(s, 0));
	double start_seconds;
	char first[9];

	say(silent, "GET /");
	say(slow, GET("/metrics"));
	CHECK_INT(recv(slow, first, sizeof(first), MSG_WAITALL), sizeof(first));
	start_seconds = now_seconds();
	web_server_free(s);
	CHECK(now_seconds() < start_seconds + 0.5);
}

static void *ask_many(void *data)
{
	_cleanup_(buffer_deinit) struct buffer r = {};

	for (int i = 0; i < 300; i++) {
		ask(*(unsigned *)data, GET("/metrics"), &r);
		CHECK_STR(body(&r), "up 1\n");
	}
	return NULL;
}

static void sockets_share_one_thread(void)
{
	static const char *const addresses[] = {"127.0.0.1:0", "localhost:0", ":0"};
	struct content content = {};
	_cleanup_(web_server_freep) struct web_server *s =
		start(&content, (struct web_options){.listen_addresses = addresses,
					.n_listen_addresses = ARRAY_SIZE(addresses)});
	unsigned ports[2] = {web_server_port(s, 0), 0};
	pthread_t threads[4];

	for (size_t i = 0; web_server_port(s, i); i++)
		ports[1] = web_server_port(s, i);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_create(&threads[i], NULL, ask_many, &ports[i % 2]);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	CHECK(ports[0] != ports[1]);
	CHECK_INT(content.n_scrapes, 1200);
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
		CHECK_TEST(routes_answer), CHECK_TEST(head_is_get_without_the_body),
		CHECK_TEST(wrong_requests_are_refused), CHECK_TEST(huge_headers_are_refused),
		CHECK_TEST(connections_are_kept), CHECK_TEST(more_than_max_requests_get_503),
		CHECK_TEST(a_dribbling_client_is_dropped), CHECK_TEST(silent_clients_are_dropped),
		CHECK_TEST(a_client_that_sends_no_more_is_not_waited_for),
		CHECK_TEST(a_slow_reader_is_dropped), CHECK_TEST(a_crowd_keeps_nobody_out),
		CHECK_TEST(nothing_grows_or_leaks), CHECK_TEST(an_idle_server_sleeps),
		CHECK_TEST(it_ends_while_clients_wait), CHECK_TEST(sockets_share_one_thread),
		CHECK_TEST(a_port_in_use_is_named),
		CHECK_TEST(a_shortage_of_descriptors_passes), /* lowers the limit for good */
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
