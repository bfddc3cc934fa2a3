/*
 * kallsyms - reads a saved /proc/kallsyms, which lists the symbols of the running kernel with
 * their addresses.
 *
 * 	ffffffff81000000 T _stext
 * 	ffffffffc0301000 t ext4_file_open       [ext4]
 *
 * The addresses are valid until the machine reboots.  Symbols have no sizes.  A symbol ends at
 * the next symbol, as in perf 6.1 (symbols__fixup_end).
 */
#ifndef IMAGE_KALLSYMS_H
#define IMAGE_KALLSYMS_H

#include "image/symtab.h"

struct kallsyms {
	struct symtab symbols; /* names followed by "\t[module]" */
	uint64_t text, etext; /* start and end of the kernel's text, or 0 if not listed */
	/* start and end of the interrupt entry code, or 0 if not listed */
	uint64_t irq, irq_end;
	uint64_t edata; /* end of the kernel's data, or 0 if not listed */
};

/* Symbols at the start and the end of interrupt entry code (include/asm-generic/sections.h). */
#define IRQ_BEGIN "__irqentry_text_start"
#define IRQ_END   "__irqentry_text_end"

bool kallsyms_bid(struct str head);

/*
 * Returns false if there are no symbols, or if their addresses are hidden.  Names live as long as
 * `bytes`.
 */
bool kallsyms_read(struct kallsyms *ks, struct str bytes, struct arena *a);

/*
 * Returns true if perf uses this length for the mapping of the kernel.  The mapping ends with the
 * text.  Since perf 6.12 it ends with the data, if kallsyms lists the end of the data.
 */
bool kallsyms_has_length(const struct kallsyms *ks, uint64_t length);

/*
 * Splits "name\t[module]".  Returns the name and sets the module, which is empty for the
 * kernel itself.
 */
struct str kallsyms_split(struct str name, struct str *module);

/*
 * Returns true if all functions of the module are in [start, end), or if it has no
 * functions.
 */
bool kallsyms_has_module(const struct kallsyms *ks, struct str module, uint64_t start,
                         uint64_t end);

#endif
