# SPDX-License-Identifier: Apache-2.0
# A second function of a name that program.s has, too.

	.text
	.type twin, @function
twin:
	push %rbp
	mov %rsp, %rbp
	pop %rbp
	ret
	.size twin, . - twin

	.section .note.GNU-stack, "", @progbits
