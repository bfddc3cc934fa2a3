#include "divided.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "shrunk.h"

enum {
	WORKERS_MOST = 8,   /* default maximum */
	AHEAD = 2,          /* maximum number of parts that wait in a worker */
	TURN_NS = 20000000, /* time that a worker waits for its turn to write */
};

enum ended { ENDED_WELL, ENDED_SPENT, ENDED_UNFIT, ENDED_ODDLY };

enum written { NOT_WRITTEN, WRITE_BEGUN, WRITE_ENDED };

/*
 * The results of one part, until this process takes them, and a memory.  A worker prefers the
 * memories that it used last, because they are in the cache of its processor.
 */
struct slot {
	struct out_memory memory; /* the output text, then the parcel (divided.h) */
	struct sent {
		uint64_t size;        /* size of the file of `memory` */
		_Atomic size_t owner; /* 1 + the part that uses `memory`, or 0 */
		/* the results of the part */
		uint64_t text, parcel;
		pid_t by;
		atomic_bool complete; /* the worker has written `memory` and `ended` */
		enum ended ended;
		sem_t turn; /* 1 if the texts of all earlier parts are written, or 0 */
		/* state of the text, and errno if the worker could not write it */
		_Atomic enum written written;
		int error;
		off_t from; /* position in the output at which the text begins */
	} * sent;           /* in shared memory */
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
	bool direct;  /* the workers write their texts to `out` */
	size_t n;     /* number of parts */
	size_t first; /* index of the part that is job 0 */
	struct out *out;
	struct arena arena;
	struct slot *slot;
	size_t nslots; /* AHEAD for each worker */
	struct sender *sender;
	size_t nsenders, senders_cap;
	uint64_t used_ns;
	/* used only in a worker */
	pid_t self;
	struct diag loud;
	int shrunk;
	struct out *part;
	size_t preferred; /* index of the slot whose memory this worker uses first */
};

static struct sent *sent_of(const struct run *r, size_t i)
{
	return r->slot[i % r->nslots].sent;
}

/* Returns the slot whose memory part i uses, or NULL. */
static struct slot *owned_by(const struct run *r, size_t i)
{
	for (size_t k = 0; k < r->nslots; k++)
		if (r->slot[k].sent->owner == i + 1)
			return &r->slot[k];
	return NULL;
}

/*
 * Returns the memory of part i.  At most nslots parts have a memory at the same time.  With two
 * workers, the first worker tries 0, 2, 1, 3, and the second 1, 3, 2, 0.
 */
static struct out_memory *take_memory(struct run *r, size_t i)
{
	struct slot *s = owned_by(r, i);

	for (size_t k = 0; !s && k < r->nslots; k++) {
		size_t step = k * (r->nslots / AHEAD) + k / AHEAD;
		size_t at = (r->preferred + step) % r->nslots;
		size_t none = 0;

		if (atomic_compare_exchange_strong(&r->slot[at].sent->owner, &none,
		                                   i + 1))
			s = &r->slot[at];
	}
	if (!s)
		_exit(1);
	return &s->memory;
}

/*
 * Begins a worker, whose first part is i.  The worker does not report problems with names, because
 * the parent also looks up these names and reports the problems.
 */
static void begin_worker(struct run *r, size_t i)
{
	struct cmd *c = r->d->c;

	r->self = getpid();
	r->preferred = i;
	r->loud = c->diag;
	r->shrunk = shrunk_count();
	c->diag.quiet = true;
	c->diag.limit = 0;
	c->diag.damaged = c->diag.warned = 0;
	budget_continue(&c->budget, r->used_ns, &r->loud);
	r->part = arena_new(&r->arena, struct out, 1);
	signal(SIGPIPE, SIG_IGN); /* the parent reports EPIPE */
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
		r->d->take(r->d->ctx, &sender->sent, sender->state, from);
}

/* Lets the process that has the text of part i + 1 write this text. */
static void end_turn(struct run *r, size_t i)
{
	sem_post(&sent_of(r, i + 1)->turn);
}

/*
 * Writes the text of part i in this worker, because the text is still in the cache of this
 * processor.  If earlier texts are not written in time, the parent writes this text.
 */
static void write_own(struct run *r, size_t i, const char *text)
{
	struct sent *s = sent_of(r, i);
	struct timespec until;

	if (!r->direct || clock_gettime(CLOCK_MONOTONIC, &until) < 0)
		return;
	until.tv_nsec += TURN_NS;
	if (until.tv_nsec >= CLOCK_SECOND_NS) {
		until.tv_nsec -= CLOCK_SECOND_NS;
		until.tv_sec++;
	}
	if (sem_clockwait(&s->turn, CLOCK_MONOTONIC, &until) < 0)
		return;
	s->from = lseek(r->out->fd, 0, SEEK_CUR);
	s->written = WRITE_BEGUN;
	s->error = out_all(r->out->fd, (struct str){ text, s->text }) < 0 ? errno : 0;
	s->written = WRITE_ENDED;
	if (!s->error && s->ended != ENDED_SPENT)
		end_turn(r, i);
}

static int do_part(void *ctx, size_t i)
{
	struct run *r = ctx;
	const struct divided *d = r->d;
	struct sent *s = sent_of(r, i);
	struct out_memory *memory;
	unsigned long reports;

	if (r->self != getpid())
		begin_worker(r, i);
	memory = take_memory(r, i);
	out_open_memory(r->part, memory);
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
	s->text = out_flush(r->part);
	send_parcel(r, r->part);
	s->parcel = out_flush(r->part) - s->text;
	s->by = r->self;
	/* If a part cannot be sent, later parcels are not usable, so the worker ends. */
	if (r->part->error)
		_exit(1);
	budget_end(&d->c->budget);
	if (budget_is_spent(&d->c->budget))
		s->ended = ENDED_SPENT;
	else
		s->ended = d->c->diag.damaged > reports ? ENDED_ODDLY : ENDED_WELL;
	s->complete = true;
	write_own(r, i, memory->p);
	return (int)s->ended;
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

/* Ends the turn of this process, in which it has written the text of part i. */
static void give_turn(struct run *r, size_t i, bool is_last)
{
	if (!r->direct)
		return;
	out_flush(r->out);
	(void)sem_trywait(&sent_of(r, i)->turn);
	if (!r->out->error && !is_last)
		end_turn(r, i);
}

/*
 * Writes the rest of the text of part i, which the worker has not written.  If the worker died
 * while it wrote, the position in the output file tells how much it wrote.
 */
static void write_text(struct run *r, size_t i, struct str text)
{
	const struct sent *sent = sent_of(r, i);
	uint64_t written = 0;

	if (sent->written == WRITE_ENDED) {
		r->out->error = sent->error;
		return;
	}
	if (sent->written == WRITE_BEGUN)
		written = (uint64_t)(lseek(r->out->fd, 0, SEEK_CUR) - sent->from);
	if (written > text.n) {
		diag_damage(&r->d->c->diag, "a worker process ended while it wrote; the "
		                            "output is incomplete");
		r->out->error = EIO;
		return;
	}
	text = str_from(text, written);
	out_write(r->out, text.p, text.n);
	give_turn(r, i, sent->ended == ENDED_SPENT);
}

/*
 * Takes the results of part i.  Returns false if this process must read the part again, with or
 * without its text.
 */
static bool take_results(struct run *r, size_t i, bool *has_text)
{
	const struct divided *d = r->d;
	const struct slot *s = owned_by(r, i);
	const volatile struct sent *sent = sent_of(r, i);
	const uint64_t text = sent->text, size = sent->parcel;
	struct sender *from = find_sender(r, sent->by);
	struct cursor parcel;
	struct stat sb;
	uint64_t all;

	*has_text = sent->written != NOT_WRITTEN;
	if (!s || __builtin_add_overflow(text, size, &all) ||
	    fstat(s->memory.fd, &sb) < 0 || all > (uint64_t)sb.st_size) {
		from->lost = true;
		return false;
	}
	if (r->out)
		write_text(r, i, (struct str){ s->memory.p, text });
	*has_text = true;
	if (from->lost)
		return false;
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

/* Reads part i in this process, because its worker has no results. */
static void read_again(struct run *r, size_t i, bool has_text)
{
	struct out *to = r->out;

	diag_warn(&r->d->c->diag, "a worker process ended unexpectedly; its part of the "
	                          "input is read again");
	if (to && has_text) {
		to = arena_new(&r->arena, struct out, 1);
		out_open_memory(to, take_memory(r, i));
	}
	part_enter(r->d->p, r->first + i);
	read_part(r, to);
	if (to && !has_text)
		give_turn(r, i, budget_is_spent(&r->d->c->budget));
}

static bool take_part(void *ctx, size_t i, int status)
{
	struct run *r = ctx;
	const struct divided *d = r->d;
	struct cmd *c = d->c;
	struct sent *sent = sent_of(r, i);
	bool has_text = false, taken;
	struct slot *owned;

	show_progress(r, r->first + i + 1);
	if (status == ENDED_UNFIT) {
		read_rest(r, r->first + i);
		return false;
	}
	/* A worker may die after it has sent its results, which are then used. */
	taken = sent->complete && take_results(r, i, &has_text);
	if (taken && sent->ended == ENDED_ODDLY)
		part_report(d->p, r->first + i);
	if (taken && sent->ended == ENDED_SPENT) {
		/* The worker has reported that the budget is used up, so only count the damage. */
		c->diag.damaged++;
		c->budget.spent = true;
		return false;
	}
	if (!taken)
		read_again(r, i, has_text);
	sent->complete = false;
	sent->written = NOT_WRITTEN;
	owned = owned_by(r, i);
	if (owned)
		owned->sent->owner = 0;
	return !has_failed(r) && !budget_is_spent(&c->budget);
}

/* Makes the slots.  Returns false if no shared memory can be made. */
static bool make_slots(struct run *r)
{
	struct sent *sent = mmap(NULL, r->nslots * sizeof(*sent), PROT_READ | PROT_WRITE,
	                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	r->slot = arena_new(&r->arena, struct slot, r->nslots);
	if (sent == MAP_FAILED)
		return false;
	for (size_t i = 0; i < r->nslots; i++) {
		struct slot *s = &r->slot[i];

		s->sent = &sent[i];
		sem_init(&s->sent->turn, 1, i == 0);
		if (!out_make_memory(&s->memory, &s->sent->size))
			return false;
	}
	return true;
}

static void drop_slots(struct run *r)
{
	for (size_t i = 0; i < r->nslots && r->slot[i].sent; i++)
		out_drop_memory(&r->slot[i].memory);
	if (r->slot[0].sent)
		munmap(r->slot[0].sent, r->nslots * sizeof(struct sent));
	arena_release(&r->arena);
}

unsigned divided_workers(const struct cmd *c)
{
	unsigned n = c->processors < WORKERS_MOST ? c->processors : WORKERS_MOST;
	struct rlimit files;

	n = c->workers ? c->workers : n;
	/*
	 * Slots may use only half of the descriptors, because the files that contain
	 * names need the other half.
	 */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && n > files.rlim_cur / 2 / (AHEAD + 3))
		n = (unsigned)(files.rlim_cur / 2 / (AHEAD + 3));
	return n;
}

static struct part_opts choose(const struct divided *d)
{
	const struct cmd *c = d->c;

	return (struct part_opts){ .workers = d->alone || c->in_batch
		                                      ? 1
		                                      : divided_workers(c),
		                   .forced = c->workers > 1,
		                   .few = d->few };
}

/* Returns true if the position of the output shows how much a dead worker has written. */
static bool has_own_position(const struct out *out)
{
	struct stat to, messages;

	return !out->screen && lseek(out->fd, 0, SEEK_CUR) >= 0 &&
	       !(fcntl(out->fd, F_GETFL) & O_APPEND) && fstat(out->fd, &to) == 0 &&
	       (fstat(STDERR_FILENO, &messages) < 0 || to.st_dev != messages.st_dev ||
	        to.st_ino != messages.st_ino);
}

/* Gives the parts to the workers.  Returns false if memory cannot be shared. */
static bool run_parts(struct run *r, unsigned workers)
{
	bool made;

	r->nslots = (size_t)workers * AHEAD;
	r->used_ns = budget_used(&r->d->c->budget);
	r->direct = r->out && has_own_position(r->out);
	if (r->direct)
		out_flush(r->out);
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
