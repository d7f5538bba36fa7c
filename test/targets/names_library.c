/* SPDX-License-Identifier: Apache-2.0 */
/* Two versions of one symbol; the second is the default. */
#include "target.h"

long versioned_1(long value);
long versioned_2(long value);

__asm__(".symver versioned_1, versioned@NAMES_1");
__asm__(".symver versioned_2, versioned@@NAMES_2");

PROBED long versioned_1(long value)
{
	return opaque(value) + 1;
}

PROBED long versioned_2(long value)
{
	return opaque(value) + 2;
}
