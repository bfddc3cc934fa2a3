#include "symbol/profile.h"

#include <stdio.h>

#include "reader/fields.h"
#include "reader/perftext/perfscript.h"
#include "symbol/located.h"
#include "symbol/prescan.h"
#include "symbol/select.h"

/* Returns the name of a kernel address, for the text of tracepoints. */
static struct str name_of_kernel(void *ctx, uint64_t ip, uint64_t *begin,
                                 struct str *module)
{
	struct profile *p = ctx;
	const struct mapping *m = process_find(p->session.ps, -1, ip, MODE_KERNEL);
	struct bound_name name;

	if (!m)
		m = bind_find_beyond_kernel(p->session.binder,
		                            process_kernel(p->session.ps), ip);
	if (!m || !bind_find_kernel(p->session.binder, m, ip, &name))
		return (struct str){ 0 };
	*begin = ip - name.off;
	if (str_starts(intern_str(&p->session.names, m->module), STR("[")) &&
	    m != process_kernel(p->session.ps))
		*module = intern_str(&p->session.names, m->module);
	return name.func;
}

enum { PERF_STACK = 127, PROGRESS_STEP = 16 << 20 };

static void init(struct profile *p, const struct profile_opts *opts)
{
	struct session *s = &p->session;

	s->opts = *opts;
	s->diag = opts->diag;
	s->only_pid = -1;
	intern_init(&s->names, &s->run);
	locate_init(&s->locator, &s->run, &s->names);
	s->locator.cache = opts->cache;
	s->ps = process_new(&s->run, &s->names);
	s->binder = bind_new(&s->locator, &s->run, s->diag);
	bind_spell(s->binder, opts->no_demangle                   ? DEMANGLE_NOT
	                      : opts->params || opts->compat == 7 ? DEMANGLE_FULL
	                      : opts->compat                      ? DEMANGLE_PERF
	                                                          : DEMANGLE_SHORT);
	inputs_init(&p->inputs, s);
	resolve_init(&p->frames, s);
	textline_init(&p->text, s, &p->frames);
	p->unwinder = unwind_new(s->binder, &s->run, opts->compat);
	p->uncounted = opts->diag->quiet;
	p->trace_names = (struct trace_names){ name_of_kernel, p };
}

struct profile *profile_open(const struct profile_opts *opts)
{
	struct arena first = { 0 };
	struct profile *p = arena_new(&first, struct profile, 1);

	p->session.run = first;
	init(p, opts);
	if (inputs_open(&p->inputs) < 0) {
		profile_close(p);
		return NULL;
	}
	if (!p->inputs.reader)
		return p;
	reader_trace_names(p->inputs.reader, &p->trace_names);
	if (opts->events)
		reader_want_events(p->inputs.reader, opts->events);
	return p;
}

void profile_select(struct profile *p, const struct select *select)
{
	p->session.opts.select = select;
}

void profile_learn(struct profile *p)
{
	budget_begin_half(p->session.opts.budget);
	prescan_run(p);
	budget_end_half(p->session.opts.budget);
}

const struct traits *profile_traits(const struct profile *p)
{
	static const struct traits none = { 0 };

	return p->inputs.reader ? reader_traits(p->inputs.reader) : &none;
}

/*
 * Returns the name of the thread if the profile has records.  Other profiles state the name in
 * each sample.
 */
static struct str recorded_comm(struct profile *p, const struct event *ev)
{
	struct str comm;
	char text[16];

	comm = process_comm(p->session.ps, ev->tid);
	if (comm.n)
		return comm;
	if (ev->comm.n)
		return ev->comm;
	if (!ev->tid)
		return STR("swapper");
	/* perf prints ":TID" if a thread has no COMM record. */
	snprintf(text, sizeof(text), ":%d", ev->tid);
	return intern_str(&p->session.names, intern(&p->session.names, str_of(text)));
}

static struct str comm_of(struct profile *p, const struct event *ev)
{
	return profile_traits(p)->has_records ? recorded_comm(p, ev) : ev->comm;
}

/*
 * Remembers a skipped sample.  If no sample is selected, a report lists some of the skipped
 * samples.
 */
static void pass_over(struct profile *p, const struct sample *s)
{
	struct interner *names = &p->session.names;
	struct passed_over one = { s->pid, intern(names, s->comm),
		                   s->ev->attr ? intern(names, s->ev->attr->name) : 0 };

	for (size_t i = 0; i < p->npassed; i++)
		if (p->passed[i].pid == one.pid && p->passed[i].event == one.event)
			return;
	if (p->npassed < sizeof(p->passed) / sizeof(*p->passed))
		p->passed[p->npassed++] = one;
}

int profile_check_chosen(const struct profile *p)
{
	const struct session *s = &p->session;
	arena_scope(scratch);
	struct str there = { "", 0 };

	if (p->nsamples || !p->npassed)
		return 0;
	for (size_t i = 0; i < p->npassed; i++) {
		const struct passed_over *one = &p->passed[i];
		struct str event =
		        one->event ? intern_str(&s->names, one->event) : STR("samples");

		there = arena_fmt(&scratch, PRSTR "%s" PRSTR " of " PRSTR " (%d)",
		                  STRARG(there), i ? ", " : "", STRARG(event),
		                  STRARG(intern_str(&s->names, one->comm)), one->pid);
	}
	diag_fatal(s->diag, "no sample was selected; the profile has " PRSTR "%s",
	           STRARG(there),
	           p->npassed == sizeof(p->passed) / sizeof(*p->passed) ? ", ..." : "");
	return -1;
}

/*
 * Returns true if --pid and similar options select s.  Warns once for each field that samples
 * lack.
 */
static bool wanted(struct profile *p, const struct sample *s)
{
	enum select_by lacking = SELECT_KINDS;

	if (select_wants(p->session.opts.select, s, &lacking))
		return true;
	pass_over(p, s);
	if (lacking != SELECT_KINDS && !(p->lacking >> lacking & 1)) {
		p->lacking |= 1u << lacking;
		diag_warn(p->session.diag,
		          "%s leaves out samples without this information",
		          select_option(lacking));
	}
	return false;
}

/*
 * Limits a chain to --max-stack or kernel.perf_event_max_stack frames, as perf does.  If the
 * chain contains an unknown PERF_CONTEXT_*, removes all frames, because perf then prints no
 * frames.
 */
static void cut_as_perf(const struct profile *p, struct event *ev)
{
	const struct select *sel = p->session.opts.select;
	size_t max = sel && sel->list[SELECT_STACK].p ? sel->max_stack : PERF_STACK;

	/* perf applies --max-stack only to call chains, not to a single address. */
	if (!ev->attr->has_callchain || (sel && sel->hide_chain))
		return;
	if (ev->odd_at && ev->odd_at <= max)
		ev->nframes = 0;
	else if (ev->nframes > max)
		ev->nframes = max;
}

/*
 * Returns true for a sample of a virtual machine.  perf skips such samples, because it does not
 * know the processes of the guest.
 */
static bool is_of_guest(const struct event *ev)
{
	return ev->top.cpumode == MODE_GUEST_KERNEL || ev->top.cpumode == MODE_GUEST_USER;
}

/*
 * Sets the ids of a sample if its thread was exiting.  The kernel then records -1 for both ids,
 * but the payload of a tracepoint contains the tid.  The payload of sched_switch also contains
 * the name.
 */
static void find_exiting(struct profile *p, struct event *ev)
{
	struct reader *r = p->inputs.reader;
	struct trace_value tid, comm;

	if (!reader_trace_value(r, ev, STR("common_pid"), &tid) &&
	    !reader_trace_value(r, ev, STR("prev_pid"), &tid))
		return;
	if (tid.text.n || tid.number <= 0 || tid.number > INT32_MAX)
		return;
	ev->tid = (int32_t)tid.number;
	ev->pid = process_of_thread(p->session.ps, ev->tid);
	if (ev->comm.n && reader_trace_value(r, ev, STR("prev_comm"), &comm))
		ev->comm = comm.text;
}

/* Counts the n frames of the current sample `times` times. */
static void count_frames(struct profile *p, size_t n, uint64_t times)
{
	resolve_count(&p->frames, n, times);
	p->nlost_leaves += n && resolve_is_nowhere(&p->frames, 0) ? times : 0;
}

void profile_delay(struct profile *p, const bool *left)
{
	const struct profile_opts *opts = &p->session.opts;

	p->located.left = left;
	p->located.delays = !opts->unnamed &&
	                    (!opts->select || !(opts->select->hide_chain ||
	                                        opts->select->list[SELECT_STACK].p));
}

/* Joins samples with different times only if their names cannot depend on the time. */
void profile_join(struct profile *p)
{
	const struct select *select = p->session.opts.select;

	reader_join(p->inputs.reader,
	            located_is_fixed(p) && !(select && select->list[SELECT_TIME].p));
}

void profile_resolve(struct profile *p, struct sample *s)
{
	reader_frames(p->inputs.reader, &p->event);
	located_resolve(p, &p->event, s->pid);
	s->frames = p->frames.sample;
	s->nframes = p->event.nframes;
	s->delayed = false;
}

/* Counts the frames of samples that were delayed. */
static void count_delayed(struct profile *p)
{
	struct event *ev = &p->event;
	uint64_t uses;

	for (uint32_t stack = 1; located_delayed(p, &stack, &uses);) {
		*ev = (struct event){ .stack = stack, .pid = -1 };
		reader_frames(p->inputs.reader, ev);
		located_resolve(p, ev, ev->pid);
		p->nframes += uses * ev->nframes;
		count_frames(p, ev->nframes, uses);
		p->nguessed += resolve_guessed(&p->frames, ev->nframes) ? uses : 0;
	}
}

/* Returns true if profile_delay has named the attr of the sample as left out. */
static bool is_left(struct profile *p, const struct event *ev)
{
	const struct attr *const *attrs;
	size_t n = p->located.left ? reader_attrs(p->inputs.reader, &attrs) : 0;

	/* A sample has one event for each attr, in their order. */
	for (size_t i = 0; i < n; i++) {
		size_t at = (p->located.left_at + i) % n;

		if (attrs[at] != ev->attr)
			continue;
		p->located.left_at = at;
		return p->located.left[at];
	}
	return false;
}

/* Resolves a sample.  Returns false if it is not selected. */
static bool take_sample(struct profile *p, struct sample *out)
{
	struct event *ev = &p->event;
	uint64_t times = 1 + (uint64_t)ev->repeats;
	bool copied;

	if (profile_traits(p)->has_locations) {
		out->pid = ev->pid;
	} else if (profile_traits(p)->has_records) {
		if (p->session.opts.compat && is_of_guest(ev))
			return false;
		if (ev->pid >= 0)
			process_note_thread(p->session.ps, ev->pid, ev->tid);
		out->pid = ev->pid;
	} else {
		timeline_advance(&p->timeline, p->session.ps, ev);
		out->pid = textplace_pid(&p->text.place, ev);
	}
	out->comm = comm_of(p, ev);
	if (p->session.opts.select && !wanted(p, out))
		return false;
	if (profile_traits(p)->has_locations) {
		out->delayed = is_left(p, ev);
		if (out->delayed)
			return true;
		out->delayed = located_delay(p, ev);
		if (out->delayed) {
			p->nsamples += times;
			return true;
		}
		reader_frames(p->inputs.reader, ev);
	}
	if (p->session.opts.unnamed) {
		p->nsamples++;
		return true;
	}
	if (ev->fields)
		unwind_sample(p->unwinder, p->session.ps, ev);
	if (p->session.opts.compat && profile_traits(p)->has_records)
		cut_as_perf(p, ev);
	if (p->session.opts.select)
		out->left_out = select_frames(p->session.opts.select, ev);
	p->nsamples += times;
	/*
	 * If no file can name code, the input text is copied to the output.  Frames are then
	 * resolved only for the counts of the summary.
	 */
	copied = p->session.opts.copies && !p->session.can_name && !out->left_out &&
	         !profile_traits(p)->has_ips;
	p->nframes += times * ev->nframes;
	if (copied && p->uncounted)
		return true;
	if (profile_traits(p)->has_locations)
		located_resolve(p, ev, out->pid);
	else if (profile_traits(p)->has_ips)
		resolve_sample(&p->frames, ev, out->pid);
	else
		textline_resolve(&p->text, ev, out->pid);
	count_frames(p, ev->nframes, times);
	if (copied)
		return true;
	p->nguessed += resolve_guessed(&p->frames, ev->nframes) ? times : 0;
	out->frames = p->frames.sample;
	out->nframes = ev->nframes;
	return true;
}

/* Remembers the path of a cgroup, because samples have only its id. */
static void note_cgroup(struct profile *p, const struct event *ev)
{
	uint32_t *at = table_at(&p->cgroup_ids, &p->session.run, ev->other->id, 0);

	*at = 1 + intern(&p->session.names, ev->other->name);
}

struct str profile_process_name(const struct profile *p, int32_t pid)
{
	return process_comm(p->session.ps, pid);
}

struct str profile_cgroup(const struct profile *p, uint64_t id)
{
	uint32_t at = table_get(&p->cgroup_ids, id, 0);

	return at ? intern_str(&p->session.names, at - 1) : (struct str){ 0 };
}

/* Sets `out` to a record that is not a sample.  Returns false if the record is not selected. */
static bool take_record(struct profile *p, struct sample *out)
{
	const struct event *ev = out->ev;

	if (ev->kind == EV_CGROUP)
		note_cgroup(p, ev);
	if (!(p->session.opts.kinds >> ev->kind & 1) || !profile_traits(p)->has_ips)
		return false;
	if (ev->kind == EV_ROUND)
		return true;
	if (p->session.opts.select && !select_wants_cpu(p->session.opts.select, ev->cpu))
		return false;
	out->comm = comm_of(p, ev);
	return true;
}

/*
 * Stores the line if it is the first error message of perf, and if no sample was read yet.
 */
static void hear_perf(struct profile *p, struct str line)
{
	if (!p->met_sample && !p->perf_said.n && perfscript_is_error(line))
		p->perf_said = arena_str(&p->session.run, str_trim(line));
}

/* If the text contains an error message of perf instead of samples, reports this message. */
static void report_no_samples(struct profile *p)
{
	struct str name = p->inputs.source->members[p->inputs.member].name;

	if (p->met_sample || p->met_end || !profile_traits(p)->is_text)
		return;
	p->met_end = true;
	if (p->perf_said.n)
		diag_damage(p->session.diag,
		            PRSTR ": no samples; perf script printed: " PRSTR "%s",
		            STRARG(name), STRARG(p->perf_said),
		            perfscript_advice(p->perf_said));
}

static void show_progress(struct profile *p)
{
	uint64_t done, total;

	if (++p->unshown)
		return;
	reader_progress(p->inputs.reader, &done, &total);
	if (done - p->shown_at < PROGRESS_STEP)
		return;
	p->shown_at = done;
	diag_progress(p->session.diag, "read", done, total);
}

/* Applies an event that precedes the current part, without delivering it. */
static void pass_event(struct profile *p)
{
	const struct event *ev = &p->event;

	process_apply(p->session.ps, ev);
	if (ev->kind == EV_CGROUP)
		note_cgroup(p, ev);
	if (ev->kind == EV_EXIT && p->session.opts.compat == 7)
		process_end_comm(p->session.ps, ev->tid);
}

/* Reads the next event of the part.  Returns the same values as reader_next. */
static int next_event(struct profile *p)
{
	int got;

	if (p->part.over ||
	    (p->part.bytes && p->part.divided && p->part.at >= p->part.end))
		return 0;
	for (; p->part.changes; p->part.changes--)
		if (reader_next(p->inputs.reader, &p->event) > 0)
			pass_event(p);
	got = reader_next(p->inputs.reader, &p->event);
	if (got && p->part.bytes) {
		p->part.at = p->event.at + p->event.raw.n;
		p->part.records |= p->event.kind != EV_SAMPLE && p->event.kind != EV_TEXT;
	}
	return got;
}

int profile_next(struct profile *p, struct sample *out)
{
	struct event *ev = &p->event;
	bool is_output;
	int got;

	while ((got = next_event(p)) != 0) {
		show_progress(p);
		if (got < 0) {
			p->ndamages++;
			continue;
		}
		process_apply(p->session.ps, ev);
		if (ev->kind == EV_SAMPLE && ev->tid < 0 && !p->session.opts.compat &&
		    !profile_traits(p)->has_locations)
			find_exiting(p, ev);
		if (ev->kind == EV_SAMPLE || ev->kind == EV_FOLDED)
			p->met_sample = true;
		else if (ev->kind == EV_TEXT)
			hear_perf(p, ev->raw);
		else if (ev->kind == EV_LOST)
			p->lost_records += ev->weight;
		else if (ev->kind == EV_LOST_SAMPLES)
			p->lost_samples += ev->weight;
		*out = (struct sample){ .ev = ev, .pid = ev->pid, .tid = ev->tid };
		if (ev->kind == EV_SAMPLE && !take_sample(p, out))
			continue;
		is_output = ev->kind == EV_SAMPLE || ev->kind == EV_FOLDED || ev->raw.n ||
		            take_record(p, out);
		/*
		 * In perf 7, the name of a thread is valid until the thread exits.
		 * Afterwards perf prints the tid.
		 */
		if (ev->kind == EV_EXIT && p->session.opts.compat == 7)
			process_end_comm(p->session.ps, ev->tid);
		if (is_output)
			return 1;
	}
	count_delayed(p);
	if (!p->part.divided) {
		resolve_forget(&p->frames);
		report_no_samples(p);
	}
	return 0;
}

bool profile_met_sample(const struct profile *p)
{
	return p->met_sample;
}

uint64_t profile_damages(const struct profile *p)
{
	return p->ndamages;
}

const struct resolved *profile_frame(const struct profile *p, frame_id id)
{
	return &p->frames.frame[id];
}

size_t profile_frames(const struct profile *p)
{
	return p->frames.n;
}

struct str profile_str(const struct profile *p, str_id id)
{
	return intern_str(&p->session.names, id);
}

const struct binder *profile_binder(const struct profile *p)
{
	return p->session.binder;
}

const struct mapping *profile_mapping(const struct profile *p, const struct frame *f)
{
	if (profile_traits(p)->has_locations)
		return located_mapping(p, f);
	return process_find(p->session.ps, p->event.pid, f->ip, f->cpumode);
}

bool profile_is_return(const struct profile *p, const struct frame *f)
{
	return f->caller &&
	       (!profile_traits(p)->has_locations || located_is_return(p, f));
}

frame_id profile_location(struct profile *p, uint32_t number)
{
	return located_name(p, number);
}

struct reader *profile_reader(const struct profile *p)
{
	return p->inputs.reader;
}

struct placed profile_lookup(struct profile *p, int32_t pid, uint64_t ip,
                             enum cpumode mode)
{
	return resolve_address(&p->frames, &p->event, pid, ip, mode);
}

void profile_close(struct profile *p)
{
	struct session *s;
	struct arena run;

	if (!p)
		return;
	s = &p->session;
	reader_close(p->timeline.reader);
	unwind_close(p->unwinder);
	if (s->binder)
		bind_close(s->binder);
	inputs_close(&p->inputs);
	locate_close(&s->locator);
	run = s->run;
	arena_release(&run);
}
