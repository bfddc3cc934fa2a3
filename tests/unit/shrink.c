/* shrink: what the script and the style of a picture look like in a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "writer/shrink.h"

static void becomes(enum shrink_kind kind, const char *source, const char *want)
{
	struct out out = { .fd = -1 };

	shrink_write(&out, str_of(source), kind);
	assert_int_equal(out.n, strlen(want));
	assert_memory_equal(out.buf, want, out.n);
}

static void blanks_and_comments_go(void **state)
{
	(void)state;
	becomes(SHRINK_SCRIPT, "/* why */\nif (a + +b) {\n\tf(x, y);\n}\n",
	        "if(a+ +b){f(x,y)}");
	becomes(SHRINK_SCRIPT, "a = b\nc()\n", "a=b\nc()");
	becomes(SHRINK_STYLE, ".a .b { top: 0; }\n", ".a .b{top:0}");
}

static void literals_stay(void **state)
{
	(void)state;
	becomes(SHRINK_SCRIPT, "f('a  /* b', /[/ ']  x/);", "f('a  /* b',/[/ ']  x/);");
}

/* The section of the file that the script stands in ends at the first of these. */
static void a_section_is_never_ended(void **state)
{
	(void)state;
	becomes(SHRINK_SCRIPT, "a[b[c]] > d;", "a[b[c]] >d;");
	becomes(SHRINK_SCRIPT, "a[b[c]]\n>d;", "a[b[c]]\n>d;");
	becomes(SHRINK_SCRIPT, "a[b] > d;", "a[b]>d;");
}

static void declarations_are_joined(void **state)
{
	(void)state;
	becomes(SHRINK_SCRIPT, "const a = 1;\nlet b = 2;\nf();\nlet c;",
	        "let a=1,b=2;f();let c;");
	becomes(SHRINK_SCRIPT, "let f = () => { let x = 1; }; let y;",
	        "let f=()=>{let x=1};let y;");
	becomes(SHRINK_SCRIPT, "for (let i = 0; i < n; i++) { const k = i; }",
	        "for(let i=0;i<n;i++){let k=i}");
	becomes(SHRINK_SCRIPT, "{ let a = 1; }\nlet b;", "{let a=1}\nlet b;");
}

static void words_of_ours_are_short(void **state)
{
	(void)state;
	becomes(SHRINK_SCRIPT, "this.ENDING = 'ENDING';", "this.$c='ENDING';");
	becomes(SHRINK_SCRIPT, "ENDINGS(MARGIN);", "ENDINGS($f);");
	becomes(SHRINK_SCRIPT, "f(`ENDING ${x ? ENDING : {}} ENDING`);",
	        "f(`ENDING ${x ? $c : {}} ENDING`);");
	becomes(SHRINK_SCRIPT, "withTarget(update);", "P$(I$);");
	becomes(SHRINK_STYLE, ".level { top: 0 }", ".level{top:0}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_and_comments_go),
		cmocka_unit_test(literals_stay),
		cmocka_unit_test(a_section_is_never_ended),
		cmocka_unit_test(declarations_are_joined),
		cmocka_unit_test(words_of_ours_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
