#include "reader/foreign.h"

#define PICTURE "give the profile from which it was drawn"
#define NAMES   "it may name code; give a profile, and this file with -m"
#define RECORD  "record a profile of the program with perf record -g"
#define SOURCE  "give the profile from which it was made"

enum { ELF_TYPE = 16, ELF_CORE = 4 };

struct magic {
	struct str bytes;
	struct foreign is;
};

#define MAGIC(text)                                                                      \
	{                                                                                \
		(text), sizeof(text) - 1                                                 \
	}

/* Magic bytes at the start of a file. */
static const struct magic binary[] = {
	{ MAGIC("\x89PNG\r\n"), { "a PNG picture", PICTURE, false } },
	{ MAGIC("\xff\xd8\xff"), { "a JPEG picture", PICTURE, false } },
	{ MAGIC("GIF8"), { "a GIF picture", PICTURE, false } },
	{ MAGIC("%PDF-"), { "a PDF document", PICTURE, false } },
	{ MAGIC("\x7f"
	        "ELF"),
	  { "an ELF program or library", NAMES, false } },
	{ MAGIC("MZ"), { "a program or library of Windows or .NET", NAMES, false } },
	{ MAGIC("\xcf\xfa\xed\xfe"), { "a program or library of macOS", RECORD, false } },
	{ MAGIC("\xca\xfe\xba\xbe"), { "a Java class", RECORD, false } },
	{ MAGIC("\0asm"), { "a WebAssembly module", RECORD, false } },
	{ MAGIC("DTiJ"), { "a jitdump", NAMES, false } },
	{ MAGIC("JiTD"), { "a jitdump", NAMES, false } },
	{ MAGIC("FLR\0"),
	  { "a recording of JDK Flight Recorder",
	    "convert it to folded stacks with jfrconv -o collapsed of async-profiler",
	    true } },
	{ MAGIC("JAVA PROFILE "), { "a heap dump of Java", RECORD, false } },
	{ MAGIC("gmon\1"), { "a profile of gprof, which has no stacks", RECORD, true } },
	{ MAGIC("SIMPLEPERF"),
	  { "a report of simpleperf", "give the perf.data from which it was made",
	    true } },
	{ MAGIC("PERFFILE"),
	  { "perf.data of an old layout",
	    "print it with perf script of the perf that wrote it", true } },
	{ MAGIC("\x17\x08\x44tracing"),
	  { "a recording of trace-cmd",
	    "record tracepoints with stacks with perf record -g -e EVENT", true } },
	{ MAGIC("SQLite format 3"), { "a SQLite database", RECORD, false } },
	{ MAGIC("LPKSHHRH"), { "a journal of systemd", RECORD, false } },
	{ MAGIC("\xd4\xc3\xb2\xa1"), { "a capture of network packets", RECORD, false } },
	{ MAGIC("\xa1\xb2\xc3\xd4"), { "a capture of network packets", RECORD, false } },
	{ MAGIC("\x0a\x0d\x0d\x0a"), { "a capture of network packets", RECORD, false } },
};

/* Words at the start of a text, after blanks.  Case is ignored. */
static const struct magic text[] = {
	{ MAGIC("version https://git-lfs"),
	  { "a pointer of Git LFS", "fetch the file itself with git lfs pull", false } },
	{ MAGIC("<!doctype html"), { "an HTML page", PICTURE, false } },
	{ MAGIC("<html"), { "an HTML page", PICTURE, false } },
	{ MAGIC("<svg"), { "an SVG picture", PICTURE, false } },
	{ MAGIC("# callgrind format"),
	  { "a profile of callgrind", "print it with callgrind_annotate", true } },
	{ MAGIC("desc: I1 cache"),
	  { "a profile of cachegrind", "print it with cg_annotate", true } },
	{ MAGIC("v 10"),
	  { "a recording of heaptrack",
	    "convert it to folded stacks with heaptrack_print -F", true } },
	{ MAGIC("# To display the perf.data header info"),
	  { "a report of perf report", "print the samples with perf script", false } },
	{ MAGIC("Flat profile:"), { "a report of gprof", RECORD, false } },
	{ MAGIC("heap profile:"),
	  { "a heap profile of gperftools or Go", "read it with pprof", true } },
	{ MAGIC("<?php"), { "source code", RECORD, false } },
	{ MAGIC("#include"), { "source code", RECORD, false } },
	{ MAGIC("#define"), { "source code", RECORD, false } },
	{ MAGIC("#ifndef"), { "source code", RECORD, false } },
	{ MAGIC("#pragma"), { "source code", RECORD, false } },
	{ MAGIC("/*"), { "source code", RECORD, false } },
	{ MAGIC("//"), { "source code", RECORD, false } },
	{ MAGIC("import "), { "source code", RECORD, false } },
	{ MAGIC("package "), { "source code", RECORD, false } },
	{ MAGIC("using System"), { "source code", RECORD, false } },
	{ MAGIC("function "), { "source code", RECORD, false } },
	{ MAGIC("public "), { "source code", RECORD, false } },
	{ MAGIC("const "), { "source code", RECORD, false } },
	{ MAGIC("def "), { "source code", RECORD, false } },
	{ MAGIC("use std::"), { "source code", RECORD, false } },
	{ MAGIC("use strict"), { "source code", RECORD, false } },
	{ MAGIC("fn "), { "source code", RECORD, false } },
	{ MAGIC("-module("), { "source code", RECORD, false } },
	{ MAGIC("#!"), { "a script", RECORD, false } },
};

/* Words in the first bytes of JSON, of XML or of a comment. */
static const struct magic inside[] = {
	{ MAGIC("<svg"), { "an SVG picture", PICTURE, false } },
	{ MAGIC("<html"), { "an HTML page", PICTURE, false } },
	{ MAGIC("Performance counter stats for"),
	  { "a summary of perf stat, which has no samples", RECORD, false } },
	{ MAGIC("speedscope.app/file-format"),
	  { "a profile of speedscope", SOURCE, true } },
	{ MAGIC("\"traceEvents\""), { "a trace of Chrome", RECORD, true } },
	{ MAGIC("\"ph\":"), { "a trace of Chrome", RECORD, true } },
	{ MAGIC("\"snapshot\""), { "a heap snapshot of V8", RECORD, false } },
	{ MAGIC("\"callFrame\""),
	  { "a CPU profile of V8",
	    "record one with node --perf-basic-prof and perf record -g", true } },
};

static const struct foreign json = { "JSON of an unknown kind", RECORD, false };
static const struct foreign xml = { "XML", RECORD, false };
static const struct foreign core = { "a core dump", "read it with gdb", false };
static const struct foreign names = { "a list of addresses and names", NAMES, false };
static const struct foreign other = { "text of an unknown kind", RECORD, false };

#define ROWS(table) (sizeof(table) / sizeof(*(table)))

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static bool begins(struct str s, struct str with)
{
	if (s.n < with.n)
		return false;
	for (size_t i = 0; i < with.n; i++)
		if (lower(s.p[i]) != lower(with.p[i]))
			return false;
	return true;
}

static const struct foreign *find_inside(struct str head, const struct foreign *none)
{
	for (size_t i = 0; i < ROWS(inside); i++)
		if (str_has(head, inside[i].bytes))
			return &inside[i].is;
	return none;
}

/*
 * Returns true for a line of a perf map ("7f0000000010 8 main"), of kallsyms ("ffffffff81000000 T
 * _text") or of /proc/PID/maps ("7f0000-7f2000 r-xp ...").
 */
static bool is_names(struct str line)
{
	struct str start = str_cut(&line, ' '), end = start, word = str_cut(&line, ' ');
	uint64_t n;

	start = str_cut(&end, '-');
	str_skip(&start, STR("0x"));
	if (start.n < 6 || !str_is_hex(start, &n) || !line.n)
		return false;
	if (end.n)
		return str_is_hex(end, &n) && word.n == 4;
	str_skip(&word, STR("0x"));
	return word.n == 1 || str_is_hex(word, &n);
}

static bool is_text(struct str head)
{
	for (size_t i = 0; i < head.n; i++)
		if ((unsigned char)head.p[i] < ' ' && !strchr("\t\n\r\f\x1b", head.p[i]))
			return false;
	return head.n && !memchr(head.p, 0, head.n);
}

const struct foreign *foreign_find(struct str head)
{
	struct str words = str_trim(head);

	if (str_starts(head, STR("\x7f"
	                         "ELF")) &&
	    head.n > ELF_TYPE + 1 && head.p[ELF_TYPE] + head.p[ELF_TYPE + 1] == ELF_CORE)
		return &core;
	for (size_t i = 0; i < ROWS(binary); i++)
		if (str_starts(head, binary[i].bytes))
			return &binary[i].is;
	for (size_t i = 0; i < ROWS(text); i++)
		if (begins(words, text[i].bytes))
			return &text[i].is;
	if (str_starts(words, STR("{")) || str_starts(words, STR("[")))
		return find_inside(head, &json);
	if (str_starts(words, STR("<")))
		return find_inside(head, &xml);
	if (str_starts(words, STR("#")) && find_inside(head, NULL))
		return find_inside(head, NULL);
	if (is_names(str_cut(&words, '\n')))
		return &names;
	return is_text(head) ? &other : NULL;
}
