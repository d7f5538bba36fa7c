/* SPDX-License-Identifier: Apache-2.0 */
/*
 * orders TIMES: C++ functions whose names are not simply one symbol: overloads, a template's
 * instances, operators, a constructor that has one body for whole objects and one for parts of
 * larger ones, a destructor that is also called by the one that frees the memory.
 */
#include "target.h"

namespace shop {

struct Base {
	virtual ~Base();
	long base = 1;
};

struct Order : virtual Base {
	explicit Order(long number);
	~Order() override;
	long place(int value);
	long place(const char *value) const;
	bool operator<(const Order &other) const;
	long number;
};

struct Express : Order {
	Express() : Order(1) {}
};

PROBED Base::~Base()
{
	opaque(base);
}

PROBED Order::Order(long value) : number(opaque(value)) {}

PROBED Order::~Order()
{
	opaque(number);
}

PROBED long Order::place(int value)
{
	return opaque(number + value);
}

PROBED long Order::place(const char *value) const
{
	return opaque(number + *value);
}

PROBED bool Order::operator<(const Order &other) const
{
	return opaque(number) < other.number;
}

template <class T> PROBED static T total(T value)
{
	return (T)opaque((long)value);
}

} // namespace shop

static struct ending ended(unsigned long calls)
{
	struct ending e = {};

	e.calls = e.completed = calls;
	return e;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 100);

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		shop::Order order((long)i);
		shop::Express express;
		shop::Order *freed = (shop::Order *)opaque((long)new shop::Order(3));

		order.place(1);
		order.place("x");
		express.place("y");
		opaque(order < express);
		shop::total(1);
		shop::total(2L);
		shop::total(3L);
		delete freed;
	}
	target_report("place_number", ended(times));
	target_report("place_text", ended(2 * times));
	target_report("place_all", ended(3 * times));
	target_report("less", ended(times));
	target_report("total_int", ended(times));
	target_report("total_all", ended(3 * times));
	target_report("constructor", ended(3 * times));
	target_report("destructor", ended(3 * times));
	target_report("deleting", ended(times));
	target_wait("done");
	return 0;
}
