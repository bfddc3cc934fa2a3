/* rule: what is wrong with a rule is said with its place; what a rule says of a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "rule/rule.h"

static struct diag diag = { .prog = "test", .limit = 10 };

/* What is said on standard error while rules are read. */
static struct str said(const char *text, const char *option, enum rule_action action)
{
	static char buf[4096];
	int keep = dup(STDERR_FILENO), fd[2];
	struct rules *r;
	ssize_t n;

	assert_int_equal(pipe(fd), 0);
	dup2(fd[1], STDERR_FILENO);
	r = rule_open(&diag);
	if (option)
		rule_add(r, action, option, text);
	else
		rule_add_text(r, STR("f"), str_of(text));
	rule_close(r);
	dup2(keep, STDERR_FILENO);
	close(keep);
	close(fd[1]);
	n = read(fd[0], buf, sizeof(buf));
	close(fd[0]);
	return (struct str){ buf, (size_t)(n > 0 ? n : 0) };
}

static void a_bad_rule_has_a_place(void **state)
{
	static const struct {
		const char *text, *said;
	} files[] = {
		{ "# c\n\n  forget x\n", "test: f:3:3: expected keep, drop" },
		{ "drop", "test: f:1:5: the pattern is missing\n" },
		{ "drop ", "test: f:1:6: the pattern is missing\n" },
		{ "drop  (x", "test: f:1:9: missing closing parenthesis\n" },
		{ "group x", "test: f:1:8: '=> NAME' is missing\n" },
		{ "group x=> y", "test: f:1:12: '=> NAME' is missing\n" },
		{ "group => y", "test: f:1:7: the pattern is missing\n" },
		{ "group x =>", "test: f:1:11: the name is missing\n" },
		{ "rename (x) => a$$$1$2",
		  "test: f:1:20: the pattern has no such group; " },
		{ "rename x => a$", "test: f:1:14: the pattern has no such group; " },
		{ "rename x => ${0", "test: f:1:13: the pattern has no such group; " },
		{ "mark  x => purple", "test: f:1:12: expected a mark: kernel, " },
		{ "hide leaf x", "test: f:1:6: leaf and comm need keep or drop" },
		{ "root comm x => y",
		  "test: f:1:6: root applies only to names of threads" },
		{ "rename module x => y",
		  "test: f:1:8: rename applies only to names of frames" },
		{ "drop \\C", "test: f:1:8: " },
		{ "drop \xff", "test: f:1:6: UTF-8 error: " },
	};

	struct str range;

	(void)state;
	/* PCRE2 10.42 reports the place of the range's end, 10.49 the place after it. */
	range = said("keep x\r\ndrop\tcomm [z-a]\r\n", NULL, RULE_KEEP);
	if (!str_starts(range, STR("test: f:2:14: range out of order")) &&
	    !str_starts(range, STR("test: f:2:15: range out of order")))
		fail_msg(PRSTR, STRARG(range));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct str got = said(files[i].text, NULL, RULE_KEEP);

		if (!str_starts(got, str_of(files[i].said)))
			fail_msg("%s: " PRSTR, files[i].text, STRARG(got));
		assert_int_equal(str_find(got, '\n'), got.n - 1);
	}
	assert_true(str_starts(said("comm (", "drop", RULE_DROP),
	                       STR("test: --drop:7: missing closing")));
	assert_int_equal(said("comm", "drop", RULE_DROP).n, 0);
	assert_int_equal(said("#\n \t\n\r\n", NULL, RULE_KEEP).n, 0);
}

/* Name, mark and flags of the verdict on a frame. */
static void check_verdict(const char *rules, struct rule_subject s, const char *name,
                          char mark, unsigned flags)
{
	struct rules *r = rule_open(&diag);
	struct arena a = { 0 };
	struct rule_verdict v;

	assert_int_equal(rule_add_text(r, STR("f"), str_of(rules)), 0);
	v = rule_judge(r, &s, &a);
	if (!str_eq(v.name, str_of(name)))
		fail_msg("%s: " PRSTR ", not %s", rules, STRARG(v.name), name);
	if (v.mark != mark || v.flags != flags)
		fail_msg("%s: mark '%c', flags %x", rules, v.mark, v.flags);
	rule_close(r);
	arena_release(&a);
}

static void a_rule_sees_what_those_before_left(void **state)
{
	struct rule_subject f = { .name = STR("App.Old::Run"), .module = STR("/x.dll") };
	struct rule_subject k = { .name = STR("do_idle"), .mark = 'k' };
	struct rule_subject root = { .name = STR("a-7"), .root = true, .comm = STR("a") };

	(void)state;
	check_verdict("", f, "App.Old::Run", 0, 0);
	check_verdict("rename Old => New\ndrop Old\nkeep New", f, "App.New::Run", 0,
	              RULE_IS_KEPT);
	check_verdict("rename ^(\\w+)\\.(\\w+) => $2.${1}$$", f, "Old.App$::Run", 0, 0);
	check_verdict("rename (x)?::Run =>", f, "App.Old", 0, 0);
	check_verdict("rename (x)|Old => <$1>", f, "App.<>::Run", 0, 0);
	check_verdict("group Old => $0!", f, "Old!", 0, RULE_GROUPED);
	check_verdict("group ^A => B => C", f, "App.Old::Run", 0, 0);
	check_verdict("group module /(.)\\.dll$ => [$1]", f, "[x]", 0, RULE_GROUPED);
	check_verdict("hide Run\ndrop Run", f, "", 0, 0);
	check_verdict("drop Run\nhide Run", f, "", 0, RULE_IS_DROPPED);
	check_verdict("drop leaf Run\nkeep leaf App", f, "App.Old::Run", 0,
	              RULE_IS_KEPT_AS_LEAF | RULE_IS_DROPPED_AS_LEAF);
	check_verdict("start-at .\nstop-at .\napart .", f, "App.Old::Run", 0,
	              RULE_STARTS | RULE_STOPS | RULE_PARTS);
	check_verdict("drop comm .\ndrop kernel .", f, "App.Old::Run", 0, 0);
	check_verdict("mark Run => managed\nstop-at managed .\ndrop native .", f,
	              "App.Old::Run", 'j', RULE_STOPS);
	check_verdict("drop module .\ndrop native .", k, "do_idle", 'k', 0);
	check_verdict("drop kernel ^do_idle$\nmark . => none", k, "do_idle", 0,
	              RULE_IS_DROPPED);
	check_verdict("hide a\ngroup a => b\nmark a => kernel\nstart-at a\nroot a => b",
	              root, "a-7", 0, 0);
	check_verdict("drop comm ^a$\nkeep ^a-7$\nrename 7 => 8", root, "a-8", 0,
	              RULE_IS_DROPPED | RULE_IS_KEPT);
}

static void bytes_that_are_no_utf_8_are_matched_around(void **state)
{
	struct rule_subject s = { .name = STR("\xff\xfe"
		                              "caf\xc3\xa9\xc3") };

	(void)state;
	check_verdict("rename caf.$ => x", s,
	              "\xff\xfe"
	              "caf\xc3\xa9\xc3",
	              0, 0);
	check_verdict("rename caf. => x", s,
	              "\xff\xfe"
	              "x\xc3",
	              0, 0);
	check_verdict("drop ^.caf", s, s.name.p, 0, 0);
}

static void the_beginning_of_a_long_name_is_looked_at(void **state)
{
	static char name[5001], want[5001];
	struct rule_subject s = { .name = { name, 5000 } };

	(void)state;
	memset(name, 'a', 5000);
	check_verdict("drop a$\ndrop a\\z\\zb\nkeep ^a{4096}\nkeep leaf ^a{4097}", s,
	              name, 0, RULE_IS_KEPT);
	memset(want, 'a', 4998);
	want[0] = 'x';
	check_verdict("rename ^aaa => x", s, want, 0, 0);
	s.name.n = 4096;
	name[4096] = '\0';
	check_verdict("drop a$", s, name, 0, RULE_IS_DROPPED);
}

static void threads_get_roots(void **state)
{
	struct rules *r = rule_open(&diag);
	struct arena a = { 0 };

	(void)state;
	rule_add_text(r, STR("f"),
	              STR("root ^\\.NET => dotnet\nroot -(\\d+)$ => x$1\n"
	                  "drop dotnet\n"));
	assert_true(str_eq(rule_root(r, STR(".NET-12"), &a), STR("dotnet")));
	assert_true(str_eq(rule_root(r, STR("pool-12"), &a), STR("x12")));
	assert_true(str_eq(rule_root(r, STR("java"), &a), STR("java")));
	assert_false(rule_keeps(r, false));
	rule_add_text(r, STR("f"), STR("keep a"));
	assert_true(rule_keeps(r, false) && rule_keeps(r, true));
	rule_add_text(r, STR("f"), STR("keep module a"));
	assert_true(rule_keeps(r, false) && !rule_keeps(r, true));
	rule_close(r);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_rule_has_a_place),
		cmocka_unit_test(a_rule_sees_what_those_before_left),
		cmocka_unit_test(bytes_that_are_no_utf_8_are_matched_around),
		cmocka_unit_test(the_beginning_of_a_long_name_is_looked_at),
		cmocka_unit_test(threads_get_roots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
