/*
 * locate - everything the sources hold, by what it is and by name.
 *
 * A source given whole (a file, an archive) is told by its bytes; in a directory
 * what is named like a binary is not opened until a mapping asks for it.  What is
 * read from a member lives as long as the locator's arena and its source.
 */
#ifndef IMAGE_LOCATE_H
#define IMAGE_LOCATE_H

#include "base/intern.h"
#include "image/elf.h"
#include "image/pe.h"
#include "image/perfinfo.h"
#include "image/perfmap.h"
#include "image/r2r.h"
#include "source/source.h"

enum item_kind {
	ITEM_OTHER,
	ITEM_PERFDATA,
	ITEM_TEXT, /* perf script text: recorded names */
	ITEM_FOLDED,
	ITEM_PERFMAP, /* absolute or relative */
	ITEM_PERFINFO,
	ITEM_MAPS,   /* a saved /proc/PID/maps */
	ITEM_STATUS, /* a saved /proc/PID/status */
	ITEM_PE,
	ITEM_ELF, /* program, library or debug file */
};

struct item {
	enum item_kind kind;
	struct str name; /* path inside its source */
	struct source *source;
	size_t member;
	bool own;      /* from the profile's own archive or directory */
	bool chosen;   /* it is the profile itself */
	bool placed;   /* a map that names something here */
	uint32_t next; /* next item of the same last path part; index + 1 */
	bool opened;   /* perfmap, pe or elf below is there, if not NULL */
	struct perfmap *perfmap;
	struct pe *pe;
	struct elf *elf;
	bool code_read, tables_read; /* likewise, of what follows */
	struct r2r *r2r;
	struct metadata *tables;
};

struct locator {
	struct arena *run;
	struct interner *names;
	struct item *item;
	size_t n, cap;
	uint32_t *by_base; /* by str_id of the last path part: index + 1 */
	size_t bases, bases_cap;
};

/* What a member is, told from its first bytes alone. */
enum item_kind locate_kind(struct str head);

/* For source_opts. */
enum source_look locate_look(struct str name, struct str head);

void locate_init(struct locator *l, struct arena *run, struct interner *names);

/* Adds what s holds; chosen is the member that is the profile, or SIZE_MAX. */
void locate_add(struct locator *l, struct source *s, bool own, size_t chosen);

/* First item whose last path part is that of path, or NULL; then item->next. */
struct item *locate_base(struct locator *l, struct str path);

/* The item whose path agrees with path in the most parts from the right. */
struct item *locate_path(struct locator *l, struct str path, enum item_kind kind);

/* Read on first use; NULL when the member cannot be read or is none. */
struct perfmap *locate_perfmap(struct locator *l, struct item *it);
struct pe *locate_pe(struct locator *l, struct item *it);
struct elf *locate_elf(struct locator *l, struct item *it);

/* The next item of the same last path part, or NULL. */
struct item *locate_next(struct locator *l, const struct item *it);

/* Precompiled code of a .NET image, and the tables that name it and others'. */
struct r2r *locate_r2r(struct locator *l, struct item *it);
struct metadata *locate_tables(struct locator *l, struct item *it);

/* Path parts that agree, counted from the right. */
size_t locate_common_parts(struct str a, struct str b);

#endif
