#include "process/file_offset.h"

#include "process/process_private.h"

enum {
	FORKS_FOLLOWED = 16,
	OLDER_TRIED = 64, /* maximum number of mappings that are tried for a file */
	FEW = 16, /* processes with at most this number of mappings have no index */
};

/*
 * Returns m, or the piece of m that contains the byte at file_off.  Returns NULL if m no longer
 * maps this byte.
 */
static const struct mapping *still_mapped(struct processes *ps, int32_t pid,
                                          const struct mapping *m, uint64_t file_off)
{
	const struct mapping *now = process_find(ps, pid, file_off + m->bias, MODE_USER);

	return now && now->module == m->module && now->bias == m->bias ? now : NULL;
}

/* Adds m to the mappings of its file in `offsets`. */
static void note_offset(struct processes *ps, const struct mapping *m)
{
	uint32_t *at = table_at(&ps->offset_ids, ps->run, process_key(m->pid), m->module);
	struct offsets *of = table_item(at, ps->run, ps->offsets, ps->noffsets,
	                                ps->offsets_cap, (struct offsets){ 0 });

	*arena_push(ps->run, ps->older, ps->nolder, ps->older_cap) =
	        (struct older){ m, of->last };
	of->last = (uint32_t)ps->nolder;
}

/*
 * Adds to `offsets` the mappings that p received since the last call.  Most processes never need
 * this index, so it is updated only on demand.
 */
static void note_offsets(struct processes *ps, struct process *p)
{
	arena_scope(scratch);
	uint32_t *list = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = p->last; i != p->indexed; i = ps->prior[i - 1]) {
		*arena_push(&scratch, list, n, cap) = i;
	}
	while (n--)
		note_offset(ps, ps->maps[list[n] - 1]);
	p->indexed = p->last;
}

/*
 * Adds to o->ranges the mappings that `o` received since the last call, the oldest first.
 */
static void index_offsets(struct processes *ps, struct offsets *o)
{
	arena_scope(scratch);
	const struct mapping **list = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = o->last; i != o->indexed; i = ps->older[i - 1].next) {
		*arena_push(&scratch, list, n, cap) = ps->older[i - 1].m;
	}
	while (n--) {
		struct mapping *m = arena_new(ps->run, struct mapping, 1);

		*m = *list[n];
		m->start -= m->bias;
		m->end -= m->bias;
		o->ranges = ranges_insert(o->ranges, m,
		                          &(struct ranges_edit){ .run = ps->run });
	}
	o->indexed = o->last;
}

/*
 * Returns m, or the piece of m that contains the byte at file_off.  Returns NULL if m does not
 * contain this byte, or no longer maps it.  Also returns NULL if m has the same bias as `but`,
 * which may be NULL.
 */
static const struct mapping *try_mapping(struct processes *ps, int32_t pid,
                                         const struct mapping *m, uint64_t file_off,
                                         const struct mapping *but)
{
	if (file_off < m->start - m->bias || file_off >= m->end - m->bias)
		return NULL;
	m = still_mapped(ps, pid, m, file_off);
	return m && but && m->bias == but->bias ? NULL : m;
}

/* Returns the newest mapping in `o` that contains the byte at file_off, or NULL. */
static const struct mapping *find_among(struct processes *ps, int32_t pid,
                                        struct offsets *o, uint64_t file_off,
                                        const struct mapping *but)
{
	const struct mapping *m, *found = NULL;
	uint32_t i = o->last;

	index_offsets(ps, o);
	m = ranges_find(o->ranges, file_off);
	if (!m || (!but && (found = still_mapped(ps, pid, m, file_off))))
		return found;
	for (int tried = 0; i && tried < OLDER_TRIED && !found; tried++) {
		found = try_mapping(ps, pid, ps->older[i - 1].m, file_off, but);
		i = ps->older[i - 1].next;
	}
	return found;
}

/* Like find_among, for a process with few mappings. */
static const struct mapping *find_in_few(struct processes *ps, int32_t pid,
                                         const struct process *owner, str_id module,
                                         uint64_t file_off, const struct mapping *but)
{
	const struct mapping *found = NULL;

	for (uint32_t i = owner->last; i && !found; i = ps->prior[i - 1])
		if (ps->maps[i - 1]->module == module)
			found = try_mapping(ps, pid, ps->maps[i - 1], file_off, but);
	return found;
}

static const struct mapping *find_of(struct processes *ps, int32_t pid,
                                     struct process *owner, str_id module,
                                     uint64_t file_off, const struct mapping *but)
{
	uint32_t at;

	if (owner->n <= FEW)
		return find_in_few(ps, pid, owner, module, file_off, but);
	note_offsets(ps, owner);
	at = table_get(&ps->offset_ids, process_key(owner->pid), module);
	return at ? find_among(ps, pid, &ps->offsets[at - 1], file_off, but) : NULL;
}

const struct mapping *file_offset_find(struct processes *ps, int32_t pid, str_id module,
                                       uint64_t file_off, const struct mapping *but)
{
	int32_t owner = pid;

	for (int i = 0; i < FORKS_FOLLOWED && owner >= 0; i++) {
		uint32_t who = table_get(&ps->process_ids, process_key(owner), 0);
		const struct mapping *m;

		if (!who)
			return NULL;
		m = find_of(ps, pid, &ps->list[who - 1], module, file_off, but);
		if (m)
			return m;
		owner = ps->list[who - 1].parent;
	}
	return NULL;
}
