// SPDX-License-Identifier: Apache-2.0
/* Points of a library, one with its semaphore there. */
#include "points.h"
#include "target.h"

POINT_SEMAPHORE(inside);

unsigned long points_in_library(unsigned long n);
void points_hold(void);

PROBED unsigned long points_in_library(unsigned long n)
{
	unsigned long n_watched = 0;

	for (unsigned long i = 0; i < n; i++) {
		if (!POINT_IS_WATCHED(inside))
			continue;
		n_watched++;
		GUARDED_POINT(inside);
	}
	return n_watched;
}

/* Two calls, each with a stop on the way. */
PROBED void points_hold(void)
{
	POINT(hold__start);
	target_wait("held");
	POINT(hold__done);
	POINT(hold__start);
	target_wait("held");
	POINT(hold__done);
}
