/*
 * site - properties of a frame besides its label: its module, its source line, and for a root
 * frame the thread.  If a fold keeps sites, the name of a node is a site instead of a label.  So
 * frames with equal labels are separate nodes if another property differs.
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
	str_id assembly; /* result of namespace_module */
	/* 1 if the function is inlined into its caller, else 0 */
	uint32_t inlined;
	/* 1 if the frame represents the thread that the next fields identify, else 0 */
	uint32_t root;
	str_id comm;
	int32_t pid, tid; /* -1 if unknown.  tid is 0 if threads are not distinguished */
};

struct sites {
	struct interner texts;
	/* set of sites.  Each string is the bytes of a struct site */
	struct interner known;
	struct table commands; /* pid -> comm + 1 */
};

void site_init(struct sites *p, struct arena *arena);

/* Returns the number of the site, from 1.  Adds the site if no equal site exists. */
str_id site_add(struct sites *p, const struct site *site);

/*
 * Returns the name of the main thread of a process, or of the first thread that was seen if that
 * is unknown, or 0.
 */
str_id site_command(const struct sites *p, int32_t pid);

/* Returns the site with a number.  Number 0 is an empty site. */
const struct site *site_at(const struct sites *p, str_id id);

#endif
