# SPDX-License-Identifier: Apache-2.0
# Every kind of symbol that a pattern can meet, each at an entry that says what it is for.

	.text

	.macro begin name
	.globl "\name"
	.type "\name", @function
"\name":
	.endm

	.macro end name
	.size "\name", . - "\name"
	.endm

	# The usual: an entry that the kernel emulates.
	.macro plain name
	begin "\name"
	push %rbp
	pop %rbp
	ret
	end "\name"
	.endm

	plain _start
	plain place
	plain place_one
	plain place_two
	plain operator_star
	plain "operator*"
	plain "generic[...]"
	plain setjmp

	# One address, three names.
	begin alias_of_all
	.globl alias
	.type alias, @function
alias:
	.globl alias_too
	.type alias_too, @function
alias_too:
	push %rbp
	pop %rbp
	ret
	end alias_of_all
	.size alias, . - alias
	.size alias_too, . - alias_too

	# The other one is in twin.s.
	.type twin, @function
twin:
	push %rbp
	pop %rbp
	ret
	.size twin, . - twin

	# What the compiler makes of functions.
	plain work
	plain work.part.0
	plain work.cold
	plain gone.constprop.0
	plain gone.isra.0.cold

	# A resolver, and the function that it is when it isn't asked to resolve.
	.globl pick
	.type pick, @gnu_indirect_function
	begin choose_pick
pick:
	push %rbp
	pop %rbp
	ret
	end pick
	end choose_pick
	plain __pick_fast
	plain pick_slow
	plain picky

	.globl sizeless
	.type sizeless, @function
sizeless:
	ret

	# Compilers add it to most programs; not a function of this one.
	.type frame_dummy, @function
frame_dummy:
	ret

	# Entries that can't be probed, or not well.
	begin locked
	lock incl (%rdi)
	ret
	end locked

	begin hot
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00
1:	dec %edi
	jnz 1b
	ret
	end hot

	# A symbol that lies in the middle of an instruction.
	begin around
	.cfi_startproc
	mov $0x90909090, %eax
	ret
	.cfi_endproc
	end around
	.globl inside
	.type inside, @function
	.set inside, around + 1
	.size inside, 5

	begin reader
	mov (%rsp), %rax
	ret
	end reader

	begin moved
	endbr64
	push %rbp
	pop %rbp
	ret
	end moved

	begin spin
1:	dec %edi
	jnz 1b
	ret
	end spin

	begin stepped
	mov %rdi, %rax
	ret
	end stepped

	.data
	.globl datum
	.type datum, @object
datum:
	.quad 1
	.size datum, . - datum

	.section .note.GNU-stack, "", @progbits
