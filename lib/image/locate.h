/*
 * locate - the members of all sources, found by kind, name and build-id.
 *
 * The kind of a member is told from its bytes; but what is named like a binary in a
 * directory is not opened until a mapping asks for it.  What is read from a member lives
 * as long as the locator's arena and its source.
 */
#ifndef IMAGE_LOCATE_H
#define IMAGE_LOCATE_H

#include "base/intern.h"
#include "base/table.h"
#include "image/item.h"

/* How far the files of the analysing machine are trusted. */
enum host_policy {
	HOST_NEVER,
	HOST_SAME_ID, /* name code of the same build-id */
	HOST_TRUSTED, /* also code whose build-id is unknown */
};

struct locator {
	struct arena *run;
	struct interner *names;
	struct cache *cache; /* of what is read from images; NULL: none */
	struct item *item;
	size_t n, cap;
	uint32_t *by_base; /* by str_id of the last path part: index + 1 */
	size_t bases, bases_cap;
	bool beside; /* look for assemblies beside a file that was named, too */
	struct diag silent;
	struct source **opened; /* opened here; locate_close closes them */
	size_t nopened, opened_cap;
	struct table beside_of; /* (source, file name) -> index of neighbour + 1 */
	struct item **neighbour;
	size_t nneighbours, neighbours_cap;
	struct table by_id; /* first bytes of a build-id -> index of item + 1 */
	bool ids_known;     /* by_id has all files, not only those whose path says it */
	enum host_policy host;
	bool recorded_here;  /* the profile was recorded on this machine */
	bool running_tried;  /* running was looked for */
	bool kallsyms_tried; /* so was kallsyms */
	const struct host_roots *roots; /* image/host_roots.h; NULL: none */
	struct source_opts host_opts;
	size_t nhost;            /* items that are its files */
	size_t nunread;          /* its files that exist and cannot be read; */
	struct str unread;       /* the first one, */
	int unread_error;        /* and why */
	struct table host_tried; /* (str_id of a path, only mentioned) -> index of item + 2; 1: none */
	struct table host_bundle; /* str_id of a path -> 2: host_is_bundle; 1: not */
	const char *elsewhere;   /* the test of image/host_origin.h that failed */
	uint64_t began_ns;       /* recorded_here: when, at the latest; since 1970 */
	uint64_t surely_ns;      /* and at the earliest */
	uint64_t ended_ns;       /* and when it ended, at the latest */
	struct item *running;    /* kallsyms of the running kernel; NULL: none */
	struct str kallsyms_id;  /* build-id of the kernel that was asked for */
	struct item *kallsyms;   /* of this machine and that kernel; or NULL */
};

/* The kind of a member, from its first bytes alone. */
enum item_kind locate_kind(struct str head);

/* For source_opts. */
enum source_look locate_look(struct str name, struct str head);

void locate_init(struct locator *l, struct arena *run, struct interner *names);

/* Closes the sources that were opened here. */
void locate_close(struct locator *l);

/* Adds what s holds; chosen is the member that is the profile, or SIZE_MAX. */
void locate_add(struct locator *l, struct source *s, bool own, size_t chosen);

/* Adds a perf map that was made of what is in item of. */
void locate_add_map(struct locator *l, const struct item *of, int32_t pid,
                    struct perfmap *map);

/* Notes the kind of each member, for a source that several locators add. */
void locate_tell(struct source *s);

/* First item whose last path part is that of path, or NULL; then item->next. */
struct item *locate_base(struct locator *l, struct str path);

/*
 * First item that may have that build-id, or NULL; then locate_next_id.  Only those whose
 * path says so; with all, also the others: the first page of each is read once.
 */
struct item *locate_id(struct locator *l, struct str id, bool all);
struct item *locate_next_id(struct locator *l, const struct item *it);

/* The item whose path agrees with path in the most parts from the right. */
struct item *locate_path(struct locator *l, struct str path, enum item_kind kind);

/* Read on first use; NULL when the member cannot be read or is none. */
struct perfmap *locate_perfmap(struct locator *l, struct item *it);
struct jitdump *locate_jitdump(struct locator *l, struct item *it);
struct pe *locate_pe(struct locator *l, struct item *it);
struct elf *locate_elf(struct locator *l, struct item *it);
struct kallsyms *locate_kallsyms(struct locator *l, struct item *it);

/* The cache's sum of the bytes of these files, which were read; NULL is no file. */
enum { LOCATE_FILES = 3 }; /* at most */
bool locate_identity(const struct locator *l, struct item *const *it, size_t n,
                     struct cache_sum *out);

/* Does the item's path say this build-id? */
bool locate_path_has_id(const struct item *it, struct str id);

/* The next item of the same last path part, or NULL. */
struct item *locate_next(struct locator *l, const struct item *it);

/* Was it given by itself (-m FILE), and not with others in a directory or archive? */
bool locate_is_named(const struct item *it);

/* Path parts that agree, counted from the right. */
size_t locate_common_parts(struct str a, struct str b);

/* Is it the path of a native image of .NET Core 1 or 2, NAME.ni.dll? */
bool locate_is_native_image(struct str path);

#endif
