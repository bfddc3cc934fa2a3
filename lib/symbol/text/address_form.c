#include "symbol/text/address_form.h"

#include "bind/native/text_kallsyms.h"
#include "process/file_offset.h"
#include "process/known_runtime.h"
#include "reader/perftext/frameline.h"
#include "symbol/text/textplace.h"

enum {
	/* larger than the size of any library, and below the address of any library */
	LIBRARY_MAX = 1 << 28,
	/* the chosen form must have more than CLEAR times as many frames as the other */
	CLEAR = 9,
};

/*
 * Returns true if module is a library, which has small file offsets.  Excludes files of perf
 * inject: V8 also runs JIT code at low addresses, so a small address in such a file may be a
 * run-time address.
 */
static bool is_library(struct str module)
{
	struct str base = str_base(module);

	return !process_is_injected(module) &&
	       (str_has(base, STR(".so")) || str_ends(base, STR(".dll")));
}

/*
 * Returns true if -m names an ELF file that a loader maps above LIBRARY_MAX.  The file may have
 * any name.
 */
static bool given_movable(struct locator *l)
{
	bool movable = false;

	for (size_t i = 0; i < l->n && !movable; i++) {
		struct item *it = &l->item[i];
		bool given = it->kind == ITEM_ELF && locate_is_named(it);
		const struct elf *e = given ? locate_elf(l, it) : NULL;

		movable = e && e->movable;
	}
	return movable;
}

/*
 * Returns true if all files with the name of the module are mapped above LIBRARY_MAX.  If no ELF
 * file has that name, the files named by -m decide.
 */
static bool look_movable(struct locator *l, struct str module)
{
	bool movable = false;
	int tried = 0;

	for (struct item *it = locate_base(l, module); it && tried < SAME_NAME;
	     it = locate_next(l, it)) {
		const struct elf *e = it->kind == ITEM_ELF ? locate_elf(l, it) : NULL;

		if (e && !e->movable)
			return false;
		movable |= e != NULL;
		tried += e != NULL;
	}
	return tried ? movable : given_movable(l);
}

static bool is_movable(struct textplace *t, str_id module)
{
	uint32_t *known = table_at(&t->movable, &t->s->run, module, 0);

	if (!*known)
		*known = 1 +
		         look_movable(&t->s->locator, intern_str(&t->s->names, module));
	return *known == 2;
}

/* A vote for a form of addresses: a user frame of a call chain. */
struct ballot {
	const struct frame_text *ft;
	int32_t pid;
	str_id module;
	bool caller;
};

/*
 * Returns the form that the name of a frame proves.  If the frame has no name and no mapping
 * fits its address (`placed` is false), passes the frame to find_bias.
 */
static enum address_form ask_name(struct textplace *t, const struct ballot *b,
                                  bool placed)
{
	if (!textplace_is_file(b->ft->module))
		return FORM_UNSURE;
	if (!b->ft->func.n && !placed)
		find_bias_note(&t->bias, b->pid, b->module, b->ft->addr, b->caller);
	if (!b->ft->func.n || !b->ft->has_off)
		return FORM_UNSURE;
	return named_evidence_form(&t->evidence, b->pid, b->module, b->ft);
}

/*
 * Adds the evidence of a frame: its name, and the mappings that fit its address.  If there is
 * neither a name nor a mapping, the size of the address is the evidence.
 */
static void count(struct form_votes *v, struct textplace *t, const struct ballot *b)
{
	const struct frame_text *ft = b->ft;
	struct processes *ps = t->s->ps;
	const struct mapping *m = process_find(ps, b->pid, ft->addr, MODE_USER);
	bool absolute = m && m->module == b->module;
	bool offset = file_offset_find(ps, b->pid, b->module, ft->addr, NULL) != NULL;
	enum address_form shown = ask_name(t, b, absolute || offset);

	v->named += shown != FORM_UNSURE;
	if (absolute != offset && shown != FORM_UNSURE) {
		/* The name and the mapping contradict each other, so both forms count. */
		v->absolute += shown == FORM_ABSOLUTE;
		v->offset += shown == FORM_OFFSET;
	} else if (shown != FORM_UNSURE) {
		absolute = shown == FORM_ABSOLUTE;
		offset = !absolute;
	} else if (!absolute && !offset) {
		absolute = ft->addr >> 32 != 0;
		offset = ft->addr < LIBRARY_MAX &&
		         (is_library(ft->module) ||
		          known_runtime_is_doublemapper(ft->module) ||
		          is_movable(t, b->module));
	}
	v->absolute += absolute && !offset;
	v->offset += offset && !absolute;
}

/*
 * Passes a kernel frame to the binder.  If a user frame is in a file and in a call chain, counts
 * it as evidence.
 */
static void vote(struct form_votes *v, struct textplace *t, int32_t pid,
                 const struct frame *f, size_t i, uint64_t *before)
{
	struct frame_text ft;
	struct ballot b = { .ft = &ft, .pid = pid };

	if (textplace_kind(f) == TEXT_LINE_BPF || !frameline_read(f, &ft) || ft.inlined)
		return;
	b.caller = textplace_is_caller(ft.addr, *before, i);
	*before = ft.addr;
	if (ft.addr >> KERNEL_BIT) {
		if (!process_kernel(t->s->ps))
			text_kallsyms_note(t->s->binder, &ft);
		return;
	}
	if (textplace_kind(f) != TEXT_LINE_CHAIN)
		return;
	if (!textplace_is_file(ft.module) && !known_runtime_is_doublemapper(ft.module))
		return;
	b.module = intern(&t->s->names, ft.module);
	count(v, t, &b);
}

void address_form_vote(struct form_votes *v, struct textplace *t, const struct event *ev)
{
	int32_t pid = ev->kind == EV_SAMPLE ? textplace_pid(t, ev) : -1;
	uint64_t before = 0;

	if (ev->kind == EV_TEXT && v->said == FORM_UNSURE)
		v->said = address_form_of_version(ev->raw);
	for (size_t i = 0; ev->kind == EV_SAMPLE && i < ev->nframes; i++)
		vote(v, t, pid, &ev->frames[i], i, &before);
}

enum address_form address_form_of_version(struct str line)
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

enum address_form address_form_of_votes(const struct form_votes *v)
{
	if (v->offset > CLEAR * v->absolute)
		return FORM_OFFSET;
	return v->absolute > CLEAR * v->offset ? FORM_ABSOLUTE : FORM_UNSURE;
}

void address_form_conclude(const struct form_votes *v, struct textplace *t)
{
	static const char *const means[] = {
		[FORM_UNSURE] = "are ambiguous",
		[FORM_OFFSET] = "are file offsets",
		[FORM_ABSOLUTE] = "are run-time addresses",
	};
	bool shown = v->offset || v->absolute;
	struct session *s = t->s;

	t->form = shown ? address_form_of_votes(v) : v->said;
	diag_detail(s->diag,
	            "addresses of user frames %s: %zu can only be offsets, %zu only "
	            "run-time addresses (%zu of both by their names)%s%s",
	            means[t->form], v->offset, v->absolute, v->named,
	            v->said != FORM_UNSURE ? "; according to perf's version they " : "",
	            v->said != FORM_UNSURE ? means[v->said] : "");
	if (shown && t->form == FORM_UNSURE)
		diag_note(s->diag,
		          "frames contain both offsets and run-time addresses, so frames "
		          "without a mapping stay unnamed; add -m perf.data or -m "
		          "maps-PID.txt (a saved /proc/PID/maps)");
	named_evidence_settle(&t->evidence);
	if (t->form == FORM_ABSOLUTE)
		find_bias_search(&t->bias);
	text_kallsyms_settle(s->binder);
}
