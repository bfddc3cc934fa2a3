/*
 * kernel - names of kernel code: the kernel, its modules, BPF programs.  Private to bind/.
 *
 * A saved kallsyms, vmlinux, the files of modules or the records of BPF programs name the kernel
 * of the recording machine.  So does the kallsyms of the analysing machine if its kernel has the
 * build-id of the one that ran.
 *
 * perf records the place of the kernel: the mapping begins at its text, its file offset is the
 * address of _text in that boot, and it ends with the text.  So the length of the text shows that
 * a kallsyms belongs to this kernel, and the difference of the two addresses of _text is the
 * offset of KASLR between the two boots.
 */
#ifndef BIND_NATIVE_KERNEL_H
#define BIND_NATIVE_KERNEL_H

#include "bind/native/native.h"

/* A mapping of the kernel or of a module.  Without kallsyms and native, it has no names. */
struct kernel_place {
	const struct kallsyms *kallsyms;
	uint32_t native;           /* or NO_NATIVE */
	struct str module;         /* in kallsyms, or empty for the kernel itself */
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

/* Returns the files for m, or NULL if it was never looked up. */
const struct native_files *kernel_found(const struct binder *b, const struct mapping *m);

/* Returns the ELF files of the kernel or module, and sets va - ip in them, or NULL. */
struct native *kernel_native(struct binder *b, const struct mapping *m, uint64_t *delta);

/*
 * The run-time addresses of the code that interrupts and exceptions enter, in m, the kernel
 * itself.  Returns the end, or 0 if it is not known.
 */
uint64_t kernel_irq_entry(struct binder *b, const struct mapping *m, uint64_t *start);

#endif
