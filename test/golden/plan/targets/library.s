# SPDX-License-Identifier: Apache-2.0
# Versions of functions, and a function that is another library's.

	.text

	.macro plain name
	.globl \name
	.type \name, @function
\name:
	push %rbp
	pop %rbp
	ret
	.size \name, . - \name
	.endm

	plain many_one
	plain many_two
	plain past_one
	plain past_two
	plain last_one
	.symver many_one, many@LIBRARY_1, remove
	.symver many_two, many@@LIBRARY_2, remove
	.symver past_one, past@LIBRARY_1, remove
	.symver past_two, past@LIBRARY_2, remove
	.symver last_one, last@LIBRARY_1, remove

	.globl calls_other
	.type calls_other, @function
calls_other:
	push %rbp
	call other@PLT
	pop %rbp
	ret
	.size calls_other, . - calls_other

	.section .note.GNU-stack, "", @progbits
