/*
 * kernel - finds names of kernel code: the kernel, its modules and BPF programs.  Private to
 * bind/.
 *
 * The names come from a saved kallsyms, from vmlinux and the files of modules, and from the
 * profile's records of BPF programs.  This machine's kallsyms is used if its kernel has the
 * build-id of the kernel that ran.
 *
 * perf records the load address of the kernel.  The mapping contains exactly the kernel's text,
 * and its file offset is the address of _text in that boot.  A kallsyms belongs to this kernel if
 * its text has the length of the mapping.  The difference between the addresses of _text in
 * kallsyms and in the mapping is then the difference between the KASLR offsets of the two boots.
 */
#ifndef BIND_NATIVE_KERNEL_H
#define BIND_NATIVE_KERNEL_H

#include "bind/native/native.h"

/*
 * The names in a mapping of the kernel or of a module.  If kallsyms is NULL and native is
 * NO_NATIVE, the code has no names.
 */
struct kernel_place {
	const struct kallsyms *kallsyms;
	uint32_t native; /* index in natives.native, or NO_NATIVE */
	/* name of the module in kallsyms, or empty for the kernel itself */
	struct str module;
	uint64_t delta; /* (address in kallsyms or ELF file) - ip, modulo 2^64 */
	struct native_files files; /* files.image may be a kallsyms */
};

struct kernel_places {
	struct kernel_place *place;
	size_t n, cap;
	struct table place_of; /* mapping id -> index of the kernel_place + 1 */
};

/* Returns true for the kernel itself ("[kernel.kallsyms]", "[kernel]"), and false for a module. */
bool kernel_is_core(struct str path);

/*
 * Finds the name at ip in the kernel, in a module or in a BPF program, and the offset in the
 * function.
 */
bool kernel_find(const struct binder *b, const struct mapping *m, uint64_t ip,
                 bool caller, struct bound_name *out);

/* Returns the files for m, or NULL if m has not been looked up. */
const struct native_files *kernel_get_files(const struct binder *b,
                                            const struct mapping *m);

/* Returns the ELF files of the kernel or module, or NULL.  Sets *delta to va minus ip. */
struct native *kernel_native(const struct binder *b, const struct mapping *m,
                             uint64_t *delta);

/*
 * Sets *start to the start of the entry code of interrupts and exceptions, and returns the end of
 * this code.  Both are run-time addresses in m, the kernel itself.  Returns 0 if they are
 * unknown.
 */
uint64_t kernel_irq_entry(const struct binder *b, const struct mapping *m,
                          uint64_t *start);

#endif
