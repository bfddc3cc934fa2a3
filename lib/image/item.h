/*
 * item - a member of a source and the tables that were read from it.  Other rooms include
 * image/locate.h.
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
#include "source/source.h"

enum item_kind {
	ITEM_OTHER,
	ITEM_PERFDATA,
	ITEM_NETTRACE,
	ITEM_TEXT, /* perf script text: recorded names */
	ITEM_FOLDED,
	ITEM_PERFMAP, /* absolute or relative */
	ITEM_PERFINFO,
	ITEM_JITDUMP,
	ITEM_MAPS,   /* a saved /proc/PID/maps */
	ITEM_STATUS, /* a saved /proc/PID/status */
	ITEM_PE,
	ITEM_ELF, /* program, library or debug file, kernel or module (maybe packed) */
	ITEM_KALLSYMS,
};

struct item {
	enum item_kind kind;
	struct str name; /* path inside its source */
	struct source *source;
	size_t member;
	bool own;         /* from the profile's own archive or directory */
	bool chosen;      /* it is the profile itself */
	bool placed;      /* a map of names that was bound to a process or image */
	const char *why;  /* why it names no code, by the last test, or NULL */
	bool told;        /* this reason, or that the item is unused, was reported */
	bool local;       /* a file of the analysing machine */
	bool path_has_id; /* its path contains its build-id */
	uint32_t next;    /* next item with the same last path part: index + 1 */
	/* next item whose build-id has the same first bytes: index + 1 */
	uint32_t next_id;
	bool opened; /* reading was tried: perfmap, jitdump, ... below are final */
	struct perfmap *perfmap;
	struct jitdump *jitdump;
	struct pe *pe;
	struct elf *elf;
	struct kallsyms *kallsyms;
	bool code_read, tables_read; /* the same for r2r and tables */
	struct r2r *r2r;
	struct metadata *tables;
	bool program; /* an ELF file that may be a single-file .NET program */
	bool bundle_read;
	bool unlike;           /* in a bundle: the samples are of another build */
	struct bundle *bundle; /* of a single-file program, or NULL */
	struct item **carried; /* by entry of the bundle.  NULL: not requested yet */
	struct item *host;     /* the program, if the item is in a bundle, or NULL */
	size_t entry;          /* which one of its bundle it is */
};

#endif
