#include "symbol/text/named_evidence.h"

#include "bind/native/name_offset.h"
#include "process/file_offset.h"

enum {
	CLEAR = 9, /* minimum number of agreeing frames for each disagreeing frame */
	/* This many agreeing named frames determine the form of addresses, or a load address. */
	ENOUGH = 2,
	/* maximum number of distinct frames of a module and process that are compared */
	ASKED = 64,
};

/* The evidence of one module's frames in one process. */
struct module_evidence {
	str_id module;
	int32_t pid;
	size_t asked; /* number of distinct frames that were noted */
	/*
	 * offset: number of frames that are file offsets.  absolute: number of frames that
	 * are run-time addresses.  neither: number of frames that can be neither of
	 * them, so the file is from another build
	 */
	size_t offset, absolute, neither;
	uint64_t bias; /* run-time address minus file offset, if `absolute` > 0 */
};

static struct module_evidence *evidence_at(struct named_evidence *e, int32_t pid,
                                           str_id module)
{
	uint32_t *at = table_at(&e->index, &e->s->run, module, (uint32_t)pid);

	return table_item(at, &e->s->run, e->of, e->n, e->cap,
	                  (struct module_evidence){ .module = module, .pid = pid });
}

/* Returns the evidence for a module, or NULL if it has no named frame. */
static const struct module_evidence *find_evidence(const struct named_evidence *e,
                                                   int32_t pid, str_id module)
{
	uint32_t at = table_get(&e->index, module, (uint32_t)pid);

	return at ? &e->of[at - 1] : NULL;
}

/*
 * Compares a named frame with an ELF file: the file of the frame's mapping or, if the mapping
 * is unknown, the file with the module's name.  Sets *shows to false if the frame is not usable
 * as evidence.
 */
static struct name_offset calibrate(struct named_evidence *e, int32_t pid, str_id module,
                                    const struct frame_text *ft, bool *shows)
{
	const struct mapping *m = process_find(e->s->ps, pid, ft->addr, MODE_USER);
	struct mapping none = { .path = module, .module = module, .assumed = true };
	struct name_offset c;

	if (!m || m->module != module)
		m = file_offset_find(e->s->ps, pid, module, ft->addr, NULL);
	*shows = name_offset_compare(e->s->binder, m ? m : &none, ft, &c);
	return c;
}

enum address_form named_evidence_form(struct named_evidence *e, int32_t pid,
                                      str_id module, const struct frame_text *ft)
{
	struct module_evidence *s = evidence_at(e, pid, module);
	uint32_t *by =
	        table_at(&e->by_address, &e->s->run, ft->addr, (size_t)(s - e->of));
	struct name_offset c;
	bool shows;

	if (*by)
		return (enum address_form)(*by - 1);
	*by = 1 + FORM_UNSURE;
	if (s->asked++ >= ASKED)
		return FORM_UNSURE;
	c = calibrate(e, pid, module, ft, &shows);
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

static bool agrees(const struct module_evidence *s)
{
	size_t most = s->offset > s->absolute ? s->offset : s->absolute;
	size_t others = s->neither + s->offset + s->absolute - most;

	return most >= ENOUGH && most > CLEAR * others;
}

bool named_evidence_refutes(const struct named_evidence *e, int32_t pid, str_id module)
{
	const struct module_evidence *s = find_evidence(e, pid, module);

	return s && s->neither && !agrees(s);
}

const struct mapping *named_evidence_mapping(const struct named_evidence *e, int32_t pid,
                                             str_id module)
{
	const struct module_evidence *s = find_evidence(e, pid, module);

	if (!s || !agrees(s) || s->offset > s->absolute)
		return NULL;
	return process_assume_at(e->s->ps, pid, module, s->bias);
}

/*
 * Reports the conclusion about a module: its file is from another build, its addresses are file
 * offsets, or its load address was found.
 */
static void tell(const struct named_evidence *e, const struct module_evidence *s)
{
	struct str module = intern_str(&e->s->names, s->module);

	if (named_evidence_refutes(e, s->pid, s->module)) {
		diag_note(e->s->diag,
		          PRSTR ": its file is not used: it disagrees with %zu of %zu "
		                "named frames",
		          STRARG(module), s->neither,
		          s->offset + s->absolute + s->neither);
	} else if (agrees(s) && s->offset > s->absolute) {
		name_offset_confirm(e->s->binder, process_assume(e->s->ps, s->module));
		diag_detail(e->s->diag, PRSTR ": %zu named frames are at offsets",
		            STRARG(module), s->offset);
	} else if (agrees(s)) {
		name_offset_confirm(e->s->binder, process_assume_at(e->s->ps, s->pid,
		                                                    s->module, s->bias));
		diag_detail(e->s->diag,
		            PRSTR ": according to %zu named frames it was loaded at %llx",
		            STRARG(module), s->absolute, (unsigned long long)s->bias);
	}
}

void named_evidence_settle(const struct named_evidence *e)
{
	for (size_t i = 0; i < e->n; i++)
		tell(e, &e->of[i]);
}
