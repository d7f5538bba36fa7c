// SPDX-License-Identifier: Apache-2.0
#include "web/quantile.h"

bool quantile_estimate(
	const uint64_t *buckets, const struct bounds *bounds, double q, double *out_ns)
{
	double total = 0, rank, below = 0;

	for (size_t i = 0; i <= bounds->n; i++)
		total += (double)buckets[i];
	rank = q * total;
	for (size_t i = 0; i < bounds->n; below += (double)buckets[i++]) {
		double low = i ? (double)bounds->ns[i - 1] : 0, high = (double)bounds->ns[i];

		if (!buckets[i] || below + (double)buckets[i] < rank)
			continue;
		*out_ns = low + (high - low) * (rank - below) / (double)buckets[i];
		return true;
	}
	return false;
}

void quantile_put_duration(struct buffer *out, double ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}};
	size_t i = 0;
	double value;

	while (i < ARRAY_SIZE(units) - 1 && ns < 0.9995 * units[i].ns)
		i++;
	value = ns / units[i].ns;
	if (units[i].ns == 1)
		buffer_printf(out, "%.0f ns", value);
	else
		buffer_printf(out, "%.*f %s",
			value < 9.995   ? 2
			: value < 99.95 ? 1
					: 0,
			value, units[i].name);
}
