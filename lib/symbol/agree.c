#include "symbol/agree.h"

void agree_init(struct agree *a, struct arena *arena)
{
	*a = (struct agree){ .arena = arena };
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
		if (reader_parse_frame(ev->frames[i].line, &ft) && !ft.inlined)
			s->addr[s->n++] = ft.addr;
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
	bool offset, absolute;
};

static struct forms compare(const struct agree_sample *s, const struct event *ev,
                            struct processes *ps)
{
	struct forms same = { true, true };

	for (size_t i = 0; i < s->n && i < ev->nframes; i++) {
		const struct frame *f = &ev->frames[i];
		const struct mapping *m = process_find(ps, ev->pid, f->ip, f->cpumode);

		same.absolute = same.absolute && s->addr[i] == f->ip;
		same.offset = same.offset &&
		              s->addr[i] == (m ? mapping_printed(m, f->ip) : f->ip);
	}
	return same;
}

void agree_check(struct agree *a, const struct event *ev, struct processes *ps)
{
	bool offset = false, absolute = false;
	uint32_t i;

	if (ev->kind != EV_SAMPLE || !ev->nframes || !ev->has_time)
		return;
	i = table_get(&a->keys, (uint32_t)ev->tid, ev->time_ns / 1000);
	if (!i)
		return;
	for (; i; i = a->sample[i - 1].older) {
		struct forms same = compare(&a->sample[i - 1], ev, ps);

		offset = offset || same.offset;
		absolute = absolute || same.absolute;
	}
	a->found++;
	a->offset += offset;
	a->absolute += absolute;
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
