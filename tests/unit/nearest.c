/* The text that is spelled most like a wanted one. */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena run;

static struct str best_of(const char *want, enum nearest_of of, const char *const *texts)
{
	struct nearest n;

	nearest_init(&n, str_of(want), of, &run);
	for (; *texts; texts++)
		nearest_take(&n, str_of(*texts));
	return n.best;
}

#define best(want, of, ...) best_of(want, of, (const char *const[]){ __VA_ARGS__, NULL })
#define is(got, text)       assert_true(str_eq(got, STR(text)))

static void whole_texts_are_compared(void **state)
{
	(void)state;
	is(best("nod", NEAREST_WHOLE, "java", "node", "nod e"), "node");
	is(best("java", NEAREST_WHOLE, "javac", "Java"), "Java");
	assert_int_equal(best("java", NEAREST_WHOLE, "node", "a java thread", "").n, 0);
	assert_int_equal(best("GC", NEAREST_WHOLE, "GD").n, 0); /* too short to tell */
	assert_int_equal(best("", NEAREST_WHOLE, "", "a").n, 0);
}

static void words_are_found_in_texts(void **state)
{
	(void)state;
	is(best("compute_squar", NEAREST_WORD, "int app::compute_square(int)", "main"),
	   "compute_square");
	is(best("Foo::baz", NEAREST_WORD, "void Foo::bar(Foo const&)"), "Foo::bar");
	is(best("Sistem.Linq", NEAREST_WORD,
	        "[System.Linq] System.Linq.Enumerable::Sum(x)"),
	   "System.Linq");
	assert_int_equal(best("compute", NEAREST_WORD, "main", "_start").n, 0);
}

static void whole_text_around_a_word(void **state)
{
	(void)state;
	is(best("colour", NEAREST_AROUND, "app::color(int)", "main"), "app::color(int)");
}

static void order_of_equals_is_of_no_matter(void **state)
{
	(void)state;
	is(best("worker", NEAREST_WHOLE, "worked", "worket"), "worked");
	is(best("worker", NEAREST_WHOLE, "worket", "worked"), "worked");
	is(best("worker", NEAREST_WHOLE, "worke", "worket"), "worke");
	is(best("worker", NEAREST_WHOLE, "worket", "worke"), "worke");
}

static void literal_part_of_a_pattern(void **state)
{
	(void)state;
	is(nearest_literal(STR("^Foo::bar$"), &run), "Foo::bar");
	is(nearest_literal(STR("System\\.Linq"), &run), "System.Linq");
	is(nearest_literal(STR("System.Linq"), &run), "System.Linq");
	is(nearest_literal(STR("ab.*longer(x|y)"), &run), "longer");
	is(nearest_literal(STR("\\bword\\d+"), &run), "word");
	is(nearest_literal(STR("colou?r"), &run), "colo");
	is(nearest_literal(STR("[0-9]+"), &run), "0-9");
	assert_int_equal(nearest_literal(STR(".*"), &run).n, 0);
	assert_int_equal(nearest_literal(STR(""), &run).n, 0);
	assert_int_equal(nearest_literal(STR("\\"), &run).n, 0);
}

/* The distance by the textbook, of want to all of text, or to the part that is most like it. */
static unsigned slow(struct str want, struct str text, bool whole)
{
	unsigned row[65], best;

	for (unsigned k = 0; k <= want.n; k++)
		row[k] = k;
	best = row[want.n];
	for (size_t i = 0; i < text.n; i++) {
		unsigned diagonal = row[0];

		row[0] = whole ? (unsigned)i + 1 : 0;
		for (size_t k = 1; k <= want.n; k++) {
			unsigned change = diagonal + (want.p[k - 1] != text.p[i]);

			diagonal = row[k];
			row[k] = row[k] < row[k - 1] ? row[k] + 1 : row[k - 1] + 1;
			row[k] = change < row[k] ? change : row[k];
		}
		best = row[want.n] < best ? row[want.n] : best;
	}
	return whole ? row[want.n] : best;
}

static void distances_are_those_of_the_textbook(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char a[64], b[80];
		struct str want = { a, 3 + (size_t)i % 62 },
		           text = { b, (size_t)(i / 7) % 80 };
		enum nearest_of of = i % 2 ? NEAREST_WHOLE : NEAREST_AROUND;
		unsigned right, limit = (unsigned)want.n / 3;
		struct nearest n;

		for (size_t k = 0; k < sizeof(a); k++)
			a[k] = (char)('a' +
			              (seed = seed * 1103515245 + 12345) / 65536 % 3);
		for (size_t k = 0; k < sizeof(b); k++)
			b[k] = k < sizeof(a) && i % 3
			               ? a[k]
			               : (char)('a' + (seed = seed * 1103515245 + 12345) /
			                                      65536 % 3);
		b[(size_t)i % sizeof(b)] = 'z';
		right = slow(want, text, of == NEAREST_WHOLE);
		nearest_init(&n, want, of, &run);
		nearest_take(&n, text);
		assert_int_equal(n.best.n != 0, right <= limit && text.n);
		if (n.best.n)
			assert_int_equal(n.distance, right);
	}
	arena_release(&run);
	run = (struct arena){ 0 };
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_texts_are_compared),
		cmocka_unit_test(words_are_found_in_texts),
		cmocka_unit_test(whole_text_around_a_word),
		cmocka_unit_test(order_of_equals_is_of_no_matter),
		cmocka_unit_test(literal_part_of_a_pattern),
		cmocka_unit_test(distances_are_those_of_the_textbook),
	};

	return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
