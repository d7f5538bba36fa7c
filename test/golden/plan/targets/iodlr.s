# SPDX-License-Identifier: Apache-2.0
# Is linked with what copies it.

	.text
	.globl only_add
	.type only_add, @function
only_add:
	lea 1(%rdi), %rax
	ret
	.size only_add, . - only_add

	.globl copy
	.type copy, @function
copy:
	jmp MapStaticCodeToLargePages@PLT
	.size copy, . - copy

	.section .note.GNU-stack, "", @progbits
