/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader: a process that parses a file for this one, with libraries that were not written for
 * hostile files. It may crash, hang, or be taken over; what can come of that is a wrong answer.
 *
 * It is a copy of this process as it is at the start, so that its work may read all of its memory;
 * but it can open nothing, reach nobody, and uses no lock of ours.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The number under which the work finds the first of its files; the others follow. */
enum { READER_FIRST_FD = 3, READER_MOST_FDS = 4 };

/* Done by the reader: writes its answer with reader_put(). 0, or anything else for "broken". */
typedef int reader_work(int out_fd, const void *data);

struct reader_job {
	reader_work *work;
	const void *data;
	int fds[READER_MOST_FDS]; /* what it may read, or write to: borrowed, its first n_fds */
	size_t n_fds;
	uint64_t most_answer_bytes, most_memory_bytes;
	uint64_t most_file_bytes; /* that it may write to one of fds */
	unsigned most_seconds;
};

struct reader;

/* 0, or an error with a text where no process could be made. */
int reader_start(struct reader **out, const struct reader_job *job, struct error *e);

/* Ends it, if it is still at work. */
void reader_free(struct reader *r);
DEFINE_CLEANUP(reader_free, struct reader *)

/* Waits that long for the reader to end, 0: not at all. -EAGAIN: it is still at work; 0: it has
 * done it; else it has failed, and e says why, as what follows "X: ". Time that is over is a
 * failure. */
int reader_wait(struct reader *r, int timeout_ms, struct error *e);

/* After a 0: what it has written. Not to be believed. */
const void *reader_answer(const struct reader *r, size_t *n_bytes);

/* In the reader. An answer that nobody takes ends it. */
void reader_put(int out_fd, const void *bytes, size_t n);
