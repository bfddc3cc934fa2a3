/*
 * item - a member of a source, with the tables that were read from it.
 *
 * Other directories include image/locate.h instead.
 */
#ifndef IMAGE_ITEM_H
#define IMAGE_ITEM_H

#include "image/dotnet/bundle.h"
#include "image/elf/elf.h"
#include "image/jit/kallsyms.h"
#include "image/jit/jitdump.h"
#include "image/dotnet/pe.h"
#include "image/dotnet/perfinfo.h"
#include "image/jit/perfmap.h"
#include "image/dotnet/r2r.h"
#include "image/source/ppdb.h"
#include "source/source.h"

enum item_kind {
	ITEM_OTHER,
	ITEM_PERFDATA,
	ITEM_NETTRACE,
	ITEM_TEXT, /* perf script text: recorded names */
	ITEM_FOLDED,
	ITEM_LOCATIONS, /* pprof, and other profiles with a table of locations */
	ITEM_PERFMAP,   /* absolute or relative */
	ITEM_PERFINFO,
	ITEM_JITDUMP,
	ITEM_MAPS,   /* a saved /proc/PID/maps */
	ITEM_STATUS, /* a saved /proc/PID/status */
	ITEM_PE,
	/* program, library, debug file, kernel, or kernel module (maybe packed) */
	ITEM_ELF,
	ITEM_KALLSYMS,
	ITEM_PDB, /* portable */
};

struct item {
	enum item_kind kind;
	struct str name; /* path inside its source */
	struct source *source;
	size_t member;
	bool own;    /* true if the item is in the profile's own archive or directory */
	bool chosen; /* true if the item is the profile itself */
	/* true for a perf map or jitdump that was bound to a process or image */
	bool placed;
	const char *why;  /* the last reason why it names no code, or NULL */
	bool told;        /* `why` was reported, or that the item is unused */
	bool local;       /* true for a file of the analysing machine */
	bool path_has_id; /* true if the path contains the build-id */
	uint32_t next;    /* index + 1 of the next item with the same file name, or 0 */
	/* index + 1 of the next item whose build-id has the same first bytes, or 0 */
	uint32_t next_id;
	/* true after the item was parsed as perfmap, jitdump, pe, elf, kallsyms or pdb */
	bool opened;
	struct perfmap *perfmap;
	struct jitdump *jitdump;
	struct pe *pe;
	struct elf *elf;
	struct kallsyms *kallsyms;
	struct ppdb *pdb;
	/* true if `r2r` was read, and if the tables were read */
	bool code_read, tables_read;
	struct r2r *r2r;
	struct metadata *tables;
	bool program; /* an ELF file that may be a single-file .NET program */
	bool bundle_read;
	bool unlike; /* for an image in a bundle: the samples come from another build */
	struct bundle *bundle; /* contents of a single-file program, or NULL */
	/* items of the entries of a bundle.  NULL until they are requested */
	struct item **carried;
	struct item *host; /* for an image in a bundle: the program, else NULL */
	size_t entry;      /* for an image in a bundle: index of its entry */
};

#endif
