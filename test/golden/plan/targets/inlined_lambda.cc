// SPDX-License-Identifier: Apache-2.0
// Three lambdas, which debug information calls by one name: the first is called at three places and
// inlined in one more place, the second is called and nowhere inlined, the third inlined twice and
// nowhere else.
static volatile int sink;

#define FEW(x) (sink = (x), sink = (x) + 1, sink = (x) + 2, sink = (x) + 3)
#define MANY(x) (FEW(x), FEW((x) * 3), FEW((x) * 5), FEW((x) * 7), FEW((x) * 9), FEW((x) * 11))

template <class F> __attribute__((noinline, flatten)) void flat(F &f)
{
	f(1);
}

__attribute__((noinline)) void first(int k)
{
	auto f = [k](int x) { MANY(x + k), MANY(x - k), MANY(x ^ k), MANY(x | k); };

	f(1);
	f(2);
	for (int i = 0; i < k; i++)
		f(i);
	flat(f);
}

__attribute__((noinline)) void second(int k)
{
	auto f = [k](int x) __attribute__((noinline)) { FEW(x + k); };

	f(1);
	f(2);
}

__attribute__((noinline)) void third(int k)
{
	auto f = [k](int x) { sink = x + k; };

	f(1);
	f(2);
}

int main(int n, char **)
{
	first(n);
	second(n);
	third(n);
	return 0;
}
