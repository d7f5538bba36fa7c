/* SPDX-License-Identifier: Apache-2.0 */
/*
 * revisit: calls `visit` twice in a row, each until a line comes, while another thread calls `busy`
 * as often as it can.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "target.h"

static atomic_bool stop;

long visit(const char *state);
long busy(long value);

PROBED long visit(const char *state)
{
	target_wait(state);
	return opaque(0) + 1;
}

PROBED long busy(long value)
{
	return opaque(value) + 2;
}

static void *run(void *data)
{
	(void)data;
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		busy(0);
	return NULL;
}

int main(void)
{
	static const char *const states[] = {"first", "second"};
	pthread_t thread;

	target_wait("ready");
	pthread_create(&thread, NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		visit(states[i]);
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
	target_wait("done");
	return 0;
}
