#include "measure/statistics.h"

#include "reader/perftext/frameline.h"
#include "label/kind.h"
#include "symbol/select.h"

enum { KERNEL_TOP = 63, SECOND = 1000000000 };

void statistics_init(struct statistics *s, struct arena *arena)
{
	*s = (struct statistics){ .arena = arena };
	intern_init(&s->names, arena);
}

uint64_t statistics_kinds(void)
{
	return (uint64_t)1 << EV_LOST | (uint64_t)1 << EV_LOST_SAMPLES |
	       (uint64_t)1 << EV_THROTTLE;
}

static size_t event_of(struct statistics *s, const struct event *ev)
{
	str_id name = ev->attr ? intern(&s->names, ev->attr->name) : 0;
	uint32_t *at = table_at(&s->tally.event_at, s->arena, name, 0);

	table_item(at, s->arena, s->event, s->nevents, s->tally.events_cap,
	           (struct stat_event){
	                   .name = name,
	                   .tracepoint = ev->attr && select_is_tracepoint(ev->attr),
	                   .runtime = ev->attr && ev->attr->runtime,
	           });
	return *at - 1;
}

static size_t thread_of(struct statistics *s, const struct sample *sample)
{
	uint32_t *at = table_at(&s->tally.thread_at, s->arena, (uint32_t)sample->pid,
	                        (uint32_t)sample->tid);
	struct stat_thread *t = table_item(
	        at, s->arena, s->thread, s->nthreads, s->tally.threads_cap,
	        (struct stat_thread){ .pid = sample->pid, .tid = sample->tid });

	if (!t->comm || !str_eq(intern_str(&s->names, t->comm), sample->comm))
		t->comm = intern(&s->names, sample->comm);
	return *at - 1;
}

static void add_share(struct statistics *s, size_t thread, size_t event, uint64_t weight)
{
	uint32_t *at = table_at(&s->tally.share_at, s->arena, thread, event);
	struct stat_share *share = table_item(
	        at, s->arena, s->tally.share, s->tally.nshares, s->tally.shares_cap,
	        (struct stat_share){ .thread = thread, .event = event });

	share->samples++;
	share->weight = num_sum(share->weight, weight);
}

static void add_second(struct statistics *s, uint64_t second, size_t event)
{
	uint32_t *at = table_at(&s->tally.second_at, s->arena, second, event);
	struct stat_part *part = table_item(
	        at, s->arena, s->tally.part, s->tally.nparts, s->tally.parts_cap,
	        (struct stat_part){ .second = second, .event = event });

	part->samples++;
}

/* Adds a gap to times->gap if it is one of the longest. */
static void add_gap(struct stat_times *times, uint64_t from, uint64_t to)
{
	struct stat_gap *gap = times->gap;
	size_t i = STAT_GAPS;

	while (i && to - from > gap[i - 1].to_ns - gap[i - 1].from_ns) {
		if (i < STAT_GAPS)
			gap[i] = gap[i - 1];
		i--;
	}
	if (i < STAT_GAPS)
		gap[i] = (struct stat_gap){ from, to };
}

static void take_time(struct stat_times *times, uint64_t t)
{
	if (!times->timed++) {
		times->first_ns = times->last_ns = t;
		return;
	}
	if (t < times->last_ns) {
		times->back++;
		if (times->last_ns - t > times->back_ns)
			times->back_ns = times->last_ns - t;
		if (t < times->first_ns)
			times->first_ns = t;
		return;
	}
	add_gap(times, times->last_ns, t);
	times->last_ns = t;
}

/* Returns true if the sample was taken in kernel code. */
static bool is_in_kernel(const struct event *ev)
{
	struct frame_text ft;

	if (!ev->nframes)
		return ev->top.cpumode == MODE_KERNEL;
	if (!ev->raw.n)
		return ev->frames[0].cpumode == MODE_KERNEL;
	return frameline_read(&ev->frames[0], &ft) &&
	       (ft.addr >> KERNEL_TOP || kind_of(ft.module, 0) == KIND_KERNEL);
}

static void take_sample(struct statistics *s, const struct sample *sample)
{
	const struct event *ev = sample->ev;
	size_t event = event_of(s, ev);
	struct stat_event *e = &s->event[event];

	if (e->runtime)
		s->events++;
	else
		s->samples++;
	e->samples++;
	e->weight = num_sum(e->weight, ev->weight);
	e->frames += ev->nframes;
	e->bare += !ev->nframes;
	if (is_in_kernel(ev))
		e->kernel = num_sum(e->kernel, ev->weight);
	add_share(s, thread_of(s, sample), event, ev->weight);
	if (!ev->has_time)
		return;
	add_second(s, ev->time_ns / SECOND, event);
	take_time(e->runtime ? &s->tally.event_times : &s->times, ev->time_ns);
}

void statistics_take(struct statistics *s, const struct sample *sample)
{
	switch (sample->ev->kind) {
	case EV_SAMPLE:
		take_sample(s, sample);
		break;
	case EV_LOST:
		s->lost.records = num_sum(s->lost.records, sample->ev->weight);
		s->lost.places++;
		break;
	case EV_LOST_SAMPLES:
		s->lost.samples = num_sum(s->lost.samples, sample->ev->weight);
		s->lost.places++;
		break;
	case EV_THROTTLE:
		s->lost.throttled++;
		break;
	default:
		break;
	}
}

ORDER(by_samples, struct stat_event,
      num_cmp(a->runtime, b->runtime) ?: num_cmp(b->samples, a->samples)
              ?: num_cmp(a->name, b->name))

ORDER(by_weight, struct stat_thread,
      num_cmp(b->weight, a->weight) ?: num_cmp(a->pid, b->pid)
              ?: num_cmp(a->tid, b->tid))

ORDER(by_time, struct stat_second, num_cmp(a->second, b->second))

/*
 * Returns the event with the most samples.  If several events have the same number, returns the
 * first.  Returns a runtime event only if there are no other events.
 */
static size_t chosen_event(const struct statistics *s)
{
	size_t most = 0;

	for (size_t i = 1; i < s->nevents; i++)
		if (by_samples(&s->event[i], &s->event[most]) < 0)
			most = i;
	return most;
}

/*
 * Sums the threads of each process.  The threads must be sorted by weight.  A process has the
 * name of its main thread, or else of its heaviest thread.
 */
static void add_up_processes(struct statistics *s, const struct profile *p)
{
	struct table at = { 0 };

	s->process = arena_new(s->arena, struct stat_thread, s->nthreads + 1);
	for (const struct stat_thread *t = s->thread; t < s->thread + s->nthreads; t++) {
		uint32_t *of = table_at(&at, s->arena, (uint32_t)t->pid, 0);
		struct stat_thread *to;

		if (!*of) {
			s->process[s->nprocesses++] = (struct stat_thread){
				.pid = t->pid, .tid = -1, .comm = t->comm
			};
			*of = (uint32_t)s->nprocesses;
		}
		to = &s->process[*of - 1];
		to->samples += t->samples;
		to->weight = num_sum(to->weight, t->weight);
		if (t->tid == t->pid)
			to->comm = t->comm;
	}
	for (struct stat_thread *to = s->process; to < s->process + s->nprocesses; to++) {
		struct str name = { 0 };

		if (p && to->pid >= 0)
			name = profile_process_name(p, to->pid);
		if (name.n)
			to->comm = intern(&s->names, name);
	}
}

void statistics_settle(struct statistics *s, const struct profile *p)
{
	size_t chosen = chosen_event(s);

	if (!s->samples)
		s->times = s->tally.event_times;
	for (size_t i = 0; i < s->tally.nshares; i++)
		if (s->tally.share[i].event == chosen) {
			struct stat_thread *t = &s->thread[s->tally.share[i].thread];

			t->samples = s->tally.share[i].samples;
			t->weight = s->tally.share[i].weight;
		}
	s->second = arena_new(s->arena, struct stat_second, s->tally.nparts + 1);
	for (size_t i = 0; i < s->tally.nparts; i++)
		if (s->tally.part[i].event == chosen)
			s->second[s->nseconds++] =
			        (struct stat_second){ s->tally.part[i].second,
				                      s->tally.part[i].samples };
	order_by(s->event, s->nevents, by_samples);
	order_by(s->thread, s->nthreads, by_weight);
	order_by(s->second, s->nseconds, by_time);
	add_up_processes(s, p);
	order_by(s->process, s->nprocesses, by_weight);
}
