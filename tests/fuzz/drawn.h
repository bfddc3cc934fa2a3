/* Draws folded text into memory, and looks at whether that is well-formed XML. */
#ifndef FUZZ_DRAWN_H
#define FUZZ_DRAWN_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reader/format.h"
#include "reader/perftext/folded.h"
#include "writer/caption.h"
#include "writer/flame/diff_words.h"
#include "writer/flame/folds.h"
#include "writer/flame/svg.h"

static void must(bool holds)
{
	if (!holds)
		abort();
}

enum { DEEPEST = 20 };

/* "&lt;", "&#39;": *s is behind the '&', and then behind the ';'. */
static void check_entity(struct str *s)
{
	static const char *const known[] = { "lt;",   "gt;",  "amp;",
		                             "quot;", "#39;", "#9632;" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_starts(*s, str_of(known[i]))) {
			*s = str_from(*s, strlen(known[i]));
			return;
		}
	must(false);
}

/* The inside of a tag: a name, and attributes in quotes.  Returns the name. */
static struct str check_tag(struct str tag)
{
	struct str name = str_cut(&tag, ' ');

	must(name.n && str_find(name, '<') == name.n && str_find(name, '"') == name.n);
	while (tag.n) {
		struct str key = str_cut(&tag, '='), value;

		must(key.n && str_find(key, '<') == key.n && tag.n && tag.p[0] == '"');
		tag = str_from(tag, 1);
		value = str_cut(&tag, '"');
		must(str_find(value, '<') == value.n);
		tag = str_from(tag, tag.n && tag.p[0] == ' ');
		while (value.n) {
			size_t amp = str_find(value, '&');

			value = str_from(value, amp + (amp < value.n));
			if (value.n)
				check_entity(&value);
		}
	}
	return name;
}

/* One root, tags that match, no stray '<', '&' or "]]>", and only characters of XML. */
static void check_xml(struct str s, struct arena *arena)
{
	struct str open[DEEPEST];
	size_t depth = 0, roots = 0;

	for (struct str rest = s; rest.n;) {
		struct str line = str_cut(&rest, '\n');

		must(caption_clean(arena, line).p == line.p);
	}
	must(str_starts(s, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ")));
	s = str_from(s, 39);
	while (s.n) {
		size_t at = str_find(s, '<'), amp = str_find(s, '&');
		struct str tag;

		must(str_search(str_head(s, at), STR("]]>")) == (at < s.n ? at : s.n));
		if (amp < at) {
			must(depth);
			s = str_from(s, amp + 1);
			check_entity(&s);
			continue;
		}
		s = str_from(s, at + (at < s.n));
		if (!s.n)
			break;
		if (str_starts(s, STR("![CDATA["))) {
			must(depth && str_search(s, STR("]]>")) < s.n);
			s = str_from(s, str_search(s, STR("]]>")) + 3);
			continue;
		}
		tag = str_cut(&s, '>');
		if (tag.n && tag.p[0] == '/') {
			must(depth && str_eq(str_from(tag, 1), open[depth - 1]));
			depth--;
		} else if (str_ends(tag, STR("/"))) {
			check_tag(str_head(tag, tag.n - 1));
		} else {
			must(depth < DEEPEST && (depth || !roots++));
			open[depth++] = check_tag(tag);
		}
	}
	must(!depth && roots == 1);
}

/* The bytes that o was given, in a, and a NUL; o begins anew. */
static struct str taken_out(struct out *o, struct arena *a)
{
	size_t flushed = (size_t)lseek(o->fd, 0, SEEK_CUR);
	char *p = arena_alloc(a, flushed + o->n + 1, 1);
	struct str s = { p, flushed + o->n };

	must(!o->error && pread(o->fd, p, flushed, 0) == (ssize_t)flushed);
	if (o->n)
		memcpy(p + flushed, o->buf, o->n);
	if (flushed)
		must(!ftruncate(o->fd, 0) && !lseek(o->fd, 0, SEEK_SET));
	o->n = 0;
	return s;
}

/* Memory to write to, the same at each call, as it is large. */
static struct out *out_to_memory(void)
{
	static struct out out = { .fd = -1 };

	if (out.fd < 0)
		out.fd = memfd_create("out", MFD_CLOEXEC);
	must(out.fd >= 0);
	return &out;
}

/* The picture is well-formed. */
static inline void check_svg(const struct flame *f, const struct interner *names,
                             const struct svg_opts *opts, struct arena *a)
{
	struct out *out = out_to_memory();

	svg_write(out, f, names, opts);
	check_xml(taken_out(out, a), a);
}

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_STREAM;
}

/* Adds the stacks of these bytes. */
static inline void take_in(struct folds *in, const char *p, size_t n, struct arena *run,
                           struct diag *diag)
{
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = run, .diag = diag
	};
	int fd = memfd_create("folded", MFD_CLOEXEC);
	struct source *source;
	struct reader *r;
	struct event ev;
	char path[64];
	int got;

	must(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	source = source_open(path, &opts);
	must(source != NULL);
	r = folded_format.open(source, 0, run, diag);
	must(r != NULL);
	while ((got = reader_next(r, &ev)) != 0)
		if (got > 0)
			folds_add(in, &ev, STR("fuzz"), diag);
	folds_end_input(in);
	reader_close(r);
	source_close(source);
	close(fd);
}

/* The picture of what was taken in, if it weighs anything. */
static inline void check_drawn(struct folds *in, struct svg_opts *opts, double least)
{
	struct flame_opts layout = { .reversed = opts->reversed,
		                     .least = least,
		                     .series = in->series,
		                     .nseries = in->nseries };
	struct flame f;

	opts->no_code = in->names.n % 64 != 0;
	opts->title = STR("t");
	opts->fonttype = STR("x");
	opts->width = 300;
	opts->height = 16;
	opts->fontsize = 12;
	opts->fontwidth = 0.59;
	opts->factor = 1;
	opts->least = least;
	opts->unit = in->unit;
	opts->verdicts = opts->diff && in->verdicts.n ? &in->verdicts : NULL;
	if (!opts->palette)
		opts->palette = palette_find(STR("kind"));
	flame_layout(&f, in->rows, in->names.n, &layout, in->arena);
	if (opts->diff)
		diff_words_compare(opts, (enum compare_unit)(in->names.n % COMPARE_UNITS),
		                   &f, in->names.n);
	if (weight_value(f.total) > 0)
		check_svg(&f, &in->names, opts, in->arena);
}

#endif
