/*
 * Rules, and behind a line "--" the names they are asked about: a byte of what the frame
 * is, the module up to a tab, the name.  The verdict on a name is the same each time; a rule
 * that is none is said at one place.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rule/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static struct rule_subject subject_of(struct str line)
{
	static const char marks[] = { 0, 'k', 'j', 'r', 'i' };
	struct rule_subject s = { 0 };
	size_t tab = str_find(line, '\t');
	uint8_t what = line.n ? (uint8_t)*line.p : 0;

	s.mark = marks[what % 5];
	s.root = what & 8;
	if (s.root)
		s.comm = line;
	if (tab < line.n && tab) {
		s.module = str_span(line.p + 1, line.p + tab);
		line = str_from(line, tab);
	}
	s.name = str_from(line, 1);
	return s;
}

static void ask(struct rules *r, struct str line, struct arena *a)
{
	struct rule_subject s = subject_of(line);
	struct rule_verdict once = rule_judge(r, &s, a), again = rule_judge(r, &s, a);

	must(str_eq(once.name, again.name) && once.mark == again.mark &&
	     once.flags == again.flags);
	must(!s.root ||
	     !(once.flags & (RULE_STARTS | RULE_STOPS | RULE_PARTS | RULE_GROUPED)));
	must(once.mark == s.mark || !once.mark || strchr("ijkr", once.mark));
	rule_root(r, line, a);
}

/* The first name as the rest of a rule of the command line. */
static void ask_option(struct rules *r, struct str names)
{
	struct str line = str_cut(&names, '\n');
	uint8_t what = line.n ? (uint8_t)*line.p : 0;
	struct arena a = { 0 };

	line = str_from(line, 1);
	if (line.n && !memchr(line.p, 0, line.n))
		rule_add(r, what & 16 ? RULE_KEEP : RULE_DROP, "option",
		         arena_fmt(&a, PRSTR, STRARG(line)).p);
	rule_asks_more(r);
	arena_release(&a);
}

/* The same rules as a file, which may be packed. */
static void read_file(struct str text)
{
	struct diag diag = { .prog = "fuzz" };
	struct rules *r = rule_open(&diag);
	int fd = memfd_create("rules", MFD_CLOEXEC);
	char path[64];

	must(r && fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rule_read(r, path);
	close(fd);
	rule_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	size_t end = str_search(text, STR("\n--\n"));
	struct str names = str_from(text, end + 4);
	struct diag diag = { .prog = "fuzz" };
	struct arena a = { 0 };
	struct rules *r = rule_open(&diag);

	must(r != NULL);
	read_file(str_head(text, end));
	if (rule_add_text(r, STR("rules"), str_head(text, end)) == 0) {
		ask_option(r, names);
		while (names.n)
			ask(r, str_cut(&names, '\n'), &a);
		must(rule_keeps(r, false) || !rule_keeps(r, true));
		rule_finish(r);
	}
	rule_close(r);
	arena_release(&a);
	return 0;
}
