/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostile CALLS: calls that each carry a text made to break whoever shows it: invalid UTF-8,
 * quotes, newlines, backslashes, characters that are cut; it ends where its page does, and the next
 * page is not there.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target.h"

enum { LONGEST = 40 };

long say(const char *text);

PROBED long say(const char *text)
{
	return opaque(*text);
}

static unsigned random_number(void)
{
	static unsigned long state = 1;

	state = state * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(state >> 33);
}

/* Writes a text that ends with the page, and returns where it begins. */
static const char *make_text(char *end)
{
	static const char bytes[] = "aZ\"\\\n\r\t}{,=# \x7f\x80\xbf\xc0\xc3\xa9\xe2\x82\xac"
				    "\xed\xa0\x80\xf0\x9f\x98\x80\xf4\x90\xfe\xff";
	size_t n = random_number() % LONGEST;

	for (size_t i = 1; i <= n; i++)
		end[-1 - (long)i] = bytes[random_number() % (sizeof(bytes) - 1)];
	end[-1] = '\0';
	return end - 1 - n;
}

int main(int argc, char **argv)
{
	unsigned long n_calls = target_number(argc, argv, 1, 1000);
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(
		NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || munmap(pages + page, (size_t)page))
		return 1;
	target_wait("ready");
	for (unsigned long i = 0; i < n_calls; i++)
		say(make_text(pages + page));
	target_report("say", (struct ending){.calls = n_calls, .completed = n_calls});
	target_wait("done");
	return 0;
}
