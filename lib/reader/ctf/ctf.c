#include "reader/ctf/ctf.h"

#include "reader/ctf/ctf_stream.h"
#include "reader/ctf/ctf_trace.h"

static int bid(struct str head)
{
	return ctf_trace_is_metadata(head) ? 64 : 0;
}

bool ctf_is_part(struct str head)
{
	return ctf_trace_is_metadata(head) || ctf_trace_is_stream(head);
}

size_t ctf_find(struct source *s)
{
	return ctf_trace_next(s, 0);
}

static void read_trace(struct ctf_streams *cs, size_t metadata)
{
	struct source *s = cs->in.source;

	if (!ctf_stream_begin_trace(cs, metadata))
		return;
	for (size_t i = 0; i < s->n; i++)
		if (ctf_trace_has(s, metadata, i))
			ctf_stream_read(cs, i);
}

static void read_traces(struct ctf_streams *cs)
{
	struct source *s = cs->in.source;

	if (ctf_stream_begin(cs) < 0)
		return;
	budget_begin_half(s->budget);
	for (size_t i = ctf_find(s); i != SIZE_MAX && !cs->stop;
	     i = ctf_trace_next(s, i + 1))
		read_trace(cs, i);
	budget_end_half(s->budget);
	ctf_stream_end(cs);
}

static struct reader *open_ctf(struct source *s, size_t member, struct arena *run,
                               struct diag *diag)
{
	static const struct event_names every = { .all = true };
	struct ctf_streams cs = { .in = { .source = s, .run = run }, .diag = diag };
	struct reader *r;

	if (ctf_intake_begin(&cs.in) == 0)
		read_traces(&cs);
	r = ctf_intake_open(&cs.in, s->members[member].name, diag);
	if (r)
		r->format->want_events(r, &every);
	return r;
}

/* open_ctf returns a reader of the nettrace format, so other functions are not needed. */
const struct format ctf_format = {
	.name = "CTF",
	.traits = { .sets = READ_SAMPLES, .rank = 6 },
	.bid = bid,
	.open = open_ctf,
};
