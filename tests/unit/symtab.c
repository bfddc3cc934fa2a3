/* Ranges with names. */
#include "image/symtab.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"

enum { BYTES = 300, ROUNDS = 300, DEFINED = 40, FAR = 5000, MANY = 200000 };

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void name_is(const struct symtab *t, uint64_t addr, const char *name)
{
	const struct symbol *s = symtab_find(t, addr);

	if (!name) {
		assert_null(s);
		return;
	}
	assert_non_null(s);
	assert_true(str_eq(s->name, str_of(name)));
}

static void empty_table_knows_nothing(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	symtab_sort(&t, &run);
	name_is(&t, 0, NULL);
	name_is(&t, UINT64_MAX, NULL);
}

static void later_definition_leaves_pieces(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	symtab_add(&t, &run, 100, 100, STR("old"));
	symtab_add(&t, &run, 120, 10, STR("new"));
	symtab_sort(&t, &run);
	name_is(&t, 99, NULL);
	name_is(&t, 119, "old");
	name_is(&t, 120, "new");
	name_is(&t, 129, "new");
	name_is(&t, 130, "old");
	name_is(&t, 199, "old");
	name_is(&t, 200, NULL);
	assert_int_equal(symtab_find(&t, 130)->base, 100);
	assert_int_equal(t.n, 3);
}

/* The symbol of a frame at addr, and the bytes around the one looked up that share it. */
static void frame_is(const struct symtab *t, uint64_t addr, bool caller, const char *name,
                     uint64_t before, uint64_t after)
{
	struct symtab_span span;
	const struct symbol *s = symtab_find_frame(t, addr, caller, &span);

	if (!s != !name || (s && !str_eq(s->name, str_of(name))))
		fail_msg("%llu: " PRSTR, (unsigned long long)addr,
		         STRARG(s ? s->name : STR("no symbol")));
	assert_ptr_equal(symtab_find_frame(t, addr, caller, NULL), s);
	assert_int_equal(span.before, before);
	assert_int_equal(span.after, after);
}

static void frames_share_a_name_up_to_the_ends_of_a_symbol(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	frame_is(&t, 7, false, NULL, 7, UINT64_MAX - 8);
	symtab_add(&t, &run, 100, 20, STR("a"));
	symtab_add(&t, &run, 120, 10, STR("b"));
	symtab_add(&t, &run, 140, 10, STR("c"));
	symtab_sort(&t, &run);
	frame_is(&t, 99, false, NULL, 99, 0);
	frame_is(&t, 100, false, "a", 0, 20);
	frame_is(&t, 119, false, "a", 19, 1);
	frame_is(&t, 119, true, "a", 18, 2);
	frame_is(&t, 130, false, NULL, 0, 9);
	frame_is(&t, 139, false, NULL, 9, 0);
	frame_is(&t, 139, true, NULL, 8, 1);
	frame_is(&t, 150, false, NULL, 0, UINT64_MAX - 151);
}

/* The last instruction of a is a call that does not return. */
static void a_return_address_after_the_last_call_is_of_the_caller(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	symtab_add(&t, &run, 100, 20, STR("a"));
	symtab_add(&t, &run, 120, 10, STR("b"));
	symtab_add(&t, &run, 130, 10, STR("__pfx_c"));
	symtab_add(&t, &run, 140, 10, STR("c"));
	symtab_sort(&t, &run);
	frame_is(&t, 120, true, "a", 19, 1);
	frame_is(&t, 120, false, "b", 0, 10);
	frame_is(&t, 130, true, "b", 9, 1);
}

static void an_address_after_padding_begins_a_function(void **state)
{
	static const char *const padding[] = { "__pfx_f", "__cfi_f",
		                               "$m:f/1-CodeInfoPrologue",
		                               "__pfx_f\t[ext4]" };

	(void)state;
	for (size_t i = 0; i < sizeof(padding) / sizeof(*padding); i++) {
		struct symtab t = { 0 };

		symtab_add(&t, &run, 100, 16, str_of(padding[i]));
		symtab_add(&t, &run, 116, 20, STR("f"));
		symtab_sort(&t, &run);
		frame_is(&t, 116, true, "f", 15, 0);
		frame_is(&t, 116, false, "f", 0, 20);
		frame_is(&t, 115, false, padding[i], 15, 0);
		frame_is(&t, 115, true, padding[i], 14, 1);
		frame_is(&t, 117, true, "f", 0, 20);
	}
}

static void an_address_after_padding_begins_no_function(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	symtab_add(&t, &run, 100, 16, STR("__pfx_f"));
	symtab_add(&t, &run, 120, 20, STR("f"));
	symtab_sort(&t, &run);
	frame_is(&t, 116, true, "__pfx_f", 15, 0);
	frame_is(&t, 120, true, "f", 3, 0);
	assert_false(symtab_is_padding(STR("f")));
	assert_false(symtab_is_padding(STR("__pfx")));
	assert_false(symtab_is_padding(STR("CodeInfoPrologue-f")));
}

static void same_range_again_replaces(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	symtab_add(&t, &run, 100, 100, STR("a"));
	symtab_add(&t, &run, 100, 100, STR("b"));
	symtab_sort(&t, &run);
	assert_int_equal(t.n, 1);
	name_is(&t, 150, "b");
}

static void ranges_that_are_none_are_ignored(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	symtab_add(&t, &run, 100, 0, STR("empty"));
	symtab_add(&t, &run, UINT64_MAX - 3, 4, STR("wraps"));
	symtab_add(&t, &run, UINT64_MAX - 3, 3, STR("last"));
	symtab_sort(&t, &run);
	name_is(&t, 100, NULL);
	name_is(&t, UINT64_MAX - 1, "last");
	name_is(&t, UINT64_MAX, NULL);
	assert_int_equal(t.n, 1);
}

/* Byte for byte, whoever was defined last has it. */
static void random_definitions_are_as_in_a_naive_model(void **state)
{
	static const char letters[DEFINED + 1] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn";
	uint64_t seed = 11;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const char *model[BYTES] = { 0 };
		uint64_t base[BYTES] = { 0 }, end = 0;
		struct symtab t = { 0 };

		for (size_t i = 0; i < DEFINED; i++) {
			uint64_t start = given_random(&seed) % BYTES;
			uint64_t n = given_random(&seed) %
			             (given_random(&seed) % 2 ? 8 : BYTES - start + 1);

			if (start + n > BYTES)
				n = BYTES - start;
			symtab_add(&t, &run, start, n, (struct str){ letters + i, 1 });
			for (uint64_t k = start; k < start + n; k++) {
				model[k] = letters + i;
				base[k] = start;
			}
		}
		symtab_sort(&t, &run);
		for (uint64_t k = 0; k < BYTES; k++) {
			const struct symbol *s = symtab_find(&t, k);

			assert_ptr_equal(s ? s->name.p : NULL, model[k]);
			assert_int_equal(s ? s->base : 0, base[k]);
		}
		for (size_t i = 0; i < t.n; i++) {
			assert_true(t.sym[i].start >= end &&
			            t.sym[i].end > t.sym[i].start);
			end = t.sym[i].end;
		}
	}
}

/* Byte for byte, those that have several names. */
static void shared_bytes_are_as_in_a_naive_model(void **state)
{
	uint64_t seed = 5, found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned names[BYTES] = { 0 };
		struct symtab t = { 0 }, shared = { 0 };

		for (size_t i = 0; i < DEFINED / 4; i++) {
			uint64_t start = given_random(&seed) % BYTES;
			uint64_t n = given_random(&seed) % 60,
			         name = given_random(&seed) % 4;

			if (start + n > BYTES)
				n = BYTES - start;
			symtab_add(&t, &run, start, n,
			           str_head(STR("wwxxyyzz"), name + 1));
			for (uint64_t k = start; k < start + n; k++)
				names[k] |= 1u << name;
		}
		symtab_shared(&t, &shared, &run);
		for (uint64_t k = 0; k < BYTES; k++) {
			bool several = names[k] & (names[k] - 1);

			assert_int_equal(symtab_find(&shared, k) != NULL, several);
			found += several;
		}
	}
	assert_true(found > ROUNDS);
}

static void a_table_in_order_stays_in_place(void **state)
{
	struct symtab t = { 0 };
	struct symbol *first;

	(void)state;
	symtab_add(&t, &run, 1, 1, STR("a"));
	symtab_add(&t, &run, 2, 2, STR("b"));
	symtab_add(&t, &run, 4, 1, STR("c"));
	first = t.sym;
	symtab_sort(&t, &run);
	assert_ptr_equal(t.sym, first);
	assert_int_equal(t.n, 3);
	name_is(&t, 3, "b");
	symtab_add(&t, &run, 3, 1, STR("d"));
	symtab_sort(&t, &run);
	name_is(&t, 2, "b");
	name_is(&t, 3, "d");
}

/* Ranges with the same name and base, as units of DWARF have them. */
static void adjacent_ranges_of_one_base_are_joined(void **state)
{
	struct symtab t = { 0 };
	struct str name = STR("x");

	(void)state;
	symtab_add(&t, &run, 1, 1, name);
	symtab_add(&t, &run, 2, 1, name);
	symtab_add(&t, &run, 3, 1, name);
	t.sym[1].base = 1;
	symtab_sort(&t, &run);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.sym[0].end, 3);
	assert_int_equal(t.sym[1].start, 3);
}

/* Every byte of the addresses differs somewhere, and they come in no order. */
static void addresses_far_apart_are_sorted(void **state)
{
	struct symtab t = { 0 };
	uint64_t seed = 7, end = 0;

	(void)state;
	for (int i = 0; i < FAR; i++)
		symtab_add(&t, &run, given_random(&seed), 1, STR("x"));
	symtab_sort(&t, &run);
	assert_int_equal(t.n, FAR);
	for (size_t i = 0; i < t.n; i++) {
		assert_true(t.sym[i].start >= end);
		end = t.sym[i].end;
	}
	seed = 7;
	for (int i = 0; i < FAR; i++)
		name_is(&t, given_random(&seed), "x");
}

/* Each inside the one before: a table that scans back would never end. */
static void nested_definitions_cost_no_square(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	for (uint64_t i = 0; i < MANY; i++)
		symtab_add(&t, &run, i, 2 * (MANY - i), STR("x"));
	for (uint64_t i = 0; i < MANY; i++)
		symtab_add(&t, &run, i * 2, 1, STR("y"));
	symtab_sort(&t, &run);
	assert_true(t.n <= 4 * MANY);
	name_is(&t, 0, "y");
	name_is(&t, 1, "x");
	name_is(&t, 2 * MANY - 2, "y");
	name_is(&t, 2 * MANY, NULL);
}

#define test(name) cmocka_unit_test_teardown(name, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(empty_table_knows_nothing),
		test(later_definition_leaves_pieces),
		test(frames_share_a_name_up_to_the_ends_of_a_symbol),
		test(a_return_address_after_the_last_call_is_of_the_caller),
		test(an_address_after_padding_begins_a_function),
		test(an_address_after_padding_begins_no_function),
		test(same_range_again_replaces),
		test(ranges_that_are_none_are_ignored),
		test(random_definitions_are_as_in_a_naive_model),
		test(shared_bytes_are_as_in_a_naive_model),
		test(a_table_in_order_stays_in_place),
		test(adjacent_ranges_of_one_base_are_joined),
		test(addresses_far_apart_are_sorted),
		test(nested_definitions_cost_no_square),
	};

	return cmocka_run_group_tests_name("symtab", tests, NULL, NULL);
}
