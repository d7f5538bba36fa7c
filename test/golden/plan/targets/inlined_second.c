// SPDX-License-Identifier: Apache-2.0
#include "inlined.h"

INLINED int twin(int x)
{
	number &= x;
	return number;
}

CALLED int second(int x)
{
	int (*volatile pointer)(int) = shared;

	return twin(x) + twin(x + 1) + shared(x) + pointer(x);
}
