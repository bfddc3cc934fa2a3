/*
 * native - names from ELF files for code that was compiled before it ran.  Private to bind/.
 *
 * The build-id of a mapping identifies the file.  Without one, the file must have the mapping's
 * path and a segment of exactly its length, and that is reported.  The names of a stripped file
 * are in a debug file, which must have the same build-id.
 */
#ifndef BIND_NATIVE_NATIVE_H
#define BIND_NATIVE_NATIVE_H

#include "base/table.h"
#include "bind/shared_code.h"

/* An ELF file and its debug file: together they name code. */
struct native {
	struct item *image, *debug; /* either may be NULL */
	struct item *alt;           /* the common file of dwz for their DWARF, or NULL */
	bool read;                  /* symbols are read */
	struct symtab symbols;      /* by va, mangled */
	bool dwarf_tried;
	struct dwarf *dwarf; /* inlined functions and lines, or NULL */
	bool cached;         /* the cache knows the DWARF as: */
	struct cache_sum dwarf_of;
	uint64_t moved; /* how much higher a va is than in dwarf */
};

enum { NO_NATIVE = UINT32_MAX };

/* A mapping, and the files that name its code. */
struct native_place {
	uint32_t native; /* its number, or NO_NATIVE without a file */
	uint64_t shift;  /* va - file offset */
	struct native_files files;
};

/* A remark about ELF files: the first is reported by name, the others are counted. */
struct native_remark {
	const struct item *first;
	const char *why;
	size_t n;
};

struct natives {
	struct native *native;
	size_t n, cap;
	struct table by_items; /* (image, debug) -> index of native + 1 */
	struct native_place *place;
	size_t nplaces, places_cap;
	uint32_t nowhere;      /* index + 1 of the place for code without a file, or 0 */
	struct table place_of; /* mapping id -> index of place + 1 */
	/* the lookups of native_files_find: struct search_key */
	struct interner searches;
	struct searched {
		struct native_files files;
		bool done, found;
	} * searched; /* by its number there */
	size_t searched_cap;
	struct table confirmed; /* mapping id -> 1: by name_offset_confirm */
	struct table shown;     /* path -> 1, or 2: calls show this machine's file */
	struct table given; /* path -> index of the item used for it + 1: match_given */
	struct table remarked; /* item -> 1: some remark counts it */
	struct native_remark refused, unverified, trusted, no_alt;
	struct jitted_sos *jitted_sos; /* NULL before jitted_so_match */
	/* mapping id or pid -> 1: bind_find has reported its files */
	struct table unused;
};

/* The number of the native that has these files, which are used from now on. */
uint32_t native_add(struct binder *b, const struct native_files *f);

/* Counts it in one remark only. */
void native_remark(struct binder *b, struct native_remark *r, const struct item *it,
                   const char *why);

/* Returns the files for m, or NULL if it was never looked up. */
const struct native_files *native_found(const struct binder *b, const struct mapping *m);

/* Finds the files that name m, unless a .NET image does.  Returns false if there are none. */
bool native_code(struct binder *b, const struct mapping *m, struct shared_code *out);

/* Returns the ELF files of m, and sets va - file offset in them, or NULL. */
struct native *native_of(struct binder *b, const struct mapping *m, uint64_t *shift);

/* Name and offset from ELF files, which are found when a mapping first asks. */
bool native_find(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                 struct bound_name *out);

/* Name and offset at a va of the native of that number. */
bool native_name(struct binder *b, uint32_t native, uint64_t va, bool caller,
                 struct bound_name *out);

/*
 * Returns the ELF image, not its debug file, with the path of m, and sets its symbols by va,
 * without verification.  Or NULL.
 */
const struct elf *native_elf_called(struct binder *b, const struct mapping *m,
                                    const struct symtab **symbols);

/* Is it the path of a file that is no .NET image, or "[vdso]"? */
bool native_is_file(struct str path);

/*
 * Returns true if m is a part of the file without code.  Only a wrong return address leads there.
 */
bool native_is_data(const struct elf *e, const struct mapping *m);

/* The elf_calls_count of f, whose symbols are read. */
struct elf_calls;
bool native_count_calls(struct binder *b, const struct mapping *m,
                        const struct native_files *f, uint64_t *shift,
                        struct elf_calls *c);

/*
 * Returns true if image fits all mappings of code with that path exactly.  Adds the return
 * addresses in them to c.
 */
bool native_module_fits(struct binder *b, str_id path, struct item *image,
                        struct elf_calls *c);

/* Reports the remarks. */
void native_report(const struct binder *b);

#endif
