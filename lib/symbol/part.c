#include "symbol/part.h"

#include "symbol/prescan.h"
#include "symbol/select.h"

enum {
	EVENTS_MOST = 4096, /* maximum events of a part */
	EVENTS_LEAST = 16,
	TEXT_MOST = 2 << 20, /* maximum bytes of a part in a text */
	PARTS_EACH = 8,      /* number of parts for each worker in a small profile */
	COUNTS = 7,
};

/* Returns true if an option may skip samples. */
static bool selects(const struct select *sel)
{
	for (size_t i = 0; sel && i < SELECT_KINDS; i++)
		if (sel->list[i].p && i != SELECT_STACK)
			return true;
	return false;
}

/* Returns true for a text in which samples do not depend on earlier lines. */
static bool is_plain_text(const struct profile *p)
{
	const struct session *s = &p->session;

	return reader_traits(p->inputs.reader)->is_text && !s->can_name &&
	       !p->timeline.reader;
}

static bool may_divide(const struct profile *p, bool forced)
{
	const struct profile_opts *opts = &p->session.opts;
	uint64_t done, total;

	if (!p->inputs.reader || opts->unnamed || opts->addresses ||
	    selects(opts->select) || p->frames.recorded.n ||
	    (!is_plain_text(p) && !reader_divides(p->inputs.reader)))
		return false;
	reader_progress(p->inputs.reader, &done, &total);
	return total >= (forced ? 1 : PART_LEAST);
}

/* Divides `total` units into parts.  most: the maximum number of events or bytes in a part. */
static struct part_plan plan_for(uint64_t total, unsigned workers, uint64_t most)
{
	struct part_plan plan = { .events = total / workers / PARTS_EACH };

	if (plan.events > most)
		plan.events = most;
	if (plan.events < EVENTS_LEAST)
		plan.events = EVENTS_LEAST;
	plan.n = (total + plan.events - 1) / plan.events;
	return plan;
}

/* Counts the events.  The pass may use half of the time budget. */
static void count_events(struct profile *p)
{
	budget_begin_half(p->session.opts.budget);
	prescan_count(p);
	budget_end_half(p->session.opts.budget);
}

struct part_plan part_plan(struct profile *p, unsigned workers, bool forced, bool few)
{
	struct part_plan plan = { 0 };
	uint64_t done, total;

	if (workers < 2 || !may_divide(p, forced))
		return plan;
	if (is_plain_text(p)) {
		reader_progress(p->inputs.reader, &done, &total);
		p->part.bytes = true;
		return plan_for(total, workers, few ? TEXT_MOST * 8 : TEXT_MOST);
	}
	if (!p->nevents)
		count_events(p);
	/*
	 * The number of events is unknown if the last pass ended early.  Samples may also
	 * depend on each other.
	 */
	if (!p->nevents || !reader_divides(p->inputs.reader))
		return plan;
	return plan_for(p->nevents, workers, few ? UINT64_MAX : EVENTS_MOST);
}

/* Lists those counts of a profile that are sums over its parts. */
static void list_counts(struct profile *p, uint64_t *count[COUNTS])
{
	uint64_t *const list[COUNTS] = {
		&p->nsamples,     &p->nframes,  &p->lost_samples, &p->lost_records,
		&p->nlost_leaves, &p->nguessed, &p->ndamages,
	};

	memcpy(count, list, sizeof(list));
}

static void clear_counts(struct profile *p)
{
	uint64_t *count[COUNTS];

	list_counts(p, count);
	for (size_t i = 0; i < COUNTS; i++)
		*count[i] = 0;
	unwind_clear_counts(p->unwinder);
	if (p->frames.n)
		memset(p->frames.uses, 0, p->frames.n * sizeof(*p->frames.uses));
}

void part_begin(struct profile *p)
{
	clear_counts(p);
	p->part.sent = p->part.base = p->frames.n;
	p->part.records = false;
	p->frames.asks = true;
}

bool part_is_plain(const struct profile *p)
{
	return !p->part.records;
}

/* Moves to the start of part i of a text, and returns its offset. */
static uint64_t find_text(struct profile *p, const struct part_plan *plan, size_t i)
{
	return i && i <= plan->n
	               ? reader_seek(p->inputs.reader, i * plan->events, plan->events)
	               : 0;
}

static void enter_text(struct profile *p, const struct part_plan *plan, size_t i)
{
	p->part.end = UINT64_MAX;
	p->nread = find_text(p, plan, i);
	for (size_t next = i + 1;
	     p->nread != UINT64_MAX && p->part.end == UINT64_MAX && next < plan->n;
	     next++)
		p->part.end = find_text(p, plan, next);
	if (!i)
		reader_rewind(p->inputs.reader);
	else if (p->nread != UINT64_MAX)
		(void)find_text(p, plan, i);
}

void part_enter(struct profile *p, const struct part_plan *plan, size_t i)
{
	if (p->part.bytes) {
		enter_text(p, plan, i);
		return;
	}
	p->part.begin = i * plan->events;
	p->part.end = p->part.begin + plan->events;
	reader_pass_over(p->inputs.reader, p->nread < p->part.begin);
}

void part_report(struct profile *p, const struct part_plan *plan, size_t i)
{
	int got = p->part.bytes;

	if (got)
		part_enter(p, plan, i);
	while (got && p->nread < p->part.end) {
		got = reader_next(p->inputs.reader, &p->event);
		if (got > 0)
			p->nread = p->event.at + p->event.raw.n;
	}
}

void part_end(struct profile *p)
{
	p->part.begin = p->part.end = p->nread;
	p->part.over = true;
	process_adopt(p->session.ps);
}

void part_rest(struct profile *p)
{
	p->part.end = UINT64_MAX;
}

/* Both processes read the same mappings, so the ids are the same. */
static void send_mapping(struct out *to, const struct mapping *m)
{
	parcel_number(to, m ? m->id : 0);
}

static const struct mapping *take_mapping(const struct profile *p, struct cursor *from)
{
	uint64_t id = cur_u64(from);

	return id ? process_mapping(p->session.ps, (uint32_t)id) : NULL;
}

static void send_query(struct out *to, const struct bind_query *q)
{
	out_str(to, (struct str){ (const char *)q, sizeof(*q) });
	send_mapping(to, q->m);
}

static struct bind_query take_query(const struct profile *p, struct cursor *from)
{
	const char *bytes = cur_take(from, sizeof(struct bind_query));
	struct bind_query q = { 0 };

	if (bytes)
		memcpy(&q, bytes, sizeof(q));
	q.m = take_mapping(p, from);
	return q;
}

static void send_frame(const struct profile *p, struct out *to, frame_id id)
{
	const struct interner *names = &p->session.names;
	const struct resolved *r = &p->frames.frame[id];
	static const struct bind_query none = { 0 };

	send_query(to, id < p->frames.nasked ? &p->frames.asked[id].own : &none);
	send_query(to, id < p->frames.nasked ? &p->frames.asked[id].other : &none);
	out_str(to, (struct str){ (const char *)r, sizeof(*r) });
	send_mapping(to, r->m);
	for (size_t i = 0; i < r->n; i++) {
		const struct named *n = &r->names[i];

		out_str(to, (struct str){ (const char *)n, sizeof(*n) });
		parcel_text(to, intern_str(names, n->func));
		parcel_text(to, intern_str(names, n->module));
		parcel_text(to, intern_str(names, n->srcline));
		parcel_text(to, intern_str(names, n->decl));
	}
}

static str_id take_text(struct profile *p, struct cursor *from)
{
	return intern(&p->session.names, parcel_take_text(from));
}

static void take_frame(struct profile *p, struct part_sent *sent, struct cursor *from)
{
	struct arena scratch = { 0 };
	struct named *names;
	struct resolved r;
	struct asked asked;
	const char *bytes;

	asked.own = take_query(p, from);
	asked.other = take_query(p, from);
	bytes = cur_take(from, sizeof(r));
	if (!bytes)
		return;
	memcpy(&r, bytes, sizeof(r));
	if (r.n > cur_left(from) / sizeof(*names) || r.how > VERIFIED_GIVEN) {
		from->bad = true;
		return;
	}
	r.prefix = (struct str){ 0 }; /* profiles with a prefix are not divided */
	r.m = take_mapping(p, from);
	r.names = names = arena_new(&scratch, struct named, r.n);
	for (size_t i = 0; i < r.n; i++) {
		bytes = cur_take(from, sizeof(*names));
		if (bytes)
			memcpy(&names[i], bytes, sizeof(*names));
		names[i].func = take_text(p, from);
		names[i].module = take_text(p, from);
		names[i].srcline = take_text(p, from);
		names[i].decl = take_text(p, from);
	}
	sent->id = arena_grow(&p->session.run, sent->id, &sent->cap, sent->n + 1,
	                      sizeof(*sent->id));
	if (!from->bad)
		sent->id[sent->n++] = resolve_take(&p->frames, &asked, &r);
	arena_release(&scratch);
}

static void send_uses(struct profile *p, struct out *to)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->frames.n; i++)
		n += p->frames.uses[i] != 0;
	parcel_number(to, n);
	for (size_t i = 0; i < p->frames.n; i++) {
		if (!p->frames.uses[i])
			continue;
		parcel_number(to, i);
		parcel_number(to, p->frames.uses[i]);
	}
}

static void send_ends(const struct profile *p, struct out *to)
{
	const struct unwound_file *file;
	size_t n = unwind_files(p->unwinder, &file);

	out_str(to, (struct str){ (const char *)unwind_counts(p->unwinder),
	                          sizeof(struct unwound) });
	parcel_number(to, n);
	for (size_t i = 0; i < n; i++) {
		parcel_text(to, intern_str(&p->session.names, file[i].module));
		parcel_number(to, file[i].end);
		parcel_number(to, file[i].stacks);
	}
}

static void take_ends(struct profile *p, struct cursor *from)
{
	const char *bytes = cur_take(from, sizeof(struct unwound));
	struct unwound counts = { 0 };
	uint64_t n = cur_u64(from);

	if (bytes)
		memcpy(&counts, bytes, sizeof(counts));
	unwind_add_counts(p->unwinder, &counts);
	for (uint64_t i = 0; i < n && !from->bad; i++) {
		struct unwound_file file = { .module = take_text(p, from) };

		uint64_t end = cur_u64(from);

		file.stacks = cur_u64(from);
		from->bad |= end >= UNWOUND_ENDS;
		if (from->bad)
			return;
		file.end = (enum unwound_end)end;
		unwind_add_file(p->unwinder, &file);
	}
}

void part_send(struct profile *p, struct out *to)
{
	uint64_t *count[COUNTS];

	/* The number of reports that a worker does not print. */
	parcel_number(to, p->session.diag->damaged + p->session.diag->warned);
	parcel_number(to, p->part.base);
	parcel_number(to, p->frames.n - p->part.sent);
	for (; p->part.sent < p->frames.n; p->part.sent++)
		send_frame(p, to, (frame_id)p->part.sent);
	send_uses(p, to);
	parcel_number(to, p->met_sample);
	parcel_text(to, p->perf_said);
	list_counts(p, count);
	for (size_t i = 0; i < COUNTS; i++)
		parcel_number(to, *count[i]);
	send_ends(p, to);
	clear_counts(p);
}

void part_take(struct profile *p, struct part_sent *sent, struct cursor *from)
{
	uint64_t *count[COUNTS], n, reports;
	struct str said;

	reports = cur_u64(from);
	p->frames.visits = reports != sent->reports;
	sent->reports = reports;
	sent->base = cur_u64(from);
	if (sent->base > p->frames.n) {
		sent->base = 0;
		from->bad = true;
		return;
	}
	for (n = cur_u64(from); n && !from->bad; n--)
		take_frame(p, sent, from);
	for (n = cur_u64(from); n && !from->bad; n--) {
		uint64_t number = cur_u64(from), uses = cur_u64(from);

		if (number >= sent->base + sent->n)
			from->bad = true;
		else
			p->frames.uses[part_frame(sent, (frame_id)number)] += uses;
	}
	p->met_sample |= cur_u64(from) != 0;
	said = parcel_take_text(from);
	if (said.n && !p->perf_said.n)
		p->perf_said = arena_str(&p->session.run, said);
	list_counts(p, count);
	for (size_t i = 0; i < COUNTS; i++)
		*count[i] += cur_u64(from);
	take_ends(p, from);
}
