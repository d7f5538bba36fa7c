// SPDX-License-Identifier: Apache-2.0
#include "textflag.h"

TEXT ·sum(SB), NOSPLIT, $0-24
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	ADD  R1, R0, R0
	MOVD R0, ret+16(FP)
	RET

// Calls Go, through a wrapper.
TEXT ·halfOf(SB), NOSPLIT, $0-16
	JMP ·half(SB)
