/* svg: captions, colours, and what stands in the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "stack/path.h"
#include "writer/caption.h"
#include "writer/svg.h"

static void cleaned(struct str in, const char *want)
{
	struct arena a = { 0 };
	struct str s = caption_clean(&a, in);

	assert_int_equal(s.n, strlen(want));
	assert_memory_equal(s.p, want, s.n);
	arena_release(&a);
}

static void captions_are_clean_text(void **state)
{
	(void)state;
	cleaned(STR("plain <name>"), "plain <name>");
	cleaned(STR("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x94\xa5"),
	        "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x94\xa5");
	cleaned(STR("a\x1b[0m\tb\x7f\0c"), "a\\x1b[0m\\x09b\\x7f\\x00c");
	cleaned(STR("\xff\xc3"), "\\xff\\xc3");
	cleaned(STR("\xc0\xaf \xed\xa0\x80"), "\\xc0\\xaf \\xed\\xa0\\x80");
	cleaned(STR("\xe2\x80\xae\xef\xbf\xbf\xc2\x85"),
	        "\\xe2\\x80\\xae\\xef\\xbf\\xbf\\xc2\\x85");
	cleaned(STR("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
	cleaned(STR(""), "");
}

static void annotations_are_off_the_caption(void **state)
{
	unsigned kinds;
	struct str s;

	(void)state;
	s = caption_strip(STR("do_syscall_64_[k]"), &kinds);
	assert_true(str_eq(s, STR("do_syscall_64")) && kinds == KIND_KERNEL);
	s = caption_strip(STR("f_[i]_[j]"), &kinds);
	assert_true(str_eq(s, STR("f")) && kinds == (KIND_INLINED | KIND_JIT));
	s = caption_strip(STR("w_[w]"), &kinds);
	assert_true(str_eq(s, STR("w")) && kinds == KIND_WAKER);
	s = caption_strip(STR("f_[x]"), &kinds);
	assert_true(str_eq(s, STR("f_[x]")) && kinds == 0);
	s = caption_strip(STR("_[k]"), &kinds);
	assert_true(str_eq(s, STR("_[k]")) && kinds == 0);
}

#define DOTS "\xe2\x80\xa6"

static void fits(const char *text, size_t most, bool right, const char *want)
{
	char out[200];
	struct str s = caption_fit(str_of(text), most, right, out);

	assert_int_equal(s.n, strlen(want));
	assert_memory_equal(s.p, want, s.n);
}

static void labels_are_cut_where_it_hurts_least(void **state)
{
	const char *dotnet = "System.Collections.Generic.Dictionary`2::TryInsert";

	(void)state;
	fits("main", 4, false, "main");
	fits("main", 3, false, "ma" DOTS);
	fits("main", 2, false, "");
	fits(dotnet, 50, false, dotnet);
	fits(dotnet, 40, false, DOTS "Generic.Dictionary`2::TryInsert");
	fits(dotnet, 24, false, DOTS "Dictionary`2::TryInsert");
	fits(dotnet, 12, false, DOTS "TryInsert");
	fits(dotnet, 8, false, "TryInse" DOTS);
	fits(dotnet, 8, true, "System." DOTS);
	fits("parse.constprop.0", 12, false, "parse.const" DOTS);
	fits("net/http.(*Client).Do", 8, false, DOTS "Do");
	fits("(anonymous namespace)::bar", 8, false, DOTS "bar");
	fits("a::map<std::x, y>::at(std::z)", 12, false, DOTS "at(std::z)");
	fits("int java.util.List.size", 12, false, DOTS "List.size");
	fits("JS:*fib /srv/app/x.js:6:13", 9, false, "JS:*fib " DOTS);
	fits("end node:http:12:3", 9, false, "end node" DOTS);
	fits("a::operator new", 13, false, DOTS "operator new");
	fits("do_page_fault", 8, false, "do_page" DOTS);
	fits("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 3, false, "\xc3\xbc\xc3\xbc" DOTS);
}

static bool same(struct rgb a, struct rgb b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void colours_depend_on_the_name_alone(void **state)
{
	const struct palette *hot = palette_find(STR("hot"));

	(void)state;
	assert_null(palette_find(STR("no such")));
	for (size_t i = 0; palette_name(i); i++) {
		const struct palette *p = palette_find(str_of(palette_name(i)));

		assert_non_null(p);
		assert_true(same(palette_color(p, STR("main"), false),
		                 palette_color(p, STR("main"), false)));
	}
	assert_false(same(palette_color(hot, STR("main"), false),
	                  palette_color(hot, STR("niam"), false)));
	assert_true(same(palette_color(hot, STR("--"), false),
	                 palette_color(palette_find(STR("io")), STR("--"), false)));
}

static void groups(const char *palette, const char *a, const char *b, bool alike)
{
	const struct palette *p = palette_find(str_of(palette));

	assert_non_null(p);
	assert_int_equal(palette_group(p, str_of(a)) == palette_group(p, str_of(b)),
	                 alike);
}

static void palettes_tell_kinds_apart(void **state)
{
	(void)state;
	groups("kind", "main", "std::vector<int>::at", true);
	groups("kind", "core::fmt::write", "main", true);
	groups("kind", "f_[k]", "g_[k]", true);
	groups("kind", "f_[k]", "f", false);
	groups("kind", "f_[i]", "f", false);
	groups("kind", "System.String::Concat", "f_[j]", true);
	groups("kind", "System.String::Concat", "f", false);
	groups("kind", "[libc.so.6]", "[unknown]", true);
	groups("kind", "[libc.so.6]", "main", false);
	groups("dotnet", "System.String::Concat", "Microsoft.X.Y::Z", true);
	groups("dotnet", "System.String::Concat", "WebApi.Startup::Route", false);
	groups("dotnet", "Program::Main_[j]", "WebApi.Startup::Route", true);
	groups("dotnet", "SVR::gc_heap::mark_phase", "WKS::gc_heap::relocate", true);
	groups("dotnet", "SVR::gc_heap::mark_phase", "MethodDesc::DoPrestub", false);
	groups("java", "java/util/List.add", "f_[j]", true);
	groups("java", "JavaThread::run", "main", false);
}

/* The SVG of these lines; freed by the caller. */
static char *draw(const struct svg_opts *opts, const char *const *lines, size_t n)
{
	struct flame_opts layout = { 0 };
	struct arena arena = { 0 };
	struct interner names;
	struct stacks stacks;
	struct path path;
	struct flame f;
	struct out out;
	char name[64], *text;
	int fd = memfd_create("svg", 0);
	ssize_t size;

	intern_init(&names, &arena);
	stacks_init(&stacks, &arena);
	path_init(&path, &stacks, &names, &arena);
	for (size_t i = 0; i < n; i++)
		path_add(&path, str_of(lines[i]), 1, 0);
	flame_layout(&f, &stacks, &names, &layout, &arena);
	out = (struct out){ .fd = fd };
	svg_write(&out, &f, &names, opts);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	assert_int_equal(out.error, 0);
	/* What is left in the buffer. */
	assert_int_equal(write(fd, out.buf, out.n), (ssize_t)out.n);
	size = lseek(fd, 0, SEEK_END);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(pread(fd, text, (size_t)size, 0), size);
	close(fd);
	arena_release(&arena);
	return text;
}

static struct svg_opts defaults(void)
{
	return (struct svg_opts){ .title = STR("T"),
		                  .countname = STR("samples"),
		                  .fonttype = STR("Verdana"),
		                  .width = 1200,
		                  .height = 16,
		                  .fontsize = 12,
		                  .fontwidth = 0.59,
		                  .palette = palette_find(STR("kind")),
		                  .factor = 1 };
}

static bool holds(const char *svg, const char *what)
{
	return strstr(svg, what) != NULL;
}

static void boxes_have_tooltips_and_labels(void **state)
{
	static const char *const lines[] = { "main;read_[k]", "main;parse" };
	struct svg_opts opts = defaults();
	char *svg = draw(&opts, lines, 2);

	(void)state;
	assert_true(holds(svg, "<title>all (2 samples, 100.00%)</title>"));
	assert_true(holds(svg, "<title>read (1 samples, 50.00%), kernel</title>"));
	assert_true(holds(svg, ">parse</text>"));
	assert_false(holds(svg, "_[k]<"));
	assert_true(holds(svg, "<metadata class=\"boxes\">0,2 1 2,1 3,1,1</metadata>"));
	free(svg);
}

static void names_are_escaped_everywhere(void **state)
{
	static const char *const lines[] = { "]]></script><script>alert(1)</script>",
		                             "a\"b'c&d\x01\xff" };
	struct svg_opts opts = defaults();
	char *svg;

	(void)state;
	opts.title = STR("<&\"'\x02>");
	opts.notes = STR("--> ]]>");
	opts.countname = STR("\"><x>");
	opts.fonttype = STR("\"><y>");
	svg = draw(&opts, lines, 2);
	assert_false(holds(svg, "<script>alert"));
	assert_false(holds(svg, "<x>"));
	assert_false(holds(svg, "<y>"));
	assert_true(holds(svg, "a&quot;b&#39;c&amp;d\\x01\\xff"));
	assert_true(holds(svg, "&lt;&amp;&quot;&#39;\\x02&gt;"));
	assert_true(holds(svg, "<desc>--&gt; ]]&gt;</desc>"));
	for (const char *c = svg; *c; c++)
		assert_true((signed char)*c >= ' ' || *c == '\n' || *c == '\t' ||
		            (signed char)*c < 0);
	free(svg);
}

static void nothing_is_found_by_id_or_fetched(void **state)
{
	static const char *const lines[] = { "a;b" };
	struct svg_opts opts = defaults();
	char *svg = draw(&opts, lines, 1);

	(void)state;
	assert_false(holds(svg, " id="));
	assert_false(holds(svg, "href"));
	assert_false(holds(svg, "url("));
	free(svg);
}

static void root_is_at_the_bottom_or_at_the_top(void **state)
{
	static const char *const lines[] = { "a;b" };
	struct svg_opts opts = defaults();
	const char *all = "<title>all (1 samples, 100.00%)</title><rect x=\"12\" y=\"";
	char *svg = draw(&opts, lines, 1), *box = strstr(svg, all);

	(void)state;
	assert_non_null(box);
	assert_int_equal(atoi(box + strlen(all)), 60 + 2 * 16);
	free(svg);
	opts.inverted = true;
	svg = draw(&opts, lines, 1);
	box = strstr(svg, all);
	assert_non_null(box);
	assert_int_equal(atoi(box + strlen(all)), 60);
	free(svg);
}

static void counts_are_grouped_and_scaled(void **state)
{
	static const char *lines[1500];
	struct svg_opts opts = defaults();
	char *svg;

	(void)state;
	for (size_t i = 0; i < 1500; i++)
		lines[i] = "a";
	svg = draw(&opts, lines, 1500);
	assert_true(holds(svg, "a (1,500 samples, 100.00%)"));
	free(svg);
	opts.factor = 0.001;
	svg = draw(&opts, lines, 1500);
	assert_true(holds(svg, "a (1.5 samples, 100.00%)"));
	free(svg);
}

static void backgrounds_are_names_or_hex(void **state)
{
	static const char *const good[] = { "yellow", "blue", "green", "grey",
		                            "#00fF1a" };
	static const char *const bad[] = { "",        "red",     "#fff",   "#1234567",
		                           "#12345g", "#0x1234", "url(#x)" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(svg_is_background(str_of(good[i])));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(svg_is_background(str_of(bad[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captions_are_clean_text),
		cmocka_unit_test(annotations_are_off_the_caption),
		cmocka_unit_test(labels_are_cut_where_it_hurts_least),
		cmocka_unit_test(colours_depend_on_the_name_alone),
		cmocka_unit_test(palettes_tell_kinds_apart),
		cmocka_unit_test(boxes_have_tooltips_and_labels),
		cmocka_unit_test(names_are_escaped_everywhere),
		cmocka_unit_test(nothing_is_found_by_id_or_fetched),
		cmocka_unit_test(root_is_at_the_bottom_or_at_the_top),
		cmocka_unit_test(counts_are_grouped_and_scaled),
		cmocka_unit_test(backgrounds_are_names_or_hex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
