// SPDX-License-Identifier: Apache-2.0
/* Where the notes of USDT points say that arguments are. */
#include "plan/usdt_arguments.h"

#include "base/buffer.h"
#include "check.h"

enum { NONE = USDT_NO_REGISTER, RBP = 4, RBX = 5, RAX = 10, RDX = 12, RDI = 14, RSP = 19 };

struct expected {
	const char *text;
	struct usdt_location location;
};

#define AT_CONSTANT(value, n, has_sign)                                                \
	{                                                                              \
		.number = (value), .kind = USDT_CONSTANT, .base = NONE, .index = NONE, \
		.bytes = (n), .is_signed = (has_sign)                                  \
	}
#define AT_REGISTER(word, n, has_sign)                                              \
	{                                                                           \
		.kind = USDT_REGISTER, .base = (word), .index = NONE, .bytes = (n), \
		.is_signed = (has_sign)                                             \
	}
#define AT_MEMORY(added, word, by, scale, n, has_sign)                                 \
	{                                                                              \
		.number = (added), .kind = USDT_MEMORY, .base = (word), .index = (by), \
		.shift = (scale), .bytes = (n), .is_signed = (has_sign)                \
	}

/* The first ones are of python3, libc, libstdc++ and postgres. */
static const struct expected x86[] = {
	{"8@%rbx", AT_REGISTER(RBX, 8, 0)},
	{"-4@112(%rsp)", AT_MEMORY(112, RSP, NONE, 0, 4, 1)},
	{"-4@$1", AT_CONSTANT(1, 4, 1)},
	{"8@-80(%rbx)", AT_MEMORY(-80, RBX, NONE, 0, 8, 0)},
	{"4@(%r12)", AT_MEMORY(0, 3, NONE, 0, 4, 0)},
	{"-4@$-9", AT_CONSTANT(-9, 4, 1)},
	{"1@%dil", AT_REGISTER(RDI, 1, 0)},
	{"-2@%ax", AT_REGISTER(RAX, 2, 1)},
	{"4@%r15d", AT_REGISTER(0, 4, 0)},
	{"8@16(%rbp,%rax,8)", AT_MEMORY(16, RBP, RAX, 3, 8, 0)},
	{"8@(%rbp,%rdx)", AT_MEMORY(0, RBP, RDX, 0, 8, 0)},
	{"8@-0x10(,%rdx,4)", AT_MEMORY(-16, NONE, RDX, 2, 8, 0)},
	{"8@$18446744073709551615", AT_CONSTANT(-1, 8, 0)},
	{"8@$-9223372036854775808", AT_CONSTANT(INT64_MIN, 8, 0)},
};

static const struct expected arm64[] = {
	{"-4@x0", AT_REGISTER(0, 4, 1)},
	{"8@x30", AT_REGISTER(30, 8, 0)},
	{"4@w19", AT_REGISTER(19, 4, 0)},
	{"8@[sp, 16]", AT_MEMORY(16, 31, NONE, 0, 8, 0)},
	{"8@[sp]", AT_MEMORY(0, 31, NONE, 0, 8, 0)},
	{"-4@[x29, -20]", AT_MEMORY(-20, 29, NONE, 0, 4, 1)},
	{"8@[x1, x2]", AT_MEMORY(0, 1, 2, 0, 8, 0)},
	{"8@[x1, x2, lsl 3]", AT_MEMORY(0, 1, 2, 3, 8, 0)},
	{"8@[x1, x2, lsl #3]", AT_MEMORY(0, 1, 2, 3, 8, 0)},
	{"-4@-9", AT_CONSTANT(-9, 4, 1)},
	{"8@sp", AT_REGISTER(31, 8, 0)},
};

/* No guess: neither at symbols nor in registers of other kinds. */
static const char *const unknown_x86[] = {"8@sym(%rip)", "-4@40+CheckpointStats(%rip)", "8@8(%rip)",
	"8f@%xmm0", "8@%xmm0", "1@%ah", "%rdi", "3@%rdi", "0@%rdi", "16@%rdi", "8@", "@", "8@$",
	"8@$1x", "8@%", "8@%rdi8", "8@%rdi)", "8@(%rdi", "8@16(%rdi,%rsi,3)", "8@16(%rdi,,2)",
	"8@()", "8@(,)", "8@16", "8@$18446744073709551616", "8@%r16", "-9223372036854775808@%rdi",
	"8@*%rdi", "8@%fs:16(%rdi)", "8@x0"};

static const char *const unknown_arm64[] = {"8@x31", "8@x", "8@v0", "8@d0", "8@[x0",
	"8@[x0, x1, lsl 4]", "8@[x0, x1, lsl]", "8@[x0, w1, sxtw 2]", "8@[x0, 8]!", "8@%rdi",
	"8@[]", "8@xzr", "8@x0x", "8@[x0, #:lo12:sym]"};

static void check_location(
	const struct usdt_location *l, const struct usdt_location *expected, const char *text)
{
	if (!memcmp(l, expected, sizeof(*l)))
		return;
	check_failures++;
	printf("%s is of kind %d: %lld base %d index %d shift %d bytes %d sign %d\n", text, l->kind,
		(long long)l->number, l->base, l->index, l->shift, l->bytes, l->is_signed);
}

static void check_all(enum elf_machine machine, const struct expected *expected, size_t n)
{
	struct usdt_place place;

	for (size_t i = 0; i < n; i++) {
		CHECK_INT(usdt_arguments_parse(&place, machine, expected[i].text), 1);
		check_location(&place.arguments[0], &expected[i].location, expected[i].text);
	}
}

static void check_unknown(enum elf_machine machine, const char *const *texts, size_t n)
{
	static const struct usdt_location unknown;
	struct usdt_place place;

	for (size_t i = 0; i < n; i++) {
		usdt_arguments_parse(&place, machine, texts[i]);
		check_location(&place.arguments[0], &unknown, texts[i]);
	}
}

static void locations_are_what_the_assembler_says(void)
{
	check_all(ELF_MACHINE_X86_64, x86, ARRAY_SIZE(x86));
	check_all(ELF_MACHINE_ARM64, arm64, ARRAY_SIZE(arm64));
}

static void what_is_not_known_for_sure_is_unknown(void)
{
	check_unknown(ELF_MACHINE_X86_64, unknown_x86, ARRAY_SIZE(unknown_x86));
	check_unknown(ELF_MACHINE_ARM64, unknown_arm64, ARRAY_SIZE(unknown_arm64));
}

static void arguments_keep_their_numbers(void)
{
	static const struct usdt_location first = AT_REGISTER(RDI, 8, 0);
	static const struct usdt_location third = AT_MEMORY(8, 31, NONE, 0, 4, 1);
	struct usdt_place place;

	CHECK_INT(usdt_arguments_parse(&place, ELF_MACHINE_X86_64, "8@%rdi  8f@%xmm0 -4@$3 "), 3);
	check_location(&place.arguments[0], &first, "the first");
	CHECK_INT(place.arguments[1].kind, USDT_UNKNOWN);
	CHECK_INT(place.arguments[2].number, 3);
	CHECK_INT(place.arguments[3].kind, USDT_UNKNOWN);
	CHECK_INT(usdt_arguments_parse(&place, ELF_MACHINE_ARM64, "8@x0 8@[x1, 2] -4@[sp, 8]"), 3);
	check_location(&place.arguments[2], &third, "the third");
	CHECK_INT(usdt_arguments_parse(&place, ELF_MACHINE_X86_64, ""), 0);
	CHECK_INT(usdt_arguments_parse(&place, ELF_MACHINE_X86_64,
			  "1@$1 1@$2 1@$3 1@$4 1@$5 1@$6 1@$7 1@$8 1@$9 1@$10"),
		10);
	CHECK_INT(place.arguments[7].number, 8);
}

static void words_are_cut_and_extended(void)
{
	CHECK(usdt_extend(1, false, 0xffffffffffffff80) == 0x80);
	CHECK(usdt_extend(1, true, 0x80) == 0xffffffffffffff80);
	CHECK(usdt_extend(4, true, 0x1234567880000000) == 0xffffffff80000000);
	CHECK(usdt_extend(4, false, 0x1234567880000000) == 0x80000000);
	CHECK(usdt_extend(8, true, 0x8000000000000000) == 0x8000000000000000);
}

/* Why a probe with that label can't have it of a place with those arguments. */
static void check_refusal(
	const char *from, const char *arguments, bool is_end, const char *expected)
{
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(buffer_deinit) struct buffer b = {};
	struct usdt_place place;
	const char *why;
	size_t n = usdt_arguments_parse(&place, ELF_MACHINE_X86_64, arguments);

	buffer_printf(&b,
		"probes: [{binary: /bin/x, usdt: {start: 'a:b', end: 'a:c'}, "
		"labels: {a: {from: '%s'}}}]",
		from);
	CHECK_INT(config_parse(&config, "x.yml", buffer_text(&b), b.size, NULL), 0);
	if (!config)
		return;
	why = usdt_arguments_refusal(&place, n, &config->probes[0], is_end, config->arena);
	CHECK_STR(why ? why : "", expected);
}

static void only_what_is_there_can_be_read(void)
{
	check_refusal("u8 arg2", "8@%rdi 4@%eax", false, "");
	check_refusal("u8 arg3", "8@%rdi 4@%eax", false,
		"it has 2 arguments here, and the probe reads number 3");
	check_refusal("u8 return", "", false, "");
	check_refusal(
		"u8 return", "", true, "it has 0 arguments here, and the probe reads number 1");
	check_refusal("u8 arg1", "", true, "");
	check_refusal(
		"u8 arg1", "8f@%xmm0", false, "its note puts argument 1 where it can't be read");
	check_refusal("string arg1", "4@%edi", false, "argument 1 has 4 bytes and is no address");
	check_refusal("u8 arg1[8]", "4@%edi", false, "argument 1 has 4 bytes and is no address");
	check_refusal("string arg1", "-8@%rdi", false, "");
	check_refusal("go_string arg1", "8@%rdi 4@%esi", false, "");
	check_refusal("go_string arg1", "8@%rdi", false,
		"it has 1 arguments here, and the probe reads number 2");
	check_refusal("go_string arg1[0]", "8@%rdi", false, "");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(locations_are_what_the_assembler_says),
		CHECK_TEST(what_is_not_known_for_sure_is_unknown),
		CHECK_TEST(arguments_keep_their_numbers),
		CHECK_TEST(words_are_cut_and_extended),
		CHECK_TEST(only_what_is_there_can_be_read),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
