/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names TIMES: the ways in which a symbol is not simply one function: two names of one address,
 * two functions of one name, an IFUNC, versions in a shared library, a symbol without a size, data.
 */
#include <dlfcn.h>

#include "target.h"

long one_name(long value);
long other_name(long value);
long picked(long value);
long picked_plain(long value);
long sizeless(long value);
long versioned(long value);
long twins_here(long value);
long twins_there(long value);

long datum = 1;

PROBED long one_name(long value)
{
	return opaque(value) + 1;
}
long other_name(long value) __attribute__((alias("one_name")));

PROBED long picked_plain(long value)
{
	return opaque(value) + 2;
}

typedef long (*implementation)(long);
PROBED static implementation pick(void)
{
	return picked_plain;
}
long picked(long value) __attribute__((ifunc("pick")));

/* A symbol that says neither its type's size nor where it ends. */
#ifdef __x86_64__
__asm__(".text\n.globl sizeless\n.type sizeless, @function\n"
	"sizeless:\nlea 1(%rdi), %rax\nret\n");
#else
__asm__(".text\n.globl sizeless\n.type sizeless, %function\n"
	"sizeless:\nadd x0, x0, #1\nret\n");
#endif

PROBED static long twin(long value)
{
	return opaque(value) + 1;
}

long twins_here(long value)
{
	return twin(value);
}

static struct ending ended(unsigned long calls)
{
	return (struct ending){.calls = calls, .completed = calls};
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 100);
	implementation old = (implementation)dlvsym(RTLD_DEFAULT, "versioned", "NAMES_1");

	if (!old)
		return 1;
	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		one_name(datum);
		other_name(datum);
		picked(datum);
		sizeless(datum);
		twins_here(datum);
		twins_there(datum);
		twins_there(datum);
		versioned(datum);
		versioned(datum);
		versioned(datum);
		old(datum);
	}
	target_report("one_name", ended(2 * times));
	target_report("picked_plain", ended(times));
	target_report("twin", ended(3 * times));
	target_report("versioned", ended(3 * times));
	target_report("versioned@NAMES_1", ended(times));
	target_wait("done");
	return 0;
}
