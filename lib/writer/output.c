#include "writer/output.h"

#include "writer/calltree.h"
#include "writer/folded.h"
#include "writer/pprof.h"
#include "writer/speedscope.h"

enum { ROWS = 30 }; /* default number of rows in a table */

/* Writes all slices.  The root frame of each stack is the number of its slice, such as 000007. */
static void write_slices(struct out *o, struct output_fold *f, enum folded_order order)
{
	struct fold *fold = f->fold;
	struct slice slice;
	size_t at = 0;

	arena_release(f->scratch);
	while (slices_next(fold->slices, &at, &slice)) {
		struct stacks own = { .arena = f->scratch };
		str_id root = intern(&fold->names,
		                     slices_name(fold->slices, slice.number, f->scratch));

		slices_stacks(&slice, &fold->stacks, root, &own);
		folded_write(o, &own, &fold->names, order, f->scratch);
		arena_release(f->scratch);
	}
}

/* Writes the module, file and line of each name in the stacks. */
static void write_origins(struct out *o, struct output_fold *f)
{
	const struct stacks *s = &f->fold->stacks;
	bool *used = arena_new(f->scratch, bool, f->fold->names.n);
	bool *weighs = arena_new(f->scratch, bool, s->n);

	for (size_t i = s->n; i-- > 1;)
		if (weighs[i] || s->node[i].self || s->node[i].fraction)
			used[s->node[i].name] = weighs[s->node[i].parent] = true;
	origin_write(o, f->fold->origins, &f->fold->names, used, f->scratch);
}

static bool write_folded(struct out *o, struct output_fold *f,
                         const struct output_opts *opts)
{
	bool compat = f->fold->opts.labels.compat != COMPAT_NONE;
	enum folded_order order = compat ? FOLDED_BY_STACK : FOLDED_BY_LINE;
	unsigned slots = f->fold->slices ? f->fold->slices->opts.per_second : 0;
	const struct head *head = &f->head->head;

	if (!compat && !opts->no_header && !f->head->unstated && f->head->inputs) {
		out_str(o, head_line(f->scratch, head, slots));
		if (f->fold->origins)
			write_origins(o, f);
	}
	if (f->marks && !opts->no_header)
		marks_write(f->marks, o, slices_begin_us(f->fold->slices));
	if (f->parted)
		write_slices(o, f, order);
	else
		folded_write(o, &f->fold->stacks, &f->fold->names, order, f->scratch);
	return true;
}

static bool write_pprof(struct out *o, struct output_fold *f,
                        const struct output_opts *opts)
{
	(void)opts;
	pprof_write(o, f->fold, &f->head->head, f->scratch);
	return true;
}

static bool write_speedscope(struct out *o, struct output_fold *f,
                             const struct output_opts *opts)
{
	(void)opts;
	speedscope_write(o, f->fold, &f->head->head, f->scratch);
	return true;
}

/*
 * Writes the tree of callers or callees, unless name is NULL.  If no function has that name,
 * reports this and returns false.
 */
static bool write_calls(struct out *o, struct output_fold *f, const char *name,
                        enum calls_way way, bool begins, size_t depth)
{
	struct calltree_opts opts = { str_of(name), way, f->aligned, begins, depth };

	if (!name || calltree_write(o, f->fold, &f->head->head, &opts, f->scratch))
		return true;
	diag_fatal(f->diag, "%s: no function has this name" PRSTR, name,
	           STRARG(fold_nearest(f->fold, str_of(name), f->scratch)));
	return false;
}

static bool write_top(struct out *o, struct output_fold *f,
                      const struct output_opts *opts)
{
	struct top_opts table = opts->table;
	size_t rows;

	table.form = opts->row->form;
	if (table.form == TOP_ALIGNED && !f->aligned)
		table.form = TOP_FIELDS;
	rows = top_write(o, f->fold, &f->head->head, &table, f->scratch);
	if (rows > f->rows)
		f->rows = rows;
	return true;
}

/* Writes "# total=12994000000 samples=6497 unit=ns". */
static void put_totals(struct out *o, const struct output_fold *f)
{
	const struct head *h = &f->head->head;
	struct weight total = sums_totals(&f->fold->stacks, f->scratch)[0];
	char buf[WEIGHT_DIGITS];
	struct str digits = weight_digits(total, buf);

	out_fmt(o, "# total=" PRSTR, STRARG(digits));
	if (!f->head->unstated)
		out_fmt(o, " samples=%llu", (unsigned long long)h->samples);
	out_fmt(o, " unit=" PRSTR "\n", STRARG(h->unit.n ? h->unit : STR("samples")));
}

static bool write_tables(struct out *o, struct output_fold *f,
                         const struct output_opts *opts)
{
	put_totals(o, f);
	if (opts->top)
		write_top(o, f, opts);
	return write_calls(o, f, opts->callers, CALLS_CALLERS, true, opts->depth) &&
	       write_calls(o, f, opts->callees, CALLS_CALLEES, !opts->callers,
	                   opts->depth);
}

static const struct output formats[] = {
	{ "folded", "folded", 0, false, false, false, write_folded },
	{ "pprof", "pb.gz", 0, true, true, false, write_pprof },
	{ "speedscope", "speedscope.json", 0, true, false, false, write_speedscope },
	{ "csv", "csv", TOP_CSV, true, false, true, write_top },
	{ "json", "json", TOP_JSON, true, false, true, write_top },
	{ "tsv", "tsv", TOP_TSV, true, false, true, write_top },
};

static const struct output tables = { "",    "tsv", TOP_ALIGNED, true,
	                              false, true,  write_tables };

static int set_top(struct output_opts *opts, struct diag *diag, const char *arg)
{
	uint64_t n = ROWS;

	if (arg && (!str_is_dec(str_of(arg), &n) || n > UINT32_MAX))
		return diag_fatal(diag, "--top=%s: not a number of rows", arg);
	opts->top = opts->sized = true;
	opts->table.most = (size_t)n;
	return 0;
}

static int set_by(struct output_opts *opts, struct diag *diag, const char *arg)
{
	for (enum group_by by = GROUP_FUNCTION; by < GROUPS; by++)
		if (strcmp(arg, top_column(by)) == 0) {
			opts->top = true;
			opts->table.by = by;
			return 0;
		}
	return diag_fatal(
	        diag,
	        "--by %s: expected function, module, assembly, namespace, comm, process, "
	        "kind or file:line",
	        arg);
}

static int set_format(struct output_opts *opts, struct diag *diag, const char *arg)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (strcmp(arg, formats[i].name) == 0) {
			opts->row = &formats[i];
			return 0;
		}
	return diag_fatal(diag,
	                  "--to %s: not one of folded, pprof, speedscope, csv, json, tsv",
	                  arg);
}

static int set_depth(struct output_opts *opts, struct diag *diag, const char *arg)
{
	uint64_t n;

	if (!str_is_dec(str_of(arg), &n) || !n || n > UINT32_MAX)
		return diag_fatal(diag, "--depth %s: not a number of levels", arg);
	opts->depth = (size_t)n;
	return 0;
}

int output_set(struct output_opts *opts, struct diag *diag, const char *option,
               const char *arg)
{
	if (strcmp(option, "top") == 0)
		return set_top(opts, diag, arg);
	if (strcmp(option, "by") == 0)
		return set_by(opts, diag, arg);
	if (strcmp(option, "to") == 0)
		return set_format(opts, diag, arg);
	if (strcmp(option, "depth") == 0)
		return set_depth(opts, diag, arg);
	if (strcmp(option, "no-header") == 0)
		opts->no_header = true;
	if (strcmp(option, "callers") == 0)
		opts->callers = arg;
	if (strcmp(option, "callees") == 0)
		opts->callees = arg;
	return 0;
}

int output_settle(struct output_opts *opts, struct diag *diag)
{
	bool trees = opts->callers || opts->callees;

	if (!opts->row)
		opts->row = formats;
	if (!opts->sized && !opts->row->table)
		opts->table.most = ROWS;
	if (opts->depth && !trees)
		return diag_fatal(diag, "--depth: only with --callers or --callees");
	if (!opts->top && !trees)
		return 0;
	if (opts->row->table && !trees)
		return 0;
	if (opts->row != formats)
		return diag_fatal(diag, "--to %s: not together with %s", opts->row->name,
		                  trees ? "--callers or --callees" : "--top or --by");
	opts->row = &tables;
	return 0;
}

bool output_is_folded(const struct output_opts *opts)
{
	return opts->row == formats;
}

bool output_is_table(const struct output_opts *opts)
{
	return opts->row->table;
}
