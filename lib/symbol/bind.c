#include "symbol/bind.h"

#include <stdlib.h>

#include "symbol/binder.h"

enum {
	PERCENT_SAME_PID = 5, /* a stale map of an old process covers none */
	PERCENT_OTHER = 50,   /* right maps cover 98 to 100, wrong ones none */
	PERCENT_RUNNER_UP = 5,
	PER_MILLE = 1000,
	ENOUGH = 1 << 14,  /* addresses of one process that are compared */
	MAPS_TRIED = 1024, /* perf maps of other pids that one process is tried with */
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
	uint32_t *at = table_at(&b->ns, b->run, (uint32_t)pid, 0);

	if (!*at)
		*at = (uint32_t)nspid + 1;
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
	if ((*at)++ >= ENOUGH)
		return;
	at = table_at(&b->jit_of, b->run, (uint32_t)what.pid, 0);
	what.next = *at;
	push(&b->jit, &b->njit, &b->jit_cap, b->run, what);
	*at = (uint32_t)b->njit;
}

size_t bind_noted(const struct binder *b)
{
	return b->njit;
}

/* A perf map, and how well it suits the process at hand. */
struct candidate {
	struct item *item;
	const struct perfmap *map;
	int32_t pid;    /* in its name; -1 for none */
	uint32_t next;  /* of the same pid; index + 1 */
	size_t covered; /* addresses of the process */
};

/* A process that has JIT code. */
struct contestant {
	int32_t pid;
	size_t of; /* its distinct addresses */
};

struct contest {
	struct arena scratch;
	struct binder *b;
	struct contestant *process;
	size_t n, cap;
	struct table index; /* pid -> index of process + 1 */
	struct candidate *candidate;
	size_t ncandidates;
	struct table by_pid; /* pid in a map's name -> index of candidate + 1 */
};

static struct contestant *contestant(struct contest *c, int32_t pid)
{
	uint32_t *at = table_at(&c->index, &c->scratch, (uint32_t)pid, 0);

	if (!*at) {
		c->process = arena_grow(&c->scratch, c->process, &c->cap, c->n + 1,
		                        sizeof(*c->process));
		c->process[c->n++] = (struct contestant){ .pid = pid };
		*at = (uint32_t)c->n;
	}
	return &c->process[*at - 1];
}

static void collect_maps(struct contest *c)
{
	struct locator *l = c->b->locator;

	c->candidate = arena_new(&c->scratch, struct candidate, l->n + 1);
	for (size_t i = 0; i < l->n; i++) {
		const struct perfmap *map = locate_perfmap(l, &l->item[i]);
		int32_t pid = perfmap_pid(l->item[i].name);

		if (map && !map->relative && map->symbols.n)
			c->candidate[c->ncandidates++] =
			        (struct candidate){ &l->item[i], map, pid, 0, 0 };
	}
	/* Backwards, so that the first of a pid is met first. */
	for (size_t i = c->ncandidates; i-- > 0;) {
		struct candidate *cand = &c->candidate[i];
		uint32_t *at = table_at(&c->by_pid, &c->scratch, (uint32_t)cand->pid, 0);

		cand->next = *at;
		*at = (uint32_t)i + 1;
	}
}

static void collect_processes(struct contest *c)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(c->b->ps, &maps);

	for (size_t i = 0; i < c->b->njit; i++)
		contestant(c, c->b->jit[i].pid)->of++;
	if (c->b->njit)
		return;
	for (size_t i = 0; i < n; i++)
		if (maps[i]->kind == MAPPED_ANON || maps[i]->kind == MAPPED_DOUBLEMAPPER)
			contestant(c, maps[i]->pid)->of = PER_MILLE;
}

static uint64_t look(uint64_t ip, bool caller)
{
	return caller ? ip - 1 : ip;
}

/* Sampled addresses are the proof. */
static size_t covered_samples(const struct binder *b, const struct perfmap *map,
                              int32_t pid)
{
	uint32_t i = table_get(&b->jit_of, (uint32_t)pid, 0);
	size_t n = 0;

	for (; i; i = b->jit[i - 1].next)
		n += symtab_find(&map->symbols,
		                 look(b->jit[i - 1].ip, b->jit[i - 1].caller)) != NULL;
	return n;
}

/* Without samples: how much of a map's code lies where the process can run code. */
static size_t covered_code(const struct binder *b, const struct perfmap *map, int32_t pid)
{
	const struct symtab *t = &map->symbols;
	size_t step = t->n / PER_MILLE + 1, in = 0, tried = 0;

	for (size_t i = 0; i < t->n; i += step, tried++)
		in += process_find(b->ps, pid, t->sym[i].start, MODE_USER) != NULL;
	return tried ? in * PER_MILLE / tried : 0;
}

static void try_map(const struct contest *c, struct candidate *cand, int32_t pid)
{
	const struct binder *b = c->b;

	cand->covered = b->njit ? covered_samples(b, cand->map, pid)
	                        : covered_code(b, cand->map, pid);
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
	cand->item->placed = true;
	if (b->njit)
		diag_note(b->diag,
		          "process %d: " PRSTR " names %zu of %zu distinct JIT addresses",
		          pid, STRARG(cand->item->name), covered, of);
	else
		diag_note(b->diag, "process %d: " PRSTR ": %zu.%zu %% lies in its memory",
		          pid, STRARG(cand->item->name), covered / 10, covered % 10);
}

/* The same bytes found in two sources are one map. */
static bool same_map(const struct candidate *a, const struct candidate *b)
{
	struct str x = source_map(a->item->source, a->item->member);
	struct str y = source_map(b->item->source, b->item->member);

	return str_eq(x, y);
}

/* The best of the maps that are called after named, or NULL. */
static struct candidate *best_named(struct contest *c, int32_t pid, int32_t named)
{
	uint32_t i = named < 0 ? 0 : table_get(&c->by_pid, (uint32_t)named, 0);
	struct candidate *best = NULL;

	for (int tried = 0; i && tried < MAPS_TRIED; tried++) {
		struct candidate *cand = &c->candidate[i - 1];

		try_map(c, cand, pid);
		if (!best || cand->covered > best->covered)
			best = cand;
		i = cand->next;
	}
	return best;
}

static size_t maps_tried(const struct contest *c)
{
	return c->ncandidates < MAPS_TRIED ? c->ncandidates : MAPS_TRIED;
}

static struct candidate *best_of_all(struct contest *c, int32_t pid)
{
	struct candidate *best = NULL;

	for (size_t i = 0; i < maps_tried(c); i++) {
		struct candidate *cand = &c->candidate[i];

		try_map(c, cand, pid);
		if (!best || cand->covered > best->covered)
			best = cand;
	}
	return best;
}

static bool has_rival(const struct contest *c, size_t of, const struct candidate *best)
{
	for (size_t i = 0; i < maps_tried(c); i++) {
		const struct candidate *cand = &c->candidate[i];

		if (cand != best && at_least(cand->covered, of, PERCENT_RUNNER_UP) &&
		    !same_map(cand, best))
			return true;
	}
	return false;
}

/* A map that is called after the process, or after its pid in a container. */
static struct candidate *own_map(struct contest *c, const struct contestant *p)
{
	int32_t ns = (int32_t)table_get(&c->b->ns, (uint32_t)p->pid, 0) - 1;
	struct candidate *cand = best_named(c, p->pid, ns);

	if (!cand || !at_least(cand->covered, p->of, PERCENT_SAME_PID))
		cand = best_named(c, p->pid, p->pid);
	return cand && at_least(cand->covered, p->of, PERCENT_SAME_PID) ? cand : NULL;
}

static void choose(struct contest *c, const struct contestant *p)
{
	struct candidate *cand = own_map(c, p);
	struct diag *diag = c->b->diag;

	if (cand) {
		bind_map(c->b, p->pid, cand, cand->covered, p->of);
		return;
	}
	cand = best_of_all(c, p->pid);
	if (!cand || !p->of)
		return;
	if (!at_least(cand->covered, p->of, PERCENT_OTHER))
		diag_note(diag,
		          "process %d: no perf map of its own; " PRSTR
		          " names only %zu of %zu JIT addresses and is not used",
		          p->pid, STRARG(cand->item->name), cand->covered, p->of);
	else if (has_rival(c, p->of, cand))
		diag_note(diag,
		          "process %d: several perf maps cover its JIT code; choose "
		          "one with -p %d=MAP",
		          p->pid, p->pid);
	else
		bind_map(c->b, p->pid, cand, cand->covered, p->of);
}

static void bind_forced(struct binder *b)
{
	for (size_t i = 0; i < b->nforced; i++) {
		struct forced_map *f = &b->forced[i];
		struct candidate cand = { f->item, locate_perfmap(b->locator, f->item),
			                  -1, 0, 0 };
		size_t of = table_get(&b->njit_of, (uint32_t)f->pid, 0);

		if (cand.map)
			bind_map(b, f->pid, &cand, covered_samples(b, cand.map, f->pid),
			         of < ENOUGH ? of : ENOUGH);
	}
}

/* Maps that stay unused are said, but not one by one when a folder is full of them. */
static void report_unused(const struct contest *c)
{
	const struct candidate *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->ncandidates; i++)
		if (!c->candidate[i].item->placed) {
			first = first ? first : &c->candidate[i];
			n++;
		}
	if (n == 1)
		diag_note(c->b->diag, PRSTR ": names the code of no process here",
		          STRARG(first->item->name));
	else if (n)
		diag_note(c->b->diag,
		          "%zu perf maps name the code of no process here: " PRSTR
		          ", ...",
		          n, STRARG(first->item->name));
}

void bind_decide(struct binder *b, struct processes *ps)
{
	struct contest c = { .b = b };

	b->ps = ps;
	bind_forced(b);
	collect_maps(&c);
	collect_processes(&c);
	for (size_t i = 0; i < c.n; i++)
		if (!table_get(&b->map_of, (uint32_t)c.process[i].pid, 0))
			choose(&c, &c.process[i]);
	report_unused(&c);
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

bool bound_rva(const struct bound_image *im, uint64_t ip, uint64_t *rva)
{
	*rva = ip - im->base;
	return !im->pe || pe_rva(im->pe, ip - im->m->bias - im->file_base, rva);
}

bool bound_ip(const struct bound_image *im, uint64_t rva, uint64_t *ip)
{
	uint64_t file_off;

	*ip = im->base + rva;
	if (!im->pe)
		return true;
	if (!pe_file_off(im->pe, rva, &file_off))
		return false;
	*ip = file_off + im->file_base + im->m->bias;
	return true;
}

struct r2r *bind_methods(const struct binder *b, const struct bound_image *im)
{
	return im->image ? locate_r2r(b->locator, im->image) : NULL;
}

static bool find_method(struct binder *b, const struct bound_image *im, uint64_t rva,
                        bool caller, struct bound_name *out)
{
	struct r2r *r = bind_methods(b, im);
	size_t index;
	uint32_t *at;

	if (!r || !r2r_find(r, look(rva, caller), &index))
		return false;
	at = table_at(&b->name_of, b->run, (uintptr_t)im->image, index);
	if (!*at) {
		b->name = arena_grow(b->run, b->name, &b->names_cap, b->nnames + 1,
		                     sizeof(*b->name));
		b->name[b->nnames++] = r2r_name(r, index, b->run, R2R_AS_JIT);
		*at = (uint32_t)b->nnames;
	}
	out->func = b->name[*at - 1];
	out->off = rva - r2r_range(r, index).begin;
	return true;
}

static bool find_image(struct binder *b, const struct mapping *m, uint64_t ip,
                       bool caller, struct bound_name *out)
{
	uint32_t at = table_get(&b->image_of, m->id, 0);
	const struct bound_image *im = at ? &b->image[at - 1] : NULL;
	struct bound_image other;
	uint64_t rva;

	if (!im)
		return false;
	/* The byte before a return address is in the section even where ip is not. */
	ip = look(ip, caller);
	if (bind_neighbour(b, im, ip, &other))
		im = &other;
	if (!bound_rva(im, ip, &rva))
		return false;
	rva += caller;
	/* The image's own names are spelled as the runtime does; a map's are not. */
	return find_method(b, im, rva, caller, out) ||
	       (im->map && find_in(&im->map->symbols, rva, caller, out));
}

bool bind_find(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, struct bound_name *out)
{
	uint32_t at = table_get(&b->map_of, (uint32_t)(m ? m->pid : pid), 0);

	out->jit = false;
	if (m && m->kind == MAPPED_KERNEL)
		return false;
	if (m && (find_image(b, m, ip, caller, out) ||
	          (m->kind == MAPPED_IMAGE && bind_find_native(b, m, ip, caller, out))))
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
