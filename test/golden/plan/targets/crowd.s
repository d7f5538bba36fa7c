# SPDX-License-Identifier: Apache-2.0
# More functions than a pattern may match where it shares with 300 others: face_0 to face_1099.

	.altmacro
	.macro face number
	.globl face_\number
	.type face_\number, @function
face_\number:
	push %rbp
	pop %rbp
	ret
	.size face_\number, . - face_\number
	.endm

	.text
	.globl _start
_start:
	.set i, 0
	.rept 1100
	face %i
	.set i, i + 1
	.endr

	.section .note.GNU-stack, "", @progbits
