/*
 * item - the struct of a member of a source (source/source.h), with the tables that were read from
 * the member.
 *
 * Other directories include image/locate.h instead.
 */
#ifndef IMAGE_ITEM_H
#define IMAGE_ITEM_H

#include "image/dotnet/bundle.h"
#include "image/elf/elf.h"
#include "image/kallsyms.h"
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
	ITEM_TEXT, /* perf script text, which contains recorded names */
	ITEM_FOLDED,
	ITEM_LOCATIONS, /* pprof, and other profiles with a table of locations */
	ITEM_PERFMAP,   /* with absolute or relative addresses */
	ITEM_PERFINFO,
	ITEM_JITDUMP,
	ITEM_MAPS,   /* a saved /proc/PID/maps */
	ITEM_STATUS, /* a saved /proc/PID/status */
	ITEM_PE,
	/* program, library, debug file, kernel, or kernel module, which may be compressed */
	ITEM_ELF,
	ITEM_KALLSYMS,
	ITEM_PDB, /* portable PDB */
};

struct item {
	enum item_kind kind;
	struct str name; /* path of the item inside `source` */
	struct source *source;
	size_t member;
	bool own;    /* the item is in the profile's own archive or directory */
	bool chosen; /* the item is the profile */
	/* a perf map or jitdump that is bound to a process or image */
	bool placed;
	const char *why; /* the last reason why the item names no code, or NULL */
	/* another report covers the item, so it is not reported as unused */
	bool told;
	bool local;       /* the item is a file of this machine */
	bool path_has_id; /* the path contains the build-id */
	uint32_t next;    /* index + 1 of the next item with the same file name, or 0 */
	/* index + 1 of the next item that shares the first bytes of the build-id, or 0 */
	uint32_t next_id;
	/* the item was parsed, successfully or not */
	bool opened;
	struct perfmap *perfmap;
	struct jitdump *jitdump;
	struct pe *pe;
	struct elf *elf;
	struct kallsyms *kallsyms;
	struct ppdb *pdb;
	/* code_read: `r2r` was read.  tables_read: `tables` was read */
	bool code_read, tables_read;
	struct r2r *r2r;
	struct metadata *tables;
	bool program; /* an ELF file that may be a single-file .NET program */
	bool bundle_read;
	/* image in a bundle: the samples were taken in a different build of it */
	bool unlike;
	struct bundle *bundle; /* entries of a single-file program, or NULL */
	/* items of the bundle's entries.  NULL before they are needed */
	struct item **carried;
	struct item *host; /* image in a bundle: the program.  Otherwise NULL */
	size_t entry;      /* image in a bundle: index of its entry */
};

#endif
