// SPDX-License-Identifier: Apache-2.0
/* Functions whose calls are inlined, all, some, or none of them: by word, not by the compiler's
 * mind.
 */
#include "inlined.h"

volatile int number = 1;

INLINED int everywhere(int x)
{
	number ^= x;
	return number + 1;
}

INLINED int partly(int x)
{
	number -= x;
	return number / 3;
}

/* inlined_second.c has another one. */
static CALLED int twin(int x)
{
	number |= x;
	return number;
}

static CALLED int first(int x)
{
	return everywhere(x) + everywhere(x + 1) + twin(x) + shared(x) + partly(x);
}

static CALLED int never(int x)
{
	return x + first(x);
}

int main(void)
{
	int (*volatile pointer)(int) = partly;

	return pointer(never(second(1))) == 7;
}
