// SPDX-License-Identifier: Apache-2.0
/* Bounds are inclusive: a value on a bound lies in the bucket below it (HAZARDS 31). */
#include "check.h"

#include "base/cleanup.h"
#include "bpf/bucket.h"

static __u32 slow_find(const __u64 *bounds, __u32 n, __u64 value)
{
	__u32 i = 0;

	while (i < n && bounds[i] < value)
		i++;
	return i;
}

/* Every number of bounds, every bound and both neighbours. */
static void finds_as_a_linear_search_does(void)
{
	__u64 bounds[CELL_MAX_BOUNDS] = {};

	for (__u32 i = 0; i < CELL_MAX_BOUNDS; i++)
		bounds[i] = 1000ULL + 7ULL * i * i;
	for (__u32 n = 0; n <= CELL_MAX_BOUNDS; n++) {
		for (__u32 i = 0; i < n; i++) {
			for (int d = -1; d <= 1; d++) {
				__u64 value = bounds[i] + (__u64)(long long)d;

				CHECK_INT(
					bucket_find(bounds, n, value), slow_find(bounds, n, value));
			}
			CHECK_INT(bucket_find(bounds, n, bounds[i]), i);
			CHECK_INT(bucket_find(bounds, n, bounds[i] + 1), i + 1);
		}
	}
}

static void ends_belong_to_the_outer_buckets(void)
{
	__u64 bounds[CELL_MAX_BOUNDS] = {1000, 2000, 5000};

	CHECK_INT(bucket_find(bounds, 3, 0), 0);
	CHECK_INT(bucket_find(bounds, 3, ~0ULL), 3);
	CHECK_INT(bucket_find(bounds, 0, 5), 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(finds_as_a_linear_search_does),
		CHECK_TEST(ends_belong_to_the_outer_buckets),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
