/*
 * site - properties of a frame apart from its label: the file of its code, its source line, and
 * the thread for which it is the root.
 *
 * If a fold keeps sites, the nodes of its tree are named by sites instead of labels.  So frames
 * with one label are separate nodes if another property differs.
 */
#ifndef STACK_SITE_H
#define STACK_SITE_H

#include "base/intern.h"
#include "base/table.h"

/* Each str_id except label is an id of sites.texts, or 0 if unknown. */
struct site {
	str_id label;    /* an id of fold.names */
	str_id module;   /* the module as perf prints it, without " (deleted)" */
	str_id build_id; /* build-id of the module, raw bytes */
	str_id file;     /* the source file */
	uint32_t line;
	str_id assembly; /* as namespace_module returns it */
	/* 1 if the function is inlined into the frame above it, else 0 */
	uint32_t inlined;
	/* 1 if the frame represents the thread that the next fields identify, else 0 */
	uint32_t root;
	str_id comm;
	int32_t pid, tid; /* -1 if unknown.  tid is 0 if threads are not distinguished */
};

struct sites {
	struct interner texts;
	/* set of sites.  A string has the bytes of one struct site */
	struct interner known;
	struct table commands; /* pid -> comm + 1 */
};

void site_init(struct sites *p, struct arena *arena);

/* Returns the number of an equal site, from 1, and adds it if it is new. */
str_id site_add(struct sites *p, const struct site *site);

/*
 * Returns the name of the process's main thread.  If that is unknown, returns the name of the
 * first thread seen, or 0.
 */
str_id site_command(const struct sites *p, int32_t pid);

/* Returns the site with a number.  Number 0 is an empty site. */
const struct site *site_at(const struct sites *p, str_id id);

#endif
