/*
 * Any bytes as a profile of switches, wakeups and pairs of events: its time off the CPU with
 * all that can be asked for, on the CPU beside it, between two events, and its fields.
 * Each begin and each sample is accounted for.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/measure.h"
#include "measure/offcpu_measure.h"
#include "stack/sums.h"
#include "measure/wall.h"

#include "leaks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Three ways to fold one profile, each into a fold of its own. */
struct folds {
	struct arena run;
	struct fold off_fold, wall_fold, pair_fold;
	struct offcpu off, wall_off;
	struct wall wall;
	struct events events;
	struct elapsed pair;
	struct field_weight weight;
	uint64_t fields, lacking;
};

static void fold_one(struct fold *f, struct arena *run)
{
	static const struct fold_opts opts = { .labels = { .marks = MARK_ALL },
		                               .ids = LABEL_TID };

	fold_init(f, run, &opts);
	fold_begin(f, NULL);
}

static void folds_init(struct folds *f)
{
	struct offcpu_opts opts = { .wakers = true };
	struct elapsed_opts pair = { 0 };
	struct field_weight_opts field = { 0 };

	fold_one(&f->off_fold, &f->run);
	fold_one(&f->wall_fold, &f->run);
	fold_one(&f->pair_fold, &f->run);
	must(offcpu_classes(&opts, "blocked,preempted,runnable,running"));
	must(offcpu_frames(&opts, "class,state,wait"));
	offcpu_init(&f->off, &opts, &f->off_fold);
	must(offcpu_classes(&opts, "all"));
	offcpu_init(&f->wall_off, &opts, &f->wall_fold);
	events_init(&f->events, &f->run, NULL);
	events_begin(&f->events);
	wall_init(&f->wall, &f->wall_off, &f->wall_fold, &f->events);
	must(elapsed_parse(&pair, "syscalls:sys_enter_read..syscalls:sys_exit_read"));
	elapsed_init(&f->pair, &pair, &f->pair_fold, &f->run);
	must(field_weight_parse(&field, "ret"));
	field_weight_init(&f->weight, &field, &f->run);
}

static void take(struct folds *f, struct profile *p, const struct sample *s)
{
	int64_t v;

	offcpu_take(&f->off, p, s);
	wall_take(&f->wall, p, s);
	elapsed_take(&f->pair, p, s);
	if (s->ev->kind == EV_SAMPLE &&
	    field_weight_read(&f->weight, profile_reader(p), s->ev, &v))
		f->fields++;
	else
		f->lacking += s->ev->kind == EV_SAMPLE;
}

/* Stacks have no weight but that of what was counted. */
static void check(struct folds *f)
{
	const struct elapsed_counts *n = &f->pair.counts;
	const struct events *lacking = &f->weight.lacking;
	uint64_t left_out = 0;
	bool roots = true;

	for (size_t i = 0; i < lacking->cap; i++)
		left_out += lacking->seen[i].left_out;
	must(n->begins == n->taken + n->lost + n->unended + n->dropped);
	must(n->ends >= n->taken + n->unbegun);
	must(left_out == f->lacking);
	must(f->wall.counts.samples + f->wall.counts.unknown <= f->wall.counts.seen);
	for (stack_id i = 1; i < f->wall_fold.stacks.n; i++) {
		const struct stack_node *node = &f->wall_fold.stacks.node[i];
		stack_id root = i;

		while (f->wall_fold.stacks.node[root].parent)
			root = f->wall_fold.stacks.node[root].parent;
		if (node->self)
			roots &=
			        root == f->wall.on.root || root == f->wall_off.below.root;
	}
	must(roots);
}

static void fold_profile(struct profile *p)
{
	static struct folds f;
	struct sample s;

	f = (struct folds){ 0 };
	folds_init(&f);
	profile_learn(p);
	while (profile_next(p, &s) > 0)
		take(&f, p, &s);
	offcpu_end(&f.off);
	offcpu_end(&f.wall_off);
	elapsed_end(&f.pair);
	check(&f);
	fold_end(&f.off_fold);
	fold_end(&f.wall_fold);
	fold_end(&f.pair_fold);
	arena_release(&f.run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct diag diag = { .prog = "sched", .quiet = true };
	struct profile_opts opts = { .diag = &diag,
		                     .kinds = offcpu_measure.kinds,
		                     .formats = READ_SAMPLES };
	const struct traits *format = reader_bid(bytes);
	struct profile *p;
	char path[64];
	int fd;

	if (!format || !(format->has_records || format->is_text))
		return 0;
	fd = memfd_create("sched", MFD_CLOEXEC);
	must(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opts.input = path;
	p = profile_open(&opts);
	if (p)
		fold_profile(p);
	profile_close(p);
	close(fd);
	return 0;
}
