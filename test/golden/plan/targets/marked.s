# SPDX-License-Identifier: Apache-2.0
# USDT points, as sys/sdt.h makes them and as no compiler would.
	.macro point name place semaphore=0 arguments="" provider=shop
	.pushsection .note.stapsdt,"","note"
	.balign 4
	.4byte 8, 2f - 1f, 3
	.asciz "stapsdt"
1:	.8byte \place, .Lbase, \semaphore
	.asciz "\provider"
	.asciz "\name"
	.asciz "\arguments"
2:	.balign 4
	.popsection
	.endm

	.section .stapsdt.base,"a"
.Lbase:	.space 1

	.section .probes,"aw"
	.balign 2
.Lpaid_semaphore:
	.2byte 0
.Lused_semaphore:
	.2byte 1

	.text
	.globl sell
	.type sell, @function
sell:
	.cfi_startproc
.Lorder_first:
	nop
	push %rbx
	.cfi_adjust_cfa_offset 8
.Lorder_second:
	.byte 0x66, 0x90
.Lpaid:
	nop
.Llong:
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00
.Lbegin:
	nop
.Lvalue:
	mov $0x90909090, %eax
.Lend:
	nop
.Lfail:
	nop
	pop %rbx
	.cfi_adjust_cfa_offset -8
.Lleap:
	jmp 1f
1:	ret
	.cfi_endproc
	.size sell, . - sell

	.section .written,"awx",@progbits
.Lwritten:
	nop

	.section .rodata
.Ldatum:
	nop

	point order .Lorder_first 0 "-4@%edi 8@16(%rsi)"
	point order .Lorder_second 0 "-4@%ebx 8@(%rsi)"
	point order .Lorder_second 0 "told twice"
	point paid .Lpaid .Lpaid_semaphore
	point long .Llong
	point call__start .Lbegin
	point call__done .Lend
	point call__failed .Lfail
	point other:name .Lend 0 "" warehouse
	point bad__jump .Lleap
	point bad__inside .Lvalue+1
	point bad__address 0x123456789
	point bad__datum .Ldatum
	point bad__written .Lwritten
	point bad__odd .Lpaid .Lpaid_semaphore+1
	point bad__used .Lpaid .Lused_semaphore
	point bad__code .Lpaid .Lpaid

	.section .note.GNU-stack,"",@progbits
