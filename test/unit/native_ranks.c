// SPDX-License-Identifier: Apache-2.0
/* Says which native bucket numbers belong to, for native.py: lines of a kind and a number. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bpf/native.h"

static uint32_t rank_of(char kind, uint64_t number)
{
	return kind == 'd' ? native_rank_of_duration(number)
			   : native_rank_of_value(kind == 's', number);
}

int main(void)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin))
		printf("%" PRIu32 "\n", rank_of(line[0], strtoull(line + 1, NULL, 16)));
	return 0;
}
