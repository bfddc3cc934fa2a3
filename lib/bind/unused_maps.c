#include "bind/unused_maps.h"

/* maximum number of unused maps that are compared with processes */
enum { REPORTED = 10 };

/* Returns the process in which cand names the most addresses, or NULL. */
static const struct jit_process *most_named(const struct map_candidates *c,
                                            struct map_candidate *cand)
{
	const struct jit_process *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < c->n; i++) {
		map_candidates_try(c, cand, &c->process[i]);
		if (cand->covered > most) {
			most = cand->covered;
			best = &c->process[i];
		}
	}
	cand->covered = most;
	return best;
}

/* Reports why a map is not used for p, although it names code of p. */
static void report_read(const struct map_candidates *c, const struct map_candidate *cand,
                        const struct jit_process *p)
{
	struct diag *diag = c->b->diag;
	struct str name = cand->item->name;
	struct map_comparison n;

	if (p->by_code) {
		diag_note(diag,
		          PRSTR
		          ": not used: no sample is in the JIT code of %s that it names",
		          STRARG(name), process_label(p->pid).text);
		return;
	}
	n = map_candidates_compare(c->b, cand, p->pid);
	if (!n.alone)
		diag_note(diag,
		          PRSTR ": not used: other sources also name the %zu of %zu JIT "
		                "addresses of %s that it names",
		          STRARG(name), n.common, p->of, process_label(p->pid).text);
	else if (n.equal < n.common)
		diag_note(diag,
		          PRSTR ": not used: other sources have different functions at "
		                "%zu of %zu JIT addresses of %s",
		          STRARG(name), n.common - n.equal, n.common,
		          process_label(p->pid).text);
	else
		diag_note(diag,
		          PRSTR
		          ": not used: it names only %zu of %zu JIT addresses of %s",
		          STRARG(name), n.alone + n.common, p->of,
		          process_label(p->pid).text);
}

/* Unused maps with the same reason.  They share one line of the report. */
struct unused {
	const struct item *first;
	size_t n;
	const char *one, *many; /* the message for one map, and for several */
};

static void add_unused(const struct map_candidates *c, struct unused *u,
                       const struct item *it)
{
	if (!u->n++)
		u->first = it;
	if (u->n > 1)
		diag_detail(c->b->diag, PRSTR ": %s", STRARG(it->name), u->one);
}

static void report_alike(const struct map_candidates *c, const struct unused *u)
{
	if (u->n == 1)
		diag_note(c->b->diag, PRSTR ": %s", STRARG(u->first->name), u->one);
	else if (u->n)
		diag_note(c->b->diag, "%zu %ss %s: " PRSTR ", ...", u->n, c->what,
		          u->many, STRARG(u->first->name));
}

static bool is_unused(const struct map_candidates *c, size_t i)
{
	const struct map_candidate *cand = &c->candidate[i];

	return !cand->item->placed && !cand->item->told &&
	       (!cand->item->opened || map_candidates_is_open(cand)) &&
	       !(i && cand[-1].item == cand->item);
}

void unused_maps_report(const struct map_candidates *c)
{
	struct unused foreign = { .one = "not used: it names no code of these processes",
		                  .many = "not used, because they name no code of these "
		                          "processes" },
	              closed = { .one = "not read: its name is of a process without JIT "
		                        "code here",
		                 .many = "not read, because their names are of processes "
		                         "without JIT code here" },
	              more = { .one = "not used", .many = "not used" };
	size_t reported = 0;

	for (size_t i = 0; i < c->ncandidates; i++) {
		struct map_candidate *cand = &c->candidate[i];
		const struct jit_process *p;

		if (!is_unused(c, i))
			continue;
		if (!map_candidates_is_open(cand)) {
			add_unused(c,
			           table_get(&c->called, (uint32_t)cand->pid, 0)
			                   ? &more
			                   : &closed,
			           cand->item);
			continue;
		}
		p = most_named(c, cand);
		if (!p)
			add_unused(c, &foreign, cand->item);
		else if (reported++ < REPORTED)
			report_read(c, cand, p);
		else
			add_unused(c, &more, cand->item);
	}
	report_alike(c, &foreign);
	report_alike(c, &closed);
	report_alike(c, &more);
}
