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

/* An ELF file and its debug file, which together name code. */
struct native {
	struct item *image, *debug; /* either may be NULL */
	/* the file to which dwz moved common debug data of both, or NULL */
	struct item *alt;
	bool read;                 /* symbols have been read */
	struct symtab symbols;     /* by va, mangled */
	bool dwarf_tried, visited; /* visited: see inlined_visit */
	struct dwarf *dwarf;       /* inlined functions and lines, or NULL */
	bool cached;               /* the cache has the DWARF, under dwarf_of */
	struct cache_name dwarf_of;
	struct item *dwarf_item; /* image or debug */
	uint64_t moved;          /* va in image - va of the same place in dwarf */
};

enum { NO_NATIVE = UINT32_MAX };

/* The files that name the code of a mapping, and the place of the mapping in them. */
struct native_place {
	uint32_t native; /* index of native, or NO_NATIVE */
	uint64_t shift;  /* va - file offset */
	struct shared_code_form form;
	struct native_files files;
};

/* A remark about ELF files.  The first file is reported by name, the others are counted. */
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
	uint32_t nowhere; /* index + 1 of the place for all code without a file, or 0 */
	struct table place_of; /* mapping id -> index of place + 1 */
	/* numbers the search keys of native_files_find */
	struct interner searches;
	struct searched {
		struct native_files files;
		bool done, found;
	} * searched; /* results of searches, indexed by the number of the search key */
	size_t searched_cap;
	/* mapping id -> 1 if name_offset_confirm was called for it */
	struct table confirmed;
	/* path -> 2 if calls show that this machine's file ran, else 1 */
	struct table shown;
	struct table given;    /* path -> index + 1 of the item that match_given chose */
	struct table remarked; /* item -> 1 if a remark counts it */
	struct native_remark refused, unverified, trusted, no_alt;
	struct jitted_sos *jitted_sos; /* NULL before jitted_so_match */
	/* mapping id or pid -> 1 if bind_find has reported its unused files */
	struct table unused;
};

/* Returns the index of the native that has these files, and marks the files as used. */
uint32_t native_add(struct binder *b, const struct native_files *f);

/* Adds a file to a remark, unless some remark already counts it. */
void native_remark(struct binder *b, struct native_remark *r, const struct item *it,
                   const char *why);

/* Returns the files for m, or NULL if m was never looked up. */
const struct native_files *native_get_files(const struct binder *b,
                                            const struct mapping *m);

/*
 * Sets out to the ELF files of m.  Returns false if there is no file, or if a .NET image names m.
 */
bool native_code(struct binder *b, const struct mapping *m, struct shared_code *out);

/* Returns the ELF files of m, and sets *shift to va - file offset in them, or returns NULL. */
struct native *native_open(struct binder *b, const struct mapping *m, uint64_t *shift);

/* Implements shared_code_form. */
struct shared_code_form native_form(struct binder *b, const struct mapping *m);

/*
 * Finds the name at ip, and the offset in it, in the ELF files of m.  They are looked for when m
 * is first used.
 */
bool native_find(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                 struct bound_name *out);

/* Finds the name at a va of a native, and the offset in it. */
bool native_name(struct binder *b, uint32_t native, uint64_t va, bool caller,
                 struct bound_name *out);

/*
 * Returns the ELF image, not its debug file, that has the path of m, or NULL.  Sets its symbols,
 * by va.  Does not verify the image.
 */
const struct elf *native_elf_called(struct binder *b, const struct mapping *m,
                                    const struct symtab **symbols);

/* Returns true for "[vdso]", and for the path of a file that is not a .NET image. */
bool native_is_file(struct str path);

/*
 * Returns true if m maps a part of the file that is not code.  Only a wrong return address is in
 * such a part.
 */
bool native_is_data(const struct elf *e, const struct mapping *m);

/* Calls elf_calls_count for f, with the symbols of f. */
struct elf_calls;
bool native_count_calls(struct binder *b, const struct mapping *m,
                        const struct native_files *f, uint64_t *shift,
                        struct elf_calls *c);

/*
 * Returns true if image fits exactly all mappings of code with that path.  Adds the return
 * addresses in these mappings to c.
 */
bool native_module_fits(struct binder *b, str_id path, struct item *image,
                        struct elf_calls *c);

/* Reports the remarks. */
void native_report(const struct binder *b);

#endif
