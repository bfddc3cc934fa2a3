/*
 * pfold - fold call stacks: one line for each distinct stack, with its weight.
 *
 *	profile -> stack/event (which samples) -> stack/fold -> writer/folded
 */
#include <stdio.h>

#include "cmd.h"
#include "stack/event.h"
#include "stack/fold.h"
#include "symbol/report/coverage.h"
#include "symbol/select.h"
#include "writer/folded.h"

enum { PID, TID, KERNEL, JIT, INLINE, ALL, ADDRS, SRCLINE, RAW_NAMES, COUNT, EVENT };

static const struct cmd_option options[] = {
	[PID] = { "pid", 0, NULL, "root frame is COMM-PID" },
	[TID] = { "tid", 0, NULL, "root frame is COMM-PID/TID" },
	[KERNEL] = { "kernel", 0, NULL, "mark kernel frames with _[k]" },
	[JIT] = { "jit", 0, NULL, "mark frames compiled at run time with _[j]" },
	[INLINE] = { "inline", 0, NULL, "mark inlined frames with _[i]" },
	[ALL] = { "all", 0, NULL, "all three marks" },
	[ADDRS] = { "addrs", 0, NULL, "show addresses of unknown frames" },
	[SRCLINE] = { "srcline", 0, NULL, "show lines of the source: main:app.c:17" },
	[RAW_NAMES] = { "raw-names", 0, NULL, "keep names whole" },
	[COUNT] = { "count", 0, "WHAT",
	            "weigh by \"period\" (the default) or \"samples\"" },
	[EVENT] = { "event", 0, "NAME",
	            "fold this event, or \"all\"; default: the first seen" },
	{ 0 },
};

struct pfold {
	struct cmd cmd;
	struct label_opts labels;
	enum label_ids ids;
	bool count_samples, lines;
	const char *event; /* NULL: the first */
};

/* What goes to one output: all inputs, or one of them. */
struct run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct events events;
	uint64_t samples, weightless, ignored, lost; /* samples: that were folded */
	uint64_t frames, unknown;
	struct str worst; /* modules with unnamed frames, and maps bound */
	size_t inputs;
	bool failed; /* an input could not be opened */
};

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct pfold *t = ctx;

	switch (option) {
	case PID:
		t->ids = t->ids == LABEL_TID ? LABEL_TID : LABEL_PID;
		break;
	case TID:
		t->ids = LABEL_TID;
		break;
	case KERNEL:
		t->labels.kernel = true;
		break;
	case JIT:
		t->labels.jit = true;
		break;
	case INLINE:
		t->labels.inlined = true;
		break;
	case ALL:
		t->labels.kernel = t->labels.jit = t->labels.inlined = true;
		break;
	case ADDRS:
		t->labels.addrs = true;
		break;
	case SRCLINE:
		t->lines = true;
		break;
	case RAW_NAMES:
		t->labels.raw = true;
		break;
	case COUNT:
		t->count_samples = strcmp(arg, "samples") == 0;
		if (!t->count_samples && strcmp(arg, "period") != 0)
			return diag_fatal(diag, "--count %s: neither samples nor period",
			                  arg);
		break;
	case EVENT:
		t->event = arg;
		break;
	}
	return 0;
}

static const struct cmd_tool tool = {
	.name = "pfold",
	.purpose = "fold call stacks: a;b;c WEIGHT",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.set = set,
};

static void begin_run(struct run *r, struct pfold *t)
{
	*r = (struct run){ .tool = t };
	fold_init(&r->fold, &r->arena, &t->labels, t->ids);
	events_init(&r->events, &r->arena, t->event);
}

/* Where a tracepoint was passed is no stack, and is not printed as one. */
static bool has_stack(const struct attr *attr)
{
	return !attr || !attr->sample_type || attr->has_callchain ||
	       !select_is_tracepoint(attr);
}

static void take_sample(struct run *r, const struct profile *p, const struct sample *s)
{
	const struct attr *attr = s->ev->attr;
	struct sample bare = *s;
	uint64_t weight = r->tool->count_samples ? 1 : s->ev->weight;

	if (!events_take(&r->events, attr ? attr->name : STR("")))
		return;
	if (!weight) {
		r->weightless++;
		return;
	}
	if (!has_stack(attr))
		bare.nframes = 0;
	stack_add(&r->fold.stacks, fold_sample(&r->fold, p, &bare), weight, 0);
	r->samples++;
}

static void take_line(struct run *r, const struct event *ev)
{
	if (!ev->weight && !ev->fraction) {
		r->weightless++;
		return;
	}
	stack_add(&r->fold.stacks, fold_line(&r->fold, ev->raw), ev->weight,
	          ev->fraction);
	r->samples++;
}

/* Neither blank nor a comment: a warning that got into the text, or damage. */
static bool is_stray(struct str line)
{
	line = str_trim(line);
	return line.n && line.p[0] != '#';
}

/* A nettrace tells threads that run from threads that wait: the first are meant. */
static void prefer_event(struct run *r, const struct profile *p)
{
	const struct attr *const *attrs;

	if (r->events.want || profile_format(p) != READ_NETTRACE ||
	    !reader_attrs(profile_reader(p), &attrs))
		return;
	r->events.want = arena_str(&r->arena, attrs[0]->name).p;
}

static void read_input(struct run *r, const char *input)
{
	struct profile_opts opts = cmd_profile_opts(&r->tool->cmd, input);
	const struct coverage *found;
	struct profile *p;
	struct sample s;

	opts.formats |= 1u << READ_FOLDED;
	opts.lines = r->tool->lines;
	p = profile_open(&opts);
	if (!p) {
		r->failed = r->tool->cmd.skipped = true;
		return;
	}
	prefer_event(r, p);
	fold_begin(&r->fold);
	while (profile_next(p, &s) > 0) {
		if (s.ev->kind == EV_SAMPLE)
			take_sample(r, p, &s);
		else if (s.ev->kind == EV_FOLDED)
			take_line(r, s.ev);
		else if (s.ev->kind == EV_LOST)
			r->lost += s.ev->weight;
		else if (s.ev->kind == EV_TEXT)
			r->ignored += is_stray(s.ev->raw);
	}
	found = profile_coverage(p);
	r->frames += found->frames;
	r->unknown += found->unknown;
	cmd_report(&r->tool->cmd, p, input, false);
	/* Of several inputs only the sums are said. */
	r->worst = r->inputs++ ? (struct str){ 0 } : profile_worst(p, &r->arena);
	profile_close(p);
}

/* ", 3 lines ignored" when there are any. */
static struct str also(struct arena *a, uint64_t n, const char *one, const char *many)
{
	if (!n)
		return (struct str){ "", 0 };
	return arena_fmt(a, ", %llu %s", (unsigned long long)n, n == 1 ? one : many);
}

static void say_what_was_done(struct run *r, size_t lines)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str left_out = events_list_left_out(&r->events, &r->scratch);
	struct str unnamed = { "", 0 }, more[3];
	const char *ends[] = { r->samples == 1 ? "" : "s", lines == 1 ? "" : "s" };

	if (left_out.n)
		diag_note(diag, "other events left out (--event): " PRSTR,
		          STRARG(left_out));
	if (r->frames)
		unnamed = arena_fmt(&r->scratch, ", %.1f %% of %llu frames unnamed",
		                    100.0 * (double)r->unknown / (double)r->frames,
		                    (unsigned long long)r->frames);
	more[0] = also(&r->scratch, r->weightless, "of weight 0 dropped",
	               "of weight 0 dropped");
	more[1] = also(&r->scratch, r->lost, "record lost while recording",
	               "records lost while recording");
	more[2] = also(&r->scratch, r->ignored, "line ignored", "lines ignored");
	diag_note(diag, "%llu sample%s in %zu stack%s" PRSTR PRSTR PRSTR PRSTR PRSTR,
	          (unsigned long long)r->samples, ends[0], lines, ends[1],
	          STRARG(unnamed), STRARG(more[0]), STRARG(more[1]), STRARG(more[2]),
	          STRARG(r->worst));
}

/* Why there is nothing to write. */
static void say_nothing(struct run *r, const char *input)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str other = events_list_left_out(&r->events, &r->scratch);
	const char *name = input ? input : "standard input";

	if (other.n)
		diag_fatal(diag, "%s: no samples of event %s; there are: " PRSTR, name,
		           r->events.want, STRARG(other));
	else
		diag_fatal(diag, "%s: no samples%s", name,
		           r->weightless ? " that weigh anything" : "");
}

/*
 * Writes and releases what was read; input is for its name.  1: it was written.
 * 0: there is nothing to write, reported.  -1: it cannot be written, reported.
 */
static int end_run(struct run *r, const char *input)
{
	struct cmd *c = &r->tool->cmd;
	struct out o;
	size_t lines;
	int ret = -1;

	if (!r->samples) {
		if (!r->failed)
			say_nothing(r, input);
		c->skipped = true;
		ret = 0;
	} else if (cmd_open_output(c, &o, input, "folded") == 0) {
		lines = folded_write(&o, &r->fold.stacks, &r->fold.names, &r->scratch);
		if (cmd_close_output(c, &o) == 0) {
			say_what_was_done(r, lines);
			ret = 1;
		}
	}
	fold_end(&r->fold);
	arena_release(&r->arena);
	arena_release(&r->scratch);
	return ret;
}

int main(int argc, char **argv)
{
	struct pfold t = { 0 };
	struct cmd *c = &t.cmd;
	bool written = false;
	struct run r;
	int status, got = 0;

	if (!cmd_start(c, &tool, &t, argc, argv, &status))
		return status;
	for (size_t i = 0; i < c->ninputs && got >= 0; i++) {
		if (!i || cmd_mirrors(c))
			begin_run(&r, &t);
		read_input(&r, c->inputs[i]);
		if (i + 1 < c->ninputs && !cmd_mirrors(c))
			continue;
		got = end_run(&r, c->inputs[i]);
		written |= got > 0;
	}
	return cmd_end(c, written && got >= 0);
}
