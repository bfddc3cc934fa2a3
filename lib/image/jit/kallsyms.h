/*
 * kallsyms - a saved /proc/kallsyms: symbols of the running kernel and their addresses.
 *
 * 	ffffffff81000000 T _stext
 * 	ffffffffc0301000 t ext4_file_open       [ext4]
 *
 * Addresses belong to the boot in which it was saved.  Symbols have no sizes.  Each ends at the
 * next one, as in perf 6.1 (symbols__fixup_end).
 */
#ifndef IMAGE_JIT_KALLSYMS_H
#define IMAGE_JIT_KALLSYMS_H

#include "image/symtab.h"

struct kallsyms {
	struct symtab symbols; /* names followed by "\t[module]" */
	uint64_t text, etext;  /* of the kernel itself, or 0 if not listed */
	/* code that interrupts and exceptions enter, or 0 if not listed */
	uint64_t irq, irq_end;
	uint64_t edata; /* the end of its data, or 0 */
};

/* The symbols around that code, include/asm-generic/sections.h. */
#define IRQ_BEGIN "__irqentry_text_start"
#define IRQ_END   "__irqentry_text_end"

bool kallsyms_bid(struct str head);

/*
 * Names live as long as bytes.  Returns false if there are no symbols, or if their addresses are
 * hidden.
 */
bool kallsyms_read(struct kallsyms *ks, struct str bytes, struct arena *a);

/*
 * Returns true if perf records this length of the kernel.  Its mapping ends with the text, and
 * since perf 6.12 with the data, if kallsyms lists it.
 */
bool kallsyms_has_length(const struct kallsyms *ks, uint64_t length);

/*
 * Returns the symbol's name, and sets its module without brackets, empty for the kernel itself.
 */
struct str kallsyms_split(struct str name, struct str *module);

/* Returns true if all functions of that module are in [start, end), or if it has no functions. */
bool kallsyms_has_module(const struct kallsyms *ks, struct str module, uint64_t start,
                         uint64_t end);

#endif
