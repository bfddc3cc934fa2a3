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
	WORKERS_MOST = 8, /* default maximum */
	AHEAD = 2,        /* maximum number of parts that wait in a worker */
	/* maximum size in bytes of the results of one part */
	SENT_MOST = sizeof(void *) > 4 ? 1 << 30 : 1 << 25,
};

enum ended { ENDED_WELL, ENDED_BADLY, ENDED_SPENT, ENDED_UNFIT, ENDED_ODDLY };

/* The results of one part, until this process takes them. */
struct slot {
	struct out_memory memory; /* the output text, then the parcel */
	struct sizes {
		uint64_t size; /* of the memory */
		uint64_t text, parcel;
		pid_t by;
	} * sizes; /* in shared memory */
};

/* The parent's data about one worker. */
struct sender {
	pid_t pid;
	struct part_sent sent;
	void *state;
	bool lost; /* a parcel was lost, so later parcels of this worker are unusable */
};

struct run {
	const struct divided *d;
	bool learns;  /* the workers note frames for profile_learn */
	size_t n;     /* number of parts */
	size_t first; /* index of the part that is job 0 */
	struct out *out;
	struct arena arena;
	struct slot *slot;
	size_t nslots;
	struct sender *sender;
	size_t nsenders, senders_cap;
	uint64_t used_ns;
	/* used in a worker */
	pid_t self;
	struct diag loud;
	int shrunk;
	struct out *part;
};

/*
 * Begins a worker.  The worker does not report problems with names, because the parent also looks
 * up these names and reports the problems.
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
	if (r->learns)
		return;
	part_begin(r->d->p);
	if (r->d->begin)
		r->d->begin(r->d->ctx);
}

/* Reads the current part. */
static void read_part(struct run *r, struct out *out)
{
	if (r->learns)
		part_learn(r->d->p);
	else
		r->d->read(r->d->ctx, out);
}

static void send_parcel(struct run *r, struct out *to)
{
	if (r->learns) {
		part_send_notes(r->d->p, to);
		return;
	}
	part_send(r->d->p, to);
	if (r->d->send)
		r->d->send(r->d->ctx, to);
}

static void take_parcel(struct run *r, struct sender *sender, struct cursor *from)
{
	if (r->learns) {
		part_take_notes(r->d->p, from);
		return;
	}
	part_take(r->d->p, &sender->sent, from);
	if (r->d->take)
		r->d->take(r->d->ctx, sender->state, from);
}

static int do_part(void *ctx, size_t i)
{
	struct run *r = ctx;
	const struct divided *d = r->d;
	struct slot *s = &r->slot[i % r->nslots];
	unsigned long reports;

	if (r->self != getpid())
		begin_worker(r);
	out_open_memory(r->part, &s->memory);
	part_enter(d->p, r->first + i);
	reports = d->c->diag.damaged;
	read_part(r, r->part);
	/*
	 * If a file has shrunk, the worker ends.  The parent then reads this part again,
	 * and reports the file.
	 */
	if (shrunk_count() != r->shrunk)
		_exit(1);
	if (!budget_is_spent(&d->c->budget) && !part_is_plain(d->p))
		return ENDED_UNFIT;
	s->sizes->text = out_flush(r->part);
	send_parcel(r, r->part);
	s->sizes->parcel = out_flush(r->part) - s->sizes->text;
	s->sizes->by = r->self;
	/* If a part cannot be sent, later parcels are not usable, so the worker ends. */
	if (r->part->error)
		_exit(1);
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
	arena_fit(&r->arena, r->sender, r->nsenders + 1, r->senders_cap);
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
	const uint64_t text = shared->text, size = shared->parcel;
	struct sender *from = find_sender(r, shared->by);
	struct cursor parcel;
	struct stat sb;
	uint64_t all;

	if (from->lost || __builtin_add_overflow(text, size, &all) ||
	    fstat(s->memory.fd, &sb) < 0 || all > (uint64_t)sb.st_size) {
		from->lost = true;
		return false;
	}
	if (r->out)
		out_write(r->out, s->memory.p, text);
	parcel = cur_over((struct str){ s->memory.p + text, size }, false);
	take_parcel(r, from, &parcel);
	if (parcel.bad) {
		from->lost = true;
		diag_damage(
		        &d->c->diag,
		        "a worker process sent a damaged result; data may be missing");
	}
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
	diag_progress(&r->d->c->diag, "read", total / r->n * parts, total);
}

/* Reads part i and all later parts in this process. */
static void read_rest(struct run *r, size_t i)
{
	if (r->learns) {
		part_learn_rest(r->d->p, i);
		return;
	}
	part_rest(r->d->p, i);
	r->d->read(r->d->ctx, r->out);
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
		part_report(d->p, r->first + i);
	if (status == ENDED_SPENT) {
		/* The worker has already reported that the budget is used up. */
		c->diag.damaged++;
		c->budget.spent = true;
		return false;
	}
	if (status == ENDED_WELL || status == ENDED_ODDLY)
		return !has_failed(r);
	if (status == ENDED_UNFIT) {
		read_rest(r, r->first + i);
		return false;
	}
	diag_warn(&c->diag, "a worker process ended unexpectedly; its part of the "
	                    "input is read again");
	part_enter(d->p, r->first + i);
	read_part(r, r->out);
	return !has_failed(r) && !budget_is_spent(&c->budget);
}

/* Makes the slots.  Returns false if no shared memory can be made. */
static bool make_slots(struct run *r)
{
	struct sizes *sizes =
	        mmap(NULL, r->nslots * sizeof(*sizes), PROT_READ | PROT_WRITE,
	             MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	r->slot = arena_new(&r->arena, struct slot, r->nslots);
	if (sizes == MAP_FAILED)
		return false;
	for (size_t i = 0; i < r->nslots; i++) {
		struct slot *s = &r->slot[i];
		int fd = memfd_create("part", MFD_CLOEXEC);
		void *p =
		        mmap(NULL, SENT_MOST, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		s->sizes = &sizes[i];
		s->memory = (struct out_memory){
			.fd = fd, .p = p, .size = &s->sizes->size, .most = SENT_MOST
		};
		if (p == MAP_FAILED)
			return false;
	}
	return true;
}

static void drop_slots(struct run *r)
{
	for (size_t i = 0; i < r->nslots && r->slot[i].sizes; i++) {
		if (r->slot[i].memory.p != MAP_FAILED)
			munmap(r->slot[i].memory.p, SENT_MOST);
		if (r->slot[i].memory.fd >= 0)
			close(r->slot[i].memory.fd);
	}
	if (r->slot[0].sizes)
		munmap(r->slot[0].sizes, r->nslots * sizeof(struct sizes));
	arena_release(&r->arena);
}

static unsigned count_workers(const struct cmd *c)
{
	unsigned n = c->processors < WORKERS_MOST ? c->processors : WORKERS_MOST;
	struct rlimit files;

	n = c->workers ? c->workers : n;
	/*
	 * Slots may use half of the descriptors.  The files that contain names need the
	 * other half.
	 */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && n > files.rlim_cur / 2 / (AHEAD + 3))
		n = (unsigned)(files.rlim_cur / 2 / (AHEAD + 3));
	return n;
}

static struct part_opts choose(const struct divided *d)
{
	const struct cmd *c = d->c;
	bool alone = !cmd_mirrors(c) || c->ninputs == 1;

	return (struct part_opts){ .workers = alone ? count_workers(c) : 1,
		                   .forced = c->workers > 1,
		                   .few = d->few };
}

/* Gives the parts to the workers.  Returns false if memory cannot be shared. */
static bool run_parts(struct run *r, unsigned workers)
{
	bool made;

	r->nslots = (size_t)workers * AHEAD;
	r->used_ns = budget_used(&r->d->c->budget);
	made = make_slots(r);
	if (made)
		pool_run_parts(&(struct pool_parts){ .n = r->n - r->first,
		                                     .workers = workers,
		                                     .ahead = r->nslots,
		                                     .job = do_part,
		                                     .take = take_part,
		                                     .ctx = r });
	drop_slots(r);
	return made;
}

void divided_learn(const struct divided *d)
{
	const struct part_opts opts = choose(d);
	struct run r = { .d = d, .learns = true };

	part_slice(d->p, &opts);
	if (part_learns(d->p)) {
		budget_begin_half(&d->c->budget);
		r.n = part_count(d->p);
		if (run_parts(&r, opts.workers))
			part_learned(d->p);
		budget_end_half(&d->c->budget);
	}
	profile_learn(d->p);
}

void divided_run(const struct divided *d, struct out *out)
{
	const struct part_opts opts = choose(d);
	struct run r = { .d = d, .out = out, .n = part_plan(d->p, &opts) };

	if (r.n < 2)
		return;
	part_warm(d->p);
	/*
	 * This process reads the first samples, because they fill the caches that workers
	 * inherit, and determine the event of a fold.
	 */
	do {
		part_enter(d->p, r.first++);
		d->read(d->ctx, out);
	} while (r.first < r.n && !profile_met_sample(d->p) && part_is_plain(d->p) &&
	         !has_failed(&r) && !budget_is_spent(&d->c->budget));
	if (!part_is_plain(d->p) || (!has_failed(&r) && !budget_is_spent(&d->c->budget) &&
	                             !run_parts(&r, opts.workers)))
		part_rest(d->p, r.first);
	else
		part_end(d->p);
}
