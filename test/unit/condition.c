// SPDX-License-Identifier: Apache-2.0
/* Whether a conditional jump leaves, compared with what the processor itself decides. */
#include "check.h"

#include "base/cleanup.h"
#include "bpf/condition.h"

#if defined(__x86_64__)
/* lea leaves the flags alone; it keeps the push out of the red zone. */
#define SETCC(name)                                                                                \
	static bool cpu_##name(__u64 flags)                                                        \
	{                                                                                          \
		bool holds;                                                                        \
		__asm__("lea -128(%%rsp), %%rsp\n\t"                                               \
			"push %1\n\tpopfq\n\t"                                                     \
			"lea 128(%%rsp), %%rsp\n\t"                                                \
			"set" #name " %0"                                                          \
			: "=q"(holds)                                                              \
			: "r"(flags)                                                               \
			: "cc");                                                                   \
		return holds;                                                                      \
	}

SETCC(o)
SETCC(no) SETCC(b) SETCC(ae) SETCC(e) SETCC(ne) SETCC(be) SETCC(a) SETCC(s) SETCC(ns) SETCC(p)
	SETCC(np) SETCC(l) SETCC(ge) SETCC(le) SETCC(g)

	/* In the order of the condition codes. */
	static bool (*const processor[])(__u64 flags) = {cpu_o, cpu_no, cpu_b, cpu_ae, cpu_e,
		cpu_ne, cpu_be, cpu_a, cpu_s, cpu_ns, cpu_p, cpu_np, cpu_l, cpu_ge, cpu_le, cpu_g};

/* All 16 conditions on all 32 settings of the five flags. */
static void x86_agrees_with_the_processor(void)
{
	static const __u64 bits[] = {0x1, 0x4, 0x40, 0x80, 0x800};

	for (unsigned set = 0; set < 32; set++) {
		__u64 flags = 0x202;

		for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
			flags |= set >> i & 1 ? bits[i] : 0;
		for (__u8 c = 0; c < 16; c++)
			CHECK_INT(condition_holds_x86(c, flags), processor[c](flags));
	}
}
#else
static void x86_agrees_with_the_processor(void)
{
	CHECK(condition_holds_x86(4, 0x40));
}
#endif

static void arm64_follows_the_manual(void)
{
	const __u64 n = 1ULL << 31, z = 1 << 30, c = 1 << 29, v = 1 << 28;
	const __u64 states[] = {0, n, z, c, v};

	/* hi is C and not Z, ls its opposite; gt is not Z and N == V. */
	for (unsigned s = 0; s < ARRAY_SIZE(states); s++)
		for (__u8 i = 0; i < 14; i++) {
			bool carry = states[s] & c, zero = states[s] & z;
			bool same = !(states[s] & n) == !(states[s] & v);
			const bool wanted[] = {zero, carry, states[s] & n, states[s] & v,
				carry && !zero, same, !zero && same};

			CHECK_INT(condition_holds_arm64(i, states[s]), wanted[i / 2] != (i & 1));
		}
	CHECK(condition_holds_arm64(14, 0));
	CHECK(condition_holds_arm64(15, z));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(x86_agrees_with_the_processor),
		CHECK_TEST(arm64_follows_the_manual),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
