#include "bind/sampled.h"

static void add_code(struct sampled *s, struct arena *run, struct sampled_address what)
{
	uint32_t *last = table_at(&s->code_of, run, what.m->id, 0);

	what.next = *last;
	*arena_push(run, s->code, s->ncode, s->code_cap) = what;
	*last = (uint32_t)s->ncode;
}

static void add_jit(struct sampled *s, struct arena *run, struct sampled_address what)
{
	uint32_t *count = table_at(&s->njit_of, run, (uint32_t)what.pid, 0);
	uint32_t *last;

	if ((*count)++ >= SAMPLED_JIT)
		return;
	last = table_at(&s->jit_of, run, (uint32_t)what.pid, 0);
	what.jit = true;
	what.next = *last;
	*arena_push(run, s->jit, s->njit, s->jit_cap) = what;
	*last = (uint32_t)s->njit;
}

void sampled_add(struct sampled *s, struct arena *run, const struct mapping *m,
                 int32_t pid, uint64_t ip, bool caller, bool jit)
{
	struct sampled_address what = {
		.m = m, .pid = m ? m->pid : pid, .ip = ip, .caller = caller
	};
	bool in_file = m && (m->kind == MAPPED_IMAGE || m->assumed);
	/*
	 * Addresses in JIT code are stored by process instead of mapping, because memory
	 * around the code may be mapped again.
	 */
	uint64_t who = in_file ? m->id : (uint64_t)(uint32_t)what.pid << 32;
	uint32_t *seen;

	if (m ? m->kind == MAPPED_KERNEL : !jit)
		return;
	seen = table_at(&s->seen, &s->scratch, who, ip << 1 | caller);
	if (*seen)
		return;
	*seen = 1;
	if (in_file)
		add_code(s, run, what);
	else
		add_jit(s, run, what);
}

void sampled_end(struct sampled *s)
{
	arena_release(&s->scratch);
	s->seen = (struct table){ 0 };
}

const struct sampled_address *sampled_find(const struct sampled *s,
                                           const struct mapping *m)
{
	uint32_t at = table_get(&s->code_of, m->id, 0);

	return at ? &s->code[at - 1] : NULL;
}

const struct sampled_address *sampled_jit(const struct sampled *s, int32_t pid)
{
	uint32_t at = table_get(&s->jit_of, (uint32_t)pid, 0);

	return at ? &s->jit[at - 1] : NULL;
}

const struct sampled_address *sampled_next(const struct sampled *s,
                                           const struct sampled_address *a)
{
	const struct sampled_address *list = a->jit ? s->jit : s->code;

	return a->next ? &list[a->next - 1] : NULL;
}

size_t sampled_jit_count(const struct sampled *s, int32_t pid)
{
	uint32_t n = table_get(&s->njit_of, (uint32_t)pid, 0);

	return n < SAMPLED_JIT ? n : SAMPLED_JIT;
}
