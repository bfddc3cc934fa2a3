#include "symbol/shared_sources.h"

struct source *shared_sources_open(struct shared_sources *sh, const char *path,
                                   const struct source_opts *opts)
{
	struct source_opts own = *opts;
	struct source *s;

	for (size_t i = 0; i < sh->n; i++)
		if (str_eq(sh->source[i]->name, str_of(path)))
			return sh->source[i];
	own.run = &sh->run;
	s = source_open(path, &own);
	if (!s)
		return NULL;
	*arena_push(&sh->run, sh->source, sh->n, sh->cap) = s;
	return s;
}

void shared_sources_close(struct shared_sources *sh)
{
	for (size_t i = 0; i < sh->n; i++)
		source_close(sh->source[i]);
	sh->n = 0;
	arena_release(&sh->run);
}

/*
 * Decides how a file is read.  A profile is read only once, so it may come from a pipe.  The files
 * of -m may be read several times.
 */
static enum source_look look_profile(struct str name, struct str head)
{
	return reader_streams(head) ? LOOK_STREAM : locate_look(name, head);
}

struct source_opts shared_sources_options(const struct profile_opts *o, bool is_profile)
{
	return (struct source_opts){ .look = is_profile ? look_profile : locate_look,
		                     .is_profile = is_profile,
		                     .max_spool = o->max_spool,
		                     .cache = o->cache,
		                     .keeper = o->keeper,
		                     .budget = o->budget,
		                     .diag = o->diag };
}

int shared_sources_fill(const struct profile_opts *o)
{
	struct source_opts opts = shared_sources_options(o, false);

	for (size_t i = 0; i < o->nsources; i++) {
		struct source *s = shared_sources_open(o->shared, o->sources[i], &opts);

		if (!s)
			return -1;
		locate_tell(s);
	}
	return 0;
}
