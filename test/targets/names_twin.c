/* SPDX-License-Identifier: Apache-2.0 */
/* A second static function of the same name as one in names.c. */
#include "target.h"

long twins_there(long value);

PROBED static long twin(long value)
{
	return opaque(value) + 2;
}

long twins_there(long value)
{
	return twin(value);
}
