#include "divided.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pool.h"
#include "shrunk.h"

enum {
	WORKERS_MOST = 8, /* by default */
	/* finished parts of each worker that may wait for this process */
	AHEAD = 3,
};

enum ended { ENDED_WELL, ENDED_BADLY, ENDED_SPENT, ENDED_UNFIT, ENDED_ODDLY };

/* The results of one part, until this process takes them. */
struct slot {
	int fd; /* memory file with the text and then the parcel */
	struct sizes {
		uint64_t text, parcel;
		pid_t by;
	} * sizes; /* shared */
};

/* The state of one worker in this process. */
struct sender {
	pid_t pid;
	struct part_sent sent;
	void *state;
	bool lost; /* a parcel was lost, so later parcels of this worker are unusable */
};

struct run {
	const struct divided *d;
	struct part_plan plan;
	size_t first; /* number of the part that job 0 reads */
	struct out *out;
	struct arena arena;
	struct slot *slot;
	size_t nslots;
	struct sender *sender;
	size_t nsenders, senders_cap;
	uint64_t used_ns;
	/* in a worker */
	pid_t self;
	struct diag loud;
	int shrunk;
	struct out *part;
};

/*
 * Begins a worker.  It reports nothing about names, because the first process also looks them up
 * and reports them.
 */
static void begin_worker(struct run *r)
{
	struct cmd *c = r->d->c;

	r->self = getpid();
	r->loud = c->diag;
	r->shrunk = shrunk_count();
	c->diag.quiet = true;
	c->diag.limit = 0;
	c->diag.damaged = c->diag.warned = 0;
	budget_continue(&c->budget, r->used_ns, &r->loud);
	r->part = arena_new(&r->arena, struct out, 1);
	part_begin(r->d->p);
	if (r->d->begin)
		r->d->begin(r->d->ctx);
}

/*
 * Closes `o`, which wrote the text or the parcel to the slot's file.  Returns the size of the
 * file, or 0 after an error.
 */
static uint64_t close_part(const struct slot *s, struct out *o)
{
	off_t end = out_close(o) < 0 ? -1 : lseek(s->fd, 0, SEEK_CUR);

	return end < 0 ? 0 : (uint64_t)end;
}

static int do_part(void *ctx, size_t i)
{
	struct run *r = ctx;
	const struct divided *d = r->d;
	const struct slot *s = &r->slot[i % r->nslots];
	uint64_t text, whole;
	unsigned long reports;

	if (r->self != getpid())
		begin_worker(r);
	if (lseek(s->fd, 0, SEEK_SET) < 0)
		return ENDED_BADLY;
	out_open(r->part, "part", dup(s->fd));
	part_enter(d->p, &r->plan, r->first + i);
	reports = d->c->diag.damaged;
	d->read(d->ctx, r->part);
	/*
	 * A mapped file has shrunk.  The first process reads the part again, and reports
	 * the file.
	 */
	if (shrunk_count() != r->shrunk)
		_exit(1);
	if (!part_is_plain(d->p))
		return ENDED_UNFIT;
	text = close_part(s, r->part);
	/*
	 * Each parcel depends on the earlier ones, so the worker ends after a failed
	 * write.
	 */
	if (r->part->error)
		_exit(1);
	out_open(r->part, "parcel", dup(s->fd));
	part_send(d->p, r->part);
	if (d->send)
		d->send(d->ctx, r->part);
	whole = close_part(s, r->part);
	if (r->part->error)
		_exit(1);
	*s->sizes = (struct sizes){ text, whole - text, r->self };
	budget_end(&d->c->budget);
	if (budget_is_spent(&d->c->budget))
		return ENDED_SPENT;
	return d->c->diag.damaged > reports ? ENDED_ODDLY : ENDED_WELL;
}

static struct sender *find_sender(struct run *r, pid_t pid)
{
	for (size_t i = 0; i < r->nsenders; i++)
		if (r->sender[i].pid == pid)
			return &r->sender[i];
	r->sender = arena_grow(&r->arena, r->sender, &r->senders_cap, r->nsenders + 1,
	                       sizeof(*r->sender));
	r->sender[r->nsenders] =
	        (struct sender){ .pid = pid,
		                 .state = arena_alloc(&r->arena, 1, r->d->state + 1) };
	return &r->sender[r->nsenders++];
}

/* Takes the results in a slot from its worker.  Returns false if they cannot be read. */
static bool take_results(struct run *r, const struct slot *s)
{
	const struct divided *d = r->d;
	const volatile struct sizes *shared = s->sizes;
	const struct sizes n = { shared->text, shared->parcel, shared->by };
	struct sender *from = find_sender(r, n.by);
	struct cursor parcel;
	struct stat sb;
	uint64_t all;
	char *p;

	if (from->lost || __builtin_add_overflow(n.text, n.parcel, &all) ||
	    fstat(s->fd, &sb) < 0 || all > (uint64_t)sb.st_size ||
	    (p = mmap(NULL, all, PROT_READ, MAP_SHARED, s->fd, 0)) == MAP_FAILED) {
		from->lost = true;
		return false;
	}
	if (r->out)
		out_write(r->out, p, n.text);
	parcel = cur_over((struct str){ p + n.text, n.parcel }, false);
	part_take(d->p, &from->sent, &parcel);
	if (d->take)
		d->take(d->ctx, from->state, &parcel);
	if (parcel.bad) {
		from->lost = true;
		diag_damage(
		        &d->c->diag,
		        "a worker process sent a damaged result; data may be missing");
	}
	munmap(p, all);
	return true;
}

static bool has_failed(const struct run *r)
{
	return r->out && r->out->error;
}

static void show_progress(const struct run *r, size_t parts)
{
	uint64_t done, total;

	reader_progress(profile_reader(r->d->p), &done, &total);
	diag_progress(&r->d->c->diag, "read", total / r->plan.n * parts, total);
}

static bool take_part(void *ctx, size_t i, int status)
{
	struct run *r = ctx;
	const struct divided *d = r->d;
	struct cmd *c = d->c;

	show_progress(r, r->first + i + 1);
	if (status == ENDED_WELL || status == ENDED_SPENT || status == ENDED_ODDLY) {
		if (!take_results(r, &r->slot[i % r->nslots]))
			status = ENDED_BADLY;
	}
	if (status == ENDED_ODDLY)
		part_report(d->p, &r->plan, r->first + i);
	if (status == ENDED_SPENT) {
		/* The worker has already reported that the budget is used up. */
		c->diag.damaged++;
		c->budget.spent = true;
		return false;
	}
	if (status == ENDED_WELL || status == ENDED_ODDLY)
		return !has_failed(r);
	part_enter(d->p, &r->plan, r->first + i);
	if (status == ENDED_UNFIT)
		part_rest(d->p);
	else
		diag_warn(&c->diag,
		          "a worker process ended unexpectedly; its part of the input is "
		          "read again");
	d->read(d->ctx, r->out);
	return status != ENDED_UNFIT && !has_failed(r) && !budget_is_spent(&c->budget);
}

/* Makes the slots.  Returns false if no shared memory can be made. */
static bool make_slots(struct run *r)
{
	struct sizes *sizes =
	        mmap(NULL, r->nslots * sizeof(*sizes), PROT_READ | PROT_WRITE,
	             MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	r->slot = arena_new(&r->arena, struct slot, r->nslots);
	for (size_t i = 0; i < r->nslots; i++) {
		r->slot[i].fd = memfd_create("part", MFD_CLOEXEC);
		r->slot[i].sizes = &sizes[i];
		if (r->slot[i].fd < 0 || sizes == MAP_FAILED)
			return false;
	}
	return true;
}

static void drop_slots(struct run *r)
{
	if (r->slot[0].sizes != MAP_FAILED)
		munmap(r->slot[0].sizes, r->nslots * sizeof(struct sizes));
	for (size_t i = 0; i < r->nslots; i++)
		if (r->slot[i].fd > 0)
			close(r->slot[i].fd);
	arena_release(&r->arena);
}

static unsigned count_workers(const struct cmd *c)
{
	unsigned n = c->processors < WORKERS_MOST ? c->processors : WORKERS_MOST;
	struct rlimit files;

	n = c->workers ? c->workers : n;
	/*
	 * Slots may use half of the descriptors.  Files with names need the other half.
	 */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && n > files.rlim_cur / 2 / (AHEAD + 3))
		n = (unsigned)(files.rlim_cur / 2 / (AHEAD + 3));
	return n;
}

void divided_run(const struct divided *d, struct out *out)
{
	struct cmd *c = d->c;
	unsigned workers = cmd_mirrors(c) && c->ninputs > 1 ? 1 : count_workers(c);
	struct run r = { .d = d, .out = out };

	r.plan = part_plan(d->p, workers, c->workers > 1, d->few);
	if (r.plan.n < 2)
		return;
	/*
	 * This process reads the first parts before it forks: they fill the caches that
	 * the workers inherit, and choose the event of a fold.
	 */
	do {
		part_enter(d->p, &r.plan, r.first++);
		d->read(d->ctx, out);
	} while (r.first < r.plan.n && !profile_met_sample(d->p) && !has_failed(&r) &&
	         !budget_is_spent(&c->budget));
	r.nslots = (size_t)workers * AHEAD;
	r.used_ns = budget_used(&c->budget);
	if (!make_slots(&r)) {
		part_rest(d->p);
		drop_slots(&r);
		return;
	}
	if (!has_failed(&r) && !budget_is_spent(&c->budget))
		pool_run_parts(&(struct pool_parts){ .n = r.plan.n - r.first,
		                                     .workers = workers,
		                                     .ahead = r.nslots,
		                                     .job = do_part,
		                                     .take = take_part,
		                                     .ctx = &r });
	drop_slots(&r);
	part_end(d->p);
}
