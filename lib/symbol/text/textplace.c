/*
 * Where the code of a text's line lies.  What the address of a user frame means
 * changed with perf (tools/perf/util/evsel_fprintf.c):
 *
 *	4.19 to 5.15, and since 6.4    the address it ran at
 *	5.16 to 6.3                    in call chains its offset in the file
 *
 * and where no call chain was recorded it is the former in all of them.  Which it is
 * the text itself shows: mappings that it holds or that were saved beside it, frames that
 * have names, the size of the numbers, and the version in its header.  Distributions move such patches, so
 * what the frames show counts for more than the version.
 */
#include <stdio.h>

#include "symbol/text/find_bias.h"
#include "symbol/text/named_evidence.h"
#include "bind/native/text_kernel.h"
#include "symbol/text/textplace.h"

enum {
	SAMPLES_ASKED = 4096,
	BYTES_ASKED = 16 << 20, /* of a pipe */
	LIBRARY_MAX = 1 << 28,  /* libraries are smaller, and lie above it */
	CLEAR = 9,              /* times as many frames as of the other form */
};

bool profile_is_caller(uint64_t addr, uint64_t before, size_t i)
{
	return i && addr >> KERNEL_BIT == before >> KERNEL_BIT;
}

int32_t profile_text_pid(const struct profile *p, const struct event *ev)
{
	int32_t pid = ev->pid >= 0 ? ev->pid : process_of(p->ps, ev->tid);

	if (pid < 0)
		pid = p->only_pid;
	return pid >= 0 ? pid : process_only(p->ps);
}

/* Text says "/tmp/perf-12.map" of anonymous memory, whoever looked at it. */
static bool is_jit_module(struct str module)
{
	return perfmap_pid(module) >= 0 || str_starts(module, STR("//anon")) ||
	       str_starts(module, STR("[heap]")) || str_starts(module, STR("[stack"));
}

static bool is_doublemapper(struct str module)
{
	return str_starts(str_base(module), STR("memfd:doublemapper"));
}

bool profile_is_jit(struct str module)
{
	return is_jit_module(module) || is_doublemapper(module);
}

static bool is_file(struct str module)
{
	return module.n && module.p[0] == '/' && !profile_is_jit(module);
}

enum text_line profile_line_kind(const struct frame *f)
{
	if (f->form == LINE_BPF)
		return TEXT_LINE_BPF;
	return f->line.n && f->line.p[0] == '\t' ? TEXT_LINE_CHAIN : TEXT_LINE_LONE;
}

/* Where names or calls show that it lay. */
static const struct mapping *find_shown(struct profile *p, int32_t pid, str_id module,
                                        uint64_t ip)
{
	const struct mapping *m = profile_shown_mapping(p, pid, module);

	return m ? m : profile_sought_mapping(p, pid, module, ip);
}

struct place profile_place(struct profile *p, int32_t pid, str_id module, uint64_t addr,
                           enum text_line kind)
{
	struct str name = intern_str(&p->names, module);
	enum address_form form = kind == TEXT_LINE_CHAIN ? p->form.is : FORM_ABSOLUTE;
	const struct mapping *m, *by_offset = NULL;
	struct place at = { .ip = addr };
	bool absolute;

	m = process_find(p->ps, pid, addr, addr >> KERNEL_BIT ? MODE_KERNEL : MODE_USER);
	absolute = m && (m->module == module || !name.n || is_jit_module(name));
	if (is_jit_module(name) || !name.n || str_eq(name, STR("[unknown]"))) {
		at.m = absolute ? m : NULL;
		at.has_ip = true;
		return at;
	}
	if (form != FORM_ABSOLUTE)
		by_offset = process_find_offset(p->ps, pid, module, addr);
	if (absolute && form == FORM_OFFSET && is_file(name))
		absolute = false;
	/* Either is possible, and nothing tells which: neither. */
	if (absolute && by_offset)
		return at;
	if (!absolute && !by_offset && is_file(name)) {
		/* The name of an injected file says which code it is, whatever the address. */
		if (form == FORM_OFFSET || process_is_injected(name))
			by_offset = process_assume(p->ps, module);
		else if (form == FORM_ABSOLUTE)
			m = find_shown(p, pid, module, addr);
		absolute = form == FORM_ABSOLUTE && m;
	}
	if (absolute || by_offset) {
		at.m = absolute ? m : by_offset;
		if (!at.m->build_id.n && profile_is_refuted(p, pid, module))
			return (struct place){ .ip = addr };
		at.ip = absolute ? addr : addr + by_offset->bias;
		at.has_ip = true;
	} else if (is_doublemapper(name)) {
		/* An offset in the memfd is below 2 GB. */
		at.has_ip = addr >> 32 != 0;
	}
	return at;
}

/* V8 runs code at low addresses, too: in what is made of it a number tells nothing. */
static bool is_library(struct str module)
{
	struct str base = str_base(module);

	return !process_is_injected(module) &&
	       (str_search(base, STR(".so")) < base.n || str_ends(base, STR(".dll")));
}

/* What frame i shows: where it can lie, or else how large its address is. */
static void vote(struct profile *p, int32_t pid, const struct frame *f, size_t i,
                 uint64_t *before)
{
	const struct mapping *m;
	struct frame_text ft;
	enum address_form shown = FORM_UNSURE;
	bool absolute, offset, caller;
	str_id module;

	if (profile_line_kind(f) == TEXT_LINE_BPF || !frameline_read(f, &ft) ||
	    ft.inlined)
		return;
	caller = profile_is_caller(ft.addr, *before, i);
	*before = ft.addr;
	if (ft.addr >> KERNEL_BIT) {
		if (!process_kernel(p->ps))
			text_kernel_note(p->binder, &ft);
		return;
	}
	if (profile_line_kind(f) != TEXT_LINE_CHAIN)
		return;
	if (!is_file(ft.module) && !is_doublemapper(ft.module))
		return;
	module = intern(&p->names, ft.module);
	m = process_find(p->ps, pid, ft.addr, MODE_USER);
	absolute = m && m->module == module;
	offset = process_find_offset(p->ps, pid, module, ft.addr) != NULL;
	if (ft.func.n && ft.has_off && is_file(ft.module))
		shown = profile_shown(p, pid, module, &ft);
	if (!ft.func.n && caller && !absolute && !offset && is_file(ft.module))
		profile_seek_note(p, pid, module, ft.addr);
	p->form.named += shown != FORM_UNSURE;
	if (absolute != offset && shown != FORM_UNSURE) {
		/* A name and a mapping that contradict each other count as both. */
		p->form.absolute += shown == FORM_ABSOLUTE;
		p->form.offset += shown == FORM_OFFSET;
	} else if (shown != FORM_UNSURE) {
		absolute = shown == FORM_ABSOLUTE;
		offset = !absolute;
	} else if (!absolute && !offset) {
		absolute = ft.addr >> 32 != 0;
		offset = ft.addr < LIBRARY_MAX &&
		         (is_library(ft.module) || is_doublemapper(ft.module));
	}
	p->form.absolute += absolute && !offset;
	p->form.offset += offset && !absolute;
}

/* "# perf version : 6.1.187" */
static enum address_form form_of_version(struct str line)
{
	struct str rest = line;
	uint64_t major, minor = 0;

	if (!str_starts(line, STR("# perf version : ")))
		return FORM_UNSURE;
	rest = str_from(line, 17);
	if (!str_take_dec(&rest, &major))
		return FORM_UNSURE;
	if (rest.n && *rest.p == '.') {
		rest = str_from(rest, 1);
		str_take_dec(&rest, &minor);
	}
	minor += major * 1000;
	if (minor >= 5016 && minor <= 6003)
		return FORM_OFFSET;
	return minor >= 4019 ? FORM_ABSOLUTE : FORM_UNSURE;
}

static enum address_form form_of_votes(const struct text_forms *f)
{
	if (f->offset > CLEAR * f->absolute)
		return FORM_OFFSET;
	return f->absolute > CLEAR * f->offset ? FORM_ABSOLUTE : FORM_UNSURE;
}

/* What is only a conclusion is for who asks; where there is none, more is needed. */
static void conclude(struct profile *p)
{
	static const char *const means[] = {
		[FORM_UNSURE] = "cannot be told",
		[FORM_OFFSET] = "are offsets in their files",
		[FORM_ABSOLUTE] = "are those they ran at",
	};
	struct text_forms *f = &p->form;
	bool shown = f->offset || f->absolute;

	f->is = shown ? form_of_votes(f) : f->said;
	diag_detail(p->diag,
	            "addresses of user frames %s: %zu can only be offsets, %zu only "
	            "run-time addresses (%zu of both by their names)%s%s",
	            means[f->is], f->offset, f->absolute, f->named,
	            f->said != FORM_UNSURE ? "; by perf's version they " : "",
	            f->said != FORM_UNSURE ? means[f->said] : "");
	if (shown && f->is == FORM_UNSURE)
		diag_note(p->diag,
		          "frames contradict each other in what their addresses "
		          "are, so those without a mapping stay unnamed: add -m "
		          "perf.data or -m maps-PID.txt (a saved /proc/PID/maps)");
}

void profile_learn_form(struct profile *p)
{
	uint64_t done, total;
	size_t samples = 0;
	struct event ev;
	int got;

	reader_progress(p->reader, &done, &total);
	reader_hold(p->reader);
	while (samples < SAMPLES_ASKED && (got = reader_next(p->reader, &ev)) != 0) {
		uint64_t before = 0;
		int32_t pid;

		if (got < 0)
			continue;
		process_apply(p->ps, &ev);
		if (ev.kind == EV_TEXT && p->form.said == FORM_UNSURE)
			p->form.said = form_of_version(ev.raw);
		if (ev.kind != EV_SAMPLE)
			continue;
		samples++;
		profile_advance(p, &ev);
		pid = profile_text_pid(p, &ev);
		for (size_t i = 0; i < ev.nframes; i++)
			vote(p, pid, &ev.frames[i], i, &before);
		if (!total && reader_held(p->reader) >= BYTES_ASKED)
			break;
	}
	reader_rewind(p->reader);
	conclude(p);
	profile_settle_shown(p);
	if (p->form.is == FORM_ABSOLUTE)
		profile_seek(p);
	text_kernel_settle(p->binder);
}
