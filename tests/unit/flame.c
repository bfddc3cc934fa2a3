/* flame: lines become paths, paths become boxes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "writer/flame/path.h"
#include "writer/flame/flame.h"
#include "writer/flame/widest.h"

struct fixture {
	struct arena arena;
	struct interner names;
	struct rows rows;
	struct path path;
	struct flame flame;
};

static void init(struct fixture *x)
{
	*x = (struct fixture){ 0 };
	intern_init(&x->names, &x->arena);
	rows_init(&x->rows, &x->names, &x->arena);
	path_init(&x->path, &x->rows, &x->names, &x->arena);
}

static void release(struct fixture *x)
{
	rows_free(&x->rows);
	arena_release(&x->arena);
}

static void init_chart(struct fixture *x)
{
	init(x);
	x->rows.chart = x->rows.apart = true;
}

static void add_to(struct fixture *x, uint32_t series, const char *line, uint64_t weight)
{
	path_add(&x->path, str_of(line),
	         (struct row){ .series = series, .weight = { weight, 0 } });
}

static void add(struct fixture *x, const char *line, uint64_t weight)
{
	add_to(x, 0, line, weight);
}

/* The picture as "LEVEL name start+total" words; the caller compares. */
static const char *drawn(struct fixture *x, const struct flame_opts *opts)
{
	struct str s = { "", 0 };

	flame_layout(&x->flame, &x->rows, x->names.n, opts, &x->arena);
	for (size_t i = 0; i < x->flame.n; i++) {
		const struct box *b = &x->flame.box[i];
		struct str name = intern_str(&x->names, b->name);

		if (b->kind != BOX_FRAME)
			continue;
		s = arena_fmt(&x->arena, "%s%s%u" PRSTR ":%llu+%llu", s.p, s.n ? " " : "",
		              b->level, STRARG(name), (unsigned long long)b->start.n,
		              (unsigned long long)b->total.n);
	}
	return s.p;
}

static const struct flame_opts plain = { .nseries = 1 };

static void one_path_is_one_box(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	/* Sorted by bytes, "foo2" stands between "foo 3" and "foo;x". */
	add(&x, "main;foo", 3);
	add(&x, "main;foo2", 1);
	add(&x, "main;foo;x", 1);
	assert_string_equal(drawn(&x, &plain),
	                    "0:0+5 1main:0+5 2foo:0+4 3x:0+1 2foo2:4+1");
	release(&x);
}

static void order_of_lines_does_not_matter(void **state)
{
	static const char *const lines[] = { "a;b;c", "a;bc", "a;b", "z", "a;b;d", "b" };
	struct fixture x, y;

	(void)state;
	init(&x);
	init(&y);
	for (size_t i = 0; i < 6; i++) {
		add(&x, lines[i], i + 1);
		add(&y, lines[5 - i], 6 - i);
	}
	assert_string_equal(drawn(&x, &plain), drawn(&y, &plain));
	assert_string_equal(drawn(&x, &plain), "0:0+21 1a:0+11 2b:0+9 3c:0+1 3d:1+5 "
	                                       "2bc:9+2 1b:11+6 1z:17+4");
	release(&x);
	release(&y);
}

static void siblings_are_in_byte_order(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "\xff", 1);
	add(&x, "a", 1);
	add(&x, "B", 1);
	add(&x, "ab", 1);
	assert_string_equal(drawn(&x, &plain), "0:0+4 1B:0+1 1a:1+1 1ab:2+1 1\xff:3+1");
	release(&x);
}

static void empty_names_are_dropped(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a;b", 1);
	add(&x, "a;;b", 1);
	add(&x, ";a;b", 1);
	add(&x, "a;b;", 1);
	add(&x, "a;b;;", 1);
	add(&x, ";;", 1);
	assert_string_equal(drawn(&x, &plain), "0:0+6 1a:0+5 2b:0+5");
	release(&x);
}

/* What is kept from the line before must not depend on where bytes happen to differ. */
static void neighbours_share_whole_names_only(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "abcdefgh;ijklmnop", 1);
	add(&x, "abcdefgh;ijklmno", 1);
	add(&x, "abcdefgh;ijklmnopq", 1);
	add(&x, "abcdefgh;ijklmnop;r", 1);
	add(&x, "abcdefgh", 1);
	add(&x, "abcdefghi", 1);
	assert_string_equal(drawn(&x, &plain),
	                    "0:0+6 1abcdefgh:0+5 2ijklmno:0+1 2ijklmnop:1+2 3r:1+1 "
	                    "2ijklmnopq:3+1 1abcdefghi:5+1");
	release(&x);
}

static void reversed_stacks_merge_at_the_leaf(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	x.path.reverse = true;
	add(&x, "a;b;malloc", 2);
	add(&x, "a;c;malloc", 3);
	assert_string_equal(drawn(&x, &plain), "0:0+5 1malloc:0+5 2b:0+2 3a:0+2 "
	                                       "2c:2+3 3a:2+3");
	release(&x);
}

static void charts_keep_the_order_and_merge_neighbours(void **state)
{
	struct fixture x;

	(void)state;
	init_chart(&x);
	add(&x, "z;b", 1);
	add(&x, "z;b", 2);
	add(&x, "z", 4);
	add(&x, "z;b", 8);
	add(&x, "a", 16);
	add(&x, "z", 32);
	assert_string_equal(drawn(&x, &plain), "0:0+63 1z:0+15 2b:0+3 2b:7+8 1a:15+16 "
	                                       "1z:31+32");
	release(&x);
}

static void wakers_are_marked_behind_the_separator(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	x.path.wakers = true;
	add(&x, "a;b;--;c;d", 1);
	assert_string_equal(drawn(&x, &plain),
	                    "0:0+1 1a:0+1 2b:0+1 3--:0+1 4c_[w]:0+1 5d_[w]:0+1");
	release(&x);
}

/* The boxes that are no frames, as "LEVEL kind total" words. */
static const char *gaps(struct fixture *x)
{
	struct str s = { "", 0 };

	for (size_t i = 0; i < x->flame.n; i++) {
		const struct box *b = &x->flame.box[i];

		if (b->kind != BOX_FRAME)
			s = arena_fmt(&x->arena, "%s%s%u%s%llu", s.p, s.n ? " " : "",
			              b->level, b->kind == BOX_OWN ? "own" : "omitted",
			              (unsigned long long)b->total.n);
	}
	return s.p;
}

static void what_is_left_out_is_one_box_of_its_parent(void **state)
{
	const struct flame_opts wide = { .least = 0.1, .nseries = 1 };
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a;b", 3);
	add(&x, "a;c", 4);
	add(&x, "a;d;e", 1);
	add(&x, "a", 30);
	add(&x, "f;g", 62);
	drawn(&x, &wide);
	assert_string_equal(gaps(&x), "2omitted8");
	release(&x);
	init_chart(&x);
	add(&x, "a;b", 3);
	add(&x, "a;c", 4);
	add(&x, "a", 43);
	add(&x, "a;d", 50);
	drawn(&x, &wide);
	assert_string_equal(gaps(&x), "2omitted7 2own43 3own50");
	release(&x);
}

/* The heaviest boxes stay, all or none of those that weigh the same. */
static void a_number_of_boxes_is_not_exceeded(void **state)
{
	static const struct {
		size_t most, kept;
		const char *gaps;
	} cases[] = {
		{ 0, 6, "" },
		{ 5, 6, "" },
		{ 4, 5, "2omitted2" },
		{ 3, 3, "2omitted12" },
		{ 1, 2, "2omitted12 1omitted8" },
	};
	struct fixture x;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct flame_opts opts = { .most = cases[i].most, .nseries = 1 };

		init(&x);
		add(&x, "a;b", 5);
		add(&x, "a;c", 5);
		add(&x, "a;d", 2);
		add(&x, "e", 8);
		drawn(&x, &opts);
		assert_int_equal(x.flame.nframes, cases[i].kept);
		assert_int_equal(x.flame.missing, 6 - cases[i].kept);
		assert_string_equal(gaps(&x), cases[i].gaps);
		release(&x);
	}
}

static void several_series_are_shares(void **state)
{
	const struct flame_opts both = { .least = 0.2, .nseries = 2 };
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a;b", 90);
	add(&x, "a;c", 10);
	add_to(&x, 1, "a;d", 1);
	add_to(&x, 1, "z", 3);
	drawn(&x, &both);
	assert_int_equal(x.flame.nframes, 5);
	assert_string_equal(intern_str(&x.names, x.flame.box[2].name).p, "b");
	assert_int_equal(flame_share(&x.flame, 2, 0)->self.n, 90);
	assert_int_equal(flame_share(&x.flame, 1, 0)->total.n, 100);
	assert_int_equal(flame_share(&x.flame, 0, 1)->total.n, 4);
	assert_int_equal(x.flame.names[0][x.flame.box[1].name].total.n, 100);
	assert_int_equal(x.flame.names[1][x.flame.box[1].name].total.n, 1);
	/* b and d are wide in one series each, z in the second; c is in none. */
	for (size_t i = 0; i < x.flame.n; i++)
		assert_false(str_eq(intern_str(&x.names, x.flame.box[i].name), STR("c")));
	/* All of the first series, a quarter of the second. */
	assert_true(weight_value(x.flame.box[1].total) / FLAME_SHARE > 1.2499 &&
	            weight_value(x.flame.box[1].total) / FLAME_SHARE < 1.2501);
	release(&x);
}

static void narrow_boxes_stand_behind_their_siblings(void **state)
{
	const struct flame_opts wide = { .least = 0.1, .nseries = 1 };
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a;x", 5);
	add(&x, "b;x", 90);
	add(&x, "b;w", 5);
	assert_string_equal(drawn(&x, &wide), "0:0+100 1b:0+95 2x:0+90");
	release(&x);
}

static void root_may_be_wider_than_the_sum(void **state)
{
	const struct flame_opts more = { .total = { 20, 0 }, .nseries = 1 },
	                        less = { .total = { 3, 0 }, .nseries = 1 };
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a", 10);
	assert_string_equal(drawn(&x, &more), "0:0+20 1a:0+10");
	assert_string_equal(drawn(&x, &less), "0:0+10 1a:0+10");
	release(&x);
}

static void fractions_add_up_exactly(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	path_add(&x.path, STR("a"), (struct row){ .weight = { 0, 400000000 } });
	path_add(&x.path, STR("b"), (struct row){ .weight = { 0, 700000000 } });
	drawn(&x, &plain);
	assert_int_equal(x.flame.total.n, 1);
	assert_int_equal(x.flame.total.fraction, 100000000);
	assert_int_equal(x.flame.box[2].start.fraction, 400000000);
	release(&x);
}

static void sums_saturate_and_stay_inside(void **state)
{
	struct fixture x;

	(void)state;
	init(&x);
	add(&x, "a", UINT64_MAX - 5);
	add(&x, "b;c", 100);
	add(&x, "d", 100);
	assert_string_equal(drawn(&x, &plain),
	                    "0:0+18446744073709551615 1a:0+18446744073709551610 "
	                    "1b:18446744073709551610+5 2c:18446744073709551610+5");
	release(&x);
}

static void depth_is_not_bounded_by_the_machine_stack(void **state)
{
	enum { DEEP = 300000 };
	struct fixture x;
	char *line;

	(void)state;
	init(&x);
	line = arena_alloc(&x.arena, DEEP, 2);
	for (size_t i = 0; i < DEEP; i++)
		memcpy(line + 2 * i, "f;", 2);
	path_add(&x.path, (struct str){ line, 2 * DEEP - 1 },
	         (struct row){ .weight = { 7, 0 } });
	flame_layout(&x.flame, &x.rows, x.names.n, &plain, &x.arena);
	assert_int_equal(x.flame.n, DEEP + 1);
	assert_int_equal(x.flame.levels, DEEP + 1);
	assert_int_equal(x.flame.box[DEEP].total.n, 7);
	release(&x);
}

enum { VALUES = 400000 };

static int descending(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;

	return (*a < *b) - (*a > *b);
}

/* Checks the limit of n values that `draw` makes. */
static void check_limit(size_t n, size_t most, double (*draw)(size_t i))
{
	double *value = malloc((n + 1) * sizeof(*value));
	struct arena arena = { 0 };
	struct widest w = { .most = most, .arena = &arena };

	assert_non_null(value);
	for (size_t i = 0; i < n; i++)
		widest_add(&w, value[i] = draw(i));
	qsort(value, n, sizeof(*value), descending);
	assert_int_equal(w.all, n);
	assert_true(widest_limit(&w) == (n > most ? value[most] : (double)-INFINITY));
	arena_release(&arena);
	free(value);
}

static double scattered(size_t i)
{
	return (double)(i * 2654435761u % 1000003) / 7;
}

static double rising(size_t i)
{
	return (double)i;
}

static double equal(size_t i)
{
	return i % 3 ? 0 : 0.25;
}

static void the_limit_is_that_of_sorted_values(void **state)
{
	double (*const draws[])(size_t) = { scattered, rising, equal };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		check_limit(VALUES, 1000, draws[i]);
		check_limit(VALUES, 0, draws[i]);
		check_limit(VALUES, VALUES / 2, draws[i]);
		check_limit(100, 99, draws[i]);
		check_limit(100, 100, draws[i]);
		check_limit(0, 5, draws[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_path_is_one_box),
		cmocka_unit_test(order_of_lines_does_not_matter),
		cmocka_unit_test(siblings_are_in_byte_order),
		cmocka_unit_test(empty_names_are_dropped),
		cmocka_unit_test(neighbours_share_whole_names_only),
		cmocka_unit_test(reversed_stacks_merge_at_the_leaf),
		cmocka_unit_test(charts_keep_the_order_and_merge_neighbours),
		cmocka_unit_test(wakers_are_marked_behind_the_separator),
		cmocka_unit_test(narrow_boxes_stand_behind_their_siblings),
		cmocka_unit_test(what_is_left_out_is_one_box_of_its_parent),
		cmocka_unit_test(a_number_of_boxes_is_not_exceeded),
		cmocka_unit_test(several_series_are_shares),
		cmocka_unit_test(root_may_be_wider_than_the_sum),
		cmocka_unit_test(fractions_add_up_exactly),
		cmocka_unit_test(sums_saturate_and_stay_inside),
		cmocka_unit_test(depth_is_not_bounded_by_the_machine_stack),
		cmocka_unit_test(the_limit_is_that_of_sorted_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
