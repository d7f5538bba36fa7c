# SPDX-License-Identifier: Apache-2.0
# Switches stacks in a way that no name tells of, across the end of its first MiB of code.

	.text
	.balign 4096
begin:
	.globl call_on
	.type call_on, @function
call_on:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	call *%rdi
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size call_on, . - call_on

	.org begin + 0x100000 - 5, 0xcc
leap:
	push %rbp
	mov %rsp, (%rdi)
	mov %rsi, %rsp
	pop %rbp
	ret

	.section .note.GNU-stack, "", @progbits
