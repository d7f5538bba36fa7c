// SPDX-License-Identifier: Apache-2.0
/* What follows from the figures that are measured at start. */
#include "trace/cost.h"

#include "check.h"

static const struct costs costs = {
	.hit = {[COST_NOP] = 500, [COST_PUSH] = 600, [COST_STEP] = 4000},
	.end = {[EXIT_BY_URETPROBE] = 650, [EXIT_BY_EXITS] = 300},
	.floor = {[EXIT_BY_URETPROBE] = 620, [EXIT_BY_EXITS] = 690},
	.floor_class = COST_PUSH,
};

static void a_call_costs_its_hits_and_its_end(void)
{
	CHECK_INT(cost_of_call(&costs, COST_PUSH, EXIT_BY_NONE, COST_STEP), 600);
	CHECK_INT(cost_of_call(&costs, COST_STEP, EXIT_BY_NONE, COST_STEP), 4000);
	CHECK_INT(cost_of_call(&costs, COST_PUSH, EXIT_BY_URETPROBE, COST_STEP), 1250);
	CHECK_INT(cost_of_call(&costs, COST_PUSH, EXIT_BY_EXITS, COST_STEP), 4900);
	CHECK_INT(cost_of_call(&costs, COST_NOP, EXIT_BY_EXITS, COST_NOP), 1300);
}

static void what_was_not_measured_is_not_known(void)
{
	CHECK_INT(cost_of_call(&costs, COST_NOP5, EXIT_BY_NONE, COST_STEP), 0);
	CHECK_INT(cost_of_call(&costs, COST_PUSH, EXIT_BY_EXITS, COST_CALL), 0);
	CHECK_INT(cost_floor(&costs, COST_NOP5, EXIT_BY_URETPROBE), 0);
	CHECK_INT(cost_floor(&costs, COST_PUSH, EXIT_BY_NONE), 0);
	CHECK_INT(cost_of_call(&(struct costs){}, COST_PUSH, EXIT_BY_URETPROBE, COST_PUSH), 0);
}

static void a_dear_entry_raises_the_floor(void)
{
	CHECK_INT(cost_floor(&costs, COST_PUSH, EXIT_BY_URETPROBE), 620);
	CHECK_INT(cost_floor(&costs, COST_PUSH, EXIT_BY_EXITS), 690);
	CHECK_INT(cost_floor(&costs, COST_NOP, EXIT_BY_URETPROBE), 620);
	CHECK_INT(cost_floor(&costs, COST_STEP, EXIT_BY_URETPROBE), 620 + 3400);
}

static void the_dearest_exit_counts(void)
{
	struct plan_exit exits[] = {{.cost = COST_NOP}, {.cost = COST_STEP}, {.cost = COST_NOP}};
	struct plan_site site = {
		.cost = COST_PUSH, .exit = EXIT_BY_EXITS, .exits = exits, .n_exits = 3};

	CHECK_INT(cost_of_site(&costs, &site), 600 + 300 + 4000);
	exits[1].cost = COST_NOP;
	CHECK_INT(cost_of_site(&costs, &site), 600 + 300 + 500);
	site.exit = EXIT_BY_URETPROBE;
	site.n_exits = 0;
	CHECK_INT(cost_of_site(&costs, &site), 600 + 650);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_call_costs_its_hits_and_its_end),
		CHECK_TEST(what_was_not_measured_is_not_known),
		CHECK_TEST(a_dear_entry_raises_the_floor),
		CHECK_TEST(the_dearest_exit_counts),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
