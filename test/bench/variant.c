// SPDX-License-Identifier: Apache-2.0
#include "variant.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "bench.h"
#include "code/function.h"
#include "trace/kernel.h"
#include "trace/selftest.h"
#include "trace/slot.h"

extern const char bpf_empty_start[], bpf_empty_end[];

enum { FUNCTION_BYTES = 64, EXIT_BEHIND = 2 };

/* One function for each variant, FUNCTION_BYTES apart: bench_function_0, bench_function_1, ... */
extern const char bench_functions[];
__asm__(".pushsection .text\n"
	".balign 64\n"
	"bench_functions:\n"
	".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, "
	"23, 24, 25\n"
	".balign 64\n"
	".type bench_function_\\n, @function\n"
	"bench_function_\\n:\n"
#if defined(__x86_64__)
	".if \\n >= 10 && \\n <= 12\n" /* STEPPED, BPFTRACE_STEPPED, MOVED_ENDBR */
	"	endbr64\n"
	".elseif \\n == 13\n"
	"	mov %rdi, %rax\n"
	".elseif \\n == 14\n"
	"	xor %eax, %eax\n"
	".elseif \\n == 15\n"
	"	test %rdi, %rdi\n"
	".elseif \\n == 16\n"
	"	lea 1(%rdi), %rax\n"
	".endif\n"
	"	push %rbp\n"
	"	pop %rbp\n"
	".if \\n >= 17 && \\n <= 20\n" /* EMPTY_EXITS to GOROUTINES: at EXIT_BEHIND */
	"	jmp 1f\n"
	"1:\n"
	".endif\n"
#else
	"	nop\n"
#endif
	"	ret\n"
	".size bench_function_\\n, . - bench_function_\\n\n"
	".endr\n"
	/* Calls number 20 as Go would. */
	".balign 64\n"
	"bench_goroutine_call:\n"
#if defined(__x86_64__)
	"	push %r14\n"
	"	lea bench_goroutine(%rip), %r14\n"
	"	call bench_function_20\n"
	"	pop %r14\n"
#else
	"	stp x28, x30, [sp, #-16]!\n"
	"	adr x28, bench_goroutine\n"
	"	bl bench_function_20\n"
	"	ldp x28, x30, [sp], #16\n"
#endif
	"	ret\n"
	".balign 64\n"
	"bench_goroutine: .quad 0, 0\n" /* the ends of its stack */
	".popsection\n");
extern const char bench_goroutine_call[];
_Static_assert(STEPPED == 10 && MOVED_LEA == 16 && EMPTY_EXITS == 17 && GOROUTINES == 20 &&
		       N_VARIANTS == 26,
	"as in the assembler text");

/* How a variant probes its function: with the empty programs, or with those of a bank. */
static const struct {
	const char *name;
	enum attach_mode mode;              /* ATTACH_AUTO: not by us */
	const char *entry, *exit, *session; /* empty programs */
	bool is_timed;
	bool is_moved;       /* the site, to where the exporter would put it */
	bool has_exit;       /* with a site of its own */
	const char *carried; /* lines of the configuration */
	bool is_twice;
} variants[N_VARIANTS] = {
	[BARE] = {"no probe"},
	[EMPTY_ENTRY] = {"empty entry", ATTACH_MULTI, "empty_entry"},
	[EMPTY_PAIR] = {"empty entry + return", ATTACH_MULTI, "empty_entry", "empty_return"},
	[EMPTY_SESSION] = {"empty session", ATTACH_SESSION, NULL, NULL, "empty_session"},
	[ONLY_CALLS] = {"calls alone", ATTACH_SESSION},
	[SESSION] = {"calls + duration, session", ATTACH_SESSION, .is_timed = true},
	[MULTI] = {"calls + duration, multi", ATTACH_MULTI, .is_timed = true},
	[PERF] = {"calls + duration, perf", ATTACH_PERF, .is_timed = true},
	[BPFTRACE] = {"bpftrace hist()"},
	[FINE] = {"calls + duration, multi, 128 buckets", ATTACH_MULTI, .is_timed = true},
	[STEPPED] = {"calls + duration, session, on endbr64", ATTACH_SESSION, .is_timed = true},
	[BPFTRACE_STEPPED] = {"bpftrace hist(), on endbr64"},
	[MOVED_ENDBR] = {"calls + duration, session, behind endbr64", ATTACH_SESSION,
		.is_timed = true, .is_moved = true},
	[MOVED_MOV] = {"calls + duration, session, behind mov", ATTACH_SESSION, .is_timed = true,
		.is_moved = true},
	[MOVED_XOR] = {"calls + duration, session, behind xor", ATTACH_SESSION, .is_timed = true,
		.is_moved = true},
	[MOVED_TEST] = {"calls + duration, session, behind test", ATTACH_SESSION, .is_timed = true,
		.is_moved = true},
	[MOVED_LEA] = {"calls + duration, session, behind lea", ATTACH_SESSION, .is_timed = true,
		.is_moved = true},
	[EMPTY_EXITS] = {"empty entry + exit site", ATTACH_MULTI, "empty_entry", .has_exit = true},
	[EXITS] = {"calls + duration by exits", ATTACH_MULTI, .is_timed = true, .has_exit = true},
	[SWITCHED] = {"the same where stacks are switched", ATTACH_MULTI, .is_timed = true,
		.has_exit = true},
	[GOROUTINES] = {"the same of goroutines", ATTACH_MULTI, .is_timed = true, .has_exit = true},
	[LABEL_OF_NUMBER] = {"the same in a session with an integer label", ATTACH_SESSION,
		.is_timed = true, .carried = "labels: {a: {from: u32 arg2}}"},
	[LABEL_OF_PROCESS] = {"with a process label", ATTACH_SESSION, .is_timed = true,
		.carried = "labels: {a: {from: pid}}"},
	[LABEL_OF_TEXT] = {"with a label of 16 bytes of text", ATTACH_SESSION, .is_timed = true,
		.carried = "labels: {a: {from: string arg1, size: 16}}"},
	[REJECTED] = {"with a condition that rejects", ATTACH_SESSION, .is_timed = true,
		.carried = "only: u64 arg2 > 1000000"},
	[TWICE] = {"two probes on one function", ATTACH_SESSION, .is_timed = true,
		.is_twice = true},
};

const char *variant_name(enum variant v)
{
	return variants[v].name;
}

static const char *address_of(enum variant v)
{
	return bench_functions + v * FUNCTION_BYTES;
}

variant_call *variant_function(enum variant v)
{
	return (variant_call *)(uintptr_t)(v == GOROUTINES ? bench_goroutine_call : address_of(v));
}

static struct bpf_object *open_empty(void)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "empty");
	const struct {
		const char *name;
		int type;
	} programs[] = {
		{"empty_entry", LINK_UPROBE_MULTI},
		{"empty_return", LINK_UPROBE_MULTI},
		{"empty_session", LINK_UPROBE_SESSION},
	};
	struct bpf_object *o;

	kernel_capture_messages();
	o = bpf_object__open_mem(
		bpf_empty_start, (size_t)(bpf_empty_end - bpf_empty_start), &options);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		bpf_program__set_expected_attach_type(
			bpf_object__find_program_by_name(o, programs[i].name),
			(enum bpf_attach_type)programs[i].type);
	if (bpf_object__load(o))
		fail("loading the empty programs", kernel_last_message());
	return o;
}

static int program(const struct bpf_object *o, const char *name)
{
	return name ? bpf_program__fd(bpf_object__find_program_by_name(o, name)) : -1;
}

static struct bounds fine_bounds(void)
{
	static uint64_t ns[N_FINE_BOUNDS];

	for (size_t i = 0; i < N_FINE_BOUNDS; i++)
		ns[i] = FINE_STEP_NS * (i + 1);
	return (struct bounds){ns, N_FINE_BOUNDS};
}

/* The shape of a probe whose calls carry what the variant says. */
static void carrying_layout(struct layout *out, enum variant v)
{
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(freep) char *text =
		memory_printf("probes:\n  - {binary: /b, function: f, %s}\n", variants[v].carried);
	struct error e = {};
	struct plan_probe probe = {};
	struct plan_series series = {.probe = &probe, .measures = MEASURE_DURATION};
	static struct bounds bounds;

	if (config_parse(&c, "bench", text, strlen(text), &e))
		fail("configuration", error_text(&e));
	probe.config = c->probes;
	layout_init(out, &series);
	bounds = default_bounds();
	out->bounds = &bounds;
	if (out->n_dynamic)
		out->n_dynamic = VARIANT_SLOTS / 2;
}

static int make_bank(struct probing *p, enum variant v, struct shared *shared)
{
	const struct bounds bounds = v == FINE ? fine_bounds() : default_bounds();
	struct layout l;

	layout_init_plain(&l, variants[v].is_timed ? &bounds : NULL);
	if (variants[v].carried)
		carrying_layout(&l, v);
	return bank_new(&p->bank, shared, variants[v].mode, &l, v * VARIANT_SLOTS,
		variants[v].is_twice ? 2 : 1, &p->missing);
}

static int choose_programs(struct link_programs *out, struct probing *p, enum variant v,
	struct shared *shared, const struct bpf_object *empty)
{
	int r;

	if (variants[v].entry || variants[v].session) {
		*out = (struct link_programs){variants[v].mode, program(empty, variants[v].entry),
			program(empty, variants[v].exit), program(empty, variants[v].session)};
		return 0;
	}
	r = make_bank(p, v, shared);
	if (!r)
		*out = v == SWITCHED     ? p->bank->by_exits[CALLS_OF_STACKS]
		       : v == GOROUTINES ? p->bank->by_exits[CALLS_OF_GOROUTINES]
		       : v == EXITS      ? p->bank->by_exits[CALLS_OF_THREADS]
					 : p->bank->programs;
	return r;
}

/* How far behind the function's first byte the exporter puts its site. */
static uint64_t site_behind(enum variant v)
{
	const struct code_part part = {
		(uintptr_t)address_of(v), (const uint8_t *)address_of(v), FUNCTION_BYTES};
	const struct code_question question = {
		.parts = &part,
		.n_parts = 1,
#if defined(__x86_64__)
		.machine = ELF_MACHINE_X86_64,
#else
		.machine = ELF_MACHINE_ARM64,
#endif
	};
	struct code_function f;
	uint64_t behind;

	if (!variants[v].is_moved)
		return 0;
	code_function_decode(&f, &question);
	behind = f.entry.offset;
	code_function_deinit(&f);
	return behind;
}

static void attach(
	struct probing *p, enum variant v, struct shared *shared, const struct bpf_object *empty)
{
	uint64_t behind = site_behind(v);
	uint64_t entry = selftest_own_offset(address_of(v)) + behind;
	uint64_t slot = (uint64_t)v * VARIANT_SLOTS;
	const uint64_t offsets[] = {entry, variants[v].is_twice ? entry : entry + EXIT_BEHIND};
	const uint64_t cookies[] = {slot | behind << COOKIE_DETAIL_SHIFT,
		variants[v].is_twice ? slot + 1 : slot | COOKIE_IS_EXIT};
	const struct link_places places = {
		.offsets = offsets,
		.cookies = cookies,
		.n = variants[v].has_exit || variants[v].is_twice ? 2 : 1,
	};
	struct link_programs programs;

	p->is_attached = !choose_programs(&programs, p, v, shared, empty) &&
			 !link_attach(&p->links, &programs, "/proc/self/exe", &places, &p->missing);
}

static void attach_bpftrace(struct probing *p, enum variant v)
{
	_cleanup_(freep) char *function = memory_printf("bench_function_%d", v);

	p->is_attached = !bpftrace_start(&p->bpftrace, function);
	if (!p->is_attached)
		error_set(&p->missing, -ENOENT, "bpftrace does not run here");
}

void variants_attach(struct probing *probings, struct shared *shared)
{
	struct bpf_object *empty = open_empty();

	for (int v = 0; v < N_VARIANTS; v++)
		if (variants[v].mode)
			attach(&probings[v], v, shared, empty);
	probings[BARE].is_attached = true;
	attach_bpftrace(&probings[BPFTRACE], BPFTRACE);
	attach_bpftrace(&probings[BPFTRACE_STEPPED], BPFTRACE_STEPPED);
	bpf_object__close(empty); /* the links keep the programs */
}

static uint64_t calls_of(const struct bank *b)
{
	uint64_t n = 0;

	for (uint32_t slot = b->base_slot; slot < b->base_slot + b->n_slots; slot++)
		n += slot_word(b, slot, CELL_CALLS);
	return n;
}

static uint64_t durations_of(const struct bank *b)
{
	uint64_t n = 0;

	for (uint32_t slot = b->base_slot; slot < b->base_slot + b->n_slots; slot++)
		for (size_t i = 0; i <= b->n_bounds; i++)
			n += slot_word(b, slot, CELL_BUCKETS + i);
	return n;
}

/* What is rejected was met and not counted. */
static bool has_rejected(const struct bank *b, uint64_t n_calls)
{
	return !calls_of(b) && slot_word(b, b->base_slot, b->carry.hits_word) == n_calls;
}

static bool has_counted(struct probing *p, enum variant v, uint64_t n_calls)
{
	if (!p->bank)
		return true;
	if (v == REJECTED)
		return has_rejected(p->bank, n_calls);
	if (variants[v].is_twice)
		n_calls *= 2;
	return calls_of(p->bank) == n_calls &&
	       (!p->bank->is_timed || durations_of(p->bank) == n_calls);
}

static void end_bpftrace(struct probing *p, enum variant v, uint64_t n_calls)
{
	if (p->is_attached && bpftrace_end(&p->bpftrace) != n_calls)
		fail(variants[v].name, "the counts are not exact");
}

void variants_detach(struct probing *probings, uint64_t n_calls)
{
	end_bpftrace(&probings[BPFTRACE], BPFTRACE, n_calls);
	end_bpftrace(&probings[BPFTRACE_STEPPED], BPFTRACE_STEPPED, n_calls);
	for (int v = 0; v < N_VARIANTS; v++) {
		link_detach(&probings[v].links, NULL);
		if (probings[v].is_attached && !has_counted(&probings[v], v, n_calls))
			fail(variants[v].name, "the counts are not exact");
	}
}
