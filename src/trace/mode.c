// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>

#include "trace/trace.h"

static const char *const names[] = {
	[ATTACH_AUTO] = "auto",
	[ATTACH_SESSION] = "session",
	[ATTACH_MULTI] = "multi",
	[ATTACH_PERF] = "perf",
};

const char *attach_mode_name(enum attach_mode m)
{
	return names[m];
}

int attach_mode_parse(const char *name, enum attach_mode *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i])) {
			*out = (enum attach_mode)i;
			return 0;
		}
	}
	return -EINVAL;
}
