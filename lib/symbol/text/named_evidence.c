/*
 * What the names that a text already has show of its other frames: whether numbers are
 * offsets or addresses, where a module lay in a process of which no mapping tells, and
 * that a file is of another build.
 */
#include "symbol/text/named_evidence.h"

#include "bind/native/name_offset.h"

enum {
	CLEAR = 9,  /* times as many frames that agree as others */
	ENOUGH = 2, /* of them, to know where a module lay */
	ASKED = 64, /* distinct frames of a module and process */
};

static struct shown_module *shown_at(struct profile *p, int32_t pid, str_id module)
{
	uint32_t *at = table_at(&p->shown_of, &p->run, module, (uint32_t)pid);

	if (!*at) {
		p->shown = arena_grow(&p->run, p->shown, &p->shown_cap, p->nshown + 1,
		                      sizeof(*p->shown));
		p->shown[p->nshown++] =
		        (struct shown_module){ .module = module, .pid = pid };
		*at = (uint32_t)p->nshown;
	}
	return &p->shown[*at - 1];
}

/* NULL: no frame has shown anything of it. */
static const struct shown_module *shown_of(const struct profile *p, int32_t pid,
                                           str_id module)
{
	uint32_t at = table_get(&p->shown_of, module, (uint32_t)pid);

	return at ? &p->shown[at - 1] : NULL;
}

/* What is mapped there, if that is known, says which build it is. */
static struct name_offset calibrate(struct profile *p, int32_t pid, str_id module,
                                    const struct frame_text *ft, bool *shows)
{
	const struct mapping *m = process_find(p->ps, pid, ft->addr, MODE_USER);
	struct mapping none = { .path = module, .module = module, .assumed = true };
	struct name_offset c;

	if (!m || m->module != module)
		m = process_find_offset(p->ps, pid, module, ft->addr);
	*shows = name_offset_compare(p->binder, m ? m : &none, ft, &c);
	return c;
}

enum address_form profile_shown(struct profile *p, int32_t pid, str_id module,
                                const struct frame_text *ft)
{
	struct shown_module *s = shown_at(p, pid, module);
	uint32_t *by = table_at(&p->shown_by, &p->run, ft->addr, (size_t)(s - p->shown));
	struct name_offset c;
	bool shows;

	if (*by)
		return (enum address_form)(*by - 1);
	*by = 1 + FORM_UNSURE;
	if (s->asked++ >= ASKED)
		return FORM_UNSURE;
	c = calibrate(p, pid, module, ft, &shows);
	if (!shows)
		return FORM_UNSURE;
	if (c.offset) {
		s->offset++;
		*by = 1 + FORM_OFFSET;
	} else if (c.absolute && (!s->absolute || s->bias == c.bias)) {
		s->absolute++;
		s->bias = c.bias;
		*by = 1 + FORM_ABSOLUTE;
	} else {
		s->neither++;
	}
	return (enum address_form)(*by - 1);
}

static bool agrees(const struct shown_module *s)
{
	size_t most = s->offset > s->absolute ? s->offset : s->absolute;
	size_t others = s->neither + s->offset + s->absolute - most;

	return most >= ENOUGH && most > CLEAR * others;
}

bool profile_is_refuted(const struct profile *p, int32_t pid, str_id module)
{
	const struct shown_module *s = shown_of(p, pid, module);

	return s && s->neither && !agrees(s);
}

const struct mapping *profile_shown_mapping(struct profile *p, int32_t pid, str_id module)
{
	const struct shown_module *s = shown_of(p, pid, module);

	if (!s || !agrees(s) || s->offset > s->absolute)
		return NULL;
	return process_assume_at(p->ps, pid, module, s->bias);
}

/* Of the file that names agree with, and where it lay. */
static void tell(struct profile *p, const struct shown_module *s)
{
	struct str module = intern_str(&p->names, s->module);

	if (profile_is_refuted(p, s->pid, s->module)) {
		diag_note(p->diag,
		          PRSTR ": its file among the sources names nothing: of frames "
		                "that have names, %zu of %zu are elsewhere in it",
		          STRARG(module), s->neither,
		          s->offset + s->absolute + s->neither);
	} else if (agrees(s) && s->offset > s->absolute) {
		name_offset_confirm(p->binder, process_assume(p->ps, s->module));
		diag_detail(p->diag, PRSTR ": %zu frames that have names are at offsets",
		            STRARG(module), s->offset);
	} else if (agrees(s)) {
		name_offset_confirm(p->binder,
		           process_assume_at(p->ps, s->pid, s->module, s->bias));
		diag_detail(p->diag,
		            PRSTR
		            ": by %zu frames that have names its first byte lay at %llx",
		            STRARG(module), s->absolute, (unsigned long long)s->bias);
	}
}

void profile_settle_shown(struct profile *p)
{
	for (size_t i = 0; i < p->nshown; i++)
		tell(p, &p->shown[i]);
}
