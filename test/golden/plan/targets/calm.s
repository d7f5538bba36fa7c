# SPDX-License-Identifier: Apache-2.0
# Has thrower.s's function, and throws nothing.

	.text
	.globl throw_it
	.type throw_it, @function
throw_it:
	push %rbp
	pop %rbp
	ret
	.size throw_it, . - throw_it

	.section .note.GNU-stack, "", @progbits
