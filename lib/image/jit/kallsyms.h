/*
 * kallsyms - a saved /proc/kallsyms: symbols of the running kernel and their addresses.
 *
 *	ffffffff81000000 T _stext
 *	ffffffffc0301000 t ext4_file_open	[ext4]
 *
 * Addresses are those of the boot in which it was saved.  Symbols have no sizes: each ends
 * where the next begins, as in perf 6.1 (symbols__fixup_end).
 */
#ifndef IMAGE_JIT_KALLSYMS_H
#define IMAGE_JIT_KALLSYMS_H

#include "image/symtab.h"

struct kallsyms {
	struct symtab symbols; /* names with "\t[module]" behind them */
	uint64_t text, etext;  /* of the kernel itself; 0: not listed */
	uint64_t irq, irq_end; /* code that interrupts and exceptions enter; 0: not listed */
	uint64_t edata;        /* the end of its data, likewise */
};

/* The symbols around that code, include/asm-generic/sections.h. */
#define IRQ_BEGIN "__irqentry_text_start"
#define IRQ_END   "__irqentry_text_end"

bool kallsyms_bid(struct str head);

/* Names live as long as bytes.  False: no symbols, or their addresses are hidden. */
bool kallsyms_read(struct kallsyms *ks, struct str bytes, struct arena *a);

/*
 * Is that the length of the kernel that perf records?  Its mapping ends with the text, and since
 * perf 6.12 with the data, if kallsyms lists it.
 */
bool kallsyms_has_length(const struct kallsyms *ks, uint64_t length);

/* The symbol's name, and its module without brackets; empty: the kernel itself. */
struct str kallsyms_split(struct str name, struct str *module);

/* Do the functions of that module lie in [start, end), as far as it has any? */
bool kallsyms_has_module(const struct kallsyms *ks, struct str module, uint64_t start,
                         uint64_t end);

#endif
