# SPDX-License-Identifier: Apache-2.0
# Neither throws nor catches, but the library that it is linked with does.

	.text
	.globl _start
	.type _start, @function
_start:
	push %rbp
	call pass_it_on@PLT
	pop %rbp
	ret
	.size _start, . - _start

	.globl called_back
	.type called_back, @function
called_back:
	push %rbp
	call throw_it@PLT
	pop %rbp
	ret
	.size called_back, . - called_back

	.section .note.GNU-stack, "", @progbits
