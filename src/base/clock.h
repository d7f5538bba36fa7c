/* SPDX-License-Identifier: Apache-2.0 */
/* Time that only goes forward (CLOCK_MONOTONIC), as BPF programs read it. */
#pragma once

#include <stdint.h>
#include <time.h>

uint64_t clock_ns(void);
uint64_t clock_ms(void);
struct timespec clock_timespec(uint64_t ns);
