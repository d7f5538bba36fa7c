# SPDX-License-Identifier: Apache-2.0
# Might throw, by what it imports.

	.text
	.globl throw_it
	.type throw_it, @function
throw_it:
	push %rbp
	call __cxa_throw@PLT
	pop %rbp
	lea anywhere(%rip), %rcx
	jmp *(%rcx, %rax, 8)
	.size throw_it, . - throw_it

	.globl pass_it_on
	.type pass_it_on, @function
pass_it_on:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	call throw_it@PLT
	pop %rbp
	.cfi_def_cfa_offset 8
	test %eax, %eax
	je 1f
	ret
1:	jmp only_add@PLT
	.cfi_endproc
	.size pass_it_on, . - pass_it_on

	# Ends by itself, with two others that have a name, and with what a pointer names.
	.globl hand_over
	.type hand_over, @function
hand_over:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	call throw_it@PLT
	pop %rbp
	.cfi_def_cfa_offset 8
	test %eax, %eax
	je take_over
	js take_over
	jp _ZN4shop4takeEi
	jz 1f
	ret
1:	jmp *%rax
	.cfi_endproc
	.size hand_over, . - hand_over

	.type take_over, @function
take_over:
	.cfi_startproc
	lea 2(%rdi), %rax
	ret
	.cfi_endproc
	.size take_over, . - take_over

	.type _ZN4shop4takeEi, @function
_ZN4shop4takeEi:
	.cfi_startproc
	lea 3(%rdi), %rax
	ret
	.cfi_endproc
	.size _ZN4shop4takeEi, . - _ZN4shop4takeEi

	# Nothing can unwind through what calls nothing.
	.globl only_add
	.type only_add, @function
only_add:
	.cfi_startproc
	lea 1(%rdi), %rax
	ret
	.cfi_endproc
	.size only_add, . - only_add

	.bss
anywhere:
	.skip 64

	.section .note.GNU-stack, "", @progbits
