/*
 * site - the label of a frame with further properties: the module, the source line and, for a
 * root, the thread.
 *
 * If a fold keeps sites, its nodes are named by sites instead of labels.  Frames with the same
 * label but different properties are then separate nodes.
 */
#ifndef STACK_SITE_H
#define STACK_SITE_H

#include "base/intern.h"
#include "base/table.h"

/* Each str_id except label is an id in sites.texts, or 0 if unknown. */
struct site {
	str_id label;    /* id in fold.names */
	str_id module;   /* as perf prints it, without " (deleted)" */
	str_id build_id; /* build-id of the module, raw bytes */
	str_id file;     /* the source file */
	uint32_t line;
	str_id assembly; /* result of namespace_module */
	/* 1 if the function is inlined into its parent frame, else 0 */
	uint32_t inlined;
	/*
	 * 1 if this is the root frame of the thread with this comm, pid and tid, else 0
	 */
	uint32_t root;
	str_id comm;
	int32_t pid, tid; /* -1 if unknown.  If threads are not distinguished, tid is 0 */
};

struct sites {
	struct interner texts;
	/* set of sites.  Each string contains the bytes of a struct site */
	struct interner known;
	struct table commands; /* pid -> comm + 1 */
};

void site_init(struct sites *p, struct arena *arena);

/* Returns the number of a site, and adds it if it is new.  Numbers start at 1. */
str_id site_add(struct sites *p, const struct site *site);

/*
 * Returns the name of the process's main thread.  If it is unknown, returns the name of the first
 * thread that occurred, or 0.
 */
str_id site_command(const struct sites *p, int32_t pid);

/* Returns the site with that number.  Number 0 is an empty site. */
const struct site *site_at(const struct sites *p, str_id id);

#endif
