/*
 * kernel - names of kernel code: the kernel, its modules, BPF programs; private to bind/.
 *
 * A saved kallsyms, vmlinux, the files of modules or the records of BPF programs name the
 * kernel of the recording machine.  So does the kallsyms of the analysing machine if its
 * kernel has the build-id of the one that ran.
 *
 * perf records where the kernel lay: the mapping begins where its text does, its file
 * offset is the address of _text in that boot, and it ends with the text.  So a kallsyms
 * shows by the length of the text that it is of this kernel, and the difference of the two
 * addresses of _text is what KASLR had moved the other boot by.
 */
#ifndef BIND_NATIVE_KERNEL_H
#define BIND_NATIVE_KERNEL_H

#include "bind/native/native.h"

/* A mapping of the kernel or of a module.  Without kallsyms and native, nothing names it. */
struct kernel_place {
	const struct kallsyms *kallsyms;
	uint32_t native;           /* or NO_NATIVE */
	struct str module;         /* in kallsyms; empty: the kernel itself */
	uint64_t delta;            /* address in kallsyms or native - ip, modulo 2^64 */
	struct native_files files; /* image may be a kallsyms */
};

struct kernel_places {
	struct kernel_place *place;
	size_t n, cap;
	struct table place_of; /* mapping id -> index of place + 1 */
};

/* "[kernel.kallsyms]", "[kernel]": the kernel itself, not a module? */
bool kernel_is_core(struct str path);

/* Name and offset at ip in the kernel, its modules and its BPF programs. */
bool kernel_find(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                 struct bound_name *out);

/* The files found for m; NULL: it was never looked up. */
const struct native_files *kernel_found(const struct binder *b, const struct mapping *m);

/* The ELF files of the kernel or module, and va - ip in them; NULL: there are none. */
struct native *kernel_native(struct binder *b, const struct mapping *m, uint64_t *delta);

/*
 * The run-time addresses of the code that interrupts and exceptions enter, in m, the kernel
 * itself.  Returns the end, or 0 if it is not known.
 */
uint64_t kernel_irq_entry(struct binder *b, const struct mapping *m, uint64_t *start);

#endif
