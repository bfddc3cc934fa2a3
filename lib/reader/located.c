#include "reader/located.h"

#include <errno.h>

#include "base/intern.h"
#include "base/table.h"
#include "reader/capture.h"
#include "reader/fields.h"
#include "reader/wire.h"
#include "source/made.h"

enum {
	KERNEL_BIT = 63,
	EXECUTABLE = 4,
	GIVE_BACK = 1 << 20, /* memory is released after this many bytes */
	/*
	 * the kernel may map a page together with this many preceding bytes, as one large
	 * page
	 */
	MAPPED_BEFORE = 2 << 20,
};

bool located_open(struct located *l, const struct format *format, struct source *s,
                  size_t member, struct arena *run, struct diag *diag)
{
	l->base = (struct reader){ .format = format,
		                   .run = run,
		                   .diag = diag,
		                   .budget = s->budget,
		                   .name = s->members[member].name };
	l->source = s;
	l->member = member;
	l->bytes = source_map(s, member);
	if (!l->bytes.p)
		diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(l->base.name),
		           strerror(errno));
	return l->bytes.p != NULL;
}

/*
 * Returns text for messages with an offset.  If the offset refers to the bytes of the member, the
 * text is empty.  Otherwise it explains that the offset refers to bytes made from the member.
 */
static const char *place_of(const struct located *l)
{
	return l->made ? " (the offset is one of the text as protobuf)" : "";
}

int located_damaged(struct located *l, struct str field, const char *what)
{
	return diag_at(l->base.diag, l->base.name, (uint64_t)(field.p - l->bytes.p),
	               "%s%s", what, place_of(l));
}

size_t located_release(const struct located *l, size_t from, const char *to)
{
	size_t at = (size_t)(to - l->bytes.p);
	struct str read;

	if (at < from + GIVE_BACK)
		return from;
	from = from > MAPPED_BEFORE ? from - MAPPED_BEFORE : 0;
	read = str_head(str_from(l->bytes, from), at - from);
	if (l->made)
		made_give_back(l->source, read);
	else
		source_give_back(l->source, l->member, read);
	return at;
}

void located_give_back(struct located *l, const char *to)
{
	l->given_back = located_release(l, l->given_back, to);
}

struct attr located_attr(struct str name, struct str unit)
{
	return (struct attr){ .name = name,
		              .unit = unit,
		              .sample_type =
		                      HAS_IP | HAS_TID | HAS_PERIOD | HAS_CALLCHAIN,
		              .has_callchain = true };
}

static bool is_kernel(const struct located *l, const struct located_place *p)
{
	return p->addr >> KERNEL_BIT ||
	       (p->map && str_starts(l->map[p->map - 1].path, STR("[kernel")));
}

/* Returns true if the address is out of the range of its mapping.  The mapping must be known. */
static bool is_outside(const struct located *l, const struct located_place *p)
{
	const struct located_map *m = &l->map[p->map - 1];

	return p->addr < m->start || p->addr >= m->limit;
}

uint32_t located_number(const struct located *l, const struct located_place *p)
{
	return p->map ? 2 * p->map - 1 + is_outside(l, p) : 0;
}

struct str located_message(const struct located *l, const char *field)
{
	struct cursor in = cur_little(str_from(l->bytes, (size_t)(field - l->bytes.p)));
	struct wire w;

	return wire_next(&in, &w) ? w.bytes : (struct str){ 0 };
}

/*
 * Lists the columns of values with different names, the default column first.  A second column of
 * a name cannot be selected, and its values must not be added to those of the first one.
 */
static void list_columns(struct located *l)
{
	struct table seen = { 0 };
	struct interner names;
	struct str left = { 0 };

	intern_init(&names, l->base.run);
	l->shown = arena_new(l->base.run, const struct attr *, l->nattrs + 1);
	for (size_t i = 0; i < l->nattrs; i++) {
		size_t column = i > l->column ? i : i ? i - 1 : l->column;
		const struct attr *attr = &l->attr[column];
		uint32_t *known =
		        table_at(&seen, l->base.run, intern(&names, attr->name), 0);

		if (*known)
			left = attr->name;
		else
			l->shown[l->nshown++] = attr;
		*known = 1;
	}
	if (l->nshown < l->nattrs)
		diag_note(l->base.diag,
		          PRSTR ": left out %zu of %zu types of values, because another "
		                "one has the name " PRSTR,
		          STRARG(l->base.name), l->nattrs - l->nshown, l->nattrs,
		          STRARG(left));
}

void located_settle(struct located *l)
{
	arena_trim(l->base.run, l->place, l->nplaces, l->places_cap);
	for (struct located_place *p = l->place; p < l->place + l->nplaces; p++) {
		p->cpumode = is_kernel(l, p) ? MODE_KERNEL : MODE_USER;
		if (p->map)
			l->map[p->map - 1].used[is_outside(l, p)] = true;
	}
	if (!l->comm.n)
		l->comm = STR("[unknown]");
	list_columns(l);
}

void located_restart(struct located *l)
{
	l->given = l->given_back = l->turn = 0;
	l->sample = (struct located_sample){ 0 };
}

size_t located_enter(struct located *l)
{
	size_t n = 0;

	l->turn = 0;
	l->sample = (struct located_sample){ 0 };
	for (size_t half = l->given; half < 2 * l->nmaps; half++)
		n += l->map[half / 2].used[half % 2];
	return n;
}

void located_begin(struct located *l, uint64_t at)
{
	l->sample = (struct located_sample){ .pid = -1, .tid = -1, .at = at };
	l->turn = l->nframes = 0;
}

void located_value(struct located *l, int64_t value)
{
	*arena_push(l->base.run, l->value, l->sample.nvalues, l->values_cap) = value;
}

static void give_frames(const struct located *l, struct event *ev)
{
	ev->frames = l->frames;
	ev->nframes = l->nframes;
	if (ev->nframes)
		ev->top = ev->frames[0];
}

void located_frames(struct reader *r, struct event *ev)
{
	struct located *l = (struct located *)r;

	if (!ev->stack)
		return;
	l->nframes = 0;
	l->list(l, ev->stack);
	give_frames(l, ev);
}

void located_skim(struct reader *r, bool on)
{
	((struct located *)r)->skims = on;
}

void located_join(struct reader *r, bool undated)
{
	struct located *l = (struct located *)r;

	l->joins = true;
	l->undated = undated;
}

/* Delivers one half of a mapping: the addresses inside its range, or the addresses outside. */
static bool give_map(struct located *l, size_t half, struct event *ev)
{
	const struct located_map *m = &l->map[half / 2];

	if (!m->used[half % 2])
		return false;
	*ev = (struct event){ .kind = EV_MMAP, .cpu = -1, .by_pid = -1, .by_tid = -1 };
	ev->pid = ev->tid = m->pid;
	ev->map.number = (uint32_t)half + 1;
	ev->map.path = ev->map.recorded = m->path.n ? m->path : STR("[unknown]");
	ev->map.build_id = m->build_id;
	ev->map.other_id = m->other_id;
	ev->map.prot = EXECUTABLE;
	ev->map.cpumode = m->start >> KERNEL_BIT || str_starts(m->path, STR("[kernel"))
	                          ? MODE_KERNEL
	                          : MODE_USER;
	if (half % 2)
		return true;
	ev->map.start = m->start;
	ev->map.len = m->limit - m->start;
	ev->map.file_off = m->file_off;
	return true;
}

/*
 * Delivers the current sample with its value in one column.  Returns 1, or 0 if the value is 0.
 * If the value is damaged, reports this and returns -1.
 */
static int give_value(struct located *l, const struct attr *attr, struct event *ev)
{
	const struct located_sample *s = &l->sample;
	size_t column = (size_t)(attr - l->attr);
	int64_t value = column < s->nvalues ? l->value[column] : 0;

	if (l->skims)
		value = 1;
	if (value < 0 && format_tells(&l->base, s->at))
		return diag_at(l->base.diag, l->base.name, s->at,
		               "the value of a sample is negative: %lld%s",
		               (long long)value, place_of(l));
	if (value <= 0)
		return 0;
	/* Samples do not use the field `map`, so it is not cleared. */
	memset(ev, 0, offsetof(struct event, map));
	memset(&ev->payload, 0, sizeof(*ev) - offsetof(struct event, payload));
	ev->kind = EV_SAMPLE;
	ev->pid = s->pid;
	ev->tid = s->tid;
	ev->cpu = ev->by_pid = ev->by_tid = -1;
	ev->has_time = s->time_ns != 0;
	ev->time_ns = s->time_ns;
	ev->weight = (uint64_t)value;
	if (s->repeats && !s->is_sum &&
	    __builtin_mul_overflow(ev->weight, 1 + (uint64_t)s->repeats, &ev->weight))
		ev->weight = UINT64_MAX;
	ev->comm = s->comm.n ? s->comm : l->comm;
	ev->attr = attr;
	ev->stack = s->stack;
	ev->repeats = s->repeats;
	ev->until_ns = s->until_ns;
	ev->at = s->at;
	if (!s->stack)
		give_frames(l, ev);
	/* One event of a sample is enough for reader_skim. */
	if (l->skims)
		l->turn = l->nshown;
	return 1;
}

bool located_skips(struct located *l, uint32_t stack, int32_t pid)
{
	if (!stack)
		return false;
	if (stack < l->skimmed_cap && l->skimmed[stack] == (uint32_t)pid + 2)
		return true;
	arena_fit(l->base.run, l->skimmed, stack + 1u, l->skimmed_cap);
	l->skimmed[stack] = (uint32_t)pid + 2;
	return false;
}

int located_next(struct reader *r, struct event *ev)
{
	struct located *l = (struct located *)r;
	int got = 0;

	while (l->given < 2 * l->nmaps)
		if (give_map(l, l->given++, ev))
			return 1;
	for (;;) {
		/*
		 * shown[0] is the default column.  Each later shown[i] is column i - 1 or a later
		 * one, so it has no value if i exceeds the number of values.
		 */
		while (l->sample.nvalues && l->turn < l->nshown &&
		       l->turn <= l->sample.nvalues)
			if ((got = give_value(l, l->shown[l->turn++], ev)) != 0)
				return got;
		if (budget_spent(r->budget))
			return 0;
		if ((got = l->read(l)) <= 0)
			return got;
	}
}

size_t located_attrs(const struct reader *r, const struct attr *const **out)
{
	const struct located *l = (const struct located *)r;

	*out = l->shown;
	return l->nshown;
}

size_t located_locations(const struct reader *r)
{
	return ((const struct located *)r)->nplaces;
}

const struct capture *located_capture(const struct reader *r)
{
	static const struct capture dated = { .has_clock = true }, other = { 0 };

	return ((const struct located *)r)->dated ? &dated : &other;
}

struct str located_written(const struct reader *r)
{
	return ((const struct located *)r)->bytes;
}

struct str located_build_id(struct arena *run, struct str text)
{
	char *raw;

	if (!text.n || text.n > LOCATED_ID_DIGITS)
		return (struct str){ 0 };
	raw = arena_new(run, char, text.n / 2 + 1);
	return str_hex_bytes(text, raw) ? (struct str){ raw, text.n / 2 }
	                                : (struct str){ 0 };
}

void located_close(struct reader *r)
{
	(void)r;
}
