#include "symbol/profile.h"

#include <stdio.h>

#include "reader/fields.h"
#include "reader/perftext/perfscript.h"
#include "symbol/select.h"
#include "symbol/session.h"
#include "symbol/text/textplace.h"

/* What the text of a tracepoint calls kernel code. */
static struct str name_of_kernel(void *ctx, uint64_t ip, uint64_t *begin,
                                 struct str *module)
{
	struct profile *p = ctx;
	const struct mapping *m = process_find(p->ps, -1, ip, MODE_KERNEL);
	struct bound_name name;

	if (!m)
		m = bind_beyond_kernel(p->binder, process_kernel(p->ps), ip);
	if (!m || !bind_find_kernel(p->binder, m, ip, &name))
		return (struct str){ 0 };
	*begin = ip - name.off;
	if (str_starts(intern_str(&p->names, m->module), STR("[")) &&
	    m != process_kernel(p->ps))
		*module = intern_str(&p->names, m->module);
	return name.func;
}

enum { PERF_STACK = 127 };

struct profile *profile_open(const struct profile_opts *opts)
{
	struct arena first = { 0 };
	struct profile *p = arena_new(&first, struct profile, 1);

	p->opts = *opts;
	p->diag = opts->diag;
	p->source_diag = (struct diag){ .prog = p->diag->prog, .warns = p->diag };
	p->run = first;
	p->only_pid = -1;
	intern_init(&p->names, &p->run);
	intern_init(&p->lines, &p->run);
	chain_init(&p->chains, &p->run);
	locate_init(&p->locator, &p->run, &p->names);
	p->locator.cache = p->opts.cache;
	recorded_init(&p->recorded, &p->run, &p->names);
	p->ps = process_new(&p->run, &p->names);
	p->binder = bind_new(&p->locator, &p->run, p->diag);
	bind_spell(p->binder, opts->no_demangle ? DEMANGLE_NOT
	                      : opts->params    ? DEMANGLE_FULL
	                      : opts->compat    ? DEMANGLE_PERF
	                                        : DEMANGLE_SHORT);
	p->unwinder = unwind_new(p->binder, &p->run, opts->compat);
	if (profile_setup(p) < 0) {
		profile_close(p);
		return NULL;
	}
	p->trace_names = (struct trace_names){ name_of_kernel, p };
	if (p->reader)
		reader_trace_names(p->reader, &p->trace_names);
	return p;
}

enum reader_format profile_format(const struct profile *p)
{
	return p->reader ? reader_format(p->reader) : READ_NONE;
}

static struct str comm_of(struct profile *p, const struct event *ev)
{
	struct str comm = ev->comm;
	char text[16];

	if (profile_format(p) != READ_PERFDATA)
		return comm;
	comm = process_comm(p->ps, ev->tid);
	if (comm.n)
		return comm;
	if (!ev->tid)
		return STR("swapper");
	/* perf's name for a thread that never said its own. */
	snprintf(text, sizeof(text), ":%d", ev->tid);
	return intern_str(&p->names, intern(&p->names, str_of(text)));
}

/* Says once what cannot be chosen by. */
static bool wanted(struct profile *p, const struct sample *s)
{
	enum select_by lacking = SELECT_KINDS;

	if (select_wants(p->opts.select, s, &lacking))
		return true;
	if (lacking != SELECT_KINDS && !(p->lacking >> lacking & 1)) {
		p->lacking |= 1u << lacking;
		diag_warn(p->diag, "%s leaves out samples that do not say it",
		          select_option(lacking));
	}
	return false;
}

/*
 * perf ends chains at kernel.perf_event_max_stack unless told, and prints nothing of
 * one in which it met something unknown before that.
 */
static void cut_as_perf(const struct profile *p, struct event *ev)
{
	const struct select *sel = p->opts.select;
	size_t max = sel && sel->list[SELECT_STACK].p ? sel->max_stack : PERF_STACK;

	/* Where it was taken is no chain. */
	if (!ev->attr->has_callchain || (sel && sel->hide_chain))
		return;
	if (ev->odd_at && ev->odd_at <= max)
		ev->nframes = 0;
	else if (ev->nframes > max)
		ev->nframes = max;
}

/* False: it is not wanted. */
static bool take_sample(struct profile *p, struct sample *out)
{
	struct event *ev = &p->event;

	if (profile_format(p) == READ_PERFDATA) {
		if (ev->pid >= 0)
			process_seen(p->ps, ev->pid, ev->tid);
		out->pid = ev->pid;
	} else {
		profile_advance(p, ev);
		out->pid = profile_text_pid(p, ev);
	}
	out->comm = comm_of(p, ev);
	if (p->opts.select && !wanted(p, out))
		return false;
	if (ev->fields)
		unwind_sample(p->unwinder, p->ps, ev);
	if (p->opts.compat && profile_format(p) == READ_PERFDATA)
		cut_as_perf(p, ev);
	if (p->opts.select)
		out->left_out = select_frames(p->opts.select, ev);
	p->coverage.samples++;
	/* What is copied as it is need not be understood, but for who asks for counts. */
	if (p->opts.copies && !p->can_name && !out->left_out &&
	    !reader_has_ips(profile_format(p))) {
		if (!p->diag->quiet)
			profile_count(p, ev);
		p->coverage.frames += ev->nframes;
		return true;
	}
	out->chain = profile_resolve(p, ev, out->pid);
	out->frames = p->ids;
	out->nframes = ev->nframes;
	p->coverage.frames += ev->nframes;
	return true;
}

/* Of what samples only have the id. */
static void note_cgroup(struct profile *p, const struct event *ev)
{
	uint32_t *at = table_at(&p->cgroup_ids, &p->run, ev->other->id, 0);

	*at = 1 + intern(&p->names, ev->other->name);
}

struct str profile_cgroup(const struct profile *p, uint64_t id)
{
	uint32_t at = table_get(&p->cgroup_ids, id, 0);

	return at ? intern_str(&p->names, at - 1) : (struct str){ 0 };
}

/* False: it is not wanted. */
static bool take_record(struct profile *p, struct sample *out)
{
	const struct event *ev = out->ev;

	if (ev->kind == EV_CGROUP)
		note_cgroup(p, ev);
	if (!(p->opts.kinds >> ev->kind & 1) || profile_format(p) != READ_PERFDATA)
		return false;
	if (ev->kind == EV_ROUND)
		return true;
	if (p->opts.select && !select_wants_cpu(p->opts.select, ev->cpu))
		return false;
	out->comm = comm_of(p, ev);
	return true;
}

/* A line of text where samples could be: perf may say there why they are not. */
static void hear_perf(struct profile *p, struct str line)
{
	if (!p->met_sample && !p->perf_said.n && perfscript_is_error(line))
		p->perf_said = arena_str(&p->run, str_trim(line));
}

/* At the end of a text without one sample. */
static void say_no_samples(struct profile *p)
{
	struct str name = p->source->members[p->member].name;

	if (p->met_sample || p->met_end || profile_format(p) != READ_PERFSCRIPT)
		return;
	p->met_end = true;
	if (p->perf_said.n)
		diag_damage(p->diag, PRSTR ": no samples; perf script said: " PRSTR "%s",
		            STRARG(name), STRARG(p->perf_said),
		            perfscript_advice(p->perf_said));
	else
		diag_damage(p->diag,
		            PRSTR ": no samples, only what perf script prints "
		                  "beside them",
		            STRARG(name));
}

int profile_next(struct profile *p, struct sample *out)
{
	struct event *ev = &p->event;
	int got;

	while ((got = reader_next(p->reader, ev)) != 0) {
		profile_show_progress(p);
		if (got < 0)
			continue;
		process_apply(p->ps, ev);
		if (ev->kind == EV_SAMPLE)
			p->met_sample = true;
		else if (ev->kind == EV_TEXT)
			hear_perf(p, ev->raw);
		*out = (struct sample){ .ev = ev, .pid = ev->pid, .tid = ev->tid };
		if (ev->kind == EV_SAMPLE && !take_sample(p, out))
			continue;
		if (ev->kind == EV_SAMPLE || ev->kind == EV_FOLDED || ev->raw.n ||
		    take_record(p, out))
			return 1;
	}
	say_no_samples(p);
	profile_settle_counts(p);
	return 0;
}

const struct resolved *profile_frame(const struct profile *p, frame_id id)
{
	return &p->frame[id];
}

size_t profile_frames(const struct profile *p)
{
	return p->nframes;
}

struct str profile_str(const struct profile *p, str_id id)
{
	return intern_str(&p->names, id);
}

const struct binder *profile_binder(const struct profile *p)
{
	return p->binder;
}

struct reader *profile_reader(const struct profile *p)
{
	return p->reader;
}

void profile_close(struct profile *p)
{
	struct arena run;

	if (!p)
		return;
	reader_close(p->reader);
	reader_close(p->timeline);
	if (p->binder)
		bind_close(p->binder);
	source_close(p->source);
	for (size_t i = 0; i < p->nsources && !p->opts.shared; i++)
		source_close(p->sources[i]);
	locate_close(&p->locator);
	run = p->run;
	arena_release(&run);
}
