#include "writer/flame/folds.h"

#include "base/clock.h"

enum { SLOTS_MOST = 4000000 };

void folds_init(struct folds *in, struct arena *arena)
{
	*in = (struct folds){ .arena = arena };
	intern_init(&in->names, arena);
	origin_init(&in->origins, arena);
	rows_init(&in->single.rows, &in->names, arena);
	rows_init(&in->paired.rows, &in->names, arena);
	path_init(&in->single.path, &in->single.rows, &in->names, arena);
	path_init(&in->paired.path, &in->paired.rows, &in->names, arena);
	in->rows = &in->single.rows;
}

void folds_free(struct folds *in)
{
	rows_free(&in->single.rows);
	rows_free(&in->paired.rows);
}

bool folds_are_paired(const struct folds *in)
{
	return in->lines && in->pairs == in->lines;
}

/* Sets *slot for a time in seconds, "12.34".  Returns false if the text is not a time. */
static bool slot_of(struct str time, unsigned per_second, uint32_t *slot)
{
	uint64_t ns, at;

	if (!spans_time(time, &ns))
		return false;
	/* The text has few digits, so the time is rounded to the nearest slot. */
	at = ns / CLOCK_SECOND_NS * per_second +
	     (ns % CLOCK_SECOND_NS * per_second + CLOCK_SECOND_NS / 2) / CLOCK_SECOND_NS;
	*slot = (uint32_t)at;
	return at < SLOTS_MOST;
}

/* Adds a line of a table by second, in which the first frame is the time. */
static void add_timed(struct folds *in, const struct event *ev, struct str name,
                      struct diag *diag)
{
	struct str stack = ev->raw, time = str_cut(&stack, ';');
	uint32_t slot;

	if (!slot_of(time, in->current.per_second, &slot)) {
		diag_at(diag, name, ev->at, "not a time in seconds: " PRSTR,
		        STRARG(time));
		return;
	}
	in->timed = in->single.rows.apart = true;
	path_add(&in->single.path, stack,
	         (struct row){ .series = (uint32_t)in->nseries,
	                       .slot = slot + 1,
	                       .weight = { ev->weight, ev->fraction } });
}

/*
 * Removes the frames before the first base frame of the stack.  Returns false if the stack has no
 * base frame.
 */
static bool cut_to_base(const struct folds *in, struct str *stack)
{
	struct str rest = *stack;

	if (!in->nbase)
		return true;
	while (rest.n) {
		struct str from = rest, frame = str_cut(&rest, ';');

		for (size_t i = 0; i < in->nbase; i++)
			if (str_eq(frame, in->base[i])) {
				*stack = from;
				return true;
			}
	}
	return false;
}

/*
 * Adds a stack with two counts.  Only called if all earlier lines of the input have two counts.
 */
static void add_paired(struct folds *in, const struct pair *pair, const struct event *ev)
{
	struct str stack = pair->stack;

	if (!cut_to_base(in, &stack))
		return;
	path_add(&in->paired.path, stack,
	         (struct row){ .weight = { pair->before, pair->fraction } });
	path_add(&in->paired.path, stack,
	         (struct row){ .series = 1, .weight = { ev->weight, ev->fraction } });
}

static bool read_origin(struct folds *in, struct str line)
{
	struct origin at;

	if (!origin_parse(line, &at))
		return false;
	origin_add(&in->origins, intern(&in->names, at.name), &at);
	return true;
}

void folds_add(struct folds *in, const struct event *ev, struct str name,
               struct diag *diag)
{
	struct str stack = ev->raw;

	if (ev->kind == EV_TEXT) {
		struct unit u;

		if (spans_read(&in->spans, ev->raw, in->arena) ||
		    read_origin(in, ev->raw) ||
		    verdicts_read(&in->verdicts, ev->raw, &in->names, in->arena) ||
		    !unit_read(&u, ev->raw, in->arena))
			return;
		in->current = in->has_current ? unit_sum(&in->current, &u) : u;
		in->has_current = true;
	}
	if (ev->kind != EV_FOLDED)
		return;
	in->met_stack = true;
	if (folds_are_paired(in) || !in->lines)
		if (ev->pair)
			add_paired(in, ev->pair, ev);
	in->lines++;
	in->pairs += ev->pair != NULL;
	if (!ev->weight && !ev->fraction)
		return;
	if (in->current.per_second)
		add_timed(in, ev, name, diag);
	else if (cut_to_base(in, &stack))
		path_add(&in->single.path, stack,
		         (struct row){ .series = (uint32_t)in->nseries,
		                       .weight = { ev->weight, ev->fraction } });
}

void folds_end_input(struct folds *in)
{
	/* An input without a header line of pfold has an unknown unit. */
	if (!in->has_current)
		in->current = (struct unit){ 0 };
}

static void push_series(struct folds *in, struct series s)
{
	*arena_push(in->arena, in->series, in->nseries, in->series_cap) = s;
}

/*
 * Moves the fields of the input's header to s, and merges the unit with the units of earlier
 * series.
 */
static void end_unit(struct folds *in, struct series *s)
{
	s->samples = in->current.samples;
	s->duration_us = in->current.duration_us;
	s->cpus = in->current.cpus;
	s->unit = in->current.name;
	s->event = in->current.event;
	in->unit = in->has_unit ? unit_sum(&in->unit, &in->current) : in->current;
	in->has_unit = true;
	if (in->current.per_second)
		in->per_second = in->current.per_second;
	in->current = (struct unit){ 0 };
	in->has_current = false;
}

void folds_end_series(struct folds *in, struct str name)
{
	struct series s = { .name = name };

	end_unit(in, &s);
	push_series(in, s);
	in->lines = in->pairs = 0;
}

void folds_end_pair(struct folds *in)
{
	struct series after = { .name = STR("after") };

	end_unit(in, &after);
	push_series(in, (struct series){ .name = STR("before"),
	                                 .unit = after.unit,
	                                 .event = after.event });
	push_series(in, after);
	in->rows = &in->paired.rows;
}
