/*
 * Only the profile's own frames can prove which map, image or text belongs to which process.
 * Therefore the profile is read in passes before the first frame is named.  On a pipe, a pass
 * ends at a limit, because the bytes stay in memory.  A pass applies the mappings and calls its
 * observers for each event.  At the end, each observer draws its conclusion.
 *
 * 	perf.data       one pass: notes frames for the binder, and compares recorded texts
 * 	locations       the same pass
 * 	text	    choose_timeline: finds a perf.data of the same capture, whose mappings
 * 			contain the frames of the text.
 * 			learn_form: reads the first samples, to find whether addresses are file
 * 			offsets.  Only then can the mapping of a frame be found.
 * 			Then one pass as for perf.data
 */
#include "symbol/prescan.h"

#include "bind/sampled.h"
#include "image/host_origin.h"
#include "reader/perftext/perfscript.h"
#include "reader/sliced.h"
#include "symbol/located.h"
#include "symbol/same_capture.h"

enum {
	/* a pass over a pipe ends after this number of distinct unnamed addresses */
	PIPE_ADDRESSES = 1000,
	PIPE_BYTES = 64 << 20, /* maximum number of bytes of a pass over a pipe */
	/* samples that are read to find whether a text prints file offsets */
	FORM_SAMPLES = 4096,
	/* limit in bytes for reading FORM_SAMPLES samples if the text is a pipe */
	FORM_BYTES = 16 << 20,
	/* maximum number of recorded texts that are compared with the profile */
	RECORDED_TEXTS = 256,
	OBSERVERS = 3,
	SEEN_BITS = 14,    /* frame_notes.seen has 1 << SEEN_BITS slots */
	NEEDS = 256,       /* elements of frame_notes.need */
	NEED_SAMPLES = 16, /* samples before bind_needs is called */
};

/* The common first member of all observers. */
struct observer {
	/* Observes an event.  Returns false to end the pass. */
	bool (*observe)(struct observer *o, struct event *ev);
	void (*conclude)(struct observer *o);
	struct profile *p;
};

struct pass {
	struct observer *observer[OBSERVERS];
	size_t n;
	struct skimming skimming;
};

static void join(struct pass *pass, struct observer *o)
{
	pass->observer[pass->n++] = o;
}

static bool is_text(const struct reader *r)
{
	return !reader_traits(r)->has_ips;
}

static void conclude(const struct pass *pass)
{
	for (size_t i = 0; i < pass->n; i++)
		pass->observer[i]->conclude(pass->observer[i]);
}

/* Reads events until the end, or until an observer ends the pass. */
static void observe(struct profile *p, struct reader *r, const struct pass *pass)
{
	struct processes *ps = p->session.ps;
	struct event ev;
	bool more = true;
	int got;

	while (more && (got = reader_next(r, &ev)) != 0) {
		if (got < 0)
			continue;
		process_apply(ps, &ev);
		if (ev.kind == EV_SAMPLE && is_text(r))
			timeline_advance(&p->timeline, ps, &ev);
		else if (ev.kind == EV_SAMPLE && ev.pid >= 0)
			process_note_thread(ps, ev.pid, ev.tid);
		for (size_t i = 0; i < pass->n; i++)
			more &= pass->observer[i]->observe(pass->observer[i], &ev);
	}
}

static void watch(struct profile *p, struct reader *r, const struct pass *pass)
{
	observe(p, r, pass);
	conclude(pass);
}

/* Restores the state before the first event.  Saved mappings apply from the first event on. */
static void restart(struct profile *p)
{
	struct session *s = &p->session;

	s->ps = process_again(s->ps);
	if (is_text(p->inputs.reader) && !p->timeline.reader)
		inputs_apply_saved_maps(&p->inputs);
	timeline_rewind(&p->timeline);
}

/*
 * Calls the observers of the pass for each event of the profile.  An observer may end the pass
 * early.  If part.least is set, the pass also notes slices.
 */
static void watch_profile(struct profile *p, const struct pass *pass)
{
	struct reader *r = p->inputs.reader;
	bool slices = p->part.least && sliced_begin(r, p->part.least, false);

	reader_hold(r);
	reader_skim(r, &pass->skimming);
	watch(p, r, pass);
	reader_skim(r, NULL);
	p->part.noted = slices && !budget_is_spent(p->session.opts.budget);
	reader_rewind(r);
	restart(p);
}

bool prescan_skip(struct profile *p, uint64_t least)
{
	struct budget *budget = p->session.opts.budget;
	bool skipped;

	if (!sliced_begin(p->inputs.reader, least, true))
		return false;
	budget_begin_half(budget);
	observe(p, p->inputs.reader, &(struct pass){ 0 });
	skipped = !budget_is_spent(budget) && sliced_count(p->inputs.reader) > 1;
	budget_end_half(budget);
	p->part.last = p->session.ps;
	reader_rewind(p->inputs.reader);
	restart(p);
	return skipped;
}

/*
 * Returns true if a pass over a pipe must end, because `most` bytes are kept in memory for the
 * next pass.
 */
static bool pipe_holds(const struct reader *r, uint64_t most)
{
	uint64_t done, total;

	if (reader_held(r) < most)
		return false;
	reader_progress(r, &done, &total);
	return !total;
}

/* Passes frames to the binder, which uses them to choose files. */
struct frame_notes {
	struct observer observer;
	struct arena scratch;
	struct recent seen; /* frames that were noted recently, to skip them */
	/* the last call chains, to skip the frames that they share with the next chain */
	struct recent_chains chains;
	struct prescan_times times;
	/*
	 * The addresses that the binder needs, by process_state.  bind_needs may open files, so
	 * all addresses are needed in the first samples.
	 */
	struct need {
		uint64_t state;
		unsigned samples;
		struct needed needed;
	} need[NEEDS];
};

static bool noted_enough(const struct profile *p)
{
	uint64_t most =
	        bind_sampled(p->session.binder)->njit < PIPE_ADDRESSES ? PIPE_BYTES : 0;

	return pipe_holds(p->inputs.reader, most);
}

/*
 * Passes a user frame to the binder, unless the same frame was passed recently.  Kernel frames
 * are not evidence.
 */
static void note_frame(struct frame_notes *notes, const struct recent_state *state,
                       int32_t pid, const struct frame *f)
{
	struct session *s = &notes->observer.p->session;
	uint64_t who = recent_who(state, f);

	if (recent_find(&notes->seen, who, f->ip))
		return;
	recent_keep(&notes->seen, who, f->ip, (struct placed){ 0 });
	bind_note(s->binder, process_find(s->ps, pid, f->ip, f->cpumode), pid, f->ip,
	          f->caller && !s->opts.compat, false);
}

static void note_time(struct frame_notes *notes, uint64_t ns)
{
	struct prescan_times *t = &notes->times;

	if (!t->last_ns || ns < t->first_ns)
		t->first_ns = ns;
	if (ns > t->last_ns)
		t->last_ns = ns;
}

/* Returns the addresses that the binder needs from a sample, and notes the time of the sample. */
static const struct needed *needs_of(void *data, const struct event *ev)
{
	struct frame_notes *notes = data;
	const struct session *s = &notes->observer.p->session;
	uint64_t state = process_state(s->ps, ev->pid);
	struct need *need = &notes->need[state % NEEDS];

	if (ev->has_time)
		note_time(notes, ev->time_ns);
	if (need->state != state)
		*need = (struct need){ .state = state, .needed.all = true };
	if (need->samples++ == NEED_SAMPLES)
		bind_needs(s->binder, s->ps, ev->pid, &need->needed);
	return &need->needed;
}

static bool note_frames(struct observer *o, struct event *ev)
{
	struct frame_notes *notes = (struct frame_notes *)o;
	struct recent_state state;
	struct recent_link *link;
	size_t same;

	if (ev->kind != EV_SAMPLE)
		return true;
	if (ev->has_time)
		note_time(notes, ev->time_ns);
	if (reader_traits(o->p->inputs.reader)->has_locations) {
		located_note(o->p, ev);
		return true;
	}
	state = recent_state(o->p->session.ps, ev->pid);
	link = recent_chain(&notes->chains, &state, ev, &same);
	for (size_t i = 0; i < ev->nframes - same; i++) {
		const struct frame *f = &ev->frames[i];

		link[ev->nframes - 1 - i] =
		        (struct recent_link){ .ip = f->ip, .bits = recent_bits(f) };
		if (!process_is_kernel(f->cpumode))
			note_frame(notes, &state, ev->pid, f);
	}
	return !noted_enough(o->p);
}

static bool note_lines(struct observer *o, struct event *ev)
{
	if (ev->kind != EV_SAMPLE)
		return true;
	textline_note(&o->p->text, ev);
	return !noted_enough(o->p);
}

/*
 * Checks whether the profile was recorded on this machine.  All events of a recording have the
 * same clock, so the first attribute is sufficient.
 */
static void learn_origin(const struct frame_notes *notes)
{
	struct profile *p = notes->observer.p;
	struct reader *r = p->inputs.reader;
	const struct attr *const *attr;
	int32_t clockid = reader_attrs(r, &attr) ? attr[0]->clockid : -1;

	host_origin_learn(&p->session.locator, reader_capture(r), p->session.ps,
	                  p->inputs.source, clockid, notes->times.first_ns,
	                  notes->times.last_ns);
}

static void bind_noted_frames(struct observer *o)
{
	struct frame_notes *notes = (struct frame_notes *)o;
	struct session *s = &o->p->session;

	if (is_text(o->p->inputs.reader))
		textline_report_unplaced(&o->p->text);
	if (o->p->inputs.may_be_here)
		learn_origin(notes);
	bind_decide(s->binder, s->ps, s->opts.scan);
	arena_release(&notes->scratch);
}

/*
 * Checks the clock of the profile.  Jitdumps use CLOCK_MONOTONIC, but perf uses this clock only
 * on request.
 */
struct clock_check {
	struct observer observer;
	bool monotonic; /* the header of a text specifies CLOCK_MONOTONIC */
};

/* Returns true for a line "# event : name = cycles, ..., use_clockid = 1, ..., clockid = 1". */
static bool is_monotonic(struct str line)
{
	struct str says = STR(", clockid = 1"), rest;

	if (!str_starts(line, STR("# event : ")))
		return false;
	rest = str_from(line, str_search(line, says) + says.n);
	return str_has(line, says) && (!rest.n || !str_is_digit(*rest.p));
}

static bool note_clock(struct observer *o, struct event *ev)
{
	struct clock_check *clock = (struct clock_check *)o;

	if (ev->kind == EV_TEXT && is_monotonic(ev->raw))
		clock->monotonic = true;
	return true;
}

static void compare_clocks(struct observer *o)
{
	struct profile *p = o->p;
	const struct attr *const *attr;
	struct reader *r = p->timeline.reader ? p->timeline.reader : p->inputs.reader;
	size_t n = reader_attrs(r, &attr), same = 0;

	for (size_t i = 0; i < n; i++)
		same += attr[i]->monotonic;
	if ((n && same == n) || ((struct clock_check *)o)->monotonic)
		bind_clock_agrees(p->session.binder);
}

/*
 * Compares the first samples of a text with a perf.data, to find whether they are from the same
 * capture.
 */
struct capture_check {
	struct observer observer;
	struct same_capture same;
	struct item *item;
	bool tried;            /* true after the first attempt to open the text */
	struct reader *reader; /* NULL if the text is not open */
};

static bool compare_samples(struct observer *o, struct event *ev)
{
	struct capture_check *c = (struct capture_check *)o;

	if (ev->kind != EV_SAMPLE)
		return true;
	same_capture_check(&c->same, ev, o->p->session.ps);
	return c->same.found || !same_capture_is_behind(&c->same, ev);
}

/* One of the first samples of a text. */
struct text_start {
	uint32_t text;
	/* index + 1 of a sample with the same thread and time in another text, or 0 */
	uint32_t next;
};

/*
 * A text is opened only when the profile has a sample with the thread and time of one of the
 * text's first samples.  Texts of other captures are therefore rarely read.
 */
struct texts {
	struct observer observer;
	struct arena scratch;
	struct capture_check **text;
	size_t n, cap;
	struct text_start *start;
	size_t nstarts, starts_cap;
	/*
	 * (tid, microseconds) -> index + 1 of the last element of `start` with this tid
	 * and time
	 */
	struct table starts;
	struct capture_check *opened[RECORDED_TEXTS];
	size_t nopened;
	/* number of unused texts that the command line does not name */
	size_t others;
};

/* Reports that a text is not used.  All texts of a directory share one line. */
static void pass_over_text(struct texts *texts, const struct capture_check *c)
{
	struct diag *diag = texts->observer.p->session.diag;
	const char *why = !c->tried || c->same.n ? "text of another capture, not used"
	                  : c->reader ? "text without a sample to compare, not used"
	                              : "text was not compared, not used";

	if (locate_is_named(c->item) || !texts->others++)
		diag_note(diag, PRSTR ": %s", STRARG(c->item->name), why);
	else
		diag_detail(diag, PRSTR ": %s", STRARG(c->item->name), why);
}

/* Reads the names in a text if the text is from the same capture. */
static void read_text(struct texts *texts, struct capture_check *c)
{
	struct profile *p = texts->observer.p;
	enum address_form form = same_capture_form(&c->same);
	struct recorded *rec = &p->frames.recorded;
	size_t known = rec->n;

	if (form == FORM_UNSURE) {
		pass_over_text(texts, c);
		return;
	}
	recorded_read(rec, c->reader, form, p->session.ps);
	diag_note(p->session.diag,
	          PRSTR ": recorded with this profile, names %zu addresses",
	          STRARG(c->item->name), rec->n - known);
}

static void read_texts(struct observer *o)
{
	struct texts *texts = (struct texts *)o;

	/*
	 * If the profile is a text, the other texts were compared with a perf.data and not with
	 * the profile.  They are used only if this perf.data was chosen as the timeline.
	 */
	if (is_text(o->p->inputs.reader) && !o->p->timeline.reader)
		return;
	for (size_t i = 0; i < texts->n; i++)
		read_text(texts, texts->text[i]);
}

static void open_text(struct texts *texts, struct capture_check *c)
{
	struct profile *p = texts->observer.p;

	if (c->tried)
		return;
	c->tried = true;
	if (texts->nopened < RECORDED_TEXTS)
		c->reader = inputs_read(&p->inputs, c->item);
	if (!c->reader)
		return;
	same_capture_init(&c->same, &texts->scratch, &p->session.names);
	reader_hold(c->reader);
	same_capture_learn(&c->same, c->reader);
	reader_rewind(c->reader);
	texts->opened[texts->nopened++] = c;
}

static bool compare_texts(struct observer *o, struct event *ev)
{
	struct texts *texts = (struct texts *)o;
	uint32_t i;

	if (ev->kind != EV_SAMPLE || !ev->has_time)
		return true;
	i = table_get(&texts->starts, (uint32_t)ev->tid, ev->time_ns / 1000);
	for (; i; i = texts->start[i - 1].next)
		open_text(texts, texts->text[texts->start[i - 1].text]);
	for (size_t k = 0; k < texts->nopened; k++)
		same_capture_check(&texts->opened[k]->same, ev, o->p->session.ps);
	return true;
}

/* Stores the first samples of a text.  Returns false if no sample has a time. */
static bool note_starts(struct texts *texts, uint32_t text, struct str head)
{
	size_t known = texts->nstarts;
	uint64_t time_ns;
	int32_t tid;
	uint32_t *at;

	while (perfscript_next_start(&head, &tid, &time_ns)) {
		arena_fit(&texts->scratch, texts->start, texts->nstarts + 1,
		          texts->starts_cap);
		at = table_at(&texts->starts, &texts->scratch, (uint32_t)tid,
		              time_ns / 1000);
		texts->start[texts->nstarts++] = (struct text_start){ text, *at };
		*at = (uint32_t)texts->nstarts;
	}
	return texts->nstarts > known;
}

static void find_texts(struct profile *p, struct texts *texts)
{
	struct locator *l = &p->session.locator;

	*texts = (struct texts){ .observer = { compare_texts, read_texts, p } };
	for (size_t i = 0; i < l->n; i++) {
		struct capture_check *c;
		struct item *it = &l->item[i];

		if (it->kind != ITEM_TEXT)
			continue;
		c = arena_new(&texts->scratch, struct capture_check, 1);
		c->item = it;
		arena_fit(&texts->scratch, texts->text, texts->n + 1, texts->cap);
		texts->text[texts->n] = c;
		if (!note_starts(texts, (uint32_t)texts->n++,
		                 source_head(it->source, it->member)))
			open_text(texts, c);
	}
}

static void join_texts(struct pass *pass, struct texts *texts)
{
	for (size_t i = 0; i < texts->nopened; i++)
		same_capture_reset(&texts->opened[i]->same);
	join(pass, &texts->observer);
}

static void close_texts(const struct profile *p, struct texts *texts)
{
	if (texts->others > 1)
		diag_note(p->session.diag, "%zu more texts of other captures, not used",
		          texts->others - 1);
	for (size_t i = 0; i < texts->nopened; i++)
		reader_close(texts->opened[i]->reader);
	arena_release(&texts->scratch);
}

/*
 * Returns true if an input file may belong to a process or mapping, and only frames can prove it.
 */
static bool needs_proof(const struct profile *p)
{
	const struct locator *l = &p->session.locator;

	if (p->inputs.may_be_here ||
	    (reader_traits(p->inputs.reader)->has_locations && p->session.can_name))
		return true;
	for (size_t i = 0; i < l->n; i++)
		if ((l->item[i].kind == ITEM_ELF && locate_is_named(&l->item[i])) ||
		    l->item[i].kind == ITEM_PERFMAP || l->item[i].kind == ITEM_JITDUMP ||
		    l->item[i].kind == ITEM_PE || l->item[i].program)
			return true;
	return p->session.opts.scan;
}

/* The pass over a profile that is not a text. */
struct learning {
	struct frame_notes notes;
	struct clock_check clock;
	struct texts texts;
	struct pass pass;
};

/* Prepares the pass over the profile.  Returns NULL if no pass is needed. */
static struct learning *begin_learning(struct profile *p)
{
	struct learning *l = p->learning;

	if (l)
		return l;
	if (!needs_proof(p) && !inputs_have(&p->inputs, ITEM_TEXT))
		return NULL;
	p->learning = l = arena_new(&p->session.run, struct learning, 1);
	l->notes.observer = (struct observer){ note_frames, bind_noted_frames, p };
	l->clock.observer = (struct observer){ note_clock, compare_clocks, p };
	l->notes.chains.arena = &l->notes.scratch;
	recent_init(&l->notes.seen, &l->notes.scratch, sizeof(struct recent_frame),
	            SEEN_BITS);
	find_texts(p, &l->texts);
	l->pass.skimming = (struct skimming){ l->texts.n ? NULL : needs_of, &l->notes };
	join_texts(&l->pass, &l->texts);
	join(&l->pass, &l->clock.observer);
	join(&l->pass, &l->notes.observer);
	return l;
}

static void learn_perfdata(struct profile *p)
{
	struct learning *l = begin_learning(p);

	if (!l)
		return;
	if (!p->part.noted) {
		watch_profile(p, &l->pass);
	} else {
		p->session.ps = p->part.last;
		conclude(&l->pass);
		reader_rewind(p->inputs.reader);
		restart(p);
	}
	close_texts(p, &l->texts);
	p->learning = NULL;
}

/* Binds the files that options assign to processes, before the first pass that notes frames. */
static void bind_given(struct profile *p)
{
	if (!p->part.given)
		inputs_bind_given(&p->inputs);
	p->part.given = true;
}

bool prescan_divides(struct profile *p)
{
	bind_given(p);
	return begin_learning(p) && !p->learning->texts.n;
}

void prescan_part(struct profile *p)
{
	reader_skim(p->inputs.reader, &p->learning->pass.skimming);
	observe(p, p->inputs.reader, &p->learning->pass);
	reader_skim(p->inputs.reader, NULL);
}

const struct prescan_times *prescan_times(const struct profile *p)
{
	return &p->learning->notes.times;
}

void prescan_add_times(struct profile *p, const struct prescan_times *times)
{
	if (!times->last_ns)
		return;
	note_time(&p->learning->notes, times->first_ns);
	note_time(&p->learning->notes, times->last_ns);
}

/*
 * If the compared perf.data is from the same capture as the text, uses this perf.data as the
 * timeline.
 */
static void take_timeline(struct observer *o)
{
	struct capture_check *c = (struct capture_check *)o;
	struct diag *diag = o->p->session.diag;

	if (same_capture_form(&c->same) != FORM_UNSURE) {
		diag_note(diag, PRSTR ": recorded with this text, used for its mappings",
		          STRARG(c->item->name));
		o->p->timeline.reader = c->reader;
	} else {
		diag_note(diag, PRSTR ": of another capture than this text, not used",
		          STRARG(c->item->name));
	}
}

/*
 * Chooses the first input file that is a perf.data of the same capture as the text.  The same pass
 * compares the recorded texts with the perf.data.
 */
static void choose_timeline(struct profile *p)
{
	struct session *s = &p->session;
	struct capture_check own = { .observer = { compare_samples, take_timeline, p } };
	arena_scope(scratch);
	struct texts texts;

	if (!inputs_have(&p->inputs, ITEM_PERFDATA))
		return;
	same_capture_init(&own.same, &scratch, &s->names);
	reader_hold(p->inputs.reader);
	same_capture_learn(&own.same, p->inputs.reader);
	reader_rewind(p->inputs.reader);
	find_texts(p, &texts);
	for (size_t i = 0; i < s->locator.n && !p->timeline.reader; i++) {
		struct pass pass = { .observer = { &own.observer }, .n = 1 };

		own.item = &s->locator.item[i];
		if (own.item->kind != ITEM_PERFDATA ||
		    !(own.reader = inputs_read(&p->inputs, own.item)))
			continue;
		same_capture_reset(&own.same);
		join_texts(&pass, &texts);
		s->ps = process_new(&s->run, &s->names);
		watch(p, own.reader, &pass);
		if (!p->timeline.reader)
			reader_close(own.reader);
	}
	close_texts(p, &texts);
}

/* Finds the form of addresses from the first samples of a text. */
struct form_check {
	struct observer observer;
	struct form_votes votes;
	size_t samples;
};

static bool vote_for_form(struct observer *o, struct event *ev)
{
	struct form_check *form = (struct form_check *)o;

	address_form_vote(&form->votes, &o->p->text.place, ev);
	if (ev->kind != EV_SAMPLE)
		return true;
	return ++form->samples < FORM_SAMPLES &&
	       !pipe_holds(o->p->inputs.reader, FORM_BYTES);
}

static void settle_form(struct observer *o)
{
	struct form_check *form = (struct form_check *)o;

	address_form_conclude(&form->votes, &o->p->text.place);
}

static void learn_form(struct profile *p)
{
	struct form_check form = { .observer = { vote_for_form, settle_form, p } };
	struct pass pass = { .observer = { &form.observer }, .n = 1 };

	watch_profile(p, &pass);
}

static void learn_text(struct profile *p)
{
	struct frame_notes notes = { .observer = { note_lines, bind_noted_frames, p } };
	struct clock_check clock = { .observer = { note_clock, compare_clocks, p } };
	struct pass pass = { .observer = { &clock.observer, &notes.observer }, .n = 2 };

	choose_timeline(p);
	restart(p);
	if (p->session.can_name && reader_traits(p->inputs.reader)->is_text)
		learn_form(p);
	if (needs_proof(p) ||
	    (p->text.place.form == FORM_OFFSET && inputs_have(&p->inputs, ITEM_ELF)))
		watch_profile(p, &pass);
}

void prescan_run(struct profile *p)
{
	struct session *s = &p->session;

	bind_given(p);
	if (s->opts.no_input) {
		inputs_apply_saved_maps(&p->inputs);
		bind_decide(s->binder, s->ps, true);
	} else if (!is_text(p->inputs.reader)) {
		learn_perfdata(p);
	} else if (!reader_traits(p->inputs.reader)->is_folded) {
		learn_text(p);
	}
}
