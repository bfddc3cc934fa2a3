#include "listings.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/pool.h"
#include "divided.h"
#include "shrunk.h"
#include "symbol/function_code.h"
#include "writer/annotate/annotated_page.h"
#include "writer/annotate/annotated_rows.h"

enum {
	NAME_LENGTH = 80,
	GIVE_BACK_EVERY = 1280, /* number of listings between two calls of give_back */
	MANY = 256,   /* smallest number of listings that workers write by default */
	PORTION = 32, /* number of listings that a worker writes at once */
	AHEAD = 2,    /* maximum number of portions that wait in a worker */
};

static const char *const suffixes[] = { "txt", "csv", "json", "html" };

/* An output, and the state of the writer of its listings. */
struct output {
	struct out *o;
	struct annotated_rows rows;
	struct annotated_page page;
};

static struct output output_to(const struct listings *l, struct out *o, size_t first,
                               size_t n)
{
	return (struct output){
		.o = o,
		.rows = { .o = o, .look = l->look, .json = l->form == TO_JSON },
		.page = { .o = o,
		          .look = l->look,
		          .spots = l->spots,
		          .f = l->f + first,
		          .n = n },
	};
}

static void begin_output(const struct listings *l, struct output *to)
{
	if (l->form == TO_HTML)
		annotated_page_begin(&to->page);
	else if (l->form != TO_TEXT)
		annotated_rows_begin(&to->rows, l->spots);
}

static void put_listing(const struct listings *l, struct output *to,
                        const struct spot_function *f)
{
	arena_scope(a);
	struct listing listing;

	listing_make(&listing, l->spots, f, l->opts, &a);
	if (l->form == TO_TEXT)
		annotated_write(to->o, &listing, l->look, &a);
	else if (l->form == TO_HTML)
		annotated_page_put(&to->page, &listing, &a);
	else
		annotated_rows_put(&to->rows, &listing);
}

static void end_output(const struct listings *l, struct output *to)
{
	if (l->form == TO_HTML)
		annotated_page_end(&to->page);
	else if (l->form != TO_TEXT)
		annotated_rows_end(&to->rows);
}

/* The result of a portion, which consists of at most PORTION listings. */
struct printed {
	uint64_t size; /* size of the file of the text */
	uint64_t text; /* number of bytes of text, if the listings have one output */
	size_t end;    /* index of the first listing that was not written */
	bool spent;    /* the budget is spent */
	unsigned long damaged, warned; /* numbers of reports about the portion */
};

struct run {
	const struct listings *l;
	struct output *to; /* the output of all listings, or NULL if each has a file */
	size_t first;      /* index of the first listing of portion 0 */
	size_t end;        /* index of the first listing that is not in the output */
	bool *made; /* in shared memory, if `to` is NULL: whether listing i has a file */
	struct out_memory *memory;
	size_t nmemories;        /* 0 if each listing has a file */
	struct printed *printed; /* in shared memory */
	size_t nslots;
	size_t nwritten; /* number of listings that this process has written */
	uint64_t used_ns;
	/* used only in a worker */
	pid_t self;
	int shrunk;
	struct out part;
};

/* Releases the memory of all mapped files before each listing number GIVE_BACK_EVERY * n. */
static void give_back(struct run *r)
{
	const struct listings *l = r->l;

	if (r->nwritten++ % GIVE_BACK_EVERY)
		return;
	for (size_t i = 0; i < l->c->ninputs; i++)
		if (l->opts->profiles[i])
			locate_give_back(function_code_sources(l->opts->profiles[i]));
}

/*
 * Ends a worker if a file has shrunk.  The parent then writes the portion again, and reports the file.
 */
static void leave_if_shrunk(const struct run *r)
{
	if (r->self && shrunk_count() != r->shrunk)
		_exit(1);
}

/* Returns true after n listings if the budget is spent.  The first listing is always written. */
static bool must_stop(const struct listings *l, size_t n)
{
	return n && budget_check(&l->c->budget);
}

/*
 * Writes the listings from `first` up to `end` to one output.  Returns the index of the first
 * listing that was not written.
 */
static size_t put_listings(struct run *r, size_t first, size_t end)
{
	const struct listings *l = r->l;
	size_t i = first;

	r->to->page.functions = (uint32_t)first;
	for (; i < end && !r->to->o->error && !must_stop(l, i); i++) {
		if (l->form == TO_TEXT && i)
			out_str(r->to->o, STR("\n\n"));
		give_back(r);
		put_listing(l, r->to, l->f[i]);
		leave_if_shrunk(r);
	}
	return i;
}

/* Returns the file name for listing i, without suffix. */
static struct str file_of(const struct listings *l, size_t i, struct arena *a)
{
	struct str name = str_head(spots_str(l->spots, l->f[i]->name), NAME_LENGTH);
	char safe[NAME_LENGTH + 1];
	int width = snprintf(NULL, 0, "%zu", l->n);

	for (size_t k = 0; k < name.n; k++) {
		char c = name.p[k];

		safe[k] = c;
		if (!str_is_alnum(c) && c != '_' && c != '.' && c != '-')
			safe[k] = '_';
	}
	safe[name.n] = '\0';
	return arena_fmt(a, "%0*zu-%s", width, i + 1, safe);
}

/* Writes listing i to a file.  Returns false after a reported error. */
static bool put_file(struct run *r, size_t i)
{
	const struct listings *l = r->l;
	arena_scope(a);
	struct output to;
	struct out o;

	if (cmd_open_small(l->c, &o, file_of(l, i, &a).p, suffixes[l->form]) < 0)
		return false;
	give_back(r);
	to = output_to(l, &o, i, 1);
	begin_output(l, &to);
	put_listing(l, &to, l->f[i]);
	leave_if_shrunk(r);
	end_output(l, &to);
	return cmd_close_output(l->c, &o) == 0;
}

/*
 * Writes the listings from `first` up to `end` to files.  Returns the index of the first listing
 * that was not written.
 */
static size_t put_files(struct run *r, size_t first, size_t end)
{
	size_t i = first;

	while (i < end && !must_stop(r->l, i) && put_file(r, i))
		r->made[i++] = true;
	return i;
}

/* Returns the end of the portion that begins with listing `first`. */
static size_t end_of(const struct run *r, size_t first)
{
	return first + PORTION < r->l->n ? first + PORTION : r->l->n;
}

/* Writes a portion.  Returns the same value as put_listings. */
static size_t put_portion(struct run *r, size_t first)
{
	return r->to ? put_listings(r, first, end_of(r, first))
	             : put_files(r, first, end_of(r, first));
}

static void begin_worker(struct run *r)
{
	struct cmd *c = r->l->c;

	r->self = getpid();
	r->shrunk = shrunk_count();
	budget_continue(&c->budget, r->used_ns, &c->diag);
	if (r->to)
		r->to->o = r->to->rows.o = r->to->page.o = &r->part;
}

static int do_portion(void *ctx, size_t i)
{
	struct run *r = ctx;
	struct cmd *c = r->l->c;
	struct printed *result = &r->printed[i % r->nslots];
	size_t first = r->first + i * PORTION;
	unsigned long damaged, warned;

	if (r->self != getpid())
		begin_worker(r);
	damaged = c->diag.damaged;
	warned = c->diag.warned;
	if (r->to)
		out_open_memory(&r->part, &r->memory[i % r->nslots]);
	result->end = put_portion(r, first);
	result->text = r->to ? out_flush(&r->part) : 0;
	if (r->to && r->part.error)
		_exit(1);
	budget_end(&c->budget);
	result->spent = budget_is_spent(&c->budget);
	result->damaged = c->diag.damaged - damaged;
	result->warned = c->diag.warned - warned;
	return 0;
}

/* Ends a portion.  Returns true if more listings can be written. */
static bool end_portion(struct run *r, size_t end)
{
	struct cmd *c = r->l->c;
	bool good = end == end_of(r, r->end);

	r->end = end;
	diag_count(&c->diag, "listings", end, r->l->n);
	return good && !(r->to && r->to->o->error) && !budget_is_spent(&c->budget);
}

/* Takes a portion.  Writes it in this process if its worker has failed. */
static bool take_portion(void *ctx, size_t i, int status)
{
	struct run *r = ctx;
	struct cmd *c = r->l->c;
	const struct printed *result = &r->printed[i % r->nslots];

	if (status) {
		diag_warn(&c->diag, "a worker process ended unexpectedly; its listings "
		                    "are written again");
		return end_portion(r, put_portion(r, r->end));
	}
	c->diag.damaged += result->damaged;
	c->diag.warned += result->warned;
	c->budget.spent |= result->spent;
	if (r->to)
		out_write(r->to->o, r->memory[i % r->nslots].p, result->text);
	return end_portion(r, result->end);
}

/*
 * Makes the shared memory of the slots.  Returns false if this is not possible.  drop_slots must be
 * called in both cases.
 */
static bool make_slots(struct run *r, struct arena *a)
{
	bool good;

	r->memory = arena_new(a, struct out_memory, r->nslots);
	r->printed = mmap(NULL, r->nslots * sizeof(*r->printed), PROT_READ | PROT_WRITE,
	                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	good = r->printed != MAP_FAILED;
	for (size_t i = 0; r->to && i < r->nslots && good; i++) {
		good = out_make_memory(&r->memory[i], &r->printed[i].size);
		r->nmemories++;
	}
	return good;
}

static void drop_slots(struct run *r)
{
	for (size_t i = 0; i < r->nmemories; i++)
		out_drop_memory(&r->memory[i]);
	if (r->printed != MAP_FAILED)
		munmap(r->printed, r->nslots * sizeof(*r->printed));
}

/* Lets workers write all portions after the first one.  Returns false if this is not possible. */
static bool run_workers(struct run *r, unsigned workers)
{
	arena_scope(a);
	bool made;

	r->first = r->end;
	r->nslots = (size_t)workers * AHEAD;
	r->used_ns = budget_used(&r->l->c->budget);
	made = make_slots(r, &a);
	if (made)
		pool_run_parts(&(struct pool_parts){
		        .n = (r->l->n - r->end + PORTION - 1) / PORTION,
		        .workers = workers,
		        .ahead = r->nslots,
		        .job = do_portion,
		        .take = take_portion,
		        .ctx = r });
	drop_slots(r);
	return made;
}

/*
 * Writes all listings.  This process writes the first portion.  Each listing has rows, so workers know
 * that rows precede theirs.  Returns the index of the first listing that was not written.
 */
static size_t put_all(const struct listings *l, struct output *to, bool *made)
{
	struct run r = { .l = l, .to = to, .made = made };
	unsigned workers = l->c->workers || l->n >= MANY ? divided_workers(l->c) : 1;
	bool more = end_portion(&r, put_portion(&r, 0)) && r.end < l->n;

	if (more && (workers < 2 || !run_workers(&r, workers)))
		while (r.end < l->n && end_portion(&r, put_portion(&r, r.end)))
			;
	if (to)
		to->page.functions = (uint32_t)r.end;
	return r.end;
}

static bool write_together(const struct listings *l)
{
	struct output to;
	struct out o;

	if (cmd_open_output(l->c, &o, NULL, suffixes[l->form]) < 0)
		return false;
	to = output_to(l, &o, 0, l->n);
	begin_output(l, &to);
	(void)put_all(l, &to, NULL);
	end_output(l, &to);
	return cmd_close_output(l->c, &o) == 0;
}

/* Writes the index of the files. */
static bool write_index(const struct listings *l, const bool *made)
{
	arena_scope(a);
	struct out o;

	if (cmd_open_output(l->c, &o, "index", "csv") < 0)
		return false;
	out_str(&o, STR("file,samples,self,total,module,function\n"));
	for (size_t i = 0; i < l->n; i++)
		if (made[i])
			annotated_rows_index(&o, file_of(l, i, &a), suffixes[l->form],
			                     l->spots, l->f[i]);
	return cmd_close_output(l->c, &o) == 0;
}

/* Writes the index as an HTML page. */
static bool write_page_index(const struct listings *l, const bool *made)
{
	arena_scope(a);
	struct out o;

	if (cmd_open_output(l->c, &o, "index", "html") < 0)
		return false;
	annotated_page_begin_index(&o);
	for (size_t i = 0; i < l->n; i++)
		if (made[i])
			annotated_page_put_index(&o, file_of(l, i, &a), l->spots,
			                         l->f[i]);
	annotated_page_end_index(&o);
	return cmd_close_output(l->c, &o) == 0;
}

/*
 * Writes each listing to a file, and an index.  If the budget is spent, the files of later portions may
 * exist.
 */
static bool write_apart(const struct listings *l)
{
	bool *made = mmap(NULL, l->n + 1, PROT_READ | PROT_WRITE,
	                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool good;

	if (made == MAP_FAILED)
		return diag_fatal(&l->c->diag, "no memory for %zu listings", l->n) == 0;
	good = put_all(l, NULL, made) == l->n || budget_is_spent(&l->c->budget);
	if (good && l->form == TO_HTML)
		good = write_page_index(l, made);
	good = good && write_index(l, made);
	munmap(made, l->n + 1);
	return good;
}

bool listings_write(const struct listings *l)
{
	return cmd_mirrors(l->c) ? write_apart(l) : write_together(l);
}
