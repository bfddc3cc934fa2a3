#include "symbol/bind.h"

#include <stdlib.h>

#include "symbol/binder.h"

enum {
	PERCENT_SAME_PID = 5, /* a stale map of an old process covers none */
	PERCENT_OTHER = 50,   /* right maps cover 98 to 100, wrong ones none */
	PERCENT_RUNNER_UP = 5,
	PER_MILLE = 1000,
	ENOUGH = 1 << 14, /* addresses of one process that are compared */
};

struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag)
{
	struct binder *b = arena_new(run, struct binder, 1);

	b->locator = l;
	b->run = run;
	b->diag = diag;
	return b;
}

void bind_force(struct binder *b, int32_t pid, struct item *map)
{
	b->forced = arena_grow(b->run, b->forced, &b->forced_cap, b->nforced + 1,
	                       sizeof(*b->forced));
	b->forced[b->nforced++] = (struct forced_map){ pid, map };
}

void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid)
{
	b->ns = arena_grow(b->run, b->ns, &b->ns_cap, b->nns + 1, sizeof(*b->ns));
	b->ns[b->nns++] = (struct namespace_pid){ pid, nspid };
}

static void push(struct noted **list, size_t *n, size_t *cap, struct arena *run,
                 struct noted what)
{
	*list = arena_grow(run, *list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = what;
}

void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit)
{
	struct noted what = { m, m ? m->pid : pid, ip, caller, 0 };
	uint64_t who = m ? m->id : (uint64_t)(uint32_t)pid << 32;
	uint32_t *at;

	if (m ? m->kind == MAPPED_KERNEL : !jit)
		return;
	at = table_at(&b->seen, b->run, who, ip << 1 | caller);
	if (*at)
		return;
	*at = 1;
	if (m && m->kind == MAPPED_IMAGE) {
		at = table_at(&b->code_of, b->run, m->id, 0);
		what.next = *at;
		push(&b->code, &b->ncode, &b->code_cap, b->run, what);
		*at = (uint32_t)b->ncode;
		return;
	}
	at = table_at(&b->njit_of, b->run, (uint32_t)what.pid, 0);
	if ((*at)++ < ENOUGH)
		push(&b->jit, &b->njit, &b->jit_cap, b->run, what);
}

size_t bind_noted(const struct binder *b)
{
	return b->njit;
}

/* How well each perf map suits each process. */
struct candidate {
	struct item *item;
	const struct perfmap *map;
	int32_t pid;     /* in its name; -1 for none */
	size_t *covered; /* by index of process */
};

struct contest {
	struct arena scratch;
	int32_t *pid; /* processes that have JIT code */
	size_t *of;   /* distinct addresses of each */
	size_t npids, pids_cap, of_cap;
	struct table index; /* pid -> index + 1 */
	struct candidate *candidate;
	size_t n;
};

static size_t pid_index(struct contest *c, int32_t pid)
{
	uint32_t *at = table_at(&c->index, &c->scratch, (uint32_t)pid, 0);

	if (!*at) {
		c->pid = arena_grow(&c->scratch, c->pid, &c->pids_cap, c->npids + 1,
		                    sizeof(*c->pid));
		c->of = arena_grow(&c->scratch, c->of, &c->of_cap, c->npids + 1,
		                   sizeof(*c->of));
		c->pid[c->npids] = pid;
		*at = (uint32_t)++c->npids;
	}
	return *at - 1;
}

static void collect(struct binder *b, struct contest *c)
{
	struct locator *l = b->locator;

	c->candidate = arena_new(&c->scratch, struct candidate, l->n + 1);
	for (size_t i = 0; i < l->n; i++) {
		const struct perfmap *map = locate_perfmap(l, &l->item[i]);

		if (map && !map->relative && map->symbols.n)
			c->candidate[c->n++] =
			        (struct candidate){ &l->item[i], map,
				                    perfmap_pid(l->item[i].name), NULL };
	}
}

static uint64_t look(uint64_t ip, bool caller)
{
	return caller ? ip - 1 : ip;
}

/* Sampled addresses are the proof. */
static void count_samples(struct binder *b, struct contest *c)
{
	for (size_t i = 0; i < b->njit; i++) {
		size_t p = pid_index(c, b->jit[i].pid);

		c->of[p]++;
	}
	for (size_t k = 0; k < c->n; k++) {
		struct candidate *cand = &c->candidate[k];

		cand->covered = arena_new(&c->scratch, size_t, c->npids + 1);
		for (size_t i = 0; i < b->njit; i++)
			if (symtab_find(&cand->map->symbols,
			                look(b->jit[i].ip, b->jit[i].caller)))
				cand->covered[pid_index(c, b->jit[i].pid)]++;
	}
}

/* Without samples: how much of a map's code lies where the process can run code. */
static void count_mappings(struct binder *b, struct contest *c)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);

	for (size_t i = 0; i < n; i++)
		if (maps[i]->kind == MAPPED_ANON || maps[i]->kind == MAPPED_DOUBLEMAPPER)
			pid_index(c, maps[i]->pid);
	for (size_t p = 0; p < c->npids; p++)
		c->of[p] = PER_MILLE;
	for (size_t k = 0; k < c->n; k++) {
		struct candidate *cand = &c->candidate[k];
		const struct symtab *t = &cand->map->symbols;

		cand->covered = arena_new(&c->scratch, size_t, c->npids + 1);
		for (size_t p = 0; p < c->npids; p++) {
			size_t step = t->n / PER_MILLE + 1, in = 0, tried = 0;

			for (size_t i = 0; i < t->n; i += step, tried++)
				in += process_find(b->ps, c->pid[p], t->sym[i].start,
				                   MODE_USER) != NULL;
			cand->covered[p] = in * PER_MILLE / tried;
		}
	}
}

static bool at_least(size_t part, size_t all, size_t percent)
{
	return all && part * 100 >= all * percent && part;
}

static void bind_map(struct binder *b, int32_t pid, const struct candidate *cand,
                     size_t covered, size_t of)
{
	uint32_t *at = table_at(&b->map_of, b->run, (uint32_t)pid, 0);

	if (*at)
		return;
	b->map = arena_grow(b->run, b->map, &b->maps_cap, b->nmaps + 1, sizeof(*b->map));
	b->map[b->nmaps++] =
	        (struct bound_map){ pid, cand->item, cand->map, covered, of };
	*at = (uint32_t)b->nmaps;
	diag_note(b->diag,
	          "process %d: " PRSTR " names %zu of %zu distinct JIT addresses", pid,
	          STRARG(cand->item->name), covered, of);
}

/* The same bytes found in two sources are one map. */
static bool same_map(const struct candidate *a, const struct candidate *b)
{
	struct str x = source_map(a->item->source, a->item->member);
	struct str y = source_map(b->item->source, b->item->member);

	return str_eq(x, y);
}

/* The best of those whose pid is want; want -1: of all. */
static struct candidate *best_of(struct contest *c, size_t p, int32_t want)
{
	struct candidate *best = NULL;

	for (size_t k = 0; k < c->n; k++) {
		struct candidate *cand = &c->candidate[k];

		if ((want < 0 || cand->pid == want) &&
		    (!best || cand->covered[p] > best->covered[p]))
			best = cand;
	}
	return best;
}

static bool has_rival(struct contest *c, size_t p, const struct candidate *best)
{
	for (size_t k = 0; k < c->n; k++) {
		struct candidate *cand = &c->candidate[k];

		if (cand != best &&
		    at_least(cand->covered[p], c->of[p], PERCENT_RUNNER_UP) &&
		    !same_map(cand, best))
			return true;
	}
	return false;
}

static int32_t namespace_pid(const struct binder *b, int32_t pid)
{
	for (size_t i = 0; i < b->nns; i++)
		if (b->ns[i].pid == pid)
			return b->ns[i].nspid;
	return -1;
}

static void choose(struct binder *b, struct contest *c, size_t p)
{
	int32_t pid = c->pid[p], ns = namespace_pid(b, pid);
	struct candidate *cand = ns >= 0 ? best_of(c, p, ns) : NULL;

	if (!cand || !at_least(cand->covered[p], c->of[p], PERCENT_SAME_PID))
		cand = best_of(c, p, pid);
	if (cand && at_least(cand->covered[p], c->of[p], PERCENT_SAME_PID)) {
		bind_map(b, pid, cand, cand->covered[p], c->of[p]);
		return;
	}
	cand = best_of(c, p, -1);
	if (!cand || !c->of[p])
		return;
	if (!at_least(cand->covered[p], c->of[p], PERCENT_OTHER))
		diag_note(b->diag,
		          "process %d: no perf map of its own; " PRSTR
		          " names only %zu of %zu JIT addresses and is not used",
		          pid, STRARG(cand->item->name), cand->covered[p], c->of[p]);
	else if (has_rival(c, p, cand))
		diag_note(b->diag,
		          "process %d: several perf maps cover its JIT code; choose one "
		          "with "
		          "-p %d=MAP",
		          pid, pid);
	else
		bind_map(b, pid, cand, cand->covered[p], c->of[p]);
}

static void bind_forced(struct binder *b)
{
	for (size_t i = 0; i < b->nforced; i++) {
		struct forced_map *f = &b->forced[i];
		struct candidate cand = { f->item, locate_perfmap(b->locator, f->item),
			                  -1, NULL };
		size_t covered = 0, of = 0;

		if (!cand.map)
			continue;
		for (size_t k = 0; k < b->njit; k++)
			if (b->jit[k].pid == f->pid) {
				of++;
				covered += symtab_find(&cand.map->symbols,
				                       look(b->jit[k].ip,
				                            b->jit[k].caller)) != NULL;
			}
		bind_map(b, f->pid, &cand, covered, of);
	}
}

void bind_decide(struct binder *b, struct processes *ps)
{
	struct contest c = { 0 };

	b->ps = ps;
	bind_forced(b);
	collect(b, &c);
	if (b->njit)
		count_samples(b, &c);
	else
		count_mappings(b, &c);
	for (size_t p = 0; p < c.npids; p++)
		if (!table_get(&b->map_of, (uint32_t)c.pid[p], 0))
			choose(b, &c, p);
	arena_release(&c.scratch);
	bind_place_images(b);
}

static bool find_in(const struct symtab *t, uint64_t addr, bool caller,
                    struct bound_name *out)
{
	const struct symbol *s = symtab_find(t, look(addr, caller));

	if (!s)
		return false;
	out->func = s->name;
	out->off = addr - s->base;
	return true;
}

static bool find_image(const struct binder *b, const struct mapping *m, uint64_t ip,
                       bool caller, struct bound_name *out)
{
	uint32_t at = table_get(&b->image_of, m->id, 0);
	const struct bound_image *im = at ? &b->image[at - 1] : NULL;
	uint64_t rva;

	if (!im)
		return false;
	rva = ip - im->base;
	/* The byte before a return address is in the section even where ip is not. */
	if (im->pe) {
		if (!pe_rva(im->pe, look(ip, caller) - m->bias, &rva))
			return false;
		rva += caller;
	}
	return find_in(&im->map->symbols, rva, caller, out);
}

bool bind_find(const struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, struct bound_name *out)
{
	uint32_t at = table_get(&b->map_of, (uint32_t)(m ? m->pid : pid), 0);

	out->jit = false;
	if (m && m->kind == MAPPED_KERNEL)
		return false;
	if (m && m->kind == MAPPED_IMAGE && find_image(b, m, ip, caller, out))
		return true;
	out->jit = true;
	return at && find_in(&b->map[at - 1].map->symbols, ip, caller, out);
}

size_t bind_maps(const struct binder *b, const struct bound_map **out)
{
	*out = b->map;
	return b->nmaps;
}

size_t bind_images(const struct binder *b, const struct bound_image **out)
{
	*out = b->image;
	return b->nimages;
}
