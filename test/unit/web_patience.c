// SPDX-License-Identifier: Apache-2.0
/* The server and clients that are slow, many, silent or gone: none may keep it from the others. */
#include "web_client.h"

#include <pthread.h>
#include <sys/resource.h>

#include "allocated.h"
#include "web/connection.h"

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
	static const char *const addresses[] = {"127.0.0.1:0", "127.0.0.2:0", ":0"};
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

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_dribbling_client_is_dropped), CHECK_TEST(silent_clients_are_dropped),
		CHECK_TEST(a_client_that_sends_no_more_is_not_waited_for),
		CHECK_TEST(a_slow_reader_is_dropped), CHECK_TEST(a_crowd_keeps_nobody_out),
		CHECK_TEST(nothing_grows_or_leaks), CHECK_TEST(an_idle_server_sleeps),
		CHECK_TEST(it_ends_while_clients_wait), CHECK_TEST(sockets_share_one_thread),
		CHECK_TEST(a_shortage_of_descriptors_passes), /* lowers the limit for good */
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
