// SPDX-License-Identifier: Apache-2.0
#include "textflag.h"

TEXT ·sum(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	ADDQ b+8(FP), AX
	MOVQ AX, ret+16(FP)
	RET

// Calls Go, through a wrapper.
TEXT ·halfOf(SB), NOSPLIT, $0-16
	JMP ·half(SB)
