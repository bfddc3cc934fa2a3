#include "symbol/agree.h"

void agree_init(struct agree *a, struct arena *arena, struct interner *names)
{
	*a = (struct agree){ .arena = arena, .names = names };
	a->sample = arena_new(arena, struct agree_sample, AGREE_SAMPLES);
}

bool agree_add(struct agree *a, const struct event *ev)
{
	struct agree_sample *s = &a->sample[a->n];
	struct frame_text ft;
	uint32_t *at;

	if (a->n == AGREE_SAMPLES)
		return false;
	if (ev->kind != EV_SAMPLE || !ev->has_time)
		return true;
	s->n = 0;
	for (size_t i = 0; i < ev->nframes && s->n < AGREE_FRAMES; i++)
		if (reader_frame_text(&ev->frames[i], &ft) && !ft.inlined) {
			s->module[s->n] = intern(a->names, ft.module);
			s->addr[s->n++] = ft.addr;
		}
	if (!s->n)
		return true;
	at = table_at(&a->keys, a->arena, (uint32_t)ev->tid, ev->time_ns / 1000);
	s->older = *at;
	*at = (uint32_t)++a->n;
	return true;
}

void agree_learn(struct agree *a, struct reader *text)
{
	struct event ev;
	int got;

	while ((got = reader_next(text, &ev)) != 0)
		if (got > 0 && !agree_add(a, &ev))
			break;
}

struct forms {
	size_t compared; /* frames of one module in both */
	bool offset, absolute;
};

static struct forms compare(const struct agree_sample *s, const struct event *ev,
                            struct processes *ps)
{
	struct forms same = { 0, true, true };

	for (size_t i = 0; i < s->n && i < ev->nframes; i++) {
		const struct frame *f = &ev->frames[i];
		const struct mapping *m = process_find(ps, ev->pid, f->ip, f->cpumode);

		if (!m || m->module != s->module[i])
			continue;
		same.compared++;
		same.absolute = same.absolute && s->addr[i] == f->ip;
		same.offset = same.offset && s->addr[i] == mapping_printed(m, f->ip);
	}
	return same;
}

void agree_check(struct agree *a, const struct event *ev, struct processes *ps)
{
	struct forms any = { 0 };
	int tried = 0;
	uint32_t i;

	if (ev->kind != EV_SAMPLE || !ev->nframes || !ev->has_time)
		return;
	i = table_get(&a->keys, (uint32_t)ev->tid, ev->time_ns / 1000);
	for (; i && tried++ < AGREE_SAME; i = a->sample[i - 1].older) {
		struct forms same = compare(&a->sample[i - 1], ev, ps);

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

/* Nine in ten: another record may share a thread's microsecond. */
static bool most(unsigned part, unsigned all)
{
	return all && part >= all - all / 10;
}

bool agree_verdict(const struct agree *a, enum address_form *out)
{
	*out = FORM_OFFSET;
	if (most(a->offset, a->found) && a->offset >= a->absolute)
		return true;
	*out = FORM_ABSOLUTE;
	return most(a->absolute, a->found);
}
