#include "stack/origin.h"

#include <stdlib.h>

#define LINE_BEGIN "# pfold frame\t"

void origin_init(struct origins *p, struct arena *arena)
{
	intern_init(&p->texts, arena);
	intern_init(&p->known, arena);
}

void origin_add(struct origins *p, str_id label, const struct origin *at)
{
	struct origin_ids ids = { .label = label,
		                  .module = intern(&p->texts, at->module) };

	if (at->line) {
		ids.file = intern(&p->texts, at->file);
		ids.line = at->line;
	}
	if (label && (ids.module || ids.file))
		intern(&p->known, (struct str){ (const char *)&ids, sizeof(ids) });
}

bool origin_parse(struct str line, struct origin *out)
{
	struct str number;
	uint64_t n = 0;

	if (!str_starts(line, STR(LINE_BEGIN)))
		return false;
	line = str_from(line, strlen(LINE_BEGIN));
	out->name = str_cut(&line, '\t');
	out->module = str_cut(&line, '\t');
	out->file = str_cut(&line, '\t');
	number = str_cut(&line, '\t');
	if (number.n && (!str_is_dec(number, &n) || n > INT32_MAX))
		return false;
	out->line = (uint32_t)n;
	return out->name.n && str_eq(line, STR("end"));
}

struct order {
	const struct origins *origins;
	const struct interner *names;
};

static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct origin_ids *a = pa, *b = pb;
	const struct order *by = ctx;
	const struct interner *texts = &by->origins->texts;
	int c = str_cmp(intern_str(by->names, a->label), intern_str(by->names, b->label));

	if (!c && a->module != b->module)
		c = str_cmp(intern_str(texts, a->module), intern_str(texts, b->module));
	if (!c && a->file != b->file)
		c = str_cmp(intern_str(texts, a->file), intern_str(texts, b->file));
	return c ? c : (a->line > b->line) - (a->line < b->line);
}

/* Writes s without control characters, which would separate fields or lines. */
static void put_field(struct out *o, struct str s)
{
	for (char before = '\t';; before = '?') {
		size_t n = 0;

		while (n < s.n && (unsigned char)s.p[n] >= ' ')
			n++;
		out_char(o, before);
		out_str(o, str_head(s, n));
		if (n == s.n)
			break;
		s = str_from(s, n + 1);
	}
}

static void put(struct out *o, const struct origins *p, const struct interner *names,
                const struct origin_ids *ids)
{
	const struct interner *texts = &p->texts;

	out_fmt(o, "# pfold frame");
	put_field(o, intern_str(names, ids->label));
	put_field(o, intern_str(texts, ids->module));
	put_field(o, intern_str(texts, ids->file));
	if (ids->line)
		out_fmt(o, "\t%u\tend\n", ids->line);
	else
		out_fmt(o, "\t\tend\n");
}

/*
 * Returns true if the next origin makes `a` superfluous: both have the same name, the module of
 * `a` is unknown or the same, and the file of `a` is unknown.
 */
static bool is_part_of(const struct origin_ids *a, const struct origin_ids *next)
{
	return a->label == next->label && (!a->module || a->module == next->module) &&
	       !a->file;
}

const struct origin_ids *origin_list(const struct origins *p,
                                     const struct interner *names, const bool *used,
                                     struct arena *scratch, size_t *n)
{
	struct origin_ids *list = arena_new(scratch, struct origin_ids, p->known.n);
	struct order by = { p, names };
	size_t all = 0;

	for (str_id i = 1; i < p->known.n; i++) {
		memcpy(&list[all], intern_str(&p->known, i).p, sizeof(*list));
		all += used[list[all].label];
	}
	qsort_r(list, all, sizeof(*list), compare, &by);
	*n = 0;
	for (size_t i = 0; i < all; i++) {
		const struct origin_ids *last = *n ? &list[*n - 1] : NULL;

		if (last && last->label == list[i].label &&
		    last->module == list[i].module && last->file == list[i].file)
			continue;
		if (i + 1 == all || !is_part_of(&list[i], &list[i + 1]))
			list[(*n)++] = list[i];
	}
	return list;
}

void origin_write(struct out *o, const struct origins *p, const struct interner *names,
                  const bool *used, struct arena *scratch)
{
	size_t n;
	const struct origin_ids *list = origin_list(p, names, used, scratch, &n);

	for (size_t i = 0; i < n; i++)
		put(o, p, names, &list[i]);
}
