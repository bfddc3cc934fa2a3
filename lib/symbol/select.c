#include "symbol/select.h"

#include "reader/capture.h"
#include "reader/fields.h"
#include "reader/perftext/frameline.h"

/*
 * Takes the next name of a list.  A comma between two slashes is part of the event:
 * "cpu/umask=2,x=1/".
 */
static struct str next_name(struct str *list)
{
	bool inside = false;
	size_t n = 0;
	struct str name;

	for (; n < list->n && (inside || list->p[n] != ','); n++)
		inside ^= list->p[n] == '/';
	name = str_head(*list, n);
	*list = str_from(*list, n + 1);
	return name;
}

/* Takes the next number "7" from a list.  If ranges are allowed, also takes "2-5". */
static bool take_range(struct str *list, bool ranges, uint64_t *first, uint64_t *last)
{
	struct str item = str_cut(list, ',');

	if (!str_take_dec(&item, first))
		return false;
	*last = *first;
	if (ranges && item.n && item.p[0] == '-') {
		item = str_from(item, 1);
		if (!str_take_dec(&item, last))
			return false;
	}
	return !item.n && *first <= *last;
}

static bool is_numbers(struct str list, bool ranges)
{
	uint64_t first, last;

	do {
		if (!take_range(&list, ranges, &first, &last))
			return false;
	} while (list.n);
	return true;
}

static bool has_number(struct str list, bool ranges, int32_t n)
{
	uint64_t first, last;

	while (list.n && take_range(&list, ranges, &first, &last))
		if (n >= 0 && (uint64_t)n >= first && (uint64_t)n <= last)
			return true;
	return false;
}

/* Checks the syntax only.  select_settle parses the argument again, with the profile's times. */
static bool take_times(struct select *sel, struct str arg)
{
	return time_ranges_parse(&sel->times, arg, 0, 1, false);
}

int select_settle(struct select *sel, const struct reader *r, bool relative,
                  struct diag *diag)
{
	const struct capture *rec = reader_capture(r);
	struct str text = sel->list[SELECT_TIME];

	if (!text.p)
		return 0;
	if ((relative || time_ranges_are_shares(text)) && !rec->last_ns)
		return diag_fatal(
		        diag,
		        "--time " PRSTR
		        ": the times of the first and last sample are not recorded",
		        STRARG(text));
	if (!time_ranges_parse(&sel->times, text, rec->first_ns, rec->last_ns, relative))
		return diag_fatal(diag, "--time " PRSTR ": not understood", STRARG(text));
	return 0;
}

bool select_by(struct select *sel, enum select_by by, const char *arg)
{
	struct str s = str_of(arg);
	uint64_t n;

	sel->list[by] = s;
	switch (by) {
	case SELECT_PID:
	case SELECT_TID:
	case SELECT_CPU:
		return is_numbers(s, by == SELECT_CPU);
	case SELECT_TIME:
		return take_times(sel, s);
	case SELECT_STACK:
		if (!str_is_dec(s, &n))
			return false;
		sel->max_stack = n;
		return true;
	default:
		return s.n;
	}
}

static bool has_comm(struct str list, struct str comm)
{
	while (list.n)
		if (str_eq(str_cut(&list, ','), comm))
			return true;
	return false;
}

/* Returns the name of an event without modifiers: "cycles" for "cycles:ppp". */
static struct str base_of(struct str name)
{
	size_t at = str_rfind(name, ':');

	for (size_t i = at + 1; i < name.n; i++)
		if (!strchr("ukhvGHpPSDIWeb", name.p[i]))
			return name;
	return at && at + 1 < name.n ? str_head(name, at) : name;
}

static bool has_event(struct str list, struct str event)
{
	struct str base = base_of(event);

	while (list.n) {
		struct str name = next_name(&list);

		if (str_eq(name, event) || str_eq(name, base))
			return true;
	}
	return false;
}

static bool has_property(const struct sample *s, enum select_by by)
{
	switch (by) {
	case SELECT_PID:
		return s->pid >= 0;
	case SELECT_TID:
		return s->tid >= 0;
	case SELECT_CPU:
		return s->ev->cpu >= 0;
	case SELECT_TIME:
		return s->ev->has_time;
	case SELECT_EVENT:
		return s->ev->attr && s->ev->attr->name.n;
	default:
		return true;
	}
}

static bool matches(const struct select *sel, const struct sample *s, enum select_by by)
{
	switch (by) {
	case SELECT_COMM:
		return has_comm(sel->list[by], s->comm);
	case SELECT_PID:
		return has_number(sel->list[by], false, s->pid);
	case SELECT_TID:
		return has_number(sel->list[by], false, s->tid);
	case SELECT_CPU:
		return has_number(sel->list[by], true, s->ev->cpu);
	case SELECT_TIME:
		return time_ranges_hold(&sel->times, s->ev->time_ns);
	case SELECT_EVENT:
		return has_event(sel->list[by], s->ev->attr->name);
	default:
		return true;
	}
}

enum { PARTS = 64 }; /* maximum number of parts that are noted for a list */

/*
 * Returns true for lists of names and numbers.  Unmatched parts are reported only for these
 * lists.
 */
static bool is_list(enum select_by by)
{
	return by <= SELECT_EVENT;
}

/* Returns true if the part of a list matches the sample. */
static bool part_matches(struct str part, const struct sample *s, enum select_by by)
{
	struct select one = { 0 };

	one.list[by] = part;
	return matches(&one, s, by);
}

static struct str next_part(struct str *list, enum select_by by)
{
	return by == SELECT_EVENT ? next_name(list) : str_cut(list, ',');
}

static size_t count_parts(struct str list, enum select_by by)
{
	size_t n = 0;

	for (; list.n && n < PARTS; n++)
		next_part(&list, by);
	return n;
}

/* Compares a name with all parts of the list.  A name that occurs again is not compared again. */
static void look_alike(const struct select *sel, enum select_by by, struct str name)
{
	struct select_hits *h = sel->hits;
	size_t n = count_parts(sel->list[by], by), before = h->names.n;
	struct str rest = sel->list[by];

	if (!h->near[by]) {
		h->near[by] = arena_new(h->arena, struct nearest, n);
		for (size_t i = 0; i < n; i++)
			nearest_init(&h->near[by][i], next_part(&rest, by), NEAREST_WHOLE,
			             h->arena);
	}
	intern(&h->names, name);
	for (size_t i = 0; i < n && h->names.n > before; i++)
		nearest_take(&h->near[by][i], name);
}

/* Notes which parts of a list match the sample. */
static void note_parts(const struct select *sel, const struct sample *s,
                       enum select_by by)
{
	struct select_hits *h = sel->hits;
	size_t n = count_parts(sel->list[by], by);
	uint64_t all = n < PARTS ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
	struct str rest = sel->list[by];

	if (h->met[by] == all || !has_property(s, by))
		return;
	h->looked[by] = true;
	for (size_t i = 0; i < n; i++) {
		struct str part = next_part(&rest, by);

		if (!(h->met[by] >> i & 1) && part_matches(part, s, by))
			h->met[by] |= (uint64_t)1 << i;
	}
	if (h->met[by] == all)
		return;
	if (by == SELECT_COMM)
		look_alike(sel, by, s->comm);
	else if (by == SELECT_EVENT)
		look_alike(sel, by, base_of(s->ev->attr->name));
}

void select_begin(struct select *sel, struct select_hits *hits, struct arena *a)
{
	*hits = (struct select_hits){ .arena = a };
	intern_init(&hits->names, a);
	sel->hits = hits;
}

void select_report_unmet(const struct select *sel, struct diag *diag)
{
	static const char *const reasons[] = {
		[SELECT_COMM] = "no thread with samples has this name",
		[SELECT_PID] = "no sample is of this process",
		[SELECT_TID] = "no sample is of this thread",
		[SELECT_CPU] = "no sample is of this CPU",
		[SELECT_EVENT] = "no sample is of this event",
	};
	const struct select_hits *h = sel->hits;

	for (enum select_by by = 0; is_list(by); by++) {
		struct str rest = sel->list[by];

		for (size_t i = 0; rest.n && i < PARTS && h->looked[by]; i++) {
			struct str part = next_part(&rest, by);

			if (h->met[by] >> i & 1)
				continue;
			diag_note(diag, "%s " PRSTR ": %s" PRSTR, select_option(by),
			          STRARG(part), reasons[by],
			          STRARG(h->near[by] ? nearest_question(&h->near[by][i])
			                             : STR("")));
		}
	}
}

bool select_wants(const struct select *sel, const struct sample *s,
                  enum select_by *lacking)
{
	if (sel->value && s->ev->attr != sel->value)
		return false;
	for (enum select_by by = 0; sel->hits && is_list(by); by++)
		if (sel->list[by].p)
			note_parts(sel, s, by);
	for (enum select_by by = 0; by < SELECT_KINDS; by++) {
		if (!sel->list[by].p)
			continue;
		if (!has_property(s, by)) {
			*lacking = by;
			return false;
		}
		if (!matches(sel, s, by))
			return false;
	}
	return true;
}

bool select_wants_cpu(const struct select *sel, int32_t cpu)
{
	struct str list = sel->list[SELECT_CPU];

	return !list.p || has_number(list, true, cpu);
}

bool select_is_tracepoint(const struct attr *attr)
{
	struct str name = base_of(attr->name);

	if (attr->sample_type)
		return attr->type == TYPE_TRACEPOINT;
	return str_find(name, ':') < name.n && str_find(name, '/') == name.n;
}

/*
 * Returns how many entries of ev->frames belong to the first `max` frames.  In a text, lines of
 * inlined functions precede their frame, and a source line follows it.
 */
static size_t kept(const struct event *ev, size_t max)
{
	bool inside = false;
	size_t n = 0;

	if (!ev->raw.n)
		return ev->nframes < max ? ev->nframes : max;
	for (size_t i = 0; i < ev->nframes; i++) {
		struct frame_text ft;

		if (!frameline_read(&ev->frames[i], &ft))
			continue;
		if (!inside && n == max)
			return i;
		inside = ft.inlined;
		n += !ft.inlined;
	}
	return ev->nframes;
}

/*
 * Removes all frames except the sampled one.  A tracepoint without a stack has no sampled frame.
 */
static void leave_one(struct event *ev)
{
	size_t n = ev->nframes;

	ev->nframes = 0;
	if (select_is_tracepoint(ev->attr))
		return;
	if (!ev->raw.n) {
		if (ev->attr->sample_type & HAS_IP) {
			ev->frames[0] = ev->top;
			ev->nframes = 1;
		}
		return;
	}
	for (size_t i = 0; i < n && !ev->nframes; i++) {
		struct frame_text ft;

		if (frameline_read(&ev->frames[i], &ft) && !ft.inlined) {
			ev->frames[0] = ev->frames[i];
			ev->nframes = 1;
		}
	}
}

/*
 * Returns false if the event has only an address instead of a stack.  A text prints this address
 * on the header line.
 */
static bool has_stack(const struct event *ev)
{
	if (!ev->raw.n)
		return ev->attr->has_callchain;
	return ev->nframes && ev->frames[0].line.p > ev->raw.p + str_find(ev->raw, '\n');
}

size_t select_frames(const struct select *sel, struct event *ev)
{
	size_t n = ev->nframes;

	if (sel->hide_chain) {
		leave_one(ev);
		return 0;
	}
	if (sel->list[SELECT_STACK].p && has_stack(ev))
		ev->nframes = kept(ev, sel->max_stack);
	return n - ev->nframes;
}

const char *select_option(enum select_by by)
{
	static const char *const names[SELECT_KINDS] = {
		"--comms", "--pid", "--tid", "--cpu", "--event", "--time", "--max-stack",
	};

	return names[by];
}
