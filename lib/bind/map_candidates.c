#include "bind/map_candidates.h"

#include "bind/bound_map.h"
#include "bind/match_maps.h"
#include "bind/sampled.h"

static struct jit_process *jit_process(struct map_candidates *c, int32_t pid)
{
	uint32_t *at = table_at(&c->index, &c->scratch, (uint32_t)pid, 0);

	return table_item(at, &c->scratch, c->process, c->n, c->cap,
	                  (struct jit_process){ .pid = pid });
}

static void add_candidate(struct map_candidates *c, struct map_candidate what)
{
	*arena_push(&c->scratch, c->candidate, c->ncandidates, c->candidates_cap) = what;
}

bool map_candidates_open(const struct map_candidates *c, struct map_candidate *cand)
{
	const struct perfmap *map;
	const struct jitdump *dump;

	if (map_candidates_is_open(cand))
		return true;
	map = locate_perfmap(c->b->locator, cand->item);
	dump = locate_jitdump(c->b->locator, cand->item);
	if (map && !map->relative && map->symbols.n) {
		cand->map = map;
		return true;
	}
	cand->dump = dump && dump->n ? dump : NULL;
	return cand->dump != NULL;
}

/*
 * Collects the candidates.  A file with a pid in its name is opened only when this pid is looked
 * up.
 */
static void collect(struct map_candidates *c)
{
	struct locator *l = c->b->locator;

	for (size_t i = 0; i < l->n; i++) {
		struct map_candidate cand = { .item = &l->item[i] };

		if (cand.item->kind != c->kind)
			continue;
		cand.pid = c->kind == ITEM_JITDUMP ? jitdump_pid(cand.item->name)
		                                   : perfmap_pid(cand.item->name);
		if (cand.pid >= 0 && !cand.item->opened && !locate_is_named(cand.item)) {
			add_candidate(c, cand);
			continue;
		}
		if (!map_candidates_open(c, &cand))
			continue;
		add_candidate(c, cand);
		/*
		 * A jitdump also has a pid in its header, which a new file name does not change.
		 * So the dump is a candidate for this pid, too.
		 */
		if (!cand.dump || cand.pid == cand.dump->pid || cand.dump->pid < 0)
			continue;
		cand.pid = cand.dump->pid;
		add_candidate(c, cand);
	}
}

/* Adds candidates in reverse order, because each is put at the front of its pid's list. */
static void index_candidates(struct map_candidates *c)
{
	for (size_t i = c->ncandidates; i-- > 0;) {
		struct map_candidate *cand = &c->candidate[i];
		uint32_t *at = table_at(&c->by_pid, &c->scratch, (uint32_t)cand->pid, 0);

		cand->next = *at;
		*at = (uint32_t)i + 1;
	}
}

/*
 * Adds a process whose JIT code has no samples.  Stacks that are unwound later may contain that
 * code.
 */
static void add_unsampled(struct map_candidates *c, int32_t pid)
{
	struct jit_process *p = jit_process(c, pid);

	if (p->of)
		return;
	p->of = PER_MILLE;
	p->by_code = true;
}

static void collect_processes(struct map_candidates *c)
{
	const struct binder *b = c->b;
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);

	for (size_t i = 0; i < b->sampled->njit; i++)
		jit_process(c, b->sampled->jit[i].pid)->of++;
	for (size_t i = 0; i < n; i++) {
		struct str path = intern_str(b->locator->names, maps[i]->path);
		int32_t dump = jitdump_pid(path);

		if (mapping_is_jit(maps[i]) && !maps[i]->assumed)
			add_unsampled(c, maps[i]->pid);
		if (dump >= 0)
			*table_at(&c->mapped, &c->scratch, (uint32_t)maps[i]->pid, 0) =
			        (uint32_t)dump + 1;
	}
}

bool map_candidates_start(const struct map_candidate *cand, uint64_t addr,
                          uint64_t *start)
{
	const struct symbol *s;
	size_t i;

	if (cand->dump) {
		if (!jitdump_find(cand->dump, addr, UINT64_MAX, &i))
			return false;
		*start = cand->dump->code[i].start;
		return true;
	}
	s = symtab_find(&cand->map->symbols, addr);
	if (!s)
		return false;
	*start = s->base;
	return true;
}

size_t map_candidates_samples(const struct binder *b, const struct map_candidate *cand,
                              int32_t pid)
{
	const struct sampled_address *a = sampled_jit(b->sampled, pid);
	uint64_t start;
	size_t n = 0;

	for (; a; a = sampled_next(b->sampled, a))
		n += map_candidates_start(cand, sampled_byte(a->ip, a->caller), &start);
	return n;
}

struct map_comparison map_candidates_compare(const struct binder *b,
                                             const struct map_candidate *cand,
                                             int32_t pid)
{
	const struct sampled_address *a = sampled_jit(b->sampled, pid);
	struct map_comparison n = { 0 };
	uint64_t start, bound;

	for (; a; a = sampled_next(b->sampled, a)) {
		uint64_t at = sampled_byte(a->ip, a->caller);

		if (!map_candidates_start(cand, at, &start))
			continue;
		if (!bound_map_start(b, pid, at, &bound)) {
			n.alone++;
			continue;
		}
		n.common++;
		n.equal += start == bound;
	}
	return n;
}

size_t map_candidates_code(const struct binder *b, const struct map_candidate *cand,
                           int32_t pid)
{
	size_t n = cand->dump ? cand->dump->n : cand->map->symbols.n;
	size_t step = n / PER_MILLE + 1, in = 0, tried = 0;

	for (size_t i = 0; i < n; i += step, tried++) {
		uint64_t ip = cand->dump ? cand->dump->code[i].start
		                         : cand->map->symbols.sym[i].start;

		in += process_find(b->ps, pid, ip, MODE_USER) != NULL;
	}
	return tried ? in * PER_MILLE / tried : 0;
}

void map_candidates_try(const struct map_candidates *c, struct map_candidate *cand,
                        const struct jit_process *p)
{
	cand->covered = 0;
	if (map_candidates_open(c, cand))
		cand->covered = p->by_code ? map_candidates_code(c->b, cand, p->pid)
		                           : map_candidates_samples(c->b, cand, p->pid);
}

int32_t map_candidates_name(const struct map_candidates *c, int32_t pid, size_t i)
{
	const struct table *known = i ? &c->mapped : &c->b->forced->namespace_pid;

	return i == 1 ? pid : (int32_t)table_get(known, (uint32_t)pid, 0) - 1;
}

bool map_candidates_is_name(const struct map_candidates *c, int32_t pid, int32_t named)
{
	for (size_t i = 0; i < MAP_NAMES; i++)
		if (named >= 0 && named == map_candidates_name(c, pid, i))
			return true;
	return false;
}

static void note_names(struct map_candidates *c)
{
	for (size_t i = 0; i < c->n * MAP_NAMES; i++) {
		int32_t named = map_candidates_name(c, c->process[i / MAP_NAMES].pid,
		                                    i % MAP_NAMES);

		if (named >= 0)
			*table_at(&c->called, &c->scratch, (uint32_t)named, 0) = 1;
	}
}

void map_candidates_collect(struct map_candidates *c)
{
	collect(c);
	index_candidates(c);
	collect_processes(c);
	note_names(c);
}
