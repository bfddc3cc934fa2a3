/* rows: stacks come in the order of the tree, each once, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ranges.h"
#include "writer/flame/rows.h"

enum { NAMES = 300, DEEPEST = 24, DISTINCT = 50000, TIMES = 50 };

struct fixture {
	struct arena arena;
	struct interner names;
	struct rows rows;
};

static void init(struct fixture *x)
{
	*x = (struct fixture){ 0 };
	intern_init(&x->names, &x->arena);
	rows_init(&x->rows, &x->names, &x->arena);
}

static void release(struct fixture *x)
{
	rows_free(&x->rows);
	arena_release(&x->arena);
}

static void add(struct fixture *x, const char *stack, struct row row)
{
	struct str rest = str_of(stack);
	str_id name[8];

	row.name = name;
	while (rest.n)
		name[row.n++] = intern(&x->names, str_cut(&rest, ' '));
	rows_add(&x->rows, &row);
}

/* All rows as "SAME names WEIGHT/series/slot". */
static const char *read_all(struct fixture *x)
{
	struct str s = { "", 0 };
	struct row row;

	rows_begin(&x->rows, &x->arena);
	while (rows_next(&x->rows, &row)) {
		s = arena_fmt(&x->arena, "%s%s%zu", s.p, s.n ? ", " : "", row.same);
		for (size_t i = 0; i < row.n; i++)
			s = arena_fmt(&x->arena, "%s " PRSTR, s.p,
			              STRARG(intern_str(&x->names, row.name[i])));
		s = arena_fmt(&x->arena, "%s %llu/%u/%u", s.p,
		              (unsigned long long)row.weight.n, row.series, row.slot);
	}
	return s.p;
}

static void equal_rows_are_one(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "b", (struct row){ .weight = { 1, 0 } });
	add(&x, "a c", (struct row){ .weight = { 2, 0 } });
	add(&x, "a", (struct row){ .weight = { 3, 0 } });
	add(&x, "b", (struct row){ .weight = { 4, 0 } });
	add(&x, "a b", (struct row){ .weight = { 5, 0 } });
	add(&x, "", (struct row){ .weight = { 6, 0 } });
	assert_string_equal(read_all(&x),
	                    "0 6/0/0, 0 a 3/0/0, 1 a b 5/0/0, 1 a c 2/0/0, 0 b 5/0/0");
	/* Read again, it is the same. */
	assert_string_equal(read_all(&x),
	                    "0 6/0/0, 0 a 3/0/0, 1 a b 5/0/0, 1 a c 2/0/0, 0 b 5/0/0");
	assert_int_equal(rows_sum(&x.rows, 0).n, 21);
	release(&x);
}

static void series_and_slots_part_rows(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a", (struct row){ .series = 1, .weight = { 1, 0 } });
	add(&x, "a", (struct row){ .slot = 9, .weight = { 2, 0 } });
	add(&x, "a", (struct row){ .series = 1, .weight = { 4, 0 } });
	add(&x, "a", (struct row){ .slot = 3, .weight = { 8, 0 } });
	assert_string_equal(read_all(&x), "0 a 8/0/3, 1 a 2/0/9, 1 a 5/1/0");
	assert_int_equal(rows_sum(&x.rows, 1).n, 5);
	release(&x);
}

static void a_chart_keeps_its_order(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	x.rows.chart = x.rows.apart = true;
	add(&x, "b", (struct row){ .weight = { 1, 0 } });
	add(&x, "a c", (struct row){ .weight = { 2, 0 } });
	add(&x, "a c", (struct row){ .weight = { 3, 0 } });
	add(&x, "a", (struct row){ .weight = { 4, 0 } });
	assert_string_equal(read_all(&x),
	                    "0 b 1/0/0, 0 a c 2/0/0, 2 a c 3/0/0, 1 a 4/0/0");
	release(&x);
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* Row i of many: its names are made from i alone. */
static void add_made(struct fixture *x, uint32_t i)
{
	str_id name[DEEPEST];
	uint32_t seed = i;
	struct row row = { .name = name, .weight = { i + 1, 500000000 } };

	row.n = 1 + next(&seed) % DEEPEST;
	for (size_t k = 0; k < row.n; k++)
		name[k] = 1 + next(&seed) % (k < 4 ? 3 : NAMES);
	rows_add(&x->rows, &row);
}

/*
 * 2.5 million rows, of which 50,000 are distinct: many runs, which become one on the way.  The
 * memory is that of the distinct ones.
 */
static void memory_follows_distinct_rows(void **state)
{
	struct weight sum = { 0 }, before;
	struct fixture x;
	uint32_t seed = 7;
	struct row row;
	size_t n = 0;

	(void)state;
	init(&x);
	for (int i = 0; i < NAMES; i++)
		intern(&x.names, arena_fmt(&x.arena, "%d", next(&seed)));
	for (uint32_t i = 0; i < DISTINCT * TIMES; i++)
		add_made(&x, next(&seed) % DISTINCT);
	assert_true(x.rows.merged > 0);
	assert_within(x.arena.bytes + x.rows.runs.bytes, 1, 64 << 20);
	rows_begin(&x.rows, &x.arena);
	while (rows_next(&x.rows, &row)) {
		sum = weight_sum(sum, row.weight);
		assert_true(n == 0 || row.same < row.n);
		n++;
	}
	before = rows_sum(&x.rows, 0);
	assert_within(n, 1000, DISTINCT);
	assert_int_equal(weight_compare(sum, before), 0);
	release(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_rows_are_one),
		cmocka_unit_test(series_and_slots_part_rows),
		cmocka_unit_test(a_chart_keeps_its_order),
		cmocka_unit_test(memory_follows_distinct_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
