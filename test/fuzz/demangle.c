// SPDX-License-Identifier: Apache-2.0
/* Any text as a symbol's name: what it becomes is bounded, and was made in bounded time. */
#include <stdint.h>
#include <stdlib.h>

#include "elf/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct demangled d;
	_cleanup_(freep) char *name = strndup((const char *)data, size);

	if (!demangle(&d, name, mangled_size(name)))
		return 0;
	if (d.full.size > 16384 || d.signature.size > d.full.size || d.bare.size > d.full.size)
		abort();
	return 0;
}
