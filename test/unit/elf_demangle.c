// SPDX-License-Identifier: Apache-2.0
/* Mangled names become what people write; hostile ones stay as they are, soon. */
#include "check.h"

#include <unistd.h>

#include "elf/demangle.h"

static void forms_are_made(void)
{
	static const struct {
		const char *mangled, *full, *signature, *bare;
		enum structor structor;
	} cases[] = {
		{"_Z1fv", "f()", "f()", "f", STRUCTOR_NONE},
		{"_ZNK3Foo3barEv", "Foo::bar() const", "Foo::bar() const", "Foo::bar",
			STRUCTOR_NONE},
		{"_ZNVO3Foo3barEi", "Foo::bar(int) volatile &&", "Foo::bar(int) volatile &&",
			"Foo::bar", STRUCTOR_NONE},
		{"_Z3fooIiEvT_", "void foo<int>(int)", "foo<int>(int)", "foo<int>", STRUCTOR_NONE},
		{"_Z1fIiEPFvT_ES0_", "void (*f<int>(int))(int)", "f<int>(int)", "f<int>",
			STRUCTOR_NONE},
		{"_ZNKSt6vectorIiSaIiEE4backEv",
			"std::vector<int, std::allocator<int> >::back() const",
			"std::vector<int, std::allocator<int> >::back() const",
			"std::vector<int, std::allocator<int> >::back", STRUCTOR_NONE},
		{"_ZZ3foovENKUliE_clEi", "foo()::{lambda(int)#1}::operator()(int) const",
			"foo()::{lambda(int)#1}::operator()(int) const",
			"foo()::{lambda(int)#1}::operator()", STRUCTOR_NONE},
		{"_ZlsR1AS0_", "operator<<(A&, A&)", "operator<<(A&, A&)", "operator<<",
			STRUCTOR_NONE},
		{"_ZNK1AcviEv", "A::operator int() const", "A::operator int() const",
			"A::operator int", STRUCTOR_NONE},
		{"_ZN3foo3barB5cxx11Ev", "foo::bar[abi:cxx11]()", "foo::bar[abi:cxx11]()",
			"foo::bar[abi:cxx11]", STRUCTOR_NONE},
		{"_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()",
			"(anonymous namespace)::f()", "(anonymous namespace)::f", STRUCTOR_NONE},
		{"_ZThn16_N1A1fEv", "non-virtual thunk to A::f()", "non-virtual thunk to A::f()",
			"non-virtual thunk to A::f", STRUCTOR_NONE},
		{"_Z4swapI1AE1BIT_ERS2_", "B<A> swap<A>(A&)", "swap<A>(A&)", "swap<A>",
			STRUCTOR_NONE}, /* what needs its scope again */
		{"_ZN1AC1Ei", "A::A(int)", "A::A(int)", "A::A", STRUCTOR_COMPLETE},
		{"_ZN1AC2IiEET_", "A::A<int>(int)", "A::A<int>(int)", "A::A<int>", STRUCTOR_BASE},
		{"_ZN1AC4Ev", "A::A()", "A::A()", "A::A", STRUCTOR_UNIFIED},
		{"_ZN1AD0Ev", "A::~A()", "A::~A()", "A::~A", STRUCTOR_DELETING},
		{"_ZN1AD1Ev", "A::~A()", "A::~A()", "A::~A", STRUCTOR_COMPLETE},
		{"_ZN1AD2Ev", "A::~A()", "A::~A()", "A::~A", STRUCTOR_BASE},
		{"_ZN1A3fD0Ev", "A::fD0()", "A::fD0()", "A::fD0", STRUCTOR_NONE},
		{"_ZN4core3str9from_utf817h0123456789abcdefE", "core::str::from_utf8",
			"core::str::from_utf8", "core::str::from_utf8", STRUCTOR_NONE},
		{"_ZN48_$LT$shop..Order$u20$as$u20$core..fmt..Debug$GT$3fmt17h9a8b7c6d5e4f3210E",
			"<shop::Order as core::fmt::Debug>::fmt",
			"<shop::Order as core::fmt::Debug>::fmt",
			"<shop::Order as core::fmt::Debug>::fmt", STRUCTOR_NONE},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo", "mycrate::foo",
			STRUCTOR_NONE},
		{"_RINvNtC3std3mem8align_ofjEB2_", "std::mem::align_of::<usize>",
			"std::mem::align_of::<usize>", "std::mem::align_of", STRUCTOR_NONE},
		{"_RNCNvC1a4main0B3_", "a::main::{closure#0}", "a::main::{closure#0}",
			"a::main::{closure#0}", STRUCTOR_NONE},
		{"_RNvMC6serverNtB2_5Store3get", "<server::Store>::get", "<server::Store>::get",
			"server::Store::get", STRUCTOR_NONE},
		{"_RINvNvMs_NtC5alloc7raw_vecINtB7_6RawVecppE7reserve7do_growhE",
			"<alloc::raw_vec::RawVec<_, _>>::reserve::do_grow::<u8>",
			"<alloc::raw_vec::RawVec<_, _>>::reserve::do_grow::<u8>",
			"alloc::raw_vec::RawVec<_, _>::reserve::do_grow", STRUCTOR_NONE},
		{"_RNvXs_C6serverNtB4_3GetNtB4_7Command3run",
			"<server::Get as server::Command>::run",
			"<server::Get as server::Command>::run",
			"<server::Get as server::Command>::run", STRUCTOR_NONE},
		{"main", NULL, NULL, NULL, STRUCTOR_NONE},
		{"_Z", NULL, NULL, NULL, STRUCTOR_NONE},
		{"_ZN3fooEvx!", NULL, NULL, NULL, STRUCTOR_NONE},
		{"_R", NULL, NULL, NULL, STRUCTOR_NONE},
	};
	_cleanup_(demangled_deinit) struct demangled d = {};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = cases[i].mangled;

		if (demangle(&d, name, strlen(name)) != (cases[i].full != NULL)) {
			CHECK(!"demangled, or not");
			printf("%s\n", name);
		} else if (cases[i].full) {
			CHECK_STR(buffer_text(&d.full), cases[i].full);
			CHECK_STR(buffer_text(&d.signature), cases[i].signature);
			CHECK_STR(buffer_text(&d.bare), cases[i].bare);
			CHECK_INT(d.structor, cases[i].structor);
		}
	}
}

static void suffixes_are_told(void)
{
	static const struct {
		const char *name;
		size_t n;
	} cases[] = {
		{"_Z1fv", 5},
		{"_Z1fv.isra.0.cold", 5},
		{"_RNvC1a3foo.llvm.123", 11},
		{"_ZN4core3str9from_utf817h0123456789abcdefE.llvm.12", 42},
		{"_ZN20_$LT$a..b..c$GT$..d3fmt17h9a8b7c6d5e4f3210E", 48},
		{"_ZN20_$LT$a..b..c$GT$..d3fmt17h9a8b7c6d5e4f3210E.llvm.1", 48},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_INT(mangled_size(cases[i].name), cases[i].n);
}

/* n times text behind what the buffer holds. */
static void repeat(struct buffer *b, const char *text, size_t n)
{
	while (n--)
		buffer_puts(b, text);
}

static void expect_mangled(const struct buffer *name)
{
	_cleanup_(demangled_deinit) struct demangled d = {};

	alarm(20);
	CHECK(!demangle(&d, buffer_text(name), name->size));
	alarm(0);
}

/* Function types that hold the one before twice: 2^35 of them. */
static void what_doubles_stays_mangled(void)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	_cleanup_(buffer_deinit) struct buffer name = {};

	buffer_puts(&name, "_Z1f1AFvS_S_E");
	for (int i = 0; i < 35; i++)
		buffer_printf(&name, "FvS%c_S%c_E", digits[i], digits[i]);
	expect_mangled(&name);
}

static void what_is_parsed_twice_stays_mangled(void)
{
	_cleanup_(buffer_deinit) struct buffer name = {};

	buffer_puts(&name, "_ZN1A");
	repeat(&name, "cvT_I", 60);
	buffer_puts(&name, "i");
	repeat(&name, "E", 60);
	buffer_puts(&name, "Ev");
	expect_mangled(&name);
}

static void what_is_deep_stays_mangled(void)
{
	_cleanup_(buffer_deinit) struct buffer name = {};

	buffer_puts(&name, "_Z1f");
	repeat(&name, "P", 3000);
	buffer_puts(&name, "i");
	expect_mangled(&name);
}

/* B, and a position as Rust's scheme writes numbers. */
static void put_reference(struct buffer *name, size_t position)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	buffer_putc(name, 'B');
	if (position > 62)
		buffer_putc(name, digits[(position - 1) / 62]);
	buffer_putc(name, digits[(position - 1) % 62]);
	buffer_putc(name, '_');
}

/* Pairs of the pair before, the first of which is of `first`. */
static void doubling_in_rust(const char *first)
{
	_cleanup_(buffer_deinit) struct buffer name = {};
	size_t before, n_prefix = 2;

	buffer_puts(&name, "_RINvC1a1f");
	before = name.size - n_prefix;
	buffer_printf(&name, "T%s%sE", first, first);
	for (int i = 0; i < 35; i++) {
		size_t here = name.size - n_prefix;

		buffer_puts(&name, "T");
		put_reference(&name, before);
		put_reference(&name, before);
		buffer_puts(&name, "E");
		before = here;
	}
	buffer_puts(&name, "E");
	expect_mangled(&name);
}

/* An identifier that isn't ASCII is the only thing to hold memory while it is printed. */
static void what_doubles_in_rust_stays_mangled(void)
{
	doubling_in_rust("u");
	doubling_in_rust("NvC1au9gre_6ka8i");
}

/* A billion lifetimes, where nothing is printed. */
static void many_lifetimes_stay_mangled(void)
{
	_cleanup_(buffer_deinit) struct buffer name = {};

	buffer_puts(&name, "_RMC1aFGzzzzz_EuC1b");
	expect_mangled(&name);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(forms_are_made),
		CHECK_TEST(suffixes_are_told),
		CHECK_TEST(what_doubles_stays_mangled),
		CHECK_TEST(what_is_parsed_twice_stays_mangled),
		CHECK_TEST(what_is_deep_stays_mangled),
		CHECK_TEST(what_doubles_in_rust_stays_mangled),
		CHECK_TEST(many_lifetimes_stay_mangled),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
