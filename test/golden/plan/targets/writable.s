# SPDX-License-Identifier: Apache-2.0
# A function in a segment that is mapped writable, and one that isn't.

	.section .patched, "awx", @progbits
	.globl patched
	.type patched, @function
patched:
	push %rbp
	pop %rbp
	ret
	.size patched, . - patched

	.text
	.globl fixed
	.type fixed, @function
fixed:
	push %rbp
	pop %rbp
	ret
	.size fixed, . - fixed

	.section .note.GNU-stack, "", @progbits
