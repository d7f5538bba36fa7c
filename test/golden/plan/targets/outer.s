# SPDX-License-Identifier: Apache-2.0
# Imports a function of its library's library.

	.text
	.globl outer
	.type outer, @function
outer:
	push %rbp
	call many@PLT
	call middle@PLT
	pop %rbp
	ret
	.size outer, . - outer

	.section .note.GNU-stack, "", @progbits
