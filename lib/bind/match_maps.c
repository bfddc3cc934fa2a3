#include "bind/match_maps.h"

#include "bind/bound_map.h"
#include "bind/map_candidates.h"
#include "bind/sampled.h"
#include "bind/unused_maps.h"
#include "image/host_maps.h"

enum {
	/* if there are at most this many maps, all may be opened to name unnamed addresses */
	FEW_MAPS = 16,
	/*
	 * least percentage of addresses, or of code, that a map with the process's pid
	 * must cover.  Stale maps cover 0 %
	 */
	PERCENT_SAME_PID = 5,
	/*
	 * least percentage of addresses that a map with another pid must cover.  Right
	 * maps cover 98 to 100 %, wrong maps 0 %
	 */
	PERCENT_OTHER = 50,
	PERCENT_RUNNER_UP = 5,
	PERCENT_INSIDE = 90,
	/* maximum number of maps of other pids that are tried for one process */
	MAPS_TRIED = 1024,
};

static bool at_least(size_t part, size_t all, size_t percent)
{
	return all && part * 100 >= all * percent && part;
}

static struct bound_map *bind_candidate(struct binder *b, int32_t pid,
                                        const struct map_candidate *cand, size_t of)
{
	struct bound_map map = { .pid = pid,
		                 .item = cand->item,
		                 .map = cand->map,
		                 .dump = cand->dump,
		                 .covered = cand->covered,
		                 .of = of };

	map.by_time = b->maps->monotonic &&
	              (cand->dump ? !cand->dump->cpu_clock : cand->map->times != NULL);
	return bound_map_add(b, &map);
}

/* Counts the sampled addresses that held several pieces of code in turn. */
static size_t count_reused(const struct binder *b, const struct bound_map *bm)
{
	const struct sampled_address *a = sampled_jit(b->sampled, bm->pid);
	size_t n = 0;

	for (; a; a = sampled_next(b->sampled, a))
		n += bound_map_reused(bm, sampled_byte(a->ip, a->caller));
	return n;
}

static void report_clock(const struct binder *b, const struct bound_map *bm)
{
	bool timed = bm->dump || bm->map->times;
	size_t n = timed && !bm->by_time ? count_reused(b, bm) : 0;

	if (n)
		diag_note(b->diag,
		          "%s: %zu of these addresses held several methods over time, "
		          "but the profile uses another clock than " PRSTR
		          ": the last method is used (record with perf record -k mono)",
		          process_label(bm->pid).text, n, STRARG(bm->item->name));
}

void match_maps_report_lines(const struct binder *b, const struct item *it,
                             const struct perfmap *map)
{
	if (map && map->bad_lines)
		diag_warn(b->diag,
		          PRSTR ":%zu: %zu line%s damaged, but %zu whole lines inside "
		                "them were read (.NET overwrites lines of types with "
		                "names that are not ASCII)",
		          STRARG(it->name), map->bad_line, map->bad_lines,
		          map->bad_lines == 1 ? " is" : "s are", map->inside);
}

/*
 * Reports a bound map.  alone: number of addresses that the process's other maps do not name.
 */
static void report_bound(const struct binder *b, const struct bound_map *bm, bool by_code,
                         size_t alone)
{
	size_t covered = bm->covered;

	if (alone)
		diag_note(b->diag,
		          "%s: " PRSTR
		          " names %zu of %zu distinct JIT addresses, %zu of them alone",
		          process_label(bm->pid).text, STRARG(bm->item->name), covered,
		          bm->of, alone);
	else if (!by_code)
		diag_note(b->diag,
		          "%s: " PRSTR " names %zu of %zu distinct JIT addresses",
		          process_label(bm->pid).text, STRARG(bm->item->name), covered,
		          bm->of);
	else
		diag_note(b->diag,
		          "%s: " PRSTR
		          ": %zu.%zu %% of its code is in the memory of the process",
		          process_label(bm->pid).text, STRARG(bm->item->name),
		          covered / 10, covered % 10);
	match_maps_report_lines(b, bm->item, bm->map);
	report_clock(b, bm);
}

/* Returns true if both candidates have equal bytes.  Two directories may contain the same file. */
static bool same_bytes(const struct map_candidate *a, const struct map_candidate *b)
{
	const struct item *x = a->item, *y = b->item;

	/*
	 * One nettrace contains the maps of several processes, so the same file may
	 * contain different maps.
	 */
	if (x->source == y->source && x->member == y->member)
		return a->map == b->map;
	return str_eq(source_map(x->source, x->member), source_map(y->source, y->member));
}

/* Returns the best candidate with the pid `named`, or NULL. */
static struct map_candidate *best_named(struct map_candidates *c,
                                        const struct jit_process *p, int32_t named)
{
	uint32_t i = named < 0 ? 0 : table_get(&c->by_pid, (uint32_t)named, 0);
	struct map_candidate *best = NULL;

	for (int tried = 0; i && tried < MAPS_TRIED; tried++) {
		struct map_candidate *cand = &c->candidate[i - 1];

		map_candidates_try(c, cand, p);
		if (!best || cand->covered > best->covered)
			best = cand;
		i = cand->next;
	}
	return best;
}

static size_t maps_tried(const struct map_candidates *c)
{
	return c->ncandidates < MAPS_TRIED ? c->ncandidates : MAPS_TRIED;
}

static struct map_candidate *best_of_all(struct map_candidates *c,
                                         const struct jit_process *p)
{
	struct map_candidate *best = NULL;

	for (size_t i = 0; i < maps_tried(c); i++) {
		struct map_candidate *cand = &c->candidate[i];

		map_candidates_try(c, cand, p);
		if (!best || cand->covered > best->covered)
			best = cand;
	}
	return best;
}

static bool has_rival(const struct map_candidates *c, size_t of,
                      const struct map_candidate *best)
{
	for (size_t i = 0; i < maps_tried(c); i++) {
		const struct map_candidate *cand = &c->candidate[i];

		if (cand != best && at_least(cand->covered, of, PERCENT_RUNNER_UP) &&
		    !same_bytes(cand, best))
			return true;
	}
	return false;
}

/*
 * Returns the best candidate that has a pid of the process in its name, or NULL if it names too
 * few addresses.
 */
static struct map_candidate *own_candidate(struct map_candidates *c,
                                           const struct jit_process *p)
{
	for (size_t i = 0; i < MAP_NAMES; i++) {
		struct map_candidate *cand =
		        best_named(c, p, map_candidates_name(c, p->pid, i));

		if (cand && at_least(cand->covered, p->of, PERCENT_SAME_PID))
			return cand;
	}
	return NULL;
}

/*
 * Returns true if the process's own perf map names nearly all addresses.  Dumps of other pids are
 * then not opened.
 */
static bool has_own_map(const struct map_candidates *c, const struct jit_process *p)
{
	struct locator *l = c->b->locator;

	for (size_t i = 0; i < MAP_NAMES && c->kind == ITEM_JITDUMP; i++) {
		int32_t pid = map_candidates_name(c, p->pid, i);
		struct str name = arena_fmt(l->run, "perf-%d.map", pid);
		struct map_candidate cand = { .item = pid < 0 ? NULL
			                                      : locate_base(l, name) };

		if (!cand.item || cand.item->kind != ITEM_PERFMAP)
			continue;
		map_candidates_try(c, &cand, p);
		if (at_least(cand.covered, p->of, PERCENT_INSIDE))
			return true;
	}
	return false;
}

static void refuse(struct map_candidates *c, const struct jit_process *p,
                   const struct map_candidate *cand)
{
	bool own = map_candidates_is_name(c, p->pid, cand->pid);

	cand->item->told = own || cand->covered;
	diag_note(c->b->diag,
	          "%s: %s%s%s" PRSTR
	          " names only %zu of %zu JIT addresses and is not used",
	          process_label(p->pid).text, own ? "" : "no ",
	          own ? "its own " : c->what, own ? "" : " of its own; ",
	          STRARG(cand->item->name), cand->covered, p->of);
	match_maps_report_lines(c->b, cand->item, cand->map);
}

static void report_rivals(const struct map_candidates *c, int32_t pid, size_t of)
{
	for (size_t i = 0; i < maps_tried(c); i++)
		c->candidate[i].item->told |=
		        at_least(c->candidate[i].covered, of, PERCENT_RUNNER_UP);
	if (pid >= 0)
		diag_note(c->b->diag,
		          "process %d: several %ss cover its JIT code; choose one with "
		          "-p %d=MAP",
		          pid, c->what, pid);
	else
		diag_note(c->b->diag,
		          "several %ss cover the JIT code; give only one of them",
		          c->what);
}

/*
 * If the bound map has several names for an address, also binds a nettrace, because a nettrace
 * has the time of each name.
 */
static void add_timed(struct map_candidates *c, const struct jit_process *p,
                      struct bound_map bound)
{
	struct map_candidate *best = NULL;

	if (bound.by_time || !c->b->maps->monotonic || !count_reused(c->b, &bound))
		return;
	for (size_t i = 0; i < maps_tried(c); i++) {
		struct map_candidate *cand = &c->candidate[i];

		if (!cand->map || !cand->map->times)
			continue;
		map_candidates_try(c, cand, p);
		if (at_least(cand->covered, p->of, PERCENT_OTHER) &&
		    (!best || cand->covered > best->covered))
			best = cand;
	}
	if (best)
		report_bound(c->b, bind_candidate(c->b, p->pid, best, p->of), p->by_code,
		             0);
}

static void choose(struct map_candidates *c, const struct jit_process *p)
{
	struct bound_map *bm;
	struct map_candidate *cand = own_candidate(c, p);

	/*
	 * Other processes have samples in JIT code, but p does not.  p can have frames in JIT code
	 * only if its stacks are unwound with the unwind data of a jitdump.  So only such a jitdump
	 * is bound.
	 */
	if (p->by_code && c->b->sampled->njit &&
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
			report_rivals(c, p->pid, p->of);
			return;
		}
	}
	bm = bind_candidate(c->b, p->pid, cand, p->of);
	report_bound(c->b, bm, p->by_code, 0);
	add_timed(c, p, *bm);
}

void match_maps_force(struct binder *b, int32_t pid, struct item *map)
{
	struct forced_maps *f = b->forced;

	*arena_push(b->run, f->map, f->n, f->cap) = (struct forced_map){ pid, map };
}

void match_maps_forced(struct binder *b)
{
	for (size_t i = 0; i < b->forced->n; i++) {
		struct forced_map *f = &b->forced->map[i];
		struct map_candidate cand = { .item = f->item,
			                      .map = locate_perfmap(b->locator, f->item),
			                      .dump = locate_jitdump(b->locator,
			                                             f->item) };
		struct bound_map *bm;

		if (!cand.map && !cand.dump)
			continue;
		cand.covered = map_candidates_samples(b, &cand, f->pid);
		bm = bind_candidate(b, f->pid, &cand,
		                    sampled_jit_count(b->sampled, f->pid));
		bm->forced = true;
		report_bound(b, bm, !b->sampled->njit, 0);
	}
}

static bool is_forced(const struct binder *b, int32_t pid)
{
	const struct bound_map *first = bound_map_first(b, pid);

	return first && first->forced;
}

/*
 * Counts sampled addresses in images.  Returns the number of addresses that cand names.  Sets *of
 * to the number of all addresses in the images where cand names at least one address.
 */
static size_t covered_images(const struct binder *b, const struct map_candidate *cand,
                             int32_t pid, size_t *of)
{
	arena_scope(scratch);
	struct table touched = { 0 };
	uint64_t start;
	size_t in = 0;

	for (size_t i = 0; i < b->sampled->ncode; i++) {
		const struct sampled_address *n = &b->sampled->code[i];

		if (n->pid != pid ||
		    !map_candidates_start(cand, sampled_byte(n->ip, n->caller), &start))
			continue;
		*table_at(&touched, &scratch, n->m->id, 0) = 1;
		in++;
	}
	*of = 0;
	for (size_t i = 0; i < b->sampled->ncode && in; i++)
		*of += b->sampled->code[i].pid == pid &&
		       table_get(&touched, b->sampled->code[i].m->id, 0);
	return in;
}

static bool has_gaps(const struct binder *b, int32_t pid)
{
	const struct sampled_address *a = sampled_jit(b->sampled, pid);
	uint64_t start;

	for (; a; a = sampled_next(b->sampled, a))
		if (!bound_map_start(b, pid, sampled_byte(a->ip, a->caller), &start))
			return true;
	return false;
}

/*
 * Returns true if the map has source lines, and no map bound to the process has source lines.
 */
static bool adds_lines(const struct binder *b, const struct map_candidate *cand,
                       int32_t pid)
{
	const struct bound_map *bm = bound_map_first(b, pid);

	while (bm && !(bm->map && bm->map->lines))
		bm = bound_map_next(b, bm);
	return !bm && cand->map && cand->map->lines;
}

/*
 * Returns true if `it` is in the same directory as a map chosen for the process, and if the
 * directory has few maps.
 */
static bool is_beside_chosen(const struct map_candidates *c, int32_t pid,
                             const struct item *it)
{
	const struct bound_map *bm = bound_map_first(c->b, pid);

	while (bm && !str_eq(str_dir(bm->item->name), str_dir(it->name)))
		bm = bound_map_next(c->b, bm);
	return bm && c->ncandidates <= FEW_MAPS;
}

/*
 * Returns true if candidate i may be opened for the addresses of p that are still unnamed.  Other
 * maps are not opened, because there may be very many maps.
 */
static bool may_fill(const struct map_candidates *c, const struct jit_process *p,
                     size_t i)
{
	const struct map_candidate *cand = &c->candidate[i];

	if (map_candidates_is_name(c, p->pid, cand->pid))
		return true;
	return i < MAPS_TRIED &&
	       (map_candidates_is_open(cand) || is_beside_chosen(c, p->pid, cand->item));
}

/*
 * Binds further maps, to name more addresses of a process or to add source lines.  A map with
 * another pid is bound only if the starts of its functions agree with the maps bound so far.
 */
static void fill(struct map_candidates *c, const struct jit_process *p)
{
	bool gaps = has_gaps(c->b, p->pid);

	for (size_t i = 0; i < c->ncandidates; i++) {
		struct map_candidate *cand = &c->candidate[i];
		bool own = map_candidates_is_name(c, p->pid, cand->pid);
		bool lines = adds_lines(c->b, cand, p->pid);
		struct bound_map *bound;
		struct map_comparison n;

		if (!(gaps || lines) || !may_fill(c, p, i) ||
		    !map_candidates_open(c, cand))
			continue;
		n = map_candidates_compare(c->b, cand, p->pid);
		cand->covered = n.alone + n.common;
		if (!(n.alone || lines) ||
		    !at_least(cand->covered, p->of,
		              own ? PERCENT_SAME_PID : PERCENT_OTHER))
			continue;
		if (!own && n.common && !at_least(n.equal, n.common, PERCENT_INSIDE))
			continue;
		bound = bind_candidate(c->b, p->pid, cand, p->of);
		if (n.alone)
			report_bound(c->b, bound, false, n.alone);
		gaps = has_gaps(c->b, p->pid);
	}
}

/* Binds further maps to each process that has a map and samples in JIT code. */
static void fill_all(struct map_candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!c->process[i].by_code && bound_map_first(c->b, c->process[i].pid))
			fill(c, &c->process[i]);
}

/*
 * Binds a map of precompiled images if the images are in memory of the process and the map
 * names the addresses that were sampled in them.
 */
static void try_images(struct map_candidates *c, struct map_candidate *cand, int32_t pid)
{
	struct binder *b = c->b;
	size_t of;

	if (!at_least(map_candidates_code(b, cand, pid), PER_MILLE, PERCENT_INSIDE))
		return;
	cand->covered = covered_images(b, cand, pid, &of);
	if (!at_least(cand->covered, of, PERCENT_OTHER))
		return;
	bind_candidate(b, pid, cand, of);
	diag_note(b->diag, "%s: " PRSTR " names %zu of %zu distinct addresses in images",
	          process_label(pid).text, STRARG(cand->item->name), cand->covered, of);
}

/*
 * Returns true if cand may be opened to name code in images of process pid.  If a map has the pid
 * of this process, maps with other pids are not opened.
 */
static bool is_worth_opening(const struct map_candidates *c,
                             const struct map_candidate *cand, int32_t pid)
{
	if (map_candidates_is_open(cand) || map_candidates_is_name(c, pid, cand->pid))
		return true;
	for (size_t i = 0; i < MAP_NAMES; i++) {
		int32_t named = map_candidates_name(c, pid, i);

		if (named >= 0 && table_get(&c->by_pid, (uint32_t)named, 0))
			return false;
	}
	return true;
}

static void choose_images(struct map_candidates *c)
{
	const struct binder *b = c->b;
	struct table seen = { 0 };

	for (size_t i = 0; i < b->sampled->ncode; i++) {
		int32_t pid = b->sampled->code[i].pid;
		uint32_t *at = table_at(&seen, &c->scratch, (uint32_t)pid, 0);

		if (*at)
			continue;
		*at = 1;
		for (size_t k = 0; k < maps_tried(c) && !is_forced(b, pid); k++) {
			struct map_candidate *cand = &c->candidate[k];

			if (!cand->item->placed && is_worth_opening(c, cand, pid) &&
			    map_candidates_open(c, cand))
				try_images(c, cand, pid);
		}
	}
}

static void choose_all(struct map_candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!is_forced(c->b, c->process[i].pid))
			choose(c, &c->process[i]);
}

void match_maps_namespace(struct binder *b, int32_t pid, int32_t nspid)
{
	uint32_t *at = table_at(&b->forced->namespace_pid, b->run, (uint32_t)pid, 0);

	if (!*at)
		*at = (uint32_t)nspid + 1;
}

/* Adds the perf maps in /tmp of this machine for processes with JIT code. */
static void add_host_maps(struct binder *b)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);
	arena_scope(scratch);
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
}

/* Reports damaged dumps.  Truncated dumps are reported elsewhere, with the coverage. */
static void report_damage(const struct binder *b)
{
	for (size_t i = 0; i < b->locator->n; i++) {
		const struct item *it = &b->locator->item[i];
		const struct jitdump *d = it->jitdump;

		if (d && d->damaged && !d->cut)
			diag_warn(b->diag,
			          PRSTR
			          ":%llu: %s; %zu pieces of code were read from the rest",
			          STRARG(it->name), (unsigned long long)d->damage_at,
			          d->damage, d->n);
	}
}

void match_maps(struct binder *b)
{
	struct map_candidates kinds[] = {
		{ .b = b, .kind = ITEM_JITDUMP, .what = "jitdump" },
		{ .b = b, .kind = ITEM_PERFMAP, .what = "perf map" },
	};

	add_host_maps(b);
	for (size_t i = 0; i < 2; i++) {
		map_candidates_collect(&kinds[i]);
		choose_all(&kinds[i]);
	}
	choose_images(&kinds[1]);
	for (size_t i = 0; i < 2; i++)
		fill_all(&kinds[i]);
	for (size_t i = 0; i < 2; i++) {
		unused_maps_report(&kinds[i]);
		arena_release(&kinds[i].scratch);
	}
	report_damage(b);
}
