#include "symbol/part.h"

#include "bind/sampled.h"
#include "reader/fields.h"
#include "reader/sliced.h"
#include "symbol/prescan.h"
#include "symbol/select.h"

enum {
	/* limits of the size of a part of a perf.data, in bytes */
	/* smallest sizes in bytes of a profile and of a text that are divided by default */
	PROFILE_LEAST = 16 << 20,
	TEXT_LEAST = 256 << 20,
	SLICE_MOST = 256 << 10,
	SLICE_LEAST = 4 << 10,
	TEXT_MOST = 2 << 20, /* maximum size of a part of a text, in bytes */
	/* number of parts for each worker, if the profile is small */
	PARTS_EACH = 8,
	/*
	 * If few parts are used, a part is 1 / FEW_EACH of a worker's share of the remaining
	 * slices.  So all workers end at nearly the same time.
	 */
	FEW_EACH = 3,
	SLICES_EACH = 64, /* then number of slices for each worker */
	/*
	 * least number of workers that note frames.  One process that finds the slices
	 * and notes the frames in one pass is as fast as two workers after a pass that
	 * only finds the slices
	 */
	LEARNERS = 3,
	/*
	 * Each worker finds the same names again.  In the time that this takes, one
	 * process prints this number of samples.
	 */
	NAMING = 400000,
	UNWOUND = 12, /* an unwound stack takes the time of this number of samples */
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

/* Returns the number of bytes of the profile, or 0 if it cannot be divided. */
static uint64_t bytes_to_divide(const struct profile *p, const struct part_opts *how)
{
	const struct profile_opts *opts = &p->session.opts;
	uint64_t done, total, least;

	if (how->workers < 2 || !p->inputs.reader || opts->unnamed || opts->addresses ||
	    selects(opts->select))
		return 0;
	least = how->forced ? 1 : is_plain_text(p) ? TEXT_LEAST : PROFILE_LEAST;
	reader_progress(p->inputs.reader, &done, &total);
	return total >= least ? total : 0;
}

/* Returns the size of a part of a profile with `total` bytes. */
static uint64_t size_of_part(uint64_t total, const struct part_opts *how, uint64_t least,
                             uint64_t most)
{
	uint64_t size = total / how->workers / PARTS_EACH;

	if (size > most)
		size = most;
	return size < least ? least : size;
}

/* Returns true if there are enough samples, so that workers save time. */
static bool is_worthwhile(const struct profile *p, const struct part_opts *how)
{
	const struct reader *r = p->inputs.reader;
	uint64_t samples = sliced_samples(r), each = 1;
	const struct attr *const *attr;

	for (size_t i = reader_attrs(r, &attr); i-- > 0;)
		if (attr[i]->sample_type & HAS_STACK_USER)
			each = UNWOUND;
	return how->forced ||
	       samples / how->workers * (how->workers - 1) >= NAMING / each;
}

/* Makes parts of n slices. */
static void group_slices(struct profile *p, size_t n, const struct part_opts *how)
{
	for (size_t at = 0, size; at <= n; at += size) {
		size = how->few ? (n - at) / how->workers / FEW_EACH : 1;
		if (!size || !at)
			size = 1;
		*arena_push(&p->session.run, p->part.first, p->part.n,
		            p->part.first_cap) = (uint32_t)at;
	}
	p->part.n--;
}

void part_slice(struct profile *p, const struct part_opts *opts)
{
	uint64_t total = bytes_to_divide(p, opts);
	uint64_t size = opts->few ? total / opts->workers / SLICES_EACH
	                          : size_of_part(total, opts, SLICE_LEAST, SLICE_MOST);
	const struct traits *traits = profile_traits(p);

	if (size < SLICE_LEAST)
		size = SLICE_LEAST;
	if (!total || traits->is_text)
		return;
	if (opts->workers < LEARNERS && traits->has_records && prescan_divides(p))
		p->part.least = size;
	else if (prescan_skip(p, size) && is_worthwhile(p, opts))
		group_slices(p, sliced_count(p->inputs.reader), opts);
}

bool part_learns(struct profile *p)
{
	return p->part.n && prescan_divides(p);
}

size_t part_count(const struct profile *p)
{
	return p->part.n;
}

size_t part_plan(struct profile *p, const struct part_opts *opts)
{
	uint64_t total = bytes_to_divide(p, opts);

	if (!total || p->frames.recorded.n) {
		p->part.n = 0;
	} else if (p->part.least && p->part.noted && is_worthwhile(p, opts)) {
		group_slices(p, sliced_count(p->inputs.reader), opts);
	} else if (is_plain_text(p)) {
		p->part.bytes = size_of_part(total, opts, 1,
		                             opts->few ? TEXT_MOST * 8 : TEXT_MOST);
		p->part.n = (total + p->part.bytes - 1) / p->part.bytes;
	}
	return p->part.n;
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

void part_warm(struct profile *p)
{
	const struct sampled *s = bind_sampled(p->session.binder);
	const struct profile_opts *opts = &p->session.opts;
	/*
	 * A lookup may report a file, so frames that are left out are not looked up.  In a pprof,
	 * these may be the frames of samples with the value 0.
	 */
	bool all = !profile_traits(p)->has_locations &&
	           (!opts->select ||
	            !(opts->select->hide_chain || opts->select->list[SELECT_STACK].p));
	arena_scope(scratch);
	struct table paths = { 0 };

	for (size_t i = 0; i < s->ncode && p->part.noted && all; i++) {
		const struct sampled_address *a = &s->code[i];
		uint32_t *known = table_at(&paths, &scratch, a->m->path, 0);
		struct bind_query q;
		struct bound_name by;

		/*
		 * Reports name the ELF file that was opened first.  With every number of
		 * workers, this must be the one that is sampled first.
		 */
		if (*known || !str_ends(profile_str(p, a->m->path), STR(".dll")))
			continue;
		*known = 1;
		q = (struct bind_query){ .m = a->m,
			                 .pid = a->pid,
			                 .ip = a->ip,
			                 .caller = a->caller,
			                 .time_ns = UINT64_MAX,
			                 .inlined =
			                         !opts->no_inline && opts->compat != 6 };
		resolve_begin_at(&p->frames, &q);
		resolve_name(&p->frames, &q, &by);
	}
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
	return p->part.bytes ? !p->part.records
	                     : !sliced_is_odd(p->inputs.reader, p->part.end);
}

/* Returns the offset at which part i of a text begins, and moves the reader to this offset. */
static uint64_t find_text(struct profile *p, size_t i)
{
	return i && i <= p->part.n
	               ? reader_seek(p->inputs.reader, i * p->part.bytes, p->part.bytes)
	               : 0;
}

static void enter_text(struct profile *p, size_t i)
{
	p->part.end = UINT64_MAX;
	p->part.at = find_text(p, i);
	for (size_t next = i + 1;
	     p->part.at != UINT64_MAX && p->part.end == UINT64_MAX && next < p->part.n;
	     next++)
		p->part.end = find_text(p, next);
	if (!i)
		reader_rewind(p->inputs.reader);
	else if (p->part.at != UINT64_MAX)
		(void)find_text(p, i);
}

/* Makes the reader deliver only the slices of the parts from i up to end. */
static void enter_slices(struct profile *p, size_t i, size_t end)
{
	p->part.end = p->part.first[end];
	p->part.changes = sliced_enter(p->inputs.reader, p->part.first[i], p->part.end);
}

void part_enter(struct profile *p, size_t i)
{
	p->part.divided = true;
	if (p->part.bytes)
		enter_text(p, i);
	else
		enter_slices(p, i, i + 1);
}

void part_report(struct profile *p, size_t i)
{
	int got = p->part.bytes != 0;

	if (got)
		part_enter(p, i);
	while (got && p->part.at < p->part.end) {
		got = reader_next(p->inputs.reader, &p->event);
		if (got > 0)
			p->part.at = p->event.at + p->event.raw.n;
	}
}

void part_end(struct profile *p)
{
	p->part.divided = false;
	p->part.over = true;
	process_adopt(p->session.ps);
	if (!p->part.bytes)
		sliced_tell(p->inputs.reader, p->part.first[p->part.n]);
}

void part_rest(struct profile *p, size_t i)
{
	if (p->part.bytes) {
		part_enter(p, i);
	} else {
		sliced_tell(p->inputs.reader, p->part.first[i]);
		enter_slices(p, i, p->part.n);
	}
	p->part.divided = false;
}

void part_learn(struct profile *p)
{
	prescan_part(p);
	p->part.changes = 0;
	p->part.divided = false;
}

/* Both processes read the same mappings, so a mapping has one id in both. */
static void send_mapping(struct out *to, const struct mapping *m)
{
	parcel_number(to, m ? m->id : 0);
}

static const struct mapping *take_mapping(const struct profile *p, struct cursor *from)
{
	uint64_t id = cur_u64(from);

	return id ? process_mapping(p->session.ps, (uint32_t)id) : NULL;
}

/*
 * A noted address in a parcel, the data that a worker sends.  mapping: id of the mapping that
 * contains the address.  start, end: range of the mapping when the address was noted.  All three
 * are 0 without a mapping.
 */
struct sent_address {
	uint64_t ip, start, end;
	uint32_t mapping;
	int32_t pid;
	bool caller, jit;
};

static void send_addresses(const struct sampled_address *a, size_t n, struct out *to)
{
	parcel_number(to, n);
	for (size_t i = 0; i < n; i++) {
		const struct mapping *m = a[i].m;
		struct sent_address sent = {
			.ip = a[i].ip,
			.start = m ? m->start : 0,
			.end = m ? m->end : 0,
			.mapping = m ? m->id : 0,
			.pid = a[i].pid,
			.caller = a[i].caller,
			.jit = a[i].jit,
		};

		parcel_object(to, &sent, sizeof(sent));
	}
}

/*
 * Returns the mapping of a sent address.  If the mapping in this process has another range,
 * returns a copy with the sent range.
 */
static const struct mapping *piece_of(struct profile *p, const struct sent_address *a)
{
	const struct mapping *m =
	        a->mapping ? process_mapping(p->session.ps, a->mapping) : NULL;
	struct mapping *piece;

	if (!m || (m->start == a->start && m->end == a->end))
		return m;
	piece = arena_new(&p->session.run, struct mapping, 1);
	*piece = *m;
	piece->start = a->start;
	piece->end = a->end;
	return piece;
}

enum { FETCHED = 8 }; /* number of addresses whose table slots are prefetched */

static void take_addresses(struct profile *p, struct cursor *from)
{
	const struct sampled *s = bind_sampled(p->session.binder);
	uint64_t n = cur_u64(from);
	struct sent_address a;
	const char *bytes;

	if (n > cur_left(from) / sizeof(a)) {
		from->bad = true;
		return;
	}
	bytes = cur_take(from, n * sizeof(a));
	for (uint64_t i = 0; i < n; i++) {
		if (i + FETCHED < n) {
			memcpy(&a, bytes + (i + FETCHED) * sizeof(a), sizeof(a));
			table_fetch(&s->seen, a.mapping, a.ip << 1 | a.caller);
		}
		memcpy(&a, bytes + i * sizeof(a), sizeof(a));
		bind_note(p->session.binder, piece_of(p, &a), a.pid, a.ip, a.caller,
		          a.jit);
	}
}

void part_send_notes(struct profile *p, struct out *to)
{
	const struct sampled *s = bind_sampled(p->session.binder);
	const struct prescan_times *times = prescan_times(p);

	send_addresses(s->jit + p->part.njit, s->njit - p->part.njit, to);
	send_addresses(s->code + p->part.ncode, s->ncode - p->part.ncode, to);
	p->part.njit = s->njit;
	p->part.ncode = s->ncode;
	parcel_object(to, times, sizeof(*times));
}

void part_take_notes(struct profile *p, struct cursor *from)
{
	struct prescan_times times;

	take_addresses(p, from);
	take_addresses(p, from);
	if (parcel_take_object(from, &times, sizeof(times)))
		prescan_add_times(p, &times);
}

void part_learned(struct profile *p)
{
	p->part.noted = true;
	sliced_tell(p->inputs.reader, p->part.first[p->part.n]);
}

void part_learn_rest(struct profile *p, size_t i)
{
	part_rest(p, i);
	part_learn(p);
	p->part.noted = true;
	p->part.n = 0;
}

static void send_query(struct out *to, const struct bind_query *q)
{
	parcel_object(to, q, sizeof(*q));
	send_mapping(to, q->m);
}

static struct bind_query take_query(const struct profile *p, struct cursor *from)
{
	struct bind_query q = { 0 };

	parcel_take_object(from, &q, sizeof(q));
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
	parcel_object(to, r, sizeof(*r));
	send_mapping(to, r->m);
	for (size_t i = 0; i < r->n; i++) {
		const struct named *n = &r->names[i];

		parcel_object(to, n, sizeof(*n));
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

static void take_frame(struct profile *p, struct part_sent *sent, struct cursor *from,
                       struct arena *scratch)
{
	struct named *names;
	struct resolved r;
	struct asked asked;

	asked.own = take_query(p, from);
	asked.other = take_query(p, from);
	if (!parcel_take_object(from, &r, sizeof(r)))
		return;
	if (r.n > cur_left(from) / sizeof(*names) || r.how > VERIFIED_GIVEN) {
		from->bad = true;
		return;
	}
	r.prefix = (struct str){ 0 }; /* a divided profile has no prefixes */
	r.m = take_mapping(p, from);
	r.names = names = arena_new(scratch, struct named, r.n);
	for (size_t i = 0; i < r.n; i++) {
		parcel_take_object(from, &names[i], sizeof(*names));
		names[i].func = take_text(p, from);
		names[i].module = take_text(p, from);
		names[i].srcline = take_text(p, from);
		names[i].decl = take_text(p, from);
	}
	arena_fit(&p->session.run, sent->id, sent->n + 1, sent->cap);
	if (!from->bad)
		sent->id[sent->n++] = resolve_take(&p->frames, &asked, &r);
}

/* Returns the first frame from i on that was used, or the number of frames. */
static size_t next_used(const struct frames *t, size_t i)
{
	const uint64_t *u = t->uses;

	/* Most frames are not used, so skip eight of them at a time. */
	while (i + 8 <= t->n && !(u[i] | u[i + 1] | u[i + 2] | u[i + 3] | u[i + 4] |
	                          u[i + 5] | u[i + 6] | u[i + 7]))
		i += 8;
	while (i < t->n && !u[i])
		i++;
	return i;
}

/* Sends the uses of frames, with a 0 at the end. */
static void send_uses(const struct frames *t, struct out *to)
{
	for (size_t i = next_used(t, 0); i < t->n; i = next_used(t, i + 1)) {
		parcel_number(to, t->uses[i]);
		parcel_number(to, i);
	}
	parcel_number(to, 0);
}

static void send_ends(const struct profile *p, struct out *to)
{
	const struct unwound_file *file;
	size_t n = unwind_files(p->unwinder, &file);

	parcel_object(to, unwind_counts(p->unwinder), sizeof(struct unwound));
	parcel_number(to, n);
	for (size_t i = 0; i < n; i++) {
		parcel_text(to, intern_str(&p->session.names, file[i].module));
		parcel_number(to, file[i].end);
		parcel_number(to, file[i].stacks);
	}
}

static void take_ends(struct profile *p, struct cursor *from)
{
	struct unwound counts = { 0 };
	uint64_t n;

	parcel_take_object(from, &counts, sizeof(counts));
	n = cur_u64(from);
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

	/* The number of reports that the worker has counted, but does not print. */
	parcel_number(to, p->session.diag->damaged + p->session.diag->warned);
	parcel_number(to, p->part.base);
	parcel_number(to, p->frames.n - p->part.sent);
	for (; p->part.sent < p->frames.n; p->part.sent++)
		send_frame(p, to, (frame_id)p->part.sent);
	send_uses(&p->frames, to);
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
	arena_scope(scratch);
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
		take_frame(p, sent, from, &scratch);
	for (uint64_t uses; !from->bad && (uses = cur_u64(from)) != 0;) {
		uint64_t number = cur_u64(from);

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
