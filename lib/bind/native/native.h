/*
 * native - names native code, which was compiled before it ran, from ELF files.  Private to
 * bind/.
 *
 * The build-id of a mapping identifies its file.  Without a build-id, the file must have the path
 * of the mapping and a segment of the same length, and the lack of proof is reported.  If the
 * file is stripped, a debug file with the same build-id has the names.
 */
#ifndef BIND_NATIVE_NATIVE_H
#define BIND_NATIVE_NATIVE_H

#include "bind/shared_code.h"

/* An ELF file and its debug file, which name code together. */
struct native {
	struct item *image, *debug; /* either may be NULL */
	/* the file to which dwz moved common debug data, or NULL */
	struct item *alt;
	bool read;                 /* symbols were read */
	struct symtab symbols;     /* sorted by va, mangled */
	bool dwarf_tried, visited; /* visited: inlined_visit was called */
	struct dwarf *dwarf;       /* inlined functions and lines, or NULL */
	bool cached;               /* the DWARF is in the cache, under the key dwarf_of */
	struct cache_name dwarf_of;
	struct item *dwarf_item; /* the file with DWARF: image or debug */
	uint64_t moved;          /* va in image minus va of the same byte in dwarf */
};

enum { NO_NATIVE = UINT32_MAX };

/* The files that name the code of a mapping, and the shift from file offsets to va. */
struct native_place {
	uint32_t native; /* index in natives.native, or NO_NATIVE */
	uint64_t shift;  /* va minus file offset */
	struct shared_code_form form;
	struct native_files files;
};

/* A report about ELF files.  It names only the first file, and counts the others. */
struct native_remark {
	const struct item *first;
	const char *why;
	size_t n;
};

struct natives {
	struct native *native;
	size_t n, cap;
	struct table by_items; /* (image, debug) -> index in `native` + 1 */
	struct native_place *place;
	size_t nplaces, places_cap;
	/* index + 1 of the native_place that all code without a file shares, or 0 */
	uint32_t nowhere;
	struct table place_of; /* mapping id -> index of the native_place + 1 */
	/* assigns a number to each search_key of native.c */
	struct interner searches;
	struct searched {
		struct native_files files;
		bool done, found;
	} * searched; /* results of searches, indexed by the number of the key */
	size_t searched_cap;
	/* set of mapping ids for which name_offset_confirm was called */
	struct table confirmed;
	/* path -> 2 if this machine's file ran (is_shown), or 1 if this is not proved */
	struct table shown;
	struct table given;    /* path -> index + 1 of the item that match_given chose */
	struct table remarked; /* set of items that native_remark has added to a remark */
	struct native_remark refused, unverified, trusted, no_alt;
	struct jitted_sos *jitted_sos; /* NULL before jitted_so_match */
	/* set of (mapping id, pid).  bind_find has reported the unused files of each */
	struct table unused;
};

/* Returns the index of the struct native with these files, and marks the files as used. */
uint32_t native_add(const struct binder *b, const struct native_files *f);

/* Adds a file to the remark r, unless it was already added to a remark. */
void native_remark(const struct binder *b, struct native_remark *r, const struct item *it,
                   const char *why);

/* Returns the files for m, or NULL if m has not been looked up. */
const struct native_files *native_get_files(const struct binder *b,
                                            const struct mapping *m);

/*
 * Sets *out to the ELF files of m.  Returns false if there are no files, or if m maps a .NET
 * image.
 */
bool native_code(const struct binder *b, const struct mapping *m,
                 struct shared_code *out);

/* Returns the ELF files of m, or NULL.  Sets *shift to va minus file offset. */
struct native *native_open(const struct binder *b, const struct mapping *m,
                           uint64_t *shift);

/* Implements shared_code_form. */
struct shared_code_form native_form(const struct binder *b, const struct mapping *m);

/*
 * Finds the name at ip, and the offset in the function, in the ELF files of m.  The first call
 * for m searches for its files.
 */
bool native_find(const struct binder *b, const struct mapping *m, uint64_t ip,
                 bool caller, struct bound_name *out);

/* Finds the name at a va in the files of natives.native[native], and the offset in the function. */
bool native_name(const struct binder *b, uint32_t native, uint64_t va, bool caller,
                 struct bound_name *out);

/*
 * Returns the unverified ELF image at the path of m, or NULL.  Never returns a debug file.  Sets
 * *symbols to the symbols of the image, sorted by va.
 */
const struct elf *native_elf_called(struct binder *b, const struct mapping *m,
                                    const struct symtab **symbols);

/* Returns true for "[vdso]", and for paths of files other than .NET images. */
bool native_is_file(struct str path);

/*
 * Returns true if m maps a part of the file that contains no code.  An address in such a part is
 * not a valid return address.
 */
bool native_is_data(const struct elf *e, const struct mapping *m);

struct elf_calls;
/*
 * Returns true if image has all segments of code that were mapped from `path`.  Adds the return
 * addresses in the mappings of `path` to c.
 */
bool native_module_fits(const struct binder *b, str_id path, struct item *image,
                        struct elf_calls *c);

/* Prints the remarks. */
void native_report(const struct binder *b);

#endif
