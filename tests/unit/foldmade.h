/* A fold with sites, made of lines of folded stacks, and what a writer makes of it. */
#ifndef UNIT_FOLDMADE_H
#define UNIT_FOLDMADE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/out.h"
#include "stack/fold.h"
#include "stack/head.h"

struct made {
	struct arena run, scratch;
	struct fold fold;
	struct head head;
	struct out out;
};

/* The lines' first frames stand for threads. */
static inline void made_begin(struct made *m)
{
	static const struct fold_opts opts = { .labels = { .marks = MARK_ALL } };

	*m = (struct made){ .head = { STR("cpu-clock"), 7, STR("ns"), 0, 0 } };
	fold_init(&m->fold, &m->run, &opts);
	fold_keep_sites(&m->fold);
	m->fold.rooted = true;
	m->out.fd = memfd_create("made", MFD_CLOEXEC);
	assert_true(m->out.fd >= 0);
}

static inline void made_add(struct made *m, const char *line, uint64_t weight,
                            uint32_t fraction)
{
	stack_id id;

	assert_true(fold_line(&m->fold, str_of(line), &id));
	stack_add(&m->fold.stacks, id, weight, fraction);
}

/* What was written to m->out so far, which begins anew. */
static inline struct str made_text(struct made *m)
{
	off_t flushed = lseek(m->out.fd, 0, SEEK_CUR);
	struct str s = { NULL, (size_t)flushed + m->out.n };
	char *p = arena_alloc(&m->run, s.n + 1, 1);

	assert_true(pread(m->out.fd, p, (size_t)flushed, 0) == flushed);
	if (m->out.n)
		memcpy(p + flushed, m->out.buf, m->out.n);
	assert_int_equal(ftruncate(m->out.fd, 0), 0);
	assert_int_equal(lseek(m->out.fd, 0, SEEK_SET), 0);
	m->out.n = 0;
	s.p = p;
	return s;
}

static inline void made_end(struct made *m)
{
	close(m->out.fd);
	fold_end(&m->fold);
	arena_release(&m->run);
	arena_release(&m->scratch);
}

#endif
