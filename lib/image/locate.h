/*
 * locate - finds the members of all sources (source/source.h) by kind, name and build-id, and
 * unpacks kernel modules.
 *
 * The first bytes of a member determine its kind.  If a file in a directory has a name that is
 * typical of binaries, the file is opened only when a mapping needs it.  Data of a member lives
 * as long as the locator's arena and the source.
 */
#ifndef IMAGE_LOCATE_H
#define IMAGE_LOCATE_H

#include "base/intern.h"
#include "image/item.h"

/* The code that may get names from files of this machine. */
enum host_policy {
	HOST_NEVER,
	HOST_SAME_ID, /* code with the same build-id */
	HOST_TRUSTED, /* also code with an unknown build-id */
};

struct locator {
	struct arena *run;
	struct interner *names;
	struct cache *cache; /* cache of tables of images, or NULL */
	struct item *item;
	size_t n, cap;
	uint32_t *by_base; /* str_id of a file name -> index of the item + 1 */
	size_t bases, bases_cap;
	bool beside; /* if the user named a file directly, also search its directory */
	struct diag silent;
	struct source **opened; /* opened by the locator, closed by locate_close */
	size_t nopened, opened_cap;
	struct table beside_of; /* (source, file name) -> index in `neighbour` + 1 */
	struct item **neighbour;
	size_t nneighbours, neighbours_cap;
	struct table by_id; /* first bytes of a build-id -> index of the item + 1 */
	/* by_id also contains the build-ids inside files, not only those in paths */
	bool ids_known;
	enum host_policy host;
	bool recorded_here;             /* the profile was recorded on this machine */
	bool running_tried;             /* `running` was searched for */
	bool kallsyms_tried;            /* `kallsyms` was searched for */
	const struct host_roots *roots; /* root directories of containers, or NULL */
	struct source_opts host_opts;
	size_t nhost; /* number of items that are files of this machine */
	/* number of files of this machine that exist but cannot be read */
	size_t nunread;
	struct str unread; /* path of the first unreadable file */
	int unread_error;  /* errno of the first unreadable file */
	/*
	 * (str_id of a path, 1 for host_mention and otherwise 0) -> index of the item + 2,
	 * or 1 if there is no item
	 */
	struct table host_tried;
	struct table host_bundle; /* str_id of a path -> 2 if host_is_bundle, else 1 */
	const char *elsewhere;    /* the test of host_origin.h that failed, or NULL */
	/* latest possible start of the recording, or 0 if recorded_here is false */
	uint64_t began_ns;
	uint64_t surely_ns;     /* earliest possible start of the recording */
	uint64_t ended_ns;      /* latest possible end of the recording */
	struct item *running;   /* kallsyms of the running kernel, or NULL */
	struct str kallsyms_id; /* build-id for which `kallsyms` was searched */
	struct item *kallsyms;  /* result of host_kallsyms for kallsyms_id, or NULL */
};

/* Returns the kind of a member.  Uses only its first bytes. */
enum item_kind locate_kind(struct str head);

/* Use it as the `look` of source_opts. */
enum source_look locate_look(struct str name, struct str head);

void locate_init(struct locator *l, struct arena *run, struct interner *names);

/*
 * Releases the memory of mapped files.  Their bytes stay readable, because they are read from the
 * files again.
 */
void locate_give_back(const struct locator *l);

/* Closes the sources that the locator opened. */
void locate_close(struct locator *l);

/*
 * Adds the members of `s`.  own: `s` is the profile's own archive.  chosen: index of the member
 * that is the profile, or SIZE_MAX.
 */
void locate_add(struct locator *l, struct source *s, bool own, size_t chosen);

/* Adds a perf map that was made from the content of the item `of`. */
void locate_add_map(struct locator *l, const struct item *of, int32_t pid,
                    struct perfmap *map);

/* Determines the kind of each member, and stores it in s for later calls of locate_add. */
void locate_tell(struct source *s);

/*
 * Returns the first item with the file name of `path`, or NULL.  locate_next returns the next
 * one.
 */
struct item *locate_base(struct locator *l, struct str path);

/*
 * Returns the first item that may have that build-id, or NULL.  locate_next_id returns the next
 * one.  If `all` is false, examines only paths.  The first call with `all` set also reads the
 * first page of each file.
 */
struct item *locate_id(struct locator *l, struct str id, bool all);
struct item *locate_next_id(struct locator *l, const struct item *it);

/* Returns the item of that kind whose path matches `path` in the most components, or NULL. */
struct item *locate_path(struct locator *l, struct str path, enum item_kind kind);

/*
 * Returns the perf map in an item.  The first call reads the map.  Returns NULL if the member
 * cannot be read or is not a perf map.  The functions for other kinds work in the same way.
 */
struct perfmap *locate_perfmap(struct locator *l, struct item *it);
struct jitdump *locate_jitdump(struct locator *l, struct item *it);
struct pe *locate_pe(struct locator *l, struct item *it);
struct elf *locate_elf(struct locator *l, struct item *it);
struct kallsyms *locate_kallsyms(struct locator *l, struct item *it);
struct ppdb *locate_pdb(struct locator *l, struct item *it);

/* Returns true if the path of the item contains this build-id. */
bool locate_path_has_id(const struct item *it, struct str id);

/*
 * Reads the build-id or the first bytes of each file in `list`, the files that an earlier run
 * has read.  The list comes from the cache entry of a directory (source/index.h).
 */
void locate_learn(struct locator *l, struct str list);

/* Returns the next item with the same file name, or NULL. */
struct item *locate_next(struct locator *l, const struct item *it);

/* Returns true if -m named this file itself, not a directory or archive that contains it. */
bool locate_is_named(const struct item *it);

/* Returns the number of equal path components, counted from the right. */
size_t locate_common_parts(struct str a, struct str b);

/* Returns true for NAME.ni.dll, a native image of .NET Core 1 or 2. */
bool locate_is_native_image(struct str path);

#endif
