# SPDX-License-Identifier: Apache-2.0
# Functions by the names that C++ and Rust compilers give them.

	.text

	.macro begin name
	.globl "\name"
	.type "\name", @function
"\name":
	.endm

	.macro end name
	.size "\name", . - "\name"
	.endm

	.macro plain name
	begin "\name"
	push %rbp
	pop %rbp
	ret
	end "\name"
	.endm

	plain _start

	# Overloads, tags, operators, a template's instances.
	plain _ZN4shop5Order5placeEi
	plain _ZNK4shop5Order5placeEPKc
	plain _ZNK4shop5Order5totalEv
	plain _ZN4shop5Order5totalEv
	plain _ZNK4shop5Order4textB5cxx11Ev
	plain _ZNK4shop5OrderltERKS0_
	plain _ZN4shop5OrderclEi
	plain _Z3sumIiET_RKSt6vectorIS0_SaIS0_EE
	plain _Z3sumIdET_RKSt6vectorIS0_SaIS0_EE
	plain _ZN12_GLOBAL__N_16hiddenEi
	plain _ZZ4mainENKUliE_clEi

	# Two that differ in what they return alone.
	plain _Z4pickIiEiv
	plain _Z4pickIiElv

	# Bodies of a constructor: both count. D0 calls D1.
	plain _ZN4shop4CartC1Ev
	plain _ZN4shop4CartC2Ev
	plain _ZN4shop4CartD0Ev
	plain _ZN4shop4CartD1Ev
	plain _ZN4shop4CartD2Ev

	# Operators that are templates.
	plain _ZNK4shop5OrderlsIiEEbT_
	plain _ZN4shopeqIiEEbT_S1_
	plain _ZN4shop5OrderptIiEEPT_v
	plain _ZNK4shop4CartclIiEEbT_

	# As clang does without optimisation: C1 calls C2.
	begin _ZN4shop3BoxC1Ev
	push %rbp
	call _ZN4shop3BoxC2Ev
	pop %rbp
	ret
	end _ZN4shop3BoxC1Ev
	plain _ZN4shop3BoxC2Ev

	# With -fdeclone-ctor-dtor.
	plain _ZN4shop3BagC1Ev
	plain _ZN4shop3BagC2Ev
	plain _ZN4shop3BagC4Ev

	# Clones.
	plain _ZN4shop4shipEi.isra.0
	plain _ZN4shop4shipEi.part.0
	plain _ZN4shop4shipEi.cold
	plain _ZN4shop4billEi.constprop.0
	plain _ZN4shop4billEi.constprop.1
	plain _ZN4shop4sendEi.lto_priv.0

	# Rust's two schemes; instances of a generic function that a hash tells apart.
	plain _ZN4core3str9from_utf817h0123456789abcdefE
	plain "_ZN4core3ptr29drop_in_place$LT$alloc..X$GT$17h0123456789abcde1E"
	plain "_ZN4core3ptr29drop_in_place$LT$alloc..X$GT$17h0123456789abcde2E.llvm.123"
	plain _RNvNtCsabc_4shop5order5place

	# Go's.
	plain "main.Map[go.shape.int]"
	plain "main.Map[go.shape.string]"
	plain "main.(*Server).Handle"
	plain "runtime.memmove.abi0"

	.section .note.GNU-stack, "", @progbits
