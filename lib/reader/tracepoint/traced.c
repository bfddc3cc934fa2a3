#include "reader/tracepoint/traced.h"

#include "base/guard.h"

/* Arguments and result of a call into libtraceevent. */
struct call {
	struct tracing *t;
	const struct event *ev;
	struct out *out;  /* output for the text */
	struct str field; /* name of the field to read */
	int64_t number;
	bool done;
};

static void run(struct traced *f, void (*work)(void *ctx), void *ctx)
{
	const struct guard g = { .library = "libtraceevent",
		                 .file = f->file,
		                 .diag = f->diag,
		                 .memory = true };

	if (guard_run(&g, work, ctx) != GUARD_CRASHED)
		return;
	f->t = NULL;
	f->lost = true;
}

static void call_open(void *ctx)
{
	struct traced *f = ctx;

	f->t = tracing_open(f->blob, f->run);
	if (f->t && f->names)
		tracing_names(f->t, f->names);
}

struct tracing *traced_open(struct traced *f)
{
	if (!f->t && !f->lost)
		run(f, call_open, f);
	return f->t;
}

void traced_set_names(struct traced *f, const struct trace_names *names)
{
	f->names = names;
	if (f->t)
		tracing_names(f->t, names);
}

static void call_reads(void *ctx)
{
	struct call *c = ctx;

	c->done = tracing_reads(c->t, c->ev->attr->config);
}

static void call_text(void *ctx)
{
	struct call *c = ctx;

	c->done = tracing_text(c->t, c->ev->attr->config, c->ev->cpu, c->ev->payload,
	                       c->out);
}

static void call_number(void *ctx)
{
	struct call *c = ctx;

	c->done = tracing_number(c->t, c->ev->attr->config, c->ev->payload, c->field,
	                         &c->number);
}

/* Runs work(c).  Returns true if work has set c->done, and the library did not crash. */
static bool run_call(struct traced *f, void (*work)(void *ctx), struct call *c)
{
	c->t = traced_open(f);
	if (c->t)
		run(f, work, c);
	return c->done && !f->lost;
}

bool traced_reads(struct traced *f, const struct event *ev)
{
	return run_call(f, call_reads, &(struct call){ .ev = ev });
}

bool traced_text(struct traced *f, const struct event *ev, struct out *out)
{
	return run_call(f, call_text, &(struct call){ .ev = ev, .out = out });
}

bool traced_number(struct traced *f, const struct event *ev, struct str field,
                   int64_t *out)
{
	struct call c = { .ev = ev, .field = field };
	bool done = run_call(f, call_number, &c);

	if (done)
		*out = c.number;
	return done;
}
