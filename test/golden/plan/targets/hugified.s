# SPDX-License-Identifier: Apache-2.0
# Starts as a program that BOLT has made copy itself.

	.section .text.bolt.extra.1, "ax", @progbits
	.globl _start
	.type _start, @function
_start:
	ret
	.size _start, . - _start

	.text
	.globl only_add
	.type only_add, @function
only_add:
	lea 1(%rdi), %rax
	ret
	.size only_add, . - only_add

	.section .note.GNU-stack, "", @progbits
