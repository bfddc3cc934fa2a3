/*
 * What belongs to what.  Bound is only what the profile itself proves, so it is looked
 * through once before the first name is given; a pipe only as far as its window reaches.
 */
#include <ctype.h>

#include "symbol/same_capture.h"
#include "symbol/session.h"
#include "symbol/text/textline.h"
#include "symbol/text/textplace.h"

enum {
	PIPE_ADDRESSES = 1000, /* distinct unnamed ones end the wait on a pipe, */
	PIPE_BYTES = 64 << 20, /* and so do these */
	WITNESSES = 256,       /* texts that are asked */
};

/* A recorded text and what it takes to show that it belongs here. */
struct witness {
	struct item *item;
	struct reader *reader;
	struct same_capture agree;
};

struct witnesses {
	struct arena scratch;
	struct witness *w;
	size_t n;
};

static void call_witnesses(struct profile *p, struct witnesses *ws)
{
	ws->w = arena_new(&ws->scratch, struct witness, WITNESSES);
	for (size_t i = 0; i < p->locator.n && ws->n < WITNESSES; i++) {
		struct witness *w = &ws->w[ws->n];

		if (p->locator.item[i].kind != ITEM_TEXT)
			continue;
		w->item = &p->locator.item[i];
		w->reader = profile_open_item(p, w->item);
		if (!w->reader)
			continue;
		same_capture_init(&w->agree, &ws->scratch, &p->names);
		reader_hold(w->reader);
		same_capture_learn(&w->agree, w->reader);
		reader_rewind(w->reader);
		ws->n++;
	}
}

/* Those that agree say what they know. */
static void hear_witnesses(struct profile *p, struct witnesses *ws)
{
	for (size_t i = 0; i < ws->n; i++) {
		struct witness *w = &ws->w[i];
		enum address_form form = same_capture_form(&w->agree);

		if (form != FORM_UNSURE) {
			size_t known = p->recorded.n;

			recorded_read(&p->recorded, w->reader, form, p->ps);
			diag_note(p->diag,
			          PRSTR ": recorded with this profile, names %zu places",
			          STRARG(w->item->name), p->recorded.n - known);
		} else if (w->agree.n) {
			diag_note(p->diag, PRSTR ": text of another capture, not used",
			          STRARG(w->item->name));
		}
		reader_close(w->reader);
	}
	arena_release(&ws->scratch);
}

/* seen: callers that were noted, of which another time says nothing new. */
static void note_frames(struct profile *p, struct chains *seen, const struct event *ev)
{
	size_t n = ev->nframes;
	uint64_t state;

	if (n > 1 && ev->callers.n && chain_pay(seen)) {
		state = process_state(p->ps, ev->pid);
		if (chain_find_callers(seen, ev, state)) {
			n = 1;
		} else {
			chain_mark(seen);
			n -= chain_shared(seen, ev, state);
		}
	}
	for (size_t i = 0; i < n; i++) {
		const struct frame *f = &ev->frames[i];
		const struct mapping *m = process_find(p->ps, ev->pid, f->ip, f->cpumode);

		bind_note(p->binder, m, ev->pid, f->ip, f->caller && !p->opts.compat,
		          false);
	}
}

/* Of a pipe only so much is kept to go back to. */
static bool seen_enough(const struct profile *p)
{
	uint64_t done, total;

	if (bind_noted(p->binder) < PIPE_ADDRESSES && reader_held(p->reader) < PIPE_BYTES)
		return false;
	reader_progress(p->reader, &done, &total);
	return !total;
}

/*
 * Through a whole perf.data: who mapped what, and which texts agree with it (and
 * own, the text that is the profile; both may be NULL).  note: its frames are
 * the profile's.
 */
static void scan_perfdata(struct profile *p, struct reader *r, struct witnesses *ws,
                          struct same_capture *own, bool note)
{
	struct arena scratch = { 0 };
	struct chains seen;
	struct event ev;
	int got;

	chain_init(&seen, &scratch);
	while ((got = reader_next(r, &ev)) != 0) {
		if (got < 0)
			continue;
		process_apply(p->ps, &ev);
		if (ev.kind != EV_SAMPLE)
			continue;
		if (ev.pid >= 0)
			process_seen(p->ps, ev.pid, ev.tid);
		for (size_t i = 0; ws && i < ws->n; i++)
			same_capture_check(&ws->w[i].agree, &ev, p->ps);
		if (own)
			same_capture_check(own, &ev, p->ps);
		if (!note)
			continue;
		note_frames(p, &seen, &ev);
		if (seen_enough(p))
			break;
	}
	arena_release(&scratch);
}

/* Is there anything whose belonging the frames must show? */
static bool needs_proof(const struct profile *p)
{
	for (size_t i = 0; i < p->locator.n; i++)
		if (p->locator.item[i].kind == ITEM_PERFMAP ||
		    p->locator.item[i].kind == ITEM_JITDUMP ||
		    p->locator.item[i].kind == ITEM_PE || p->locator.item[i].program)
			return true;
	return false;
}

static bool has_kind(const struct profile *p, enum item_kind kind)
{
	for (size_t i = 0; i < p->locator.n; i++)
		if (p->locator.item[i].kind == kind)
			return true;
	return false;
}

/* Time starts anew: the state is what it was before the first event. */
static void restart(struct profile *p)
{
	reader_rewind(p->reader);
	p->ps = process_new(&p->run, &p->names);
}

/* Jitdumps tell the time by CLOCK_MONOTONIC, perf only if told to. */
static void compare_clocks(struct profile *p, const struct reader *r)
{
	const struct attr *const *attr;
	size_t n = reader_attrs(r, &attr), agree = 0;

	for (size_t i = 0; i < n; i++)
		agree += attr[i]->monotonic;
	if (n && agree == n)
		bind_clock_agrees(p->binder);
}

static void prove_perfdata(struct profile *p)
{
	struct witnesses ws = { 0 };

	if (!needs_proof(p) && !has_kind(p, ITEM_TEXT) && !p->opts.scan)
		return;
	call_witnesses(p, &ws);
	reader_hold(p->reader);
	scan_perfdata(p, p->reader, &ws, NULL, true);
	hear_witnesses(p, &ws);
	compare_clocks(p, p->reader);
	bind_decide(p->binder, p->ps, p->opts.scan);
	restart(p);
}

/* The first perf.data among the sources that is of the text's capture. */
static void find_timeline(struct profile *p)
{
	struct arena scratch = { 0 };
	struct same_capture own;

	if (!has_kind(p, ITEM_PERFDATA))
		return;
	same_capture_init(&own, &scratch, &p->names);
	reader_hold(p->reader);
	same_capture_learn(&own, p->reader);
	reader_rewind(p->reader);
	for (size_t i = 0; i < p->locator.n && !p->timeline; i++) {
		struct item *it = &p->locator.item[i];
		struct reader *r =
		        it->kind == ITEM_PERFDATA ? profile_open_item(p, it) : NULL;

		if (!r)
			continue;
		own.found = own.offset = own.absolute = 0;
		p->ps = process_new(&p->run, &p->names);
		scan_perfdata(p, r, NULL, &own, false);
		if (same_capture_form(&own) != FORM_UNSURE) {
			diag_note(p->diag,
			          PRSTR ": recorded with this text, gives its mappings",
			          STRARG(it->name));
			p->timeline = r;
		} else {
			diag_note(p->diag,
			          PRSTR ": of another capture than this text, not used",
			          STRARG(it->name));
			reader_close(r);
		}
	}
	arena_release(&scratch);
}

void profile_advance(struct profile *p, const struct event *ev)
{
	/* perf prints microseconds: what happened within this one is past, too. */
	uint64_t until = ev->time_ns - ev->time_ns % 1000 + 999;

	if (!p->timeline || !ev->has_time)
		return;
	for (;;) {
		if (!p->has_ahead) {
			int got = reader_next(p->timeline, &p->ahead);

			if (got < 0)
				continue;
			if (!got)
				return;
			p->has_ahead = true;
		}
		if (p->ahead.has_time && p->ahead.time_ns > until)
			return;
		process_apply(p->ps, &p->ahead);
		if (p->ahead.kind == EV_SAMPLE && p->ahead.pid >= 0)
			process_seen(p->ps, p->ahead.pid, p->ahead.tid);
		p->has_ahead = false;
	}
}

/* "# event : name = cycles, ..., use_clockid = 1, ..., clockid = 1" */
static bool says_monotonic(struct str line)
{
	struct str says = STR(", clockid = 1"), rest;

	if (!str_starts(line, STR("# event : ")))
		return false;
	rest = str_from(line, str_search(line, says) + says.n);
	return str_search(line, says) < line.n && (!rest.n || !isdigit(*rest.p));
}

static void scan_text(struct profile *p)
{
	struct event ev;
	int got;

	reader_hold(p->reader);
	while ((got = reader_next(p->reader, &ev)) != 0) {
		if (got < 0)
			continue;
		process_apply(p->ps, &ev);
		if (ev.kind == EV_TEXT && says_monotonic(ev.raw))
			bind_clock_agrees(p->binder);
		if (ev.kind != EV_SAMPLE)
			continue;
		profile_advance(p, &ev);
		profile_note_lines(p, &ev);
		if (seen_enough(p))
			break;
	}
}

static bool has_mappings(const struct profile *p)
{
	const struct mapping *const *maps;

	for (size_t n = process_mappings(p->ps, &maps); n-- > 0;)
		if (!maps[n]->assumed && maps[n]->kind != MAPPED_KERNEL)
			return true;
	return false;
}

/* What would help is said where it is missing. */
static void say_unplaced(struct profile *p)
{
	if (p->unmapped && p->form.is == FORM_ABSOLUTE && !has_mappings(p))
		diag_note(p->diag,
		          "%llu frames are addresses in files, and nothing says where "
		          "those were mapped: add -m perf.data or -m maps-PID.txt, or "
		          "print the text with --show-mmap-events",
		          (unsigned long long)p->unmapped);
	if (p->unowned && has_mappings(p))
		diag_note(p->diag,
		          "%llu frames are offsets in /memfd:doublemapper, of threads of "
		          "which nothing says whose they are: add -m perf.data, or print "
		          "the text with -F +pid",
		          (unsigned long long)p->unowned);
	else if (p->unplaced)
		diag_note(p->diag,
		          "%llu frames are offsets in /memfd:doublemapper, and nothing "
		          "says where that was mapped: add -m perf.data or -m "
		          "maps-PID.txt (a saved /proc/PID/maps), or print the text with "
		          "--show-mmap-events",
		          (unsigned long long)p->unplaced);
}

/* The state before the first event; what was saved of it stands from the start. */
static void restart_text(struct profile *p)
{
	p->ps = process_new(&p->run, &p->names);
	if (!p->timeline)
		profile_apply_saved_maps(p);
	else
		reader_rewind(p->timeline);
	p->has_ahead = false;
}

/* Other texts of the capture; asked once the timeline is known, not of each. */
static void ask_along(struct profile *p)
{
	struct witnesses ws = { 0 };

	call_witnesses(p, &ws);
	if (ws.n) {
		reader_rewind(p->timeline);
		p->ps = process_new(&p->run, &p->names);
		scan_perfdata(p, p->timeline, &ws, NULL, false);
	}
	hear_witnesses(p, &ws);
}

static void prove_text(struct profile *p)
{
	find_timeline(p);
	if (p->timeline)
		ask_along(p);
	restart_text(p);
	if (p->can_name && reader_format(p->reader) == READ_PERFSCRIPT) {
		profile_learn_form(p);
		restart_text(p);
	}
	if (!needs_proof(p) && !p->opts.scan &&
	    !(p->form.is == FORM_OFFSET && has_kind(p, ITEM_ELF)))
		return;
	scan_text(p);
	say_unplaced(p);
	if (p->timeline)
		compare_clocks(p, p->timeline);
	bind_decide(p->binder, p->ps, p->opts.scan);
	reader_rewind(p->reader);
	restart_text(p);
}

void profile_prove(struct profile *p)
{
	if (p->opts.no_input) {
		profile_apply_saved_maps(p);
		bind_decide(p->binder, p->ps, true);
	} else if (reader_has_ips(reader_format(p->reader))) {
		prove_perfdata(p);
	} else if (reader_format(p->reader) != READ_FOLDED) {
		prove_text(p);
	}
}
