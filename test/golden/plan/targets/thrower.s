# SPDX-License-Identifier: Apache-2.0
# Might throw, by what it imports.

	.text
	.globl throw_it
	.type throw_it, @function
throw_it:
	push %rbp
	call __cxa_throw@PLT
	pop %rbp
	ret
	.size throw_it, . - throw_it

	.section .note.GNU-stack, "", @progbits
