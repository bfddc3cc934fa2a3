/*
 * textkernel - kernel frames of a text that holds no mappings; private to symbol/.
 *
 * perf prints the addresses that kernel code ran at, so that a kallsyms of that boot
 * names them as they are.  Frames that have names show whether it is of that boot.
 */
#ifndef BIND_NATIVE_TEXTKERNEL_H
#define BIND_NATIVE_TEXTKERNEL_H

#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/* A kernel frame of the text, with or without a name. */
void bind_hear_kernel(struct binder *b, const struct frame_text *ft);

/* When enough were heard: chooses a kallsyms, or none, and says so. */
void bind_settle_kernel(struct binder *b);

/* The name of an address of the kernel ("[kernel.kallsyms]") or a module ("[xfs]"). */
bool bind_find_heard(const struct binder *b, uint64_t ip, struct str module, bool caller,
                     struct bound_name *out);

#endif
