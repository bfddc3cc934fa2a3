/*
 * site - properties of a frame beside its label: the file of its code, its source line, and the
 * thread whose root it is.
 *
 * If a fold keeps sites, they name the nodes of its tree instead of labels, so frames with one
 * label are separate if another property differs.
 */
#ifndef STACK_SITE_H
#define STACK_SITE_H

#include "base/intern.h"
#include "base/table.h"

/* Numbers of strings are ids of sites.texts, or 0 if unknown. */
struct site {
	str_id label;    /* in the names of the fold */
	str_id module;   /* as perf prints it, without " (deleted)" */
	str_id build_id; /* of the module, raw bytes */
	str_id file;     /* of the source */
	uint32_t line;
	str_id assembly;  /* as namespace_module returns it */
	uint32_t inlined; /* 1: into the frame above it */
	uint32_t root;    /* 1: it represents a thread, identified by the next fields */
	str_id comm;
	int32_t pid, tid; /* -1 if unknown.  tid is 0 if threads are not distinguished */
};

struct sites {
	struct interner texts;
	struct interner known; /* each the bytes of one struct site */
	struct table commands; /* pid -> comm + 1 */
};

void site_init(struct sites *p, struct arena *arena);

/* Returns the number of that site, which is not 0. */
str_id site_add(struct sites *p, const struct site *site);

/*
 * Returns the name of its thread with the number of the process, or of the first thread seen, or
 * 0.
 */
str_id site_command(const struct sites *p, int32_t pid);

/* The site with number 0 is empty. */
const struct site *site_at(const struct sites *p, str_id id);

#endif
