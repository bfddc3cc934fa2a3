/*
 * text_kallsyms - names kernel frames of a text that has no mappings.
 *
 * perf prints run-time addresses of kernel code.  A kallsyms of the recorded boot contains these
 * addresses.  The named frames of the text show whether a kallsyms is of that boot.
 */
#ifndef BIND_NATIVE_TEXT_KALLSYMS_H
#define BIND_NATIVE_TEXT_KALLSYMS_H

#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/* A kallsyms, compared with the distinct kernel frames of the text. */
struct compared_kallsyms {
	struct item *item;
	/* named frames that agree with kallsyms, and named frames that differ */
	size_t agree, differ;
	/* unnamed frames that are not in the kernel's text according to kallsyms */
	size_t outside;
};

struct text_kallsyms {
	struct compared_kallsyms *kallsyms;
	size_t n, cap;
	bool listed; /* the input files that are kallsyms were already added to `kallsyms` */
	struct table seen;                      /* set of addresses */
	const struct compared_kallsyms *chosen; /* NULL if no kallsyms fits */
};

/* Compares a kernel frame of the text, with or without a name, with each kallsyms. */
void text_kallsyms_note(struct binder *b, const struct frame_text *ft);

/* Chooses the kallsyms that fits the noted frames, if there is one, and reports it. */
void text_kallsyms_settle(struct binder *b);

/* Finds the name of an address in the kernel ("[kernel.kallsyms]") or in a module ("[xfs]"). */
bool text_kallsyms_find(const struct binder *b, uint64_t ip, struct str module,
                        bool caller, struct bound_name *out);

#endif
