#include "measure/measure_part.h"

#include "measure/samples.h"

/*
 * Intervals, marks, and the numbers of sites and slices depend on earlier events.  A worker
 * reads only a part of the events, so it cannot compute them.
 */
bool measure_part_divides(const struct measure_run *r)
{
	const struct fold *f = r->fold;

	return r->input.by == &samples_measure && !r->opts->field.field.n && !r->marks &&
	       !r->selects && !f->sites && !f->slices && !f->opts.rules;
}

void measure_part_begin(struct measure_run *r)
{
	r->counts = (struct measure_counts){ 0 };
	events_clear_counts(&r->events);
}

static void send_events(struct events *e, struct out *to)
{
	for (size_t i = 0; i < e->names.n && i < e->cap; i++) {
		const struct event_seen *seen = &e->seen[i];

		if (!seen->known)
			continue;
		parcel_number(to, 1);
		parcel_text(to, intern_str(&e->names, (str_id)i));
		parcel_number(to, seen->taken);
		parcel_number(to, seen->left_out);
	}
	parcel_number(to, 0);
	events_clear_counts(e);
}

void measure_part_send(struct measure_run *r, struct out *to)
{
	const struct extent *extent = &r->input.extent;

	parcel_object(to, &r->counts, sizeof(r->counts));
	parcel_object(to, extent, sizeof(*extent));
	parcel_number(to, *samples_periods(r->input.state));
	send_events(&r->events, to);
	r->counts = (struct measure_counts){ 0 };
}

static void add_counts(struct measure_counts *to, const struct measure_counts *from)
{
	to->samples += from->samples;
	to->dropped += from->dropped;
	to->weightless += from->weightless;
	to->negative += from->negative;
	to->untimed += from->untimed;
	to->ignored += from->ignored;
	to->bare += from->bare;
	to->lost += from->lost;
	to->lost_samples += from->lost_samples;
}

void measure_part_take(struct measure_run *r, struct cursor *from)
{
	struct measure_counts counts = { 0 };
	struct extent extent = { 0 };

	parcel_take_object(from, &counts, sizeof(counts));
	add_counts(&r->counts, &counts);
	parcel_take_object(from, &extent, sizeof(extent));
	extent_join(&r->input.extent, &extent);
	*samples_periods(r->input.state) |= cur_u64(from) != 0;
	while (cur_u64(from)) {
		struct str name = parcel_take_text(from);
		uint64_t taken = cur_u64(from);

		events_add(&r->events, name, taken, cur_u64(from));
	}
}
