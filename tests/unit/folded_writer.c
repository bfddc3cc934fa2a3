/* folded writer: stacks as sorted lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "writer/folded.h"

struct folded {
	struct arena arena, scratch;
	struct interner names;
	struct stacks stacks;
	enum folded_order order;
	size_t lines;
};

static void begin(struct folded *f)
{
	*f = (struct folded){ 0 };
	intern_init(&f->names, &f->arena);
	stack_init(&f->stacks, &f->arena);
}

/* A stack written as in the folded format. */
static void add(struct folded *f, const char *stack, uint64_t weight, uint32_t fraction)
{
	struct str rest = str_of(stack);
	stack_id id = 0;

	while (rest.n)
		id = stack_push(&f->stacks, id, intern(&f->names, str_cut(&rest, ';')));
	stack_add(&f->stacks, id, weight, fraction);
}

/* What is written, in the run's arena. */
static struct str written(struct folded *f)
{
	static struct out o;
	char path[] = "/tmp/folded-XXXXXX";
	int fd = mkstemp(path);
	struct str s;
	off_t size;

	assert_true(fd >= 0);
	out_open(&o, path, fd);
	f->lines = folded_write(&o, &f->stacks, &f->names, f->order, &f->scratch);
	assert_int_equal(out_close(&o), 0);
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	assert_int_equal(fseeko(in, 0, SEEK_END), 0);
	size = ftello(in);
	rewind(in);
	s = (struct str){ arena_new(&f->arena, char, (size_t)size + 1), (size_t)size };
	assert_int_equal(fread((char *)s.p, 1, s.n, in), s.n);
	fclose(in);
	unlink(path);
	return s;
}

static void end(struct folded *f)
{
	arena_release(&f->arena);
	arena_release(&f->scratch);
}

static void lines_are_sorted_by_their_bytes(void **state)
{
	struct folded f;

	(void)state;
	begin(&f);
	add(&f, "main;foo;x", 1, 0);
	add(&f, "main;foo2", 1, 0);
	add(&f, "main;foo 3", 1, 0);
	add(&f, "main;foo(int)", 2, 0);
	add(&f, "main;foo", 4, 0);
	add(&f, "main;fo\xff", 5, 0);
	add(&f, "main", 10, 0);
	add(&f, "a;b;c;d", 12, 0);
	assert_string_equal(written(&f).p, "a;b;c;d 12\n"
	                                   "main 10\n"
	                                   "main;foo 3 1\n"
	                                   "main;foo 4\n"
	                                   "main;foo(int) 2\n"
	                                   "main;foo2 1\n"
	                                   "main;foo;x 1\n"
	                                   "main;fo\xff 5\n");
	assert_int_equal(f.lines, 8);
	end(&f);
}

static void a_line_may_begin_another(void **state)
{
	struct folded f;

	(void)state;
	begin(&f);
	add(&f, "foo 1;x", 3, 0);
	add(&f, "foo", 1, 0);
	add(&f, "foo 1", 5, 0);
	add(&f, "foo 1 5", 5, 0);
	assert_string_equal(written(&f).p, "foo 1\nfoo 1 5\nfoo 1 5 5\nfoo 1;x 3\n");
	end(&f);
}

static void stacks_without_weight_are_not_written(void **state)
{
	struct folded f;

	(void)state;
	begin(&f);
	add(&f, "a;b", 0, 0);
	add(&f, "a;c", 1, 0);
	assert_string_equal(written(&f).p, "a;c 1\n");
	assert_int_equal(f.lines, 1);
	end(&f);
}

static void fractions_are_kept(void **state)
{
	struct folded f;

	(void)state;
	begin(&f);
	add(&f, "a", 0, 400000000);
	add(&f, "a", 0, 700000000);
	add(&f, "b", 0, 1);
	add(&f, "c", 2, 250000000);
	assert_string_equal(written(&f).p, "a 1.1\nb 0.000000001\nc 2.25\n");
	end(&f);
}

static void nothing_gives_nothing(void **state)
{
	struct folded f;

	(void)state;
	begin(&f);
	assert_string_equal(written(&f).p, "");
	assert_int_equal(f.lines, 0);
	end(&f);
}

static void deep_stacks_are_no_recursion(void **state)
{
	enum { DEEP = 1 << 20 };
	struct folded f;
	stack_id id = 0;
	str_id name;
	struct str s;

	(void)state;
	begin(&f);
	name = intern(&f.names, STR("f"));
	for (size_t i = 0; i < DEEP; i++)
		id = stack_push(&f.stacks, id, name);
	stack_add(&f.stacks, id, 7, 0);
	s = written(&f);
	assert_int_equal(s.n, 2 * DEEP + 2);
	assert_true(str_ends(s, STR(";f;f 7\n")));
	end(&f);
}

/* Random stacks of few letters, so that prefixes and blanks meet often. */
static void check_order(enum folded_order order)
{
	static const char letters[] = " 13;;;(a:~\xfe";
	struct str before = { 0 }, rest, line;
	uint32_t seed = 1;
	struct folded f;
	size_t lines = 0;

	begin(&f);
	f.order = order;
	for (size_t i = 0; i < 20000; i++) {
		char stack[16];
		size_t n = 1 + (seed >> 16) % (sizeof(stack) - 1);

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1103515245 + 12345;
			stack[k] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		stack[n - 1] = 'x';
		stack[n] = '\0';
		add(&f, stack, 1 + i % 3, 0);
	}
	rest = written(&f);
	while (rest.n) {
		line = str_cut(&rest, '\n');
		if (order == FOLDED_BY_STACK)
			line = str_head(line, str_rfind(line, ' '));
		assert_true(str_cmp(before, line) < 0);
		before = line;
		lines++;
	}
	assert_true(lines > 1000);
	assert_int_equal(lines, f.lines);
	assert_true(lines > 5000);
	end(&f);
}

static void order_is_that_of_sort(void **state)
{
	(void)state;
	check_order(FOLDED_BY_LINE);
	check_order(FOLDED_BY_STACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_sorted_by_their_bytes),
		cmocka_unit_test(a_line_may_begin_another),
		cmocka_unit_test(stacks_without_weight_are_not_written),
		cmocka_unit_test(fractions_are_kept),
		cmocka_unit_test(nothing_gives_nothing),
		cmocka_unit_test(deep_stacks_are_no_recursion),
		cmocka_unit_test(order_is_that_of_sort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
