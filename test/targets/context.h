/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coroutines for the targets: one stack each, switched by the C library's swapcontext() or, where
 * OWN_SWITCH is defined, by instructions that no symbol tells of.
 */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <ucontext.h>

enum { COROUTINE_STACK_BYTES = 65536 };

#ifdef OWN_SWITCH
struct context {
	void *stack_pointer;
};

/* Keeps what a function must keep, goes on with another stack, and returns there. */
void leap_to(void **stack_pointer, void *other);
__asm__(".pushsection .text\n"
	".type leap_to, %function\n"
	"leap_to:\n"
#if defined(__x86_64__)
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
#else
	"	stp x29, x30, [sp, #-96]!\n"
	"	stp x19, x20, [sp, #16]\n"
	"	stp x21, x22, [sp, #32]\n"
	"	stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]\n"
	"	stp x27, x28, [sp, #80]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x27, x28, [sp, #80]\n"
	"	ldp x25, x26, [sp, #64]\n"
	"	ldp x23, x24, [sp, #48]\n"
	"	ldp x21, x22, [sp, #32]\n"
	"	ldp x19, x20, [sp, #16]\n"
	"	ldp x29, x30, [sp], #96\n"
#endif
	"	ret\n"
	".size leap_to, . - leap_to\n"
	".popsection\n");

static inline void context_switch(struct context *from, const struct context *to)
{
	leap_to(&from->stack_pointer, to->stack_pointer);
}

/* As if leap_to() had been called at the very beginning of start(). */
static inline void context_init(struct context *c, char *stack, void (*start)(void))
{
	void **top = (void **)(stack + COROUTINE_STACK_BYTES);

#if defined(__x86_64__)
	*--top = NULL; /* where start() would return to: it doesn't */
	*--top = (void *)start;
	c->stack_pointer = top - 6;
#else
	c->stack_pointer = top - 12;
	top[-11] = (void *)start;
#endif
}
#else
struct context {
	ucontext_t state;
};

static inline void context_switch(struct context *from, const struct context *to)
{
	swapcontext(&from->state, &to->state);
}

static inline void context_init(struct context *c, char *stack, void (*start)(void))
{
	getcontext(&c->state);
	c->state.uc_stack.ss_sp = stack;
	c->state.uc_stack.ss_size = COROUTINE_STACK_BYTES;
	makecontext(&c->state, start, 0);
}
#endif

struct coroutine {
	struct context own, resumer;
	void (*body)(struct coroutine *c);
	void *data;
	bool is_done;
};

static struct coroutine *coroutine_starting;

static inline void coroutine_yield(struct coroutine *c)
{
	context_switch(&c->own, &c->resumer);
}

/* In any thread, until the coroutine yields or is done. */
static inline void coroutine_resume(struct coroutine *c)
{
	context_switch(&c->resumer, &c->own);
}

static inline void coroutine_start(void)
{
	struct coroutine *c = coroutine_starting;

	coroutine_yield(c);
	c->body(c);
	c->is_done = true;
	coroutine_yield(c);
}

/* Afterwards the first coroutine_resume() runs body. No two threads at once. */
static inline void coroutine_init(
	struct coroutine *c, char *stack, void (*body)(struct coroutine *c), void *data)
{
	c->body = body;
	c->data = data;
	c->is_done = false;
	context_init(&c->own, stack, coroutine_start);
	coroutine_starting = c;
	coroutine_resume(c);
}
