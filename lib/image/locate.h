/*
 * locate - the members of all sources, found by kind, name and build-id.
 *
 * The kind of a member is detected from its first bytes.  In a directory, a file whose name looks
 * like a binary is not opened until a mapping needs it.  Data of a member lives as long as the
 * locator's arena and the source.
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
	HOST_TRUSTED, /* use it for code with an unknown build-id too */
};

struct locator {
	struct arena *run;
	struct interner *names;
	struct cache *cache; /* for tables of images, or NULL */
	struct item *item;
	size_t n, cap;
	uint32_t *by_base; /* by str_id of the last path part: index + 1 */
	size_t bases, bases_cap;
	bool beside; /* look for assemblies beside a file that was named, too */
	struct diag silent;
	struct source **opened; /* opened by the locator, and closed by locate_close */
	size_t nopened, opened_cap;
	struct table beside_of; /* (source, file name) -> index of neighbour + 1 */
	struct item **neighbour;
	size_t nneighbours, neighbours_cap;
	struct table by_id; /* first bytes of a build-id -> index of item + 1 */
	/* by_id has all files, not only files with a build-id in their path */
	bool ids_known;
	enum host_policy host;
	bool recorded_here;             /* the profile was recorded on this machine */
	bool running_tried;             /* running was looked for */
	bool kallsyms_tried;            /* so was kallsyms */
	const struct host_roots *roots; /* image/host_roots.h, or NULL */
	struct source_opts host_opts;
	size_t nhost;      /* items that are its files */
	size_t nunread;    /* its files that exist but cannot be read */
	struct str unread; /* the first one, */
	int unread_error;  /* and why */
	/*
	 * (str_id of a path, only mentioned) -> index of item + 2, or 1 if there is no
	 * item
	 */
	struct table host_tried;
	struct table host_bundle; /* str_id of a path -> 2 if host_is_bundle, else 1 */
	const char *elsewhere;    /* the test of image/host_origin.h that failed */
	uint64_t began_ns;      /* the latest start of the recording, if recorded_here */
	uint64_t surely_ns;     /* and at the earliest */
	uint64_t ended_ns;      /* and when it ended, at the latest */
	struct item *running;   /* kallsyms of the running kernel, or NULL */
	struct str kallsyms_id; /* build-id of the kernel that was asked for */
	struct item *kallsyms;  /* of this machine and that kernel, or NULL */
};

/* The kind of a member, from its first bytes alone. */
enum item_kind locate_kind(struct str head);

/* For source_opts. */
enum source_look locate_look(struct str name, struct str head);

void locate_init(struct locator *l, struct arena *run, struct interner *names);

/* Closes the sources that were opened here. */
void locate_close(struct locator *l);

/* Adds the members of s.  chosen is the member that is the profile, or SIZE_MAX. */
void locate_add(struct locator *l, struct source *s, bool own, size_t chosen);

/* Adds a perf map that was made from the content of item of. */
void locate_add_map(struct locator *l, const struct item *of, int32_t pid,
                    struct perfmap *map);

/* Notes the kind of each member, for a source that several locators add. */
void locate_tell(struct source *s);

/* Returns the first item with the same last path part, or NULL.  item->next continues. */
struct item *locate_base(struct locator *l, struct str path);

/*
 * Returns the first item that may have that build-id, or NULL.  locate_next_id continues.
 * Without all, only items with the build-id in their path are found.  With all, the first page of
 * each file is read once.
 */
struct item *locate_id(struct locator *l, struct str id, bool all);
struct item *locate_next_id(struct locator *l, const struct item *it);

/* Returns the item with the longest matching path suffix. */
struct item *locate_path(struct locator *l, struct str path, enum item_kind kind);

/* Reads the map on first use.  Returns NULL if the member cannot be read or is not a perf map. */
struct perfmap *locate_perfmap(struct locator *l, struct item *it);
struct jitdump *locate_jitdump(struct locator *l, struct item *it);
struct pe *locate_pe(struct locator *l, struct item *it);
struct elf *locate_elf(struct locator *l, struct item *it);
struct kallsyms *locate_kallsyms(struct locator *l, struct item *it);

/* Returns the cache's checksum of these files, which were read.  NULL stands for no file. */
enum { LOCATE_FILES = 3 }; /* at most */
bool locate_identity(const struct locator *l, struct item *const *it, size_t n,
                     struct cache_sum *out);

/* Returns true if the path of the item contains this build-id. */
bool locate_path_has_id(const struct item *it, struct str id);

/* The next item of the same last path part, or NULL. */
struct item *locate_next(struct locator *l, const struct item *it);

/*
 * Returns true if it was given by itself (-m FILE), and not with others in a directory or
 * archive.
 */
bool locate_is_named(const struct item *it);

/* Path parts that agree, counted from the right. */
size_t locate_common_parts(struct str a, struct str b);

/* Is it the path of a native image of .NET Core 1 or 2, NAME.ni.dll? */
bool locate_is_native_image(struct str path);

#endif
