/* SPDX-License-Identifier: Apache-2.0 */
/*
 * USDT points, with the notes that sys/sdt.h writes: so that its package need not be there, and
 * what it writes is known.
 *
 * POINT(name) is passed whoever looks. GUARDED_POINT(name) has a semaphore, which
 * POINT_SEMAPHORE(name) must define once; who wants to skip the point when nobody looks asks
 * POINT_IS_WATCHED(name).
 */
#pragma once

#define POINT_SEMAPHORE(name) \
	unsigned short points_##name##_semaphore __attribute__((section(".probes"), used))

#define POINT_IS_WATCHED(name) \
	__builtin_expect(*(volatile unsigned short *)&points_##name##_semaphore, 0)

#define POINT_TEXT_OF(name, semaphore, arguments)                               \
	"990:\tnop\n"                                                           \
	".pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
	".balign 4\n"                                                           \
	".4byte 992f-991f, 994f-993f, 3\n"                                      \
	"991:\t.asciz \"stapsdt\"\n"                                            \
	"992:\t.balign 4\n"                                                     \
	"993:\t.8byte 990b, _.stapsdt.base, " semaphore "\n"                    \
	".asciz \"points\"\n"                                                   \
	".asciz \"" #name "\"\n"                                                \
	".asciz \"" arguments "\"\n"                                            \
	"994:\t.balign 4\n"                                                     \
	".popsection\n"                                                         \
	".ifndef _.stapsdt.base\n"                                              \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n"                                                \
	".hidden _.stapsdt.base\n"                                              \
	"_.stapsdt.base:\t.space 1\n"                                           \
	".size _.stapsdt.base, 1\n"                                             \
	".popsection\n"                                                         \
	".endif\n"

#define POINT_TEXT(name, semaphore) POINT_TEXT_OF(name, semaphore, "")

#define GUARDED_POINT_TEXT(name) POINT_TEXT(name, "points_" #name "_semaphore")

#define POINT(name) __asm__ volatile(POINT_TEXT(name, "0"))
#define GUARDED_POINT(name) __asm__ volatile(GUARDED_POINT_TEXT(name))

/* Points with arguments, each of an integer type or a pointer, wherever the compiler has it. */
#define POINT_SIZE(value) \
	((__typeof__(value))-1 < (__typeof__(value))1 ? (int)sizeof(value) : -(int)sizeof(value))

#define POINT1(name, first)                                       \
	__asm__ volatile(POINT_TEXT_OF(name, "0", "%n[s1]@%[a1]") \
			 :                                        \
			 : [s1] "n"(POINT_SIZE(first)), [a1] "nor"(first))

#define POINT3(name, first, second, third)                                                      \
	__asm__ volatile(                                                                       \
		POINT_TEXT_OF(name, "0", "%n[s1]@%[a1] %n[s2]@%[a2] %n[s3]@%[a3]")              \
		:                                                                               \
		: [s1] "n"(POINT_SIZE(first)), [a1] "nor"(first), [s2] "n"(POINT_SIZE(second)), \
		[a2] "nor"(second), [s3] "n"(POINT_SIZE(third)), [a3] "nor"(third))
