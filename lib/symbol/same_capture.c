#include "symbol/same_capture.h"

#include "reader/perftext/frameline.h"

void same_capture_init(struct same_capture *a, struct arena *arena,
                       struct interner *names)
{
	*a = (struct same_capture){ .arena = arena, .names = names };
	a->sample = arena_new(arena, struct captured_sample, CAPTURED_SAMPLES);
	intern_init(&a->lines, arena);
}

/* Returns the index of a line.  A text repeats its lines, so each distinct line is parsed once. */
static uint32_t learn_line(struct same_capture *a, const struct frame *f)
{
	uint64_t kind = (uint64_t)f->form << 1 | f->inlined;
	uint32_t *at = table_at(&a->line_of, a->arena, intern(&a->lines, f->line), kind);
	struct captured_line *line;
	struct frame_text ft;

	if (*at)
		return *at - 1;
	line = arena_push(a->arena, a->line, a->nlines, a->lines_cap);
	line->counts = frameline_read(f, &ft) && !ft.inlined;
	if (line->counts) {
		line->module = intern(a->names, ft.module);
		line->addr = ft.addr;
	}
	*at = (uint32_t)a->nlines;
	return *at - 1;
}

/* Stores a sample.  Returns false if enough samples are stored. */
static bool add_sample(struct same_capture *a, const struct event *ev)
{
	struct captured_sample *s = &a->sample[a->n];
	uint32_t *at, line;

	if (a->n == CAPTURED_SAMPLES)
		return false;
	if (ev->kind != EV_SAMPLE || !ev->has_time)
		return true;
	s->first = a->nplaces;
	s->n = 0;
	arena_fit(a->arena, a->place, a->nplaces + CAPTURED_FRAMES, a->places_cap);
	for (size_t i = 0; i < ev->nframes && s->n < CAPTURED_FRAMES; i++) {
		line = learn_line(a, &ev->frames[i]);
		if (a->line[line].counts)
			a->place[s->first + s->n++] = line;
	}
	a->nplaces += s->n;
	if (!s->n)
		return true;
	at = table_at(&a->keys, a->arena, (uint32_t)ev->tid, ev->time_ns / 1000);
	s->older = *at;
	*at = (uint32_t)++a->n;
	if (ev->time_ns > a->last_ns)
		a->last_ns = ev->time_ns;
	return true;
}

void same_capture_learn(struct same_capture *a, struct reader *text)
{
	struct event ev;
	int got;

	while ((got = reader_next(text, &ev)) != 0)
		if (got > 0 && !add_sample(a, &ev))
			break;
}

void same_capture_reset(struct same_capture *a)
{
	a->found = a->offset = a->absolute = 0;
}

struct forms {
	size_t compared; /* frames that have the same module in both samples */
	bool offset, absolute;
};

static struct forms compare(const struct same_capture *a, const struct captured_sample *s,
                            const struct event *ev, struct processes *ps)
{
	struct forms same = { 0, true, true };

	for (size_t i = 0; i < s->n && i < ev->nframes; i++) {
		const struct captured_line *line = &a->line[a->place[s->first + i]];
		const struct frame *f = &ev->frames[i];
		const struct mapping *m = process_find(ps, ev->pid, f->ip, f->cpumode);

		if (!m || m->module != line->module)
			continue;
		same.compared++;
		same.absolute = same.absolute && line->addr == f->ip;
		same.offset = same.offset && line->addr == mapping_printed(m, f->ip);
	}
	return same;
}

void same_capture_check(struct same_capture *a, const struct event *ev,
                        struct processes *ps)
{
	struct forms any = { 0 };
	int tried = 0;
	uint32_t i;

	if (ev->kind != EV_SAMPLE || !ev->nframes || !ev->has_time)
		return;
	i = table_get(&a->keys, (uint32_t)ev->tid, ev->time_ns / 1000);
	for (; i && tried++ < CAPTURED_SAME; i = a->sample[i - 1].older) {
		struct forms same = compare(a, &a->sample[i - 1], ev, ps);

		if (!same.compared)
			continue;
		any.compared += same.compared;
		any.offset = any.offset || same.offset;
		any.absolute = any.absolute || same.absolute;
	}
	if (!any.compared)
		return;
	a->found++;
	a->offset += any.offset;
	a->absolute += any.absolute;
}

bool same_capture_is_behind(const struct same_capture *a, const struct event *ev)
{
	return ev->has_time && ev->time_ns / 1000 > a->last_ns / 1000;
}

/*
 * Returns true if `part` is at least nine tenths of `all`.  It would be too strict to require
 * all, because two records may have the same thread and microsecond.
 */
static bool most(unsigned part, unsigned all)
{
	return all && part >= all - all / 10;
}

enum address_form same_capture_form(const struct same_capture *a)
{
	if (most(a->offset, a->found) && a->offset >= a->absolute)
		return FORM_OFFSET;
	return most(a->absolute, a->found) ? FORM_ABSOLUTE : FORM_UNSURE;
}
