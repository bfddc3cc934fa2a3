/*
 * site - what is known of a frame beside its label: the file its code is in, the line of
 * the source it comes from, the thread it is the root of.
 *
 * A fold that keeps sites names the nodes of its tree by them and not by labels, so that
 * frames with one label stand apart where anything else of them differs.
 */
#ifndef STACK_SITE_H
#define STACK_SITE_H

#include "base/intern.h"
#include "base/table.h"

/* Numbers of strings are those of sites.texts; 0 where nothing is known. */
struct site {
	str_id label;    /* in the names of the fold */
	str_id module;   /* as perf prints it, without " (deleted)" */
	str_id build_id; /* of the module, raw bytes */
	str_id file;     /* of the source */
	uint32_t line;
	uint32_t inlined; /* 1: into the frame above it */
	uint32_t root;    /* 1: it stands for a thread, told by what follows */
	str_id comm;
	int32_t pid, tid; /* -1 when unknown; tid 0 where threads are not told apart */
};

struct sites {
	struct interner texts;
	struct interner known; /* each the bytes of one struct site */
	struct table commands; /* pid -> comm + 1 */
};

void site_init(struct sites *p, struct arena *arena);

/* The number of that site; not 0. */
str_id site_add(struct sites *p, const struct site *site);

/* The name of its thread with that number, else of the first seen; 0: none was. */
str_id site_command(const struct sites *p, int32_t pid);

/* That of number 0 is nothing at all. */
const struct site *site_at(const struct sites *p, str_id id);

#endif
