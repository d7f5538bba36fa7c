# SPDX-License-Identifier: Apache-2.0
# Is linked with library.s, and between that and outer.s.

	.text
	.globl middle
	.type middle, @function
middle:
	push %rbp
	call many@PLT
	pop %rbp
	ret
	.size middle, . - middle

	.section .note.GNU-stack, "", @progbits
