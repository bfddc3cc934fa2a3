/*
 * text_kernel - names of kernel frames in a text that has no mappings.
 *
 * perf prints the address at which kernel code ran, so a kallsyms of that boot has the same
 * address.  Frames that already have names show whether the kallsyms is of that boot.
 */
#ifndef BIND_NATIVE_TEXT_KERNEL_H
#define BIND_NATIVE_TEXT_KERNEL_H

#include "base/table.h"
#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/* A kallsyms, and counts of distinct kernel frames of the text. */
struct text_kallsyms {
	struct item *item;
	size_t agree, differ; /* frames with names that agree with kallsyms, or differ */
	/* frames without a name that are outside of the kernel's text in kallsyms */
	size_t outside;
};

struct text_kernel {
	struct text_kallsyms *kallsyms;
	size_t n, cap;
	bool listed;                        /* kallsyms has the files of the sources */
	struct table seen;                  /* address -> 1 */
	const struct text_kallsyms *chosen; /* or NULL */
};

/* Compares a kernel frame of the text, with or without a name. */
void text_kernel_note(struct binder *b, const struct frame_text *ft);

/* Selects a kallsyms by the noted frames, if one fits, and reports it. */
void text_kernel_settle(struct binder *b);

/* Finds the name of an address of the kernel ("[kernel.kallsyms]") or a module ("[xfs]"). */
bool text_kernel_find(const struct binder *b, uint64_t ip, struct str module, bool caller,
                      struct bound_name *out);

#endif
