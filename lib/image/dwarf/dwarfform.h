/*
 * dwarfform - entries (DIEs) as they stand in the file; private to image/dwarf*.c.
 *
 * An entry is a code, which stands for a tag and a list of attributes, and their
 * values.
 */
#ifndef IMAGE_DWARF_DWARFFORM_H
#define IMAGE_DWARF_DWARFFORM_H

#include "base/table.h"

enum {
	MAX_ATTRS = 128, /* of one entry; compilers write up to 30 */
	MAX_DEPTH = 512, /* of the tree; compilers reach 60 */
	MAX_CHAIN = 16,  /* of entries that are about the same function */
};

struct attr_spec {
	uint16_t name, form;
	int64_t value; /* of DW_FORM_implicit_const */
};

struct abbrev {
	uint64_t code;
	uint32_t spec, nspecs; /* into abbrevs.spec */
	uint32_t size;         /* of all values; 0 when that varies */
	uint16_t tag;
	bool children;
};

struct abbrevs {
	struct abbrev *at;
	size_t n, cap;
	struct attr_spec *spec;
	size_t nspecs, specs_cap;
	struct table odd; /* code -> index + 1, of those that are not in their place */
};

/* A value as it stands in the file. */
struct form {
	uint16_t form; /* DW_FORM_*; 0: the attribute is absent */
	uint32_t n;    /* of what p points to */
	uint64_t u;
	const char *p;
};

/* The attributes that matter here. */
struct attrs {
	struct form low, high, ranges;
	struct form name, linkage, origin, sibling;
	struct form call_file, call_line;
	struct form stmt_list, str_base, addr_base, rnglists_base, ranges_base;
	struct form comp_dir, dwo_name, dwo_id, language;
};

#endif
