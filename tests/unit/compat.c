/* compat: frames and events as FlameGraph and inferno write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "label/compat.h"
#include "symbol/profile.h"

static const char lib[] = "/lib/x.so", map[] = "/tmp/perf-1.map";

static void check(const struct label_name *name, enum compat compat, unsigned marks,
                  const char *want)
{
	const struct label_opts opts = { .compat = compat, .marks = marks };
	struct arena a = { 0 };
	struct str got = compat_label(&a, name, &opts);

	if (!str_eq(got, str_of(want)))
		fail_msg(PRSTR ": \"" PRSTR "\", not \"%s\"", STRARG(name->func),
		         STRARG(got), want);
	arena_release(&a);
}

/* want[0] is FlameGraph's; NULL: as func. */
static void names_are_cut_as_they_cut_them(void **state)
{
	static const struct {
		const char *func, *want[2];
	} rows[] = {
		{ "plain_c_name", { NULL, NULL } },
		{ "foo(int) const", { "foo", "foo" } },
		{ "foo(int) [clone .cold]", { "foo", "foo" } },
		{ "f<void (A&)>::g(int)", { "f<void ", "f<void (A&)>::g" } },
		{ "main::{lambda(int)#1}::operator()(int)",
		  { "main::{lambda", "main::{lambda(int)#1}::operator" } },
		{ "a::(anonymous namespace)::b(int)",
		  { "a::(anonymous namespace)::b", "a::(anonymous namespace)::b" } },
		{ "operator<(A const&)", { "operator<", "operator<(A const&)" } },
		{ "net/http.(*Client).Do", { NULL, NULL } },
		{ "main.(*T)", { "main.", NULL } },
		{ "a(b).(c)", { "a", "a" } },
		{ "[u8; 8]", { "[u8: 8]", "[u8: 8]" } },
		{ "RegExp:[\"']", { "RegExp:[]", NULL } },
		{ "foo::bar::h0123456789abcdef", { NULL, "foo::bar" } },
		{ "foo::bar::h0123456789abcdeg", { NULL, NULL } },
		{ "_$LT$a..B$u20$as$u20$C$GT$::f::h0123456789abcdef",
		  { NULL, "<a::B as C>::f" } },
		{ "a::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef",
		  { NULL, "a::_{{closure}}" } },
		{ "a$LT$b$XX$c..d::h0123456789abcdef", { NULL, "a<b$XX$c..d" } },
		{ "x\x01y", { "x?y", "x?y" } },
		/* They leave these frames out. */
		{ "(anonymous namespace)::b(int)",
		  { "(anonymous namespace)::b", "(anonymous namespace)::b" } },
		{ "(x)y", { NULL, NULL } },
		{ "\"\"", { NULL, NULL } },
		{ "->", { NULL, NULL } },
		{ "->a->", { "a", "a" } },
		/* They make two frames of these. */
		{ "A::operator->()", { "A::operator->", "A::operator->()" } },
		{ "<F(i32) -> i32>::call", { "<F", NULL } },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
		const char *func = rows[i / 2].func, *want = rows[i / 2].want[i % 2];
		struct label_name name = { .func = str_of(func), .module = str_of(lib) };

		check(&name, i % 2 ? COMPAT_INFERNO : COMPAT_FLAMEGRAPH, 0,
		      want ? want : func);
	}
}

static void inlined_java_methods_are_frames(void **state)
{
	struct label_name name = { .func = STR("Lx/Y;::m(I)V->La/B;::n->ThreeCard::o"),
		                   .module = str_of(map) };
	const char *want = "Lx/Y:::m_[j];La/B:::n_[i];ThreeCard::o_[i]";

	(void)state;
	check(&name, COMPAT_FLAMEGRAPH, MARK_JIT, want);
	check(&name, COMPAT_INFERNO, MARK_JIT, want);
	name.srcline = STR("Y.java:7");
	check(&name, COMPAT_FLAMEGRAPH, 0,
	      "Lx/Y:::m:Y.java:7;La/B:::n:Y.java:7_[i];ThreeCard::o:Y.java:7_[i]");
}

static void java_classes_lose_their_l_in_threads_of_java(void **state)
{
	const struct label_opts opts = { .compat = COMPAT_INFERNO, .java = true };
	static const char *const rows[][2] = {
		{ "Lx/Y;.m(Lx/Z;)V", "x/Y:.m" },
		{ "LBusy;::main", "LBusy:::main" },
		{ "Interpreter", "Interpreter" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct label_name name = { .func = str_of(rows[i][0]) };

		assert_true(str_eq(compat_label(&a, &name, &opts), str_of(rows[i][1])));
	}
	assert_true(compat_is_java(STR("java")) && compat_is_java(STR("javac")));
	assert_false(compat_is_java(STR("C2 CompilerThre")));
	arena_release(&a);
}

static void unknown_frames_are_their_files(void **state)
{
	static const char *const rows[][2] = {
		{ "/lib/libc.so.6", "[libc.so.6]" },
		{ "/lib/libc.so.6 (deleted)", "[libc.so.6]" },
		{ "[kernel.kallsyms]", "[[kernel.kallsyms]]" },
		{ "[vdso]", "[[vdso]]" },
		{ "//anon", "[anon]" },
		{ "[unknown]", "[unknown]" },
		{ "", "[unknown]" },
		{ "/srv/", "[unknown]" },
	};
	struct label_opts opts = { .compat = COMPAT_FLAMEGRAPH, .addrs = true };
	struct label_name name = { .flags = NAMED_UNKNOWN, .addr = 0x7f01 };
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		name.module = str_of(rows[i][0]);
		check(&name, COMPAT_FLAMEGRAPH, 0, rows[i][1]);
		check(&name, COMPAT_INFERNO, 0, rows[i][1]);
	}
	name.module = STR("[kernel.kallsyms]");
	assert_true(str_eq(compat_label(&a, &name, &opts),
	                   STR("[[kernel.kallsyms] <7f01>]")));
	name.module = STR("[unknown]");
	assert_true(str_eq(compat_label(&a, &name, &opts), STR("[unknown <7f01>]")));
	arena_release(&a);
}

static void marks_follow_their_lists_of_files(void **state)
{
	enum { ALL = MARK_KERNEL | MARK_JIT };
	static const char *const rows[][3] = {
		{ "[kernel.kallsyms]", "f_[k]", "f_[k]" },
		{ "[vdso]", "f_[k]", "f_[k]" },
		{ "[unknown]", "f", "f" },
		{ "/boot/vmlinux", "f_[k]", "f_[k]" },
		{ "/boot/vmlinux-6.1.0_1", "f", "f_[k]" },
		{ "/boot/vmlinux (x)", "f", "f" },
		{ "/lib/nf.ko", "f", "f_[k]" },
		{ map, "f_[j]", "f_[j]" },
		{ "/proc/1/root/tmp/perf-1.map", "f_[j]", "f" },
		{ "/tmp/perf-x.map", "f", "f_[j]" },
		{ "/tmp/jitted-1-2.so", "f", "f_[j]" },
		{ "/memfd:doublemapper (deleted)", "f", "f" },
		{ lib, "f", "f" },
		{ "", "f", "f" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct label_name name = { .func = STR("f"),
			                   .module = str_of(rows[i][0]) };

		check(&name, COMPAT_FLAMEGRAPH, ALL, rows[i][1]);
		check(&name, COMPAT_INFERNO, ALL, rows[i][2]);
		check(&name, COMPAT_INFERNO, 0, "f");
	}
}

static void events_and_weights_are_those_they_add_up(void **state)
{
	compat_base *flamegraph = compat_event(COMPAT_FLAMEGRAPH),
	            *inferno = compat_event(COMPAT_INFERNO);

	(void)state;
	assert_true(str_eq(flamegraph(STR("cycles:u")), STR("cycles:u")));
	assert_true(str_eq(inferno(STR("cycles:u")), STR("cycles")));
	assert_true(str_eq(inferno(STR("cpu_core/cycles/P")), STR("cpu_core/cycles/P")));
	assert_true(
	        str_eq(inferno(STR("sched:sched_switch")), STR("sched:sched_switch")));
	assert_int_equal(compat_weight(COMPAT_FLAMEGRAPH, 0), 1);
	assert_int_equal(compat_weight(COMPAT_FLAMEGRAPH, 5), 5);
	assert_int_equal(compat_weight(COMPAT_INFERNO, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_cut_as_they_cut_them),
		cmocka_unit_test(inlined_java_methods_are_frames),
		cmocka_unit_test(java_classes_lose_their_l_in_threads_of_java),
		cmocka_unit_test(unknown_frames_are_their_files),
		cmocka_unit_test(marks_follow_their_lists_of_files),
		cmocka_unit_test(events_and_weights_are_those_they_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
