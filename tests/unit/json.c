#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "reader/json.h"

enum { LIST = 1, ENTRY };

static const struct json_rule rules[] = {
	{ .in = 0, .is = LIST, .use = 'L', .key = STR("list") },
	{ .in = 0, .use = 'n', .key = STR("n") },
	{ .in = LIST, .is = ENTRY, .use = 'e', .key = STR("entry") },
	{ .in = ENTRY, .is = LIST, .use = 'l', .key = STR("list") },
	{ .in = ENTRY, .use = 's', .key = STR("s") },
};

static char seen[1 << 10];

static bool take(void *ctx, const struct json_value *v)
{
	static const char shown[] = "0ft#'{}[]";
	size_t n = strlen(seen);

	(void)ctx;
	snprintf(seen + n, sizeof(seen) - n, "%c%c" PRSTR " ",
	         v->rule ? (char)v->rule->use : '.', shown[v->type], STRARG(v->text));
	return !str_eq(v->text, STR("stop"));
}

/* Reads a text in pieces of n bytes.  Returns the reason of a failure, or NULL. */
static const char *read_text(const char *text, size_t piece, uint64_t *at)
{
	struct json *j = json_open(rules, sizeof(rules) / sizeof(*rules), take, NULL);
	struct str rest = str_of(text);
	const char *why = NULL;
	bool good = true;

	seen[0] = 0;
	for (; good && rest.n; rest = str_from(rest, piece))
		good = json_read(j, str_head(rest, piece));
	if (!good || !json_end(j)) {
		why = json_reason(j) ? json_reason(j) : "stopped";
		*at = json_place(j);
	}
	json_close(j);
	return why;
}

static void test_rules(void **state)
{
	static const char text[] =
	        "{\"skip\":{\"list\":[1,{\"n\":2}]},\"n\":[-1,2.5e3],\"list\":{\"n\":3,"
	        "\"entry\":[{\"s\":\"a\\u0062\\nc\"},{\"list\":{\"entry\":null}}]}}\n"
	        "{\"n\":true}\n";
	uint64_t at;

	(void)state;
	for (size_t piece = 1; piece < sizeof(text); piece++) {
		assert_null(read_text(text, piece, &at));
		assert_string_equal(seen, ".{ n[ n#-1 n#2.5e3 n] L{ e[ e{ s'ab\nc e} e{ "
		                          "l{ e0 l} e} e] L} .} .{ nt .} ");
	}
}

static void test_failures(void **state)
{
	char deep[300];
	uint64_t at;

	(void)state;
	assert_string_equal(read_text("{\"n\":1]", 99, &at), "this is not JSON");
	assert_true(at > 5 && at < 8);
	assert_string_equal(seen, ".{ n#1 ");
	assert_string_equal(read_text("{\"n\":1]", 4, &at), "this is not JSON");
	assert_true(at > 5 && at < 8);
	for (size_t piece = 1; piece < 10; piece++) {
		assert_string_equal(read_text("{\"n\":[1,", piece, &at),
		                    "the text ends inside a value");
		assert_int_equal(at, 8);
	}
	assert_string_equal(read_text("{\"n\":[\"stop\",1]}", 99, &at), "stopped");
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = 0;
	assert_string_equal(read_text(deep, 99, &at), "values are nested too deeply");
	assert_true(at > 126 && at < 130);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "-5", true, (uint64_t)-5 },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "1e3", true, 1000 },
		{ "2.0", true, 2 },
		{ "2.5", false, 0 },
		{ "", false, 0 },
		{ "-", false, 0 },
		{ "12a", false, 0 },
		{ "nan", false, 0 },
	};
	double real;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t value = 0;

		assert_int_equal(json_integer(str_of(cases[i].text), &value),
		                 cases[i].good);
		assert_true(!cases[i].good || value == cases[i].value);
	}
	assert_true(json_real(STR("-1.25e2"), &real) && real > -126 && real < -124);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
