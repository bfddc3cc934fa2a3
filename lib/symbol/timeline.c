#include "symbol/timeline.h"

void timeline_rewind(struct timeline *t)
{
	if (t->reader)
		reader_rewind(t->reader);
	t->has_ahead = false;
}

void timeline_advance(struct timeline *t, struct processes *ps, const struct event *ev)
{
	/*
	 * perf prints only microseconds, so all events in the microsecond of the sample
	 * are applied.
	 */
	uint64_t until = ev->time_ns - ev->time_ns % 1000 + 999;

	if (!t->reader || !ev->has_time)
		return;
	for (;;) {
		if (!t->has_ahead) {
			int got = reader_next(t->reader, &t->ahead);

			if (got < 0)
				continue;
			if (!got)
				return;
			t->has_ahead = true;
		}
		if (t->ahead.has_time && t->ahead.time_ns > until)
			return;
		process_apply(ps, &t->ahead);
		if (t->ahead.kind == EV_SAMPLE && t->ahead.pid >= 0)
			process_note_thread(ps, t->ahead.pid, t->ahead.tid);
		t->has_ahead = false;
	}
}
