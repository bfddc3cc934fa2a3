/*
 * natives - natively compiled code, and the files that name it; private to symbol/.
 */
#ifndef BIND_NATIVE_NATIVES_H
#define BIND_NATIVE_NATIVES_H

#include "base/table.h"
#include "bind/bind.h"
#include "bind/native/files.h"

/* An ELF file and its debug file: together they name code. */
struct native {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt;           /* what dwz moved out of their DWARF, or NULL */
	bool read;
	struct symtab symbols; /* by va, mangled */
	bool dwarf_tried;
	struct dwarf *dwarf; /* inlined functions and lines; NULL: none */
	bool told;           /* the cache knows it by: */
	struct cache_sum dwarf_of;
	uint64_t moved; /* how much higher a va is than in dwarf */
};

/* A mapping of one, or of none. */
enum { NO_NATIVE = UINT32_MAX };
struct native_place {
	uint32_t native; /* NO_NATIVE: no file names it */
	uint64_t shift;  /* va - file offset */
	struct native_files files;
};

/* What is said of ELF files at the end: the first by name, the others counted. */
struct native_remark {
	const struct item *first;
	const char *why;
	size_t n;
};

/* Natively compiled code; private to bind/native/native.c. */
struct natives {
	struct native *native;
	size_t n, cap;
	struct table by_items; /* (image, debug) -> index of native + 1 */
	struct native_place *place;
	size_t nplaces, places_cap;
	struct table place_of; /* mapping id -> index of place + 1 */
	struct table plain_of; /* (mangled name) -> index of plain + 1 */
	struct str *plain;
	size_t nplain, plain_cap;
	struct table shown; /* mapping id -> 1: bind_shown */
	struct table said;  /* item -> 1, of those that remarks count */
	struct native_remark refused, unverified, trusted, no_alt;
};

/* A mapping of the kernel or of a module. */
struct kernel_place {
	const struct kallsyms
	        *kallsyms;         /* names it, or native does; NULL and NO_NATIVE: */
	uint32_t native;           /* nothing does */
	struct str module;         /* in kallsyms; empty: the kernel itself */
	uint64_t delta;            /* address there - ip, modulo 2^64 */
	struct native_files files; /* image may be a kallsyms */
};

/* Private to bind/native/kernel.c. */
struct kernel {
	struct kernel_place *place;
	size_t n, cap;
	struct table place_of; /* mapping id -> index of place + 1 */
};

/* What was found for a mapping; NULL: nobody asked. */
const struct native_files *bind_native_files(const struct binder *b,
                                             const struct mapping *m);
const struct native_files *bind_kernel_files(const struct binder *b,
                                             const struct mapping *m);

/*
 * The ELF files of m, and how much a va in them is more than an offset in the file; NULL:
 * there are none.
 */
struct native *bind_native(struct binder *b, const struct mapping *m, uint64_t *shift);

/* The same of the kernel and its modules: how much a va is more than an ip. */
struct native *bind_kernel_native(struct binder *b, const struct mapping *m,
                                  uint64_t *delta);

/* The number of these files in natives. */
uint32_t bind_add_native(struct binder *b, const struct native_files *f);

/* Counts it once; the first is said at the end. */
void bind_remark(struct binder *b, struct native_remark *r, const struct item *it,
                 const char *why);

/* Name and offset from ELF files, which are found when a mapping first asks. */
bool bind_find_native(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                      struct bound_name *out);

/*
 * Of a file whose mapping nothing told: do the return addresses that were sampled in it
 * follow calls there?  c adds up; shift is that of all its code.
 */
struct native_calls {
	size_t all, good, last; /* last: they are the last byte of a call */
};
bool bind_count_calls(struct binder *b, const struct mapping *m, struct item *image,
                      uint64_t *shift, struct native_calls *c);
bool bind_calls_agree(const struct native_calls *c);

/* The ELF image, not its debug file, of m, and its symbols by va; NULL: there is none. */
const struct elf *bind_elf_called(struct binder *b, const struct mapping *m,
                                  const struct symtab **symbols);

/* A name as it is printed, once for each distinct one. */
struct str bind_plain_name(struct binder *b, struct str name);

/* Is there an ELF file with inlined functions or lines of m?  Its symbols are not read. */
bool bind_has_places(struct binder *b, const struct mapping *m);

/* Says which files of split debug information were not found. */
void bind_report_splits(const struct binder *b);

/* Name and offset at va of such files. */
bool bind_name_native(struct binder *b, uint32_t native, uint64_t va, bool caller,
                      struct bound_name *out);

/* Likewise at ip in the kernel, its modules and its BPF programs. */
bool bind_find_kernel(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                      struct bound_name *out);

#endif
