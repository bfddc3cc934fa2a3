#include "bind/match_maps.h"

#include "bind/binder.h"
#include "image/host_maps.h"

enum {
	PERCENT_SAME_PID = 5, /* a stale map of an old process covers none */
	PERCENT_OTHER = 50,   /* right maps cover 98 to 100, wrong ones none */
	PERCENT_RUNNER_UP = 5,
	PERCENT_INSIDE = 90,
	PER_MILLE = 1000,
	MAPS_TRIED = 1024, /* maps of other pids that are tried for one process */
};

/* A perf map or jitdump, and how much of the current process it covers. */
struct candidate {
	struct item *item;
	const struct perfmap *map; /* neither it nor the dump is set: it is not open */
	const struct jitdump *dump;
	int32_t pid;    /* in its name, or in the dump; -1: none is */
	uint32_t next;  /* of the same pid; index + 1 */
	size_t covered; /* addresses of the process, or thousandths of its own code */
};

/* A process that has JIT code. */
struct jit_process {
	int32_t pid;
	size_t of;    /* distinct addresses of its JIT code, or PER_MILLE */
	bool by_code; /* no leaf was sampled in it: what counts is where the code lies */
};

struct matching {
	struct arena scratch;
	struct binder *b;
	enum item_kind kind;
	const char *what; /* "perf map" or "jitdump", in messages */
	struct jit_process *process;
	size_t n, cap;
	struct table index;  /* pid -> index of process + 1 */
	struct table mapped; /* pid -> pid in the name of the dump that it mapped + 1 */
	struct candidate *candidate;
	size_t ncandidates, candidates_cap;
	struct table by_pid; /* pid of a candidate -> its index + 1 */
};

static struct jit_process *jit_process(struct matching *c, int32_t pid)
{
	uint32_t *at = table_at(&c->index, &c->scratch, (uint32_t)pid, 0);

	if (!*at) {
		c->process = arena_grow(&c->scratch, c->process, &c->cap, c->n + 1,
		                        sizeof(*c->process));
		c->process[c->n++] = (struct jit_process){ .pid = pid };
		*at = (uint32_t)c->n;
	}
	return &c->process[*at - 1];
}

static void add_candidate(struct matching *c, struct candidate what)
{
	c->candidate = arena_grow(&c->scratch, c->candidate, &c->candidates_cap,
	                          c->ncandidates + 1, sizeof(*c->candidate));
	c->candidate[c->ncandidates++] = what;
}

static bool is_open(const struct candidate *cand)
{
	return cand->map || cand->dump;
}

/* False: it names no run-time code. */
static bool open_candidate(const struct matching *c, struct candidate *cand)
{
	const struct perfmap *map = locate_perfmap(c->b->locator, cand->item);
	const struct jitdump *dump = locate_jitdump(c->b->locator, cand->item);

	if (map && !map->relative && map->symbols.n) {
		cand->map = map;
		return true;
	}
	cand->dump = dump && dump->n ? dump : NULL;
	return cand->dump != NULL;
}

/* A file whose name has a pid, in a folder of others, is opened when that pid is asked for. */
static void collect(struct matching *c)
{
	struct locator *l = c->b->locator;

	for (size_t i = 0; i < l->n; i++) {
		struct candidate cand = { .item = &l->item[i] };

		if (cand.item->kind != c->kind)
			continue;
		cand.pid = c->kind == ITEM_JITDUMP ? jitdump_pid(cand.item->name)
		                                   : perfmap_pid(cand.item->name);
		if (cand.pid >= 0 && !cand.item->opened && !locate_is_named(cand.item)) {
			add_candidate(c, cand);
			continue;
		}
		if (!open_candidate(c, &cand))
			continue;
		add_candidate(c, cand);
		/* A dump that was renamed has its pid in its header. */
		if (!cand.dump || cand.pid == cand.dump->pid || cand.dump->pid < 0)
			continue;
		cand.pid = cand.dump->pid;
		add_candidate(c, cand);
	}
}

/* Backwards, so that each list of a pid begins with its first candidate. */
static void index_candidates(struct matching *c)
{
	for (size_t i = c->ncandidates; i-- > 0;) {
		struct candidate *cand = &c->candidate[i];
		uint32_t *at = table_at(&c->by_pid, &c->scratch, (uint32_t)cand->pid, 0);

		cand->next = *at;
		*at = (uint32_t)i + 1;
	}
}

/* Stacks that are unwound later may lead there. */
static void add_unsampled(struct matching *c, int32_t pid)
{
	struct jit_process *p = jit_process(c, pid);

	if (p->of)
		return;
	p->of = PER_MILLE;
	p->by_code = true;
}

static void collect_processes(struct matching *c)
{
	const struct binder *b = c->b;
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);

	for (size_t i = 0; i < b->sampled.njit; i++)
		jit_process(c, b->sampled.jit[i].pid)->of++;
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

static bool covers(const struct candidate *cand, uint64_t addr)
{
	size_t i;

	return cand->dump ? jitdump_find(cand->dump, addr, UINT64_MAX, &i)
	                  : symtab_find(&cand->map->symbols, addr) != NULL;
}

/* How many of the addresses sampled in the process it names. */
static size_t covered_samples(const struct binder *b, const struct candidate *cand,
                              int32_t pid)
{
	const struct sampled_address *a = sampled_jit(&b->sampled, pid);
	size_t n = 0;

	for (; a; a = sampled_next(&b->sampled, a))
		n += covers(cand, sampled_byte(a->ip, a->caller));
	return n;
}

/* Without samples: how many thousandths of its code lie in executable memory. */
static size_t covered_code(const struct binder *b, const struct candidate *cand,
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

static void try_candidate(const struct matching *c, struct candidate *cand,
                          const struct jit_process *p)
{
	cand->covered = 0;
	if (is_open(cand) || open_candidate(c, cand))
		cand->covered = p->by_code ? covered_code(c->b, cand, p->pid)
	                           : covered_samples(c->b, cand, p->pid);
}

static bool at_least(size_t part, size_t all, size_t percent)
{
	return all && part * 100 >= all * percent && part;
}

static struct bound_map *bind_candidate(struct binder *b, int32_t pid,
                                        const struct candidate *cand, size_t of)
{
	struct bound_map map = { .pid = pid,
		                 .item = cand->item,
		                 .map = cand->map,
		                 .dump = cand->dump,
		                 .covered = cand->covered,
		                 .of = of };

	map.by_time = b->maps.monotonic &&
	              (cand->dump ? !cand->dump->cpu_clock : cand->map->times != NULL);
	return bound_map_add(b, &map);
}

/* The sampled addresses at which several pieces of code lay one after the other. */
static size_t reused(const struct binder *b, const struct bound_map *bm)
{
	const struct sampled_address *a = sampled_jit(&b->sampled, bm->pid);
	size_t n = 0;

	for (; a; a = sampled_next(&b->sampled, a))
		n += bound_map_reused(bm, sampled_byte(a->ip, a->caller));
	return n;
}

static void say_clock(const struct binder *b, const struct bound_map *bm)
{
	bool timed = bm->dump || bm->map->times;
	size_t n = timed && !bm->by_time ? reused(b, bm) : 0;

	if (n)
		diag_note(b->diag,
		          "%s: %zu of these addresses held several methods one "
		          "after the other, and the profile's clock is not that of " PRSTR
		          ": the last one is taken (perf record -k mono would tell)",
		          process_called(bm->pid).text, n, STRARG(bm->item->name));
}

void match_maps_say_lines(const struct binder *b, const struct item *it,
                          const struct perfmap *map)
{
	if (map && map->bad_lines)
		diag_warn(b->diag,
		          PRSTR ":%zu: %zu line%s damaged, %zu whole ones inside of them were "
		                "read (.NET 10 overwrites lines of types whose names are not "
		                "ASCII)",
		          STRARG(it->name), map->bad_line, map->bad_lines,
		          map->bad_lines == 1 ? " is" : "s are", map->inside);
}

static void say_bound(const struct binder *b, const struct bound_map *bm, bool by_code)
{
	size_t covered = bm->covered;

	if (!by_code)
		diag_note(b->diag,
		          "%s: " PRSTR " names %zu of %zu distinct JIT addresses",
		          process_called(bm->pid).text, STRARG(bm->item->name), covered,
		          bm->of);
	else
		diag_note(b->diag, "%s: " PRSTR ": %zu.%zu %% lies in its memory",
		          process_called(bm->pid).text, STRARG(bm->item->name),
		          covered / 10, covered % 10);
	match_maps_say_lines(b, bm->item, bm->map);
	say_clock(b, bm);
}

/* The same bytes found in two sources are one map. */
static bool same_bytes(const struct candidate *a, const struct candidate *b)
{
	const struct item *x = a->item, *y = b->item;

	/* A nettrace holds a map for each of its processes. */
	if (x->source == y->source && x->member == y->member)
		return a->map == b->map;
	return str_eq(source_map(x->source, x->member), source_map(y->source, y->member));
}

/* The best candidate whose pid is named; NULL: there is none. */
static struct candidate *best_named(struct matching *c, const struct jit_process *p,
                                    int32_t named)
{
	uint32_t i = named < 0 ? 0 : table_get(&c->by_pid, (uint32_t)named, 0);
	struct candidate *best = NULL;

	for (int tried = 0; i && tried < MAPS_TRIED; tried++) {
		struct candidate *cand = &c->candidate[i - 1];

		try_candidate(c, cand, p);
		if (!best || cand->covered > best->covered)
			best = cand;
		i = cand->next;
	}
	return best;
}

static size_t maps_tried(const struct matching *c)
{
	return c->ncandidates < MAPS_TRIED ? c->ncandidates : MAPS_TRIED;
}

static struct candidate *best_of_all(struct matching *c, const struct jit_process *p)
{
	struct candidate *best = NULL;

	for (size_t i = 0; i < maps_tried(c); i++) {
		struct candidate *cand = &c->candidate[i];

		try_candidate(c, cand, p);
		if (!best || cand->covered > best->covered)
			best = cand;
	}
	return best;
}

static bool has_rival(const struct matching *c, size_t of, const struct candidate *best)
{
	for (size_t i = 0; i < maps_tried(c); i++) {
		const struct candidate *cand = &c->candidate[i];

		if (cand != best && at_least(cand->covered, of, PERCENT_RUNNER_UP) &&
		    !same_bytes(cand, best))
			return true;
	}
	return false;
}

enum { OWN_NAMES = 3 };

/* The pids that may be in the name of a file of the process; -1: not known. */
static int32_t own_name(const struct matching *c, int32_t pid, size_t i)
{
	const struct table *known = i ? &c->mapped : &c->b->ns;

	return i == 1 ? pid : (int32_t)table_get(known, (uint32_t)pid, 0) - 1;
}

/* The candidate with the process's pid, its pid in a container, or that of a dump it mapped. */
static struct candidate *own_candidate(struct matching *c, const struct jit_process *p)
{
	for (size_t i = 0; i < OWN_NAMES; i++) {
		struct candidate *cand = best_named(c, p, own_name(c, p->pid, i));

		if (cand && at_least(cand->covered, p->of, PERCENT_SAME_PID))
			return cand;
	}
	return NULL;
}

/* Is named one of the pids that may be in the name of a file of the process? */
static bool is_own_name(const struct matching *c, int32_t pid, int32_t named)
{
	for (size_t i = 0; i < OWN_NAMES; i++)
		if (named >= 0 && named == own_name(c, pid, i))
			return true;
	return false;
}

/* Nearly all is in the process's own perf map: dumps of others are not opened then. */
static bool has_own_map(const struct matching *c, const struct jit_process *p)
{
	struct locator *l = c->b->locator;

	for (size_t i = 0; i < OWN_NAMES && c->kind == ITEM_JITDUMP; i++) {
		int32_t pid = own_name(c, p->pid, i);
		struct str name = arena_fmt(l->run, "perf-%d.map", pid);
		struct candidate cand = { .item = pid < 0 ? NULL : locate_base(l, name) };

		if (!cand.item || cand.item->kind != ITEM_PERFMAP)
			continue;
		try_candidate(c, &cand, p);
		if (at_least(cand.covered, p->of, PERCENT_INSIDE))
			return true;
	}
	return false;
}

static void refuse(struct matching *c, const struct jit_process *p,
                   const struct candidate *cand)
{
	bool own = is_own_name(c, p->pid, cand->pid);

	cand->item->told = own || cand->covered;
	diag_note(c->b->diag,
	          "%s: %s%s%s" PRSTR
	          " names only %zu of %zu JIT addresses and is not used",
	          process_called(p->pid).text, own ? "" : "no ",
	          own ? "its own " : c->what, own ? "" : " of its own; ",
	          STRARG(cand->item->name), cand->covered, p->of);
	match_maps_say_lines(c->b, cand->item, cand->map);
}

static void say_rivals(const struct matching *c, int32_t pid)
{
	if (pid >= 0)
		diag_note(c->b->diag,
		          "process %d: several %ss cover its JIT code; choose one with "
		          "-p %d=MAP",
		          pid, c->what, pid);
	else
		diag_note(c->b->diag,
		          "several %ss cover the JIT code; give but one of them",
		          c->what);
}

/*
 * Binds, behind a map that cannot tell which of several pieces of code lay at an address, a
 * nettrace that can.
 */
static void add_timed(struct matching *c, const struct jit_process *p,
                      struct bound_map bound)
{
	struct candidate *best = NULL;

	if (bound.by_time || !c->b->maps.monotonic || !reused(c->b, &bound))
		return;
	for (size_t i = 0; i < maps_tried(c); i++) {
		struct candidate *cand = &c->candidate[i];

		if (!cand->map || !cand->map->times)
			continue;
		try_candidate(c, cand, p);
		if (at_least(cand->covered, p->of, PERCENT_OTHER) &&
		    (!best || cand->covered > best->covered))
			best = cand;
	}
	if (best)
		say_bound(c->b, bind_candidate(c->b, p->pid, best, p->of), p->by_code);
}

static void choose(struct matching *c, const struct jit_process *p)
{
	struct bound_map *bm;
	struct candidate *cand = own_candidate(c, p);

	/* Others were sampled in their JIT code: only unwinding leads into this one's. */
	if (p->by_code && c->b->sampled.njit &&
	    !(cand && cand->dump && cand->dump->nunwinding))
		return;
	if (!cand) {
		cand = has_own_map(c, p) ? NULL : best_of_all(c, p);
		if (!cand || !p->of)
			return;
		if (!at_least(cand->covered, p->of, PERCENT_OTHER)) {
			refuse(c, p, cand);
			return;
		}
		if (has_rival(c, p->of, cand)) {
			say_rivals(c, p->pid);
			return;
		}
	}
	bm = bind_candidate(c->b, p->pid, cand, p->of);
	say_bound(c->b, bm, p->by_code);
	add_timed(c, p, *bm);
}

void match_maps_force(struct binder *b, int32_t pid, struct item *map)
{
	struct forced_maps *f = &b->forced;

	f->map = arena_grow(b->run, f->map, &f->cap, f->n + 1, sizeof(*f->map));
	f->map[f->n++] = (struct forced_map){ pid, map };
}

void match_maps_forced(struct binder *b)
{
	for (size_t i = 0; i < b->forced.n; i++) {
		struct forced_map *f = &b->forced.map[i];
		struct candidate cand = { .item = f->item,
			                  .map = locate_perfmap(b->locator, f->item),
			                  .dump = locate_jitdump(b->locator, f->item) };
		struct bound_map *bm;

		if (!cand.map && !cand.dump)
			continue;
		cand.covered = covered_samples(b, &cand, f->pid);
		bm = bind_candidate(b, f->pid, &cand,
		                    sampled_jit_count(&b->sampled, f->pid));
		bm->forced = true;
		say_bound(b, bm, !b->sampled.njit);
	}
}

static bool is_forced(const struct binder *b, int32_t pid)
{
	const struct bound_map *first = bound_map_first(b, pid);

	return first && first->forced;
}

/* How many addresses sampled in images it names, *of: in the images that it names any of. */
static size_t covered_images(const struct binder *b, const struct candidate *cand,
                             int32_t pid, size_t *of)
{
	struct arena scratch = { 0 };
	struct table touched = { 0 };
	size_t in = 0;

	for (size_t i = 0; i < b->sampled.ncode; i++) {
		const struct sampled_address *n = &b->sampled.code[i];

		if (n->pid != pid || !covers(cand, sampled_byte(n->ip, n->caller)))
			continue;
		*table_at(&touched, &scratch, n->m->id, 0) = 1;
		in++;
	}
	*of = 0;
	for (size_t i = 0; i < b->sampled.ncode && in; i++)
		*of += b->sampled.code[i].pid == pid &&
		       table_get(&touched, b->sampled.code[i].m->id, 0);
	arena_release(&scratch);
	return in;
}

/* Binds a map of images that were moved to where this process has them. */
static void try_images(struct matching *c, struct candidate *cand, int32_t pid)
{
	struct binder *b = c->b;
	size_t of;

	if (!at_least(covered_code(b, cand, pid), PER_MILLE, PERCENT_INSIDE))
		return;
	cand->covered = covered_images(b, cand, pid, &of);
	if (!at_least(cand->covered, of, PERCENT_OTHER))
		return;
	bind_candidate(b, pid, cand, of);
	diag_note(b->diag, "%s: " PRSTR " names %zu of %zu distinct addresses in images",
	          process_called(pid).text, STRARG(cand->item->name), cand->covered, of);
}

/* Maps named for other processes stay closed for a process that has maps of its own. */
static bool is_worth_opening(const struct matching *c, const struct candidate *cand,
                             int32_t pid)
{
	if (is_open(cand) || is_own_name(c, pid, cand->pid))
		return true;
	for (size_t i = 0; i < OWN_NAMES; i++) {
		int32_t named = own_name(c, pid, i);

		if (named >= 0 && table_get(&c->by_pid, (uint32_t)named, 0))
			return false;
	}
	return true;
}

static void choose_images(struct matching *c)
{
	const struct binder *b = c->b;
	struct table seen = { 0 };

	for (size_t i = 0; i < b->sampled.ncode; i++) {
		int32_t pid = b->sampled.code[i].pid;
		uint32_t *at = table_at(&seen, &c->scratch, (uint32_t)pid, 0);

		if (*at)
			continue;
		*at = 1;
		for (size_t k = 0; k < maps_tried(c) && !is_forced(b, pid); k++) {
			struct candidate *cand = &c->candidate[k];

			if (!cand->item->placed && is_worth_opening(c, cand, pid) &&
			    open_candidate(c, cand))
				try_images(c, cand, pid);
		}
	}
}

/* Reports what stayed unused; a folder full of maps takes one line. */
static void report_unused(const struct matching *c)
{
	const struct candidate *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->ncandidates; i++) {
		const struct candidate *cand = &c->candidate[i];

		if (cand->item->placed || cand->item->told ||
		    (cand->item->opened && !is_open(cand)) ||
		    (i && cand[-1].item == cand->item))
			continue;
		first = first ? first : cand;
		if (n++)
			diag_detail(c->b->diag, PRSTR ": names the code of no process here",
			            STRARG(cand->item->name));
	}
	if (n == 1)
		diag_note(c->b->diag, PRSTR ": names the code of no process here",
		          STRARG(first->item->name));
	else if (n)
		diag_note(c->b->diag,
		          "%zu %ss name the code of no process here: " PRSTR ", ...", n,
		          c->what, STRARG(first->item->name));
}

static void match_kind(struct binder *b, enum item_kind kind, const char *what)
{
	struct matching c = { .b = b, .kind = kind, .what = what };

	collect(&c);
	index_candidates(&c);
	collect_processes(&c);
	for (size_t i = 0; i < c.n; i++)
		if (!is_forced(b, c.process[i].pid))
			choose(&c, &c.process[i]);
	if (kind == ITEM_PERFMAP)
		choose_images(&c);
	report_unused(&c);
	arena_release(&c.scratch);
}

void match_maps_namespace(struct binder *b, int32_t pid, int32_t nspid)
{
	uint32_t *at = table_at(&b->ns, b->run, (uint32_t)pid, 0);

	if (!*at)
		*at = (uint32_t)nspid + 1;
}

/* Adds the maps in /tmp of this machine, for the processes that had JIT code. */
static void add_host_maps(struct binder *b)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);
	struct arena scratch = { 0 };
	struct table seen = { 0 };

	for (size_t i = 0; i < n; i++) {
		int32_t pid = maps[i]->pid, nspid;
		uint32_t *at = table_at(&seen, &scratch, (uint32_t)pid, 0);

		host_maps_add_mapped(b->locator, maps[i], b->diag);
		if (*at || !mapping_is_jit(maps[i]))
			continue;
		*at = 1;
		host_maps_add(b->locator, pid, &nspid, b->diag);
		if (nspid >= 0)
			match_maps_namespace(b, pid, nspid);
	}
	arena_release(&scratch);
}

/* Does the perf map of the process that wrote the dump name all that was sampled of it? */
static bool map_names_all(const struct binder *b, const struct item *it,
                          const struct jitdump *d)
{
	int32_t pid = d->pid < 0 ? jitdump_pid(it->name) : d->pid;

	for (size_t i = 0; i < b->maps.n; i++) {
		const struct bound_map *bm = &b->maps.map[i];

		if (bm->map && bm->of && bm->covered == bm->of &&
		    perfmap_pid(bm->item->name) == pid)
			return true;
	}
	return false;
}

/* .NET leaves dumps that are cut off: one that nothing is missed of is no warning. */
static void say_damage(const struct binder *b)
{
	for (size_t i = 0; i < b->locator->n; i++) {
		struct item *it = &b->locator->item[i];
		const struct jitdump *d = it->jitdump;
		void (*say)(struct diag *, const char *, ...) = diag_warn;

		if (!d || !d->damaged)
			continue;
		if (map_names_all(b, it, d))
			say = diag_detail;
		say(b->diag, PRSTR ":%llu: %s; %zu pieces of code were read from the rest",
		    STRARG(it->name), (unsigned long long)d->damage_at, d->damage, d->n);
	}
}

void match_maps(struct binder *b)
{
	add_host_maps(b);
	match_kind(b, ITEM_JITDUMP, "jitdump");
	match_kind(b, ITEM_PERFMAP, "perf map");
	say_damage(b);
}
