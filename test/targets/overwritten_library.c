/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library that is overwritten in place. It is built twice: `stays` lies at one place in both,
 * on a page of its own; the others lie SHIFT bytes further on, so that where they began in the one
 * file, the other has the middle of an instruction.
 */
#include "overwritten.h"

#define TEXT(x) #x
#define SKIP(n) ".skip " TEXT(n)

long stays(long value);
long first(long value);
long second(long value);
long third(long value);

__asm__(".text\n.balign 4096");

PROBED long stays(long value)
{
	return of_stays(value);
}

__asm__(".text\n.balign 4096\n" SKIP(SHIFT));

PROBED long first(long value)
{
	return of_first(value);
}

__asm__(".text\n" SKIP(SHIFT));

PROBED long second(long value)
{
	return of_second(value);
}

__asm__(".text\n" SKIP(SHIFT));

PROBED long third(long value)
{
	return of_third(value);
}
