/*
 * locate - the members of all sources, found by kind, name and build-id.
 *
 * The kind of a member is detected from its first bytes.  In a directory, a file whose
 * name looks like a binary is not opened until a mapping needs it.  Data of a member
 * lives as long as the locator's arena and the source.
 */
#ifndef IMAGE_LOCATE_H
#define IMAGE_LOCATE_H

#include "base/intern.h"
#include "base/table.h"
#include "image/item.h"

/* How far the files of the analysing machine are trusted. */
enum host_policy {
	HOST_NEVER,
	HOST_SAME_ID, /* files of the machine name code with the same build-id */
	HOST_TRUSTED, /* they also name code whose build-id is unknown */
};

struct locator {
	struct arena *run;
	struct interner *names;
	struct cache *cache; /* cache for tables of images, or NULL */
	struct item *item;
	size_t n, cap;
	uint32_t *by_base; /* str_id of a file name -> index of item + 1 */
	size_t bases, bases_cap;
	bool beside; /* also look for assemblies beside a file that was given by name */
	struct diag silent;
	struct source **opened; /* opened by the locator, and closed by locate_close */
	size_t nopened, opened_cap;
	struct table beside_of; /* (source, file name) -> index in `neighbour` + 1 */
	struct item **neighbour;
	size_t nneighbours, neighbours_cap;
	struct table by_id; /* first bytes of a build-id -> index of item + 1 */
	/* by_id includes build-ids from contents, not only from paths */
	bool ids_known;
	enum host_policy host;
	bool recorded_here;             /* the profile was recorded on this machine */
	bool running_tried;             /* running was looked for */
	bool kallsyms_tried;            /* so was kallsyms */
	const struct host_roots *roots; /* image/host_roots.h, or NULL */
	struct source_opts host_opts;
	size_t nhost; /* number of items that are files of this machine */
	/* number of files of this machine that exist but cannot be read */
	size_t nunread;
	struct str unread; /* the first one, */
	int unread_error;  /* and why */
	/*
	 * (str_id of a path, 1 if only mentioned) -> index of item + 2, or 1 if there is
	 * no item
	 */
	struct table host_tried;
	struct table host_bundle; /* str_id of a path -> 2 if host_is_bundle, else 1 */
	const char *elsewhere;    /* the test of image/host_origin.h that failed */
	/*
	 * the latest time at which the recording can have begun; 0 unless recorded_here
	 */
	uint64_t began_ns;
	uint64_t surely_ns; /* the earliest time at which the recording can have begun */
	uint64_t ended_ns;  /* the latest time at which the recording can have ended */
	struct item *running;   /* kallsyms of the running kernel, or NULL */
	struct str kallsyms_id; /* build-id for which `kallsyms` was looked for */
	struct item *kallsyms;  /* result of host_kallsyms for kallsyms_id, or NULL */
};

/* Returns the kind of a member, from its first bytes alone. */
enum item_kind locate_kind(struct str head);

/* For source_opts. */
enum source_look locate_look(struct str name, struct str head);

void locate_init(struct locator *l, struct arena *run, struct interner *names);

/* Closes the sources that the locator opened itself. */
void locate_close(struct locator *l);

/*
 * Adds the members of `s`.  own: `s` is the profile's own archive.  chosen: the member
 * that is the profile, or SIZE_MAX.
 */
void locate_add(struct locator *l, struct source *s, bool own, size_t chosen);

/* Adds a perf map that was made from the content of the item `of`. */
void locate_add_map(struct locator *l, const struct item *of, int32_t pid,
                    struct perfmap *map);

/*
 * Notes the kind of each member in the source.  Call it for a source that several
 * locators add.
 */
void locate_tell(struct source *s);

/*
 * Returns the first item with the same file name as `path`, or NULL.  locate_next
 * continues.
 */
struct item *locate_base(struct locator *l, struct str path);

/*
 * Returns the first item that may have that build-id, or NULL. locate_next_id continues.
 * If `all` is false, uses only build-ids in paths.  If it is true, the first page of each
 * file is read once.
 */
struct item *locate_id(struct locator *l, struct str id, bool all);
struct item *locate_next_id(struct locator *l, const struct item *it);

/* Returns the item of that kind with the longest common path suffix, or NULL. */
struct item *locate_path(struct locator *l, struct str path, enum item_kind kind);

/*
 * Reads the map at the first call.  Returns NULL if the member cannot be read or is not a
 * perf map.  The functions for other kinds work alike.
 */
struct perfmap *locate_perfmap(struct locator *l, struct item *it);
struct jitdump *locate_jitdump(struct locator *l, struct item *it);
struct pe *locate_pe(struct locator *l, struct item *it);
struct elf *locate_elf(struct locator *l, struct item *it);
struct kallsyms *locate_kallsyms(struct locator *l, struct item *it);
struct ppdb *locate_pdb(struct locator *l, struct item *it);

/* Returns true if the path of the item contains this build-id. */
bool locate_path_has_id(const struct item *it, struct str id);

/* Reads the files again that the order of a directory's entry lists (source/index.h). */
void locate_learn(struct locator *l, struct str list);

/* Returns the next item with the same file name, or NULL. */
struct item *locate_next(struct locator *l, const struct item *it);

/*
 * Returns true if the item was given by itself (-m FILE), not as part of a directory or
 * archive.
 */
bool locate_is_named(const struct item *it);

/* Returns the number of equal path parts, counted from the right. */
size_t locate_common_parts(struct str a, struct str b);

/* Returns true for NAME.ni.dll, the path of a native image of .NET Core 1 or 2. */
bool locate_is_native_image(struct str path);

#endif
