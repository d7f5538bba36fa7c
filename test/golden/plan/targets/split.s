	# SPDX-License-Identifier: Apache-2.0
	# A function that others can call and keeps its name, and two that don't: one of these is
	# known to unwinders.
	.globl visible
	.type visible, @function
visible:
	push %rbp
	call inner
	pop %rbp
	ret
	.size visible, . - visible

	.type inner, @function
inner:
	.cfi_startproc
	push %rbx
	pop %rbx
	ret
	.cfi_endproc
	.size inner, . - inner

	.type bare, @function
bare:
	push %rbx
	pop %rbx
	ret
	.size bare, . - bare

	.section .note.GNU-stack, "", @progbits
