/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: taking everything from the calling process but what it needs to parse a file. */
#pragma once

#include "elf/reader.h"

/* Moves the job's files and out_fd (which comes behind them) to their numbers, closes all others,
 * and gives up the rest. 0, or -errno: then nothing may be parsed. */
int confine(const struct reader_job *job, int out_fd);
