/*
 * kernel - names of kernel code: the kernel, its modules, BPF programs.  Private to bind/.
 *
 * The kernel of the recording machine is named by a saved kallsyms, vmlinux, the files of
 * modules, or the records of BPF programs.  The kallsyms of the analysing machine is used if its
 * kernel has the build-id of the kernel that ran.
 *
 * perf records the place of the kernel.  The mapping begins at the start of its text and ends
 * with the text.  Its file offset is the address of _text in that boot.  So the length of the
 * text shows that a kallsyms belongs to this kernel, and the difference of the two addresses of
 * _text is the offset of KASLR between the two boots.
 */
#ifndef BIND_NATIVE_KERNEL_H
#define BIND_NATIVE_KERNEL_H

#include "bind/native/native.h"

/*
 * A mapping of the kernel or of a module.  If it has neither kallsyms nor native, its code has
 * no names.
 */
struct kernel_place {
	const struct kallsyms *kallsyms;
	uint32_t native; /* number of the ELF files, or NO_NATIVE */
	/* name of the module in kallsyms, or empty for the kernel itself */
	struct str module;
	uint64_t delta;            /* address in kallsyms or native - ip, modulo 2^64 */
	struct native_files files; /* files.image may be a kallsyms */
};

struct kernel_places {
	struct kernel_place *place;
	size_t n, cap;
	struct table place_of; /* mapping id -> index of place + 1 */
};

/* Returns true for the kernel itself ("[kernel.kallsyms]", "[kernel]"), false for a module. */
bool kernel_is_core(struct str path);

/* Finds the name at ip in the kernel, its modules or its BPF programs, and the offset in it. */
bool kernel_find(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                 struct bound_name *out);

/* Returns the files for m, or NULL if m was never looked up. */
const struct native_files *kernel_get_files(const struct binder *b,
                                            const struct mapping *m);

/* Returns the ELF files of the kernel or module, and sets *delta to va - ip, or returns NULL. */
struct native *kernel_native(struct binder *b, const struct mapping *m, uint64_t *delta);

/*
 * Returns the end of the code that interrupts and exceptions enter, as a run-time address in m,
 * the kernel itself.  Sets *start.  Returns 0 if the code is unknown.
 */
uint64_t kernel_irq_entry(struct binder *b, const struct mapping *m, uint64_t *start);

#endif
