#include "symbol/recorded.h"

#include "symbol/chain.h"
#include "reader/perftext/frameline.h"

/* The parsed fields of a distinct frame line. */
struct recorded_line {
	uint64_t addr, off;
	str_id func, module;
	bool seen, named, inlined, has_off;
};

struct reading {
	struct recorded *rec;
	const struct processes *ps;
	enum address_form form;
	struct arena scratch;
	struct chains seen; /* chains of callers that were read.  Context: the pid */
	struct interner lines;
	struct recorded_line *fact; /* indexed by the line's str_id */
	size_t facts_cap;
	/* inlined functions that wait for the frame that follows them in the text */
	struct recorded_name *pending;
	size_t npending, pending_cap;
	uint64_t pending_addr;
};

enum {
	ABSOLUTE_KEY = 1,
	INLINED_MAX = 256, /* maximum number of inlined functions at one address */
};

/*
 * Returns the key of a module.  The lower 32 bits are the str_id of the module.  If addresses are
 * absolute, the upper 32 bits identify the process.
 */
static uint64_t module_key(str_id module, enum address_form form, int32_t pid)
{
	if (form == FORM_OFFSET)
		return module;
	return module | ((uint64_t)(uint32_t)pid + ABSOLUTE_KEY) << 32;
}

void recorded_init(struct recorded *r, struct arena *run, struct interner *names)
{
	*r = (struct recorded){ .run = run, .names = names };
}

static const struct recorded_line *learn(struct reading *rd, const struct frame *frame)
{
	str_id id = intern(&rd->lines, frame->line);
	struct recorded_line *f;
	struct frame_text ft;

	arena_fit(&rd->scratch, rd->fact, id + 1u, rd->facts_cap);
	f = &rd->fact[id];
	if (f->seen)
		return f;
	f->seen = true;
	if (!frameline_read(frame, &ft) || !ft.func.n)
		return f;
	f->named = true;
	f->addr = ft.addr;
	f->off = ft.func_off;
	f->has_off = ft.has_off;
	f->inlined = ft.inlined;
	f->func = intern(rd->rec->names, ft.func);
	f->module = intern(rd->rec->names, ft.module);
	return f;
}

static void push_inlined(struct reading *rd, const struct recorded_line *f)
{
	if (f->addr != rd->pending_addr)
		rd->npending = 0;
	if (rd->npending == INLINED_MAX)
		return;
	rd->pending_addr = f->addr;
	*arena_push(&rd->scratch, rd->pending, rd->npending, rd->pending_cap) =
	        (struct recorded_name){ f->func, f->off, f->has_off, false, 0 };
}

static bool same_inlined(const struct reading *rd, const struct recorded_name *n)
{
	const struct recorded_name *a = n - n->ninlined;

	if (n->ninlined != rd->npending)
		return false;
	for (size_t i = 0; i < rd->npending; i++)
		if (a[i].func != rd->pending[i].func)
			return false;
	return true;
}

static void add_name(struct reading *rd, const struct recorded_line *f)
{
	struct recorded *r = rd->rec;

	for (size_t i = 0; i < rd->npending; i++)
		*arena_push(r->run, r->name, r->n, r->cap) = rd->pending[i];
	*arena_push(r->run, r->name, r->n, r->cap) =
	        (struct recorded_name){ .func = f->func,
		                        .off = f->off,
		                        .has_off = f->has_off,
		                        .ninlined = (uint32_t)rd->npending };
}

static void take_frame(struct reading *rd, int32_t pid, const struct frame *frame)
{
	const struct recorded_line *f = learn(rd, frame);
	struct recorded *r = rd->rec;
	struct recorded_name *n;
	uint32_t *at;

	if (f->named && f->inlined) {
		push_inlined(rd, f);
		return;
	}
	/*
	 * perf 6.1 also prints "(inlined)" if DWARF and the symbol table name a function
	 * differently.  Such a line does not belong to the next frame, because their
	 * addresses differ.
	 */
	if (f->addr != rd->pending_addr)
		rd->npending = 0;
	if (f->named && f->module) {
		at = table_at(&r->keys, r->run, f->addr,
		              module_key(f->module, rd->form, pid));
		if (!*at) {
			add_name(rd, f);
			*at = (uint32_t)r->n;
		}
		n = &r->name[*at - 1];
		/*
		 * perf may print the same name with and without inlined functions, so a line
		 * without inlined functions does not contradict a line that has them.
		 */
		if (n->func != f->func || n->off != f->off ||
		    (rd->npending && n->ninlined && !same_inlined(rd, n)))
			n->ambiguous = true;
	}
	rd->npending = 0;
}

/*
 * Returns true if the callers in ev were already read for process pid.  The callers then contain
 * no new names.
 */
static bool seen_callers(struct reading *rd, int32_t pid, const struct event *ev)
{
	const struct str last = ev->frames[ev->nframes - 1].line;
	struct str lines = str_span(ev->frames[1].line.p, last.p + last.n);

	if (chain_find(&rd->seen, lines, (uint32_t)pid, ev->stays))
		return true;
	chain_mark(&rd->seen);
	return false;
}

static void take_sample(struct reading *rd, int32_t pid, const struct event *ev)
{
	rd->npending = 0;
	if (ev->nframes)
		take_frame(rd, pid, &ev->frames[0]);
	/*
	 * Pending inlined functions belong to the first caller, so the callers must be
	 * read if functions are pending.
	 */
	if (ev->nframes < 2 || (!rd->npending && seen_callers(rd, pid, ev)))
		return;
	for (size_t i = 1; i < ev->nframes; i++)
		take_frame(rd, pid, &ev->frames[i]);
}

void recorded_read(struct recorded *r, struct reader *text, enum address_form form,
                   const struct processes *ps)
{
	struct reading rd = { .rec = r, .ps = ps, .form = form };
	struct event ev;
	int got;

	intern_init(&rd.lines, &rd.scratch);
	chain_init(&rd.seen, &rd.scratch);
	reader_skip_repeated(text, form == FORM_ABSOLUTE);
	while ((got = reader_next(text, &ev)) != 0) {
		if (got > 0 && ev.kind == EV_SAMPLE)
			take_sample(&rd,
			            ev.pid >= 0 ? ev.pid : process_of_thread(ps, ev.tid),
			            &ev);
	}
	if (form == FORM_OFFSET)
		r->has_offset = true;
	else
		r->has_absolute = true;
	arena_release(&rd.scratch);
}

static const struct recorded_name *find(const struct recorded *r, uint64_t addr,
                                        uint64_t b)
{
	uint32_t at = table_get(&r->keys, addr, b);

	return at && !r->name[at - 1].ambiguous ? &r->name[at - 1] : NULL;
}

const struct recorded_name *recorded_find(const struct recorded *r,
                                          const struct mapping *m, int32_t pid,
                                          uint64_t ip)
{
	const struct recorded_name *n = NULL;

	if (!m)
		return NULL;
	if (r->has_offset)
		n = find(r, mapping_printed(m, ip),
		         module_key(m->module, FORM_OFFSET, pid));
	if (!n && r->has_absolute)
		n = find(r, ip, module_key(m->module, FORM_ABSOLUTE, pid));
	return n;
}

const struct recorded_name *recorded_find_printed(const struct recorded *r, str_id module,
                                                  uint64_t addr)
{
	return r->has_offset ? find(r, addr, module_key(module, FORM_OFFSET, -1)) : NULL;
}
