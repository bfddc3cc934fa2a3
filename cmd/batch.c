#include "batch.h"

#include "base/pool.h"
#include "shrunk.h"
#include "source/spool.h"

/* Bits of the exit status of a worker process. */
enum { JOB_USABLE = 1, JOB_PARTIAL = 2, JOB_STUCK = 4 };

struct run {
	struct cmd *c;
	const struct batch *b;
};

static int make_one(void *ctx, size_t i)
{
	const struct run *r = ctx;
	struct cmd *c = r->c;
	int status = 0;

	if (r->b->n > 1)
		c->diag.input = cmd_input_name(r->b->name[i]);
	c->diag.damaged = c->diag.warned = 0;
	c->skipped = false;
	switch (r->b->make(r->b->ctx, i)) {
	case BATCH_MADE:
		status = JOB_USABLE;
		break;
	case BATCH_NOTHING:
		status = JOB_PARTIAL;
		break;
	case BATCH_STUCK:
		status = JOB_STUCK;
	}
	budget_end(&c->budget);
	shrunk_report(&c->diag);
	if (c->diag.damaged || c->skipped)
		status |= JOB_PARTIAL;
	diag_finish(&c->diag);
	c->diag.input = NULL;
	return status;
}

/* Opens the sources of -m once, for all inputs.  Returns -1 after a report. */
static int open_sources(struct cmd *c)
{
	struct profile_opts opts = cmd_profile_opts(c, NULL);

	if (!opts.shared)
		return 0;
	return shared_sources_fill(&opts);
}

/* Divides the default limit of bytes in temporary files among the workers. */
static void share_spool(struct cmd *c)
{
	uint64_t most = spool_default_max();

	if (!c->max_spool && c->workers > 1 && most > SPOOL_MEMORY)
		c->max_spool = SPOOL_MEMORY + (most - SPOOL_MEMORY) / c->workers;
}

bool batch_run(struct cmd *c, const struct batch *b)
{
	int *status = arena_new(&c->run, int, b->n);
	struct run run = { c, b };
	bool usable = false, stuck = false, skipped;

	if (b->profiles && open_sources(c) < 0)
		return false;
	skipped = c->skipped || c->diag.damaged;
	share_spool(c);
	c->in_batch = b->n > 1;
	pool_run(b->n, c->workers, make_one, &run, status);
	c->diag.damaged = c->diag.warned = 0;
	for (size_t i = 0; i < b->n; i++) {
		if (status[i] == POOL_DIED)
			diag_fatal(&c->diag, "%s: its worker process ended unexpectedly",
			           cmd_input_name(b->name[i]));
		skipped |= status[i] != JOB_USABLE;
		usable |= status[i] != POOL_DIED && status[i] & JOB_USABLE;
		stuck |= status[i] != POOL_DIED && status[i] & JOB_STUCK;
	}
	c->skipped = skipped;
	return usable && !stuck;
}
