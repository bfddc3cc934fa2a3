/*
 * Any bytes as folded stacks, read twice, of every third size from a pipe, laid out and drawn:
 * events lie in the input, and are the same again;
 * what is kept from the line before changes nothing; boxes lie inside of each
 * other; and the SVG is well-formed: of half the sizes the picture of merged stacks, of the
 * others a chart.  Other viewers can read what they are given of every fourth size.
 */
#include <fcntl.h>

#include "drawn.h"
#include "viewed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIPE_ROOM = 60 << 10 };

/* The bytes as a file, or of every third size as a pipe, which has room for no more. */
static int give(struct str bytes)
{
	int fd[2];

	if (bytes.n % 3 || !bytes.n || bytes.n > PIPE_ROOM) {
		fd[0] = memfd_create("folded", MFD_CLOEXEC);
		must(fd[0] >= 0 && write(fd[0], bytes.p, bytes.n) == (ssize_t)bytes.n);
		return fd[0];
	}
	must(pipe2(fd, O_CLOEXEC) == 0);
	must(write(fd[1], bytes.p, bytes.n) == (ssize_t)bytes.n);
	close(fd[1]);
	return fd[0];
}

/* Reads all events behind the first and goes back to there. */
static void read_ahead(struct reader *r, struct str bytes)
{
	uint64_t done, total, begin, sum = 0;
	struct event first, ev;
	int got;

	reader_hold(r);
	got = reader_next(r, &first);
	reader_progress(r, &begin, &total);
	must(begin <= bytes.n && (!total || total == bytes.n));
	reader_rewind(r);
	reader_hold(r);
	must(!got == !reader_next(r, &ev) && ev.kind == first.kind);
	if (got > 0 && ev.kind == EV_FOLDED)
		must(ev.weight == first.weight && ev.fraction == first.fraction);
	while (reader_next(r, &ev) != 0)
		sum += reader_held(r);
	reader_progress(r, &done, &total);
	must(done == bytes.n && (!total || !sum));
	reader_rewind(r);
}

/* Stacks, with the names they need. */
struct tree {
	struct interner names;
	struct rows rows;
	struct path path;
};

static void init(struct tree *t, struct arena *arena)
{
	intern_init(&t->names, arena);
	rows_init(&t->rows, &t->names, arena);
	path_init(&t->path, &t->rows, &t->names, arena);
}

static void read_all(struct reader *r, struct str bytes, struct tree *quick,
                     struct tree *plain, struct tree *chart, struct fold *fold)
{
	stack_id id;
	struct event ev;
	struct row row = { 0 };
	int got;

	while ((got = reader_next(r, &ev)) != 0) {
		if (got < 0)
			continue;
		must(ev.raw.n && ev.at < bytes.n);
		must(str_starts(str_from(bytes, ev.at), ev.raw));
		if (ev.kind == EV_TEXT)
			continue;
		must(ev.kind == EV_FOLDED);
		must(!ev.pair || str_starts(ev.raw, ev.pair->stack));
		must(!memchr(ev.raw.p, '\n', ev.raw.n) && ev.fraction < 1000000000);
		row.weight = (struct weight){ ev.weight, ev.fraction };
		path_add(&quick->path, ev.raw, row);
		plain->path.n = 0;
		path_add(&plain->path, ev.raw, row);
		path_add(&chart->path, ev.raw, row);
		if (!ev.weight && !ev.fraction)
			continue;
		must(fold_line(fold, ev.raw, &id));
		stack_add(&fold->stacks, id, ev.weight, ev.fraction);
	}
}

/* The same rows, each after the one before and different from it. */
static void same_rows(struct rows *a, struct rows *b, struct arena *arena)
{
	struct row x, y;
	bool first = true;

	rows_begin(a, arena);
	rows_begin(b, arena);
	while (rows_next(a, &x)) {
		must(rows_next(b, &y) && x.n == y.n && x.same == y.same);
		must(!x.n || memcmp(x.name, y.name, x.n * sizeof(*x.name)) == 0);
		must(weight_compare(x.weight, y.weight) == 0);
		must(first ? !x.same : x.same < x.n);
		first = false;
	}
	must(!rows_next(b, &y));
}

static bool at_most(struct weight a, struct weight b)
{
	return a.n < b.n || (a.n == b.n && a.fraction <= b.fraction);
}

/* Children stand on their parent, siblings beside each other. */
static void check_boxes(const struct flame *f, struct arena *arena)
{
	struct weight *edge = arena_new(arena, struct weight, f->levels + 2u);
	struct weight *end = arena_new(arena, struct weight, f->levels + 2u);

	for (size_t i = 0; i < f->n; i++) {
		const struct box *b = &f->box[i];
		struct weight stop = weight_sum(b->start, b->total);

		must(b->level < f->levels + (b->kind != BOX_FRAME));
		must(b->level <= (i ? b[-1].level + 1 : 0));
		must(at_most(edge[b->level], b->start));
		must(!b->level || at_most(stop, end[b->level - 1]));
		edge[b->level] = end[b->level] = stop;
		edge[b->level + 1] = b->start;
	}
}

/* Lays out, and draws if asked for. */
static void check_picture(struct tree *t, bool chart, bool drawn)
{
	struct svg_opts opts = { .title = STR("t"),
		                 .countname = STR("samples"),
		                 .fonttype = STR("x"),
		                 .width = 300,
		                 .height = 16,
		                 .fontsize = 12,
		                 .fontwidth = 0.59,
		                 .palette =
		                         palette_find(chart ? STR("java") : STR("kind")),
		                 .shading = chart ? SHADE_BY_START : SHADE_BY_NAME,
		                 .factor = 1,
		                 .no_code = t->names.n % 64 != 0 };
	const struct series series = { 0 };
	struct flame_opts layout = { .reversed = chart, .series = &series, .nseries = 1 };
	struct arena arena = { 0 };
	struct flame f;

	opts.chart = opts.reversed = chart;
	flame_layout(&f, &t->rows, t->names.n, &layout, &arena);
	check_boxes(&f, &arena);
	if (drawn && weight_value(f.total) > 0)
		check_svg(&f, &t->names, &opts, &arena);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct diag diag = { .prog = "folded" };
	struct arena run = { 0 };
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	int fd = give(bytes);
	const struct fold_opts folding = { .labels = { .marks = MARK_ALL } };
	struct tree quick, plain, chart;
	struct fold fold;
	struct source *source;
	struct reader *r;
	char path[64];

	init(&quick, &run);
	init(&plain, &run);
	init(&chart, &run);
	fold_init(&fold, &run, &folding);
	fold_keep_sites(&fold);
	fold.rooted = size & 1;
	chart.path.reverse = chart.path.wakers = true;
	chart.rows.chart = chart.rows.apart = true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	source = source_open(path, &opts);
	must(source != NULL);
	r = folded_format.open(source, 0, &run, &diag);
	must(r != NULL);
	bytes = str_without_mark(bytes);
	read_ahead(r, bytes);
	read_all(r, bytes, &quick, &plain, &chart, &fold);
	same_rows(&quick.rows, &plain.rows, &run);
	if (size % 4 == 0)
		check_viewers(&fold);
	fold_end(&fold);
	check_picture(&quick, false, !(size & 2));
	check_picture(&chart, true, size & 2);
	reader_bid(str_head(bytes, SOURCE_HEAD));
	reader_close(r);
	source_close(source);
	close(fd);
	rows_free(&quick.rows);
	rows_free(&plain.rows);
	rows_free(&chart.rows);
	arena_release(&run);
	return 0;
}
