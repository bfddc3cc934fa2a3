/*
 * What the person is told at the end, and on the way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include "symbol/session.h"

enum { WORST = 3, PROGRESS_STEP = 16 << 20 };

struct module_count {
	str_id module;
	uint64_t unknown;
};

void profile_show_progress(struct profile *p)
{
	uint64_t done, total;

	reader_progress(p->reader, &done, &total);
	if (done - p->shown_at < PROGRESS_STEP)
		return;
	p->shown_at = done;
	diag_progress(p->diag, "read", done, total);
}

/* Frames are counted by number while reading; here they are added up. */
const struct coverage *profile_coverage(const struct profile *p)
{
	struct coverage *c = &((struct profile *)p)->coverage;

	c->unknown = c->named_here = 0;
	for (size_t i = 0; i < p->nframes; i++) {
		const struct resolved *r = &p->frame[i];

		if (r->n && r->names[r->n - 1].flags & NAMED_UNKNOWN)
			c->unknown += p->uses[i];
		if (r->improved)
			c->named_here += p->uses[i];
	}
	return c;
}

static int by_count(const void *pa, const void *pb)
{
	const struct module_count *a = pa, *b = pb;

	if (a->unknown != b->unknown)
		return a->unknown > b->unknown ? -1 : 1;
	return (a->module > b->module) - (a->module < b->module);
}

static size_t count_modules(const struct profile *p, struct arena *scratch,
                            struct module_count **out)
{
	struct module_count *count = NULL;
	struct table index = { 0 };
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < p->nframes; i++) {
		const struct resolved *r = &p->frame[i];
		const struct named *last = r->n ? &r->names[r->n - 1] : NULL;
		uint32_t *at;

		if (!last || !(last->flags & NAMED_UNKNOWN) || !p->uses[i])
			continue;
		at = table_at(&index, scratch, last->module, 0);
		count = arena_grow(scratch, count, &cap, n + 1, sizeof(*count));
		if (!*at) {
			count[n] = (struct module_count){ last->module, 0 };
			*at = (uint32_t)++n;
		}
		count[*at - 1].unknown += p->uses[i];
	}
	if (n)
		qsort(count, n, sizeof(*count), by_count);
	*out = count;
	return n;
}

/* perf prints "[unknown]" for the module of what lies in no mapping. */
static struct str place_name(struct str module)
{
	if (!module.n || str_eq(module, STR("[unknown]")))
		return STR("no mapping");
	return str_base(module);
}

/* "; maps: perf-1.map for 7679" */
static struct str bound_maps(const struct profile *p, struct arena *scratch)
{
	const struct bound_map *map;
	size_t n = bind_maps(p->binder, &map);
	struct str text = { "", 0 };

	for (size_t i = 0; i < n && i < WORST; i++)
		text = arena_fmt(scratch, PRSTR "%s" PRSTR " for %d", STRARG(text),
		                 i ? ", " : "; maps: ",
		                 STRARG(str_base(map[i].item->name)), map[i].pid);
	return n > WORST ? arena_fmt(scratch, PRSTR ", ...", STRARG(text)) : text;
}

void profile_summary(const struct profile *p)
{
	const struct coverage *c = profile_coverage(p);
	struct arena scratch = { 0 };
	struct module_count *count;
	struct str worst = { "", 0 }, maps = bound_maps(p, &scratch);
	size_t n = count_modules(p, &scratch, &count);
	uint64_t named = c->frames - c->unknown;

	bind_report_native(p->binder);
	for (size_t i = 0; i < n && i < WORST; i++) {
		struct str module = intern_str(&p->names, count[i].module);

		worst = arena_fmt(
		        &scratch, PRSTR "%s%llu in " PRSTR, STRARG(worst),
		        i ? ", " : "; unnamed: ", (unsigned long long)count[i].unknown,
		        STRARG(place_name(module)));
	}
	diag_note(p->diag,
	          "%llu samples, %llu frames, %llu named (%.1f %%)" PRSTR "%s" PRSTR,
	          (unsigned long long)c->samples, (unsigned long long)c->frames,
	          (unsigned long long)named,
	          c->frames ? 100.0 * (double)named / (double)c->frames : 100.0,
	          STRARG(worst), n > WORST ? ", ..." : "", STRARG(maps));
	arena_release(&scratch);
}
