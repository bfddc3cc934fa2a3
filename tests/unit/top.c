/* top and calltree: tables of functions, and trees of their calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "writer/calltree.h"
#include "writer/top.h"

#include "foldmade.h"

static const char *top(struct made *m, enum group_by by, size_t most, enum top_form form)
{
	const struct top_opts opts = { .by = by, .most = most, .form = form };

	top_write(&m->out, &m->fold, &m->head, &opts, &m->scratch);
	return made_text(m).p;
}

#define HEAD "self\tself%\tsum%\ttotal\ttotal%\tkind\tmodule\tfunction\n"

static void recursion_counts_once(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;main;f;g;f;f", 6, 0);
	made_add(&m, "app;main;f", 2, 0);
	assert_string_equal(top(&m, GROUP_FUNCTION, 0, TOP_FIELDS),
	                    HEAD "8\t100.00\t100.00\t8\t100.00\tnative\t[unknown]\tf\n"
	                         "0\t0.00\t100.00\t8\t100.00\tnative\t[unknown]\tmain\n"
	                         "0\t0.00\t100.00\t6\t75.00\tnative\t[unknown]\tg\n");
	made_end(&m);
}

/* It ends where it is inlined and where it is not; it belongs where it is inlined to. */
static void marks_are_no_part_of_a_name(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;main;copy_[i]", 1, 0);
	made_add(&m, "app;sys_read_[k];copy_[k]", 4, 0);
	made_add(&m, "app;sys_read_[k];loop_[i];step_[i]", 2, 0);
	made_add(&m, "app;[libc.so.6]", 1, 0);
	assert_string_equal(
	        top(&m, GROUP_FUNCTION, 3, TOP_FIELDS),
	        HEAD "5\t62.50\t62.50\t5\t62.50\tkernel\t[unknown]\tcopy\n"
	             "2\t25.00\t87.50\t2\t25.00\tkernel\t[unknown]\tstep\n"
	             "1\t12.50\t100.00\t1\t12.50\tnative\tlibc.so.6\t[libc.so.6]\n");
	assert_string_equal(top(&m, GROUP_KIND, 0, TOP_FIELDS),
	                    "self\tself%\tsum%\ttotal\ttotal%\tkind\n"
	                    "6\t75.00\t75.00\t6\t75.00\tkernel\n"
	                    "2\t25.00\t100.00\t2\t25.00\tnative\n");
	made_end(&m);
}

static void equal_weights_stand_by_name(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;b", 1, 0);
	made_add(&m, "app;a", 1, 0);
	made_add(&m, "app;c;d", 1, 500000000);
	assert_string_equal(top(&m, GROUP_FUNCTION, 0, TOP_FIELDS),
	                    HEAD "1.5\t42.86\t42.86\t1.5\t42.86\tnative\t[unknown]\td\n"
	                         "1\t28.57\t71.43\t1\t28.57\tnative\t[unknown]\ta\n"
	                         "1\t28.57\t100.00\t1\t28.57\tnative\t[unknown]\tb\n"
	                         "0\t0.00\t100.00\t1.5\t42.86\tnative\t[unknown]\tc\n");
	made_end(&m);
}

/* Its own weight is no part of what stands on the root. */
static void a_sample_without_frames_has_a_row(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app", 1, 0);
	made_add(&m, "app;f", 3, 0);
	assert_string_equal(top(&m, GROUP_FUNCTION, 0, TOP_FIELDS),
	                    HEAD "3\t75.00\t75.00\t3\t75.00\tnative\t[unknown]\tf\n"
	                         "1\t25.00\t100.00\t1\t25.00\t\t\t[no frames]\n");
	assert_string_equal(top(&m, GROUP_COMM, 0, TOP_FIELDS),
	                    "self\tself%\tsum%\ttotal\ttotal%\tcomm\n"
	                    "4\t100.00\t100.00\t4\t100.00\tapp\n");
	made_end(&m);
}

static void threads_of_folded_stacks_are_one_process(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "a b-7/8;f", 1, 0);
	made_add(&m, "a b-7/9;f", 1, 0);
	made_add(&m, "a/b;f", 1, 0);
	assert_string_equal(top(&m, GROUP_PROCESS, 0, TOP_FIELDS),
	                    "self\tself%\tsum%\ttotal\ttotal%\tprocess\n"
	                    "2\t66.67\t66.67\t2\t66.67\ta b-7\n"
	                    "1\t33.33\t100.00\t1\t33.33\ta/b\n");
	made_end(&m);
}

static void people_get_columns_and_bars(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;main;App.Work::Run_[j]", 1500000000, 0);
	made_add(&m, "app;[libc.so.6]", 500000000, 0);
	assert_string_equal(
	        top(&m, GROUP_FUNCTION, 0, TOP_ALIGNED),
	        "                     self      sum             "
	        "                   total  kind     module     function\n"
	        "          1.50 s   75.0 %   75.0 %  ########  "
	        "          1.50 s   75.0 %  managed  [unknown]  App.Work::Run\n"
	        "          500 ms   25.0 %  100.0 %  ###       "
	        "          500 ms   25.0 %  native   libc.so.6  [libc.so.6]\n"
	        "            0 ns    0.0 %  100.0 %            "
	        "          1.50 s   75.0 %  native   [unknown]  main\n");
	made_end(&m);
}

static void names_cannot_break_a_table(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;a\tb\x1b[2J\xff\xc2\x9b", UINT64_MAX, 0);
	made_add(&m, "app;z", UINT64_MAX, 0);
	assert_string_equal(top(&m, GROUP_FUNCTION, 1, TOP_FIELDS),
	                    HEAD "18446744073709551615\t100.00\t100.00\t"
	                         "18446744073709551615\t100.00\tnative\t[unknown]\ta?b?["
	                         "2J\\xff\\xc2\\x9b\n");
	made_end(&m);
}

static void other_programs_get_integers(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;f<a, b>;\"g\"_[k]", 3, 0);
	made_add(&m, "app;f<a, b>", 1, 0);
	assert_string_equal(top(&m, GROUP_FUNCTION, 0, TOP_CSV),
	                    "function,module,kind,self,total\n"
	                    "\"\"\"g\"\"\",[unknown],kernel,3,3\n"
	                    "\"f<a, b>\",[unknown],native,1,4\n");
	assert_string_equal(top(&m, GROUP_FUNCTION, 1, TOP_TSV),
	                    "function\tmodule\tkind\tself\ttotal\n"
	                    "\"g\"\t[unknown]\tkernel\t3\t3\n");
	assert_string_equal(top(&m, GROUP_KIND, 0, TOP_CSV),
	                    "kind,self,total\nkernel,3,3\nnative,1,4\n");
	assert_string_equal(top(&m, GROUP_FUNCTION, 0, TOP_JSON),
	                    "{\"total\":4,\"samples\":7,\"unit\":\"ns\",\"rows\":[\n"
	                    "{\"function\":\"\\\"g\\\"\",\"module\":\"[unknown]\","
	                    "\"kind\":\"kernel\",\"self\":3,\"total\":3},\n"
	                    "{\"function\":\"f<a, b>\",\"module\":\"[unknown]\","
	                    "\"kind\":\"native\",\"self\":1,\"total\":4}\n]}\n");
	made_end(&m);
}

static const char *calls_to(struct made *m, const char *name, enum calls_way way,
                            bool aligned, size_t depth, bool found)
{
	const struct calltree_opts opts = { .name = str_of(name),
		                            .way = way,
		                            .aligned = aligned,
		                            .begins = true,
		                            .depth = depth };

	assert_int_equal(calltree_write(&m->out, &m->fold, &m->head, &opts, &m->scratch),
	                 found);
	return made_text(m).p;
}

static const char *calls(struct made *m, const char *name, enum calls_way way,
                         bool aligned, bool found)
{
	return calls_to(m, name, way, aligned, 0, found);
}

#define TREE "way\tlevel\tweight\tshare%\tfunction\n"

/* A stack counts by the outermost frame of the function, and so once. */
static void callers_and_callees_have_the_weight_of_the_function(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;a;f;b;f;c", 1, 0);
	made_add(&m, "app;b;f", 2, 0);
	made_add(&m, "app;b;g", 1, 0);
	assert_string_equal(calls(&m, "f", CALLS_CALLERS, false, true),
	                    TREE "callers\t0\t3\t75.00\tf\n"
	                         "callers\t1\t2\t50.00\t  b\n"
	                         "callers\t2\t2\t50.00\t    app\n"
	                         "callers\t1\t1\t25.00\t  a\n"
	                         "callers\t2\t1\t25.00\t    app\n");
	assert_string_equal(calls(&m, "f", CALLS_CALLEES, false, true),
	                    TREE "callees\t0\t3\t75.00\tf\n"
	                         "callees\t1\t1\t25.00\t  b\n"
	                         "callees\t2\t1\t25.00\t    f\n"
	                         "callees\t3\t1\t25.00\t      c\n");
	assert_string_equal(calls(&m, "nothing", CALLS_CALLEES, false, false), "");
	made_end(&m);
}

static void a_part_of_a_name_is_enough(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;Svc::Get_[j];Svc::Load_[j];read", 3, 0);
	made_add(&m, "app;Svc::Load_[j];open", 1, 0);
	assert_string_equal(calls(&m, "Load", CALLS_CALLEES, true, true),
	                    "called by Svc::Load\n"
	                    " 100.0 %            4 ns  Svc::Load\n"
	                    "  75.0 %            3 ns    read\n"
	                    "  25.0 %            1 ns    open\n");
	assert_string_equal(calls(&m, "Svc::", CALLS_CALLEES, true, true),
	                    "called by Svc:: (2 functions)\n"
	                    " 100.0 %            4 ns  Svc:: (2 functions)\n"
	                    "  75.0 %            3 ns    Svc::Load\n"
	                    "  75.0 %            3 ns      read\n"
	                    "  25.0 %            1 ns    open\n");
	made_end(&m);
}

static void what_weighs_little_is_one_line(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;f;heavy", 997, 0);
	made_add(&m, "app;f;x;y", 1, 0);
	made_add(&m, "app;f;z", 2, 0);
	assert_string_equal(calls(&m, "f", CALLS_CALLEES, false, true),
	                    TREE "callees\t0\t1000\t100.00\tf\n"
	                         "callees\t1\t997\t99.70\t  heavy\n"
	                         "callees\t1\t3\t0.30\t  [2 others]\n");
	made_end(&m);
}

static void depth_limits_the_levels(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m);
	made_add(&m, "app;a;f;b;c", 1, 0);
	assert_string_equal(calls_to(&m, "f", CALLS_CALLEES, false, 1, true),
	                    TREE "callees\t0\t1\t100.00\tf\n"
	                         "callees\t1\t1\t100.00\t  b\n");
	assert_string_equal(calls_to(&m, "f", CALLS_CALLEES, false, 2, true),
	                    TREE "callees\t0\t1\t100.00\tf\n"
	                         "callees\t1\t1\t100.00\t  b\n"
	                         "callees\t2\t1\t100.00\t    c\n");
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(marks_are_no_part_of_a_name),
		cmocka_unit_test(equal_weights_stand_by_name),
		cmocka_unit_test(a_sample_without_frames_has_a_row),
		cmocka_unit_test(threads_of_folded_stacks_are_one_process),
		cmocka_unit_test(people_get_columns_and_bars),
		cmocka_unit_test(names_cannot_break_a_table),
		cmocka_unit_test(other_programs_get_integers),
		cmocka_unit_test(callers_and_callees_have_the_weight_of_the_function),
		cmocka_unit_test(a_part_of_a_name_is_enough),
		cmocka_unit_test(what_weighs_little_is_one_line),
		cmocka_unit_test(depth_limits_the_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
