# SPDX-License-Identifier: Apache-2.0
# Loads code when it runs, and shows nothing else that could unwind or switch stacks.

	.text
	.globl _start
	.type _start, @function
_start:
	push %rbp
	call dlopen@PLT
	pop %rbp
	ret
	.size _start, . - _start

	.globl loads
	.type loads, @function
loads:
	push %rbp
	call dlopen@PLT
	pop %rbp
	ret
	.size loads, . - loads

	# Nothing that is loaded can throw through it.
	.globl leaf
	.type leaf, @function
leaf:
	push %rbp
	pop %rbp
	ret
	.size leaf, . - leaf

	# There is nothing to be timed in it.
	.globl leads_on
	.type leads_on, @function
leads_on:
	jmp loads
	.size leads_on, . - leads_on

	.globl leads_away
	.type leads_away, @function
leads_away:
	jmp dlopen@PLT
	.size leads_away, . - leads_away

	# Where its calls end is known nowhere.
	.globl led_on
	.type led_on, @function
led_on:
	push %rbp
	call dlopen@PLT
	jmp *(%rax)
	.size led_on, . - led_on

	.section .note.GNU-stack, "", @progbits
