# SPDX-License-Identifier: Apache-2.0
# Switches stacks, by what it imports and by itself.

	.text
	.globl hand_over
	.type hand_over, @function
hand_over:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	call swapcontext@PLT
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size hand_over, . - hand_over

	.globl only_add
	.type only_add, @function
only_add:
	.cfi_startproc
	lea 1(%rdi), %rax
	ret
	.cfi_endproc
	.size only_add, . - only_add

	.globl leap_to
	.type leap_to, @function
leap_to:
	.cfi_startproc
	push %rbp
	mov %rsp, (%rdi)
	mov %rsi, %rsp
	pop %rbp
	ret
	.cfi_endproc
	.size leap_to, . - leap_to

	.section .note.GNU-stack, "", @progbits
