/*
 * pflame - draws folded stacks as a self-contained interactive SVG.
 *
 *	source -> reader -> writer/flame/folds -> writer/flame/flame -> writer/flame/svg
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch.h"
#include "pflame_options.h"
#include "writer/flame/diff_words.h"
#include "writer/flame/folds.h"

enum {
	PALETTE_MOST = 64 << 20, /* maximum size of palette.map in bytes */
	BOXES_MOST = 500000,     /* default of --boxes */
};

static enum source_look look(struct str name, struct str head)
{
	const struct traits *f = reader_bid(head);

	(void)name;
	return !f ? LOOK_NOTHING : f->has_ips ? LOOK_WHOLE : LOOK_STREAM;
}

static void read_stacks(struct reader *r, struct folds *in, struct str name,
                        struct diag *diag)
{
	struct event ev;
	uint64_t done, total;
	int got;

	for (size_t i = 0; (got = reader_next(r, &ev)) != 0; i++) {
		if (got > 0)
			folds_add(in, &ev, name, diag);
		if (i % 4096 == 0) {
			reader_progress(r, &done, &total);
			diag_progress(diag, "reading", done, total);
		}
	}
	folds_end_input(in);
}

/* Adds the stacks of an input.  If it has no readable stacks, reports this and returns -1. */
static int read_input(struct cmd *c, const char *input, struct folds *in)
{
	struct reader *r = NULL;
	struct source *s;
	size_t member;
	int ret = -1;

	budget_begin(&c->budget);
	s = cmd_open_source(c, input, look, true);
	if (!s)
		return -1;
	if (reader_choose(s, c->member, READ_FOLDED, &c->diag, &member) < 0)
		goto out;
	r = reader_open(s, member, &c->run, &c->diag);
	if (!r)
		goto out;
	read_stacks(r, in, s->members[member].name, &c->diag);
	ret = 0;
out:
	reader_close(r);
	source_close(s);
	return ret;
}

/*
 * Removes "NAME=" from "NAME=FILE" and returns NAME.  Returns an empty string if a file with the
 * path "NAME=FILE" exists.
 */
static struct str cut_name(const char **input)
{
	const char *equals = *input ? strchr(*input, '=') : NULL;
	struct str name;

	if (!equals || equals == *input || access(*input, F_OK) == 0)
		return (struct str){ 0 };
	name = str_span(*input, equals);
	*input = equals + 1;
	if (strcmp(*input, "-") == 0)
		*input = NULL;
	return name;
}

/* Loads the saved colours.  If they are unreadable, reports this and returns false. */
static bool load_colors(struct colormap *map, struct diag *diag)
{
	int fd = open(PFLAME_COLORS_FILE, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool good = false;
	char *bytes;
	size_t bad, n = 0;
	ssize_t got;

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > PALETTE_MOST) {
		diag_fatal(diag, "palette.map: cannot be read");
		goto out;
	}
	bytes = arena_alloc(&map->arena, (size_t)st.st_size + 1, 1);
	while (n < (size_t)st.st_size &&
	       (got = read(fd, bytes + n, (size_t)st.st_size - n)) > 0)
		n += (size_t)got;
	bad = colormap_read(map, (struct str){ bytes, n });
	if (bad)
		diag_warn(diag, "palette.map: %zu lines are not colors", bad);
	good = true;
out:
	if (fd >= 0)
		close(fd);
	return good;
}

/* Adds the colours of all names to palette.map, for later pictures. */
static bool keep_colors(struct cmd *c, struct pflame *p, const struct interner *names,
                        struct arena *arena)
{
	struct fixed_color *fixed = arena_new(arena, struct fixed_color, names->n);
	struct colormap *map = &p->colors;
	struct out *out = arena_new(arena, struct out, 1);
	bool good = p->colors_loaded;

	if (!good) {
		colormap_init(map);
		good = p->colors_loaded = load_colors(map, &c->diag);
	}
	for (size_t i = 1; good && i < names->n; i++) {
		struct str name = intern_str(names, (str_id)i);
		const struct palette *palette = p->svg.palette;

		fixed[i].given = true;
		if (colormap_find(map, name, &fixed[i].color))
			continue;
		fixed[i].color = palette_color(palette, palette_group(palette, name),
		                               palette_shade(name, p->svg.shading));
		colormap_set(map, name, fixed[i].color);
	}
	p->svg.fixed = fixed;
	good = good && cmd_open_file(c, out, PFLAME_COLORS_FILE) == 0;
	if (good) {
		colormap_write(map, out);
		good = cmd_close_output(c, out) == 0;
	}
	return good;
}

/* Reports the numbers of stacks and boxes on standard error. */
static void say(struct cmd *c, const struct pflame *p, const struct folds *in,
                const struct flame *f, const char *shown, struct arena *a)
{
	struct str digits = arena_fmt(a, "%llu", (unsigned long long)f->sum.n);
	struct unit unit = in->unit;
	struct str weight;

	if (p->svg.countname.n)
		unit.name = p->svg.countname;
	weight = unit_format(&unit, weight_value(f->sum), digits, a);
	if (in->nseries > 1)
		weight = p->svg.diff ? diff_words_totals(f, &p->svg, a)
		                     : arena_fmt(a, "%zu tabs", in->nseries);
	if (f->missing)
		diag_note(&c->diag, "%s: " PRSTR ", %zu of %zu boxes in %u levels", shown,
		          STRARG(weight), f->nframes, f->nframes + f->missing, f->levels);
	else
		diag_note(&c->diag, "%s: " PRSTR ", %zu boxes in %u levels", shown,
		          STRARG(weight), f->nframes, f->levels);
}

/*
 * Draws a picture.  Returns 1 if the picture was written, 0 if there were no stacks, or -1 after
 * a reported error.
 */
static int draw(struct cmd *c, struct pflame *p, struct folds *in, const char *input)
{
	const char *shown = input ? input : "standard input";
	struct flame_opts opts = { .reversed = p->reverse,
		                   .total = p->total,
		                   .series = in->series,
		                   .nseries = in->nseries };
	struct flame f;
	struct out out;
	bool empty;

	if (p->minwidth > 0)
		opts.least = p->minwidth / (p->percent ? 100 : svg_plot_width(&p->svg));
	if (p->boxes >= 0)
		opts.most = (size_t)p->boxes;
	else if (p->minwidth < 0)
		opts.most = BOXES_MOST;
	if (p->svg.diff) {
		flame_count(&f, in->rows, in->names.n, &opts, in->arena);
		if (!diff_words_compare(&p->svg, p->unit, &f, in->names.n))
			return diag_fatal(&c->diag,
			                  "--unit per-second: both inputs need "
			                  "duration= in the header line of pfold");
		if (p->svg.compare.unit == COMPARE_SHARE)
			opts.sum = f.sum;
		else
			opts.factor = p->svg.compare.factor;
	}
	flame_layout(&f, in->rows, in->names.n, &opts, in->arena);
	empty = !in->met_stack && !c->diag.damaged;
	if (weight_value(f.sum) <= 0 && !empty) {
		diag_fatal(&c->diag, "%s: no stacks, so the picture would be empty",
		           shown);
		return 0;
	}
	if (weight_value(p->total) > 0 && weight_value(p->total) < weight_value(f.sum))
		diag_note(&c->diag, "--total is ignored, because it is less than the sum "
		                    "of the counts");
	p->svg.unit = in->unit;
	p->svg.chart = p->chart;
	p->svg.reversed = p->reverse;
	p->svg.timed = in->timed && in->nseries == 1;
	p->svg.per_second = p->svg.timed ? in->per_second : 0;
	p->svg.least = f.least;
	spans_sort(&in->spans);
	if (in->spans.read > in->spans.n)
		diag_note(&c->diag, "%s: only the %zu longest of %llu marks are drawn",
		          shown, in->spans.n, (unsigned long long)in->spans.read);
	if (p->keep_colors && !keep_colors(c, p, &in->names, in->arena))
		return -1;
	if (cmd_open_output(c, &out, input, p->svg.page ? "html" : "svg") < 0)
		return -1;
	p->svg.spans = &in->spans;
	p->svg.places.origins = in->origins.known.n > 1 ? &in->origins : NULL;
	p->svg.places.names = &in->names;
	svg_write(&out, &f, &in->names, &p->svg);
	p->svg.spans = NULL;
	p->svg.places.origins = NULL;
	p->svg.places.names = NULL;
	if (cmd_close_output(c, &out) < 0)
		return -1;
	if (empty)
		diag_note(&c->diag, "%s: no samples", shown);
	else
		say(c, p, in, &f, shown, in->arena);
	return 1;
}

/* Reads n inputs.  Each named input becomes a series, and so do the two sides of a difference. */
static bool read_all(struct cmd *c, struct pflame *p, const char *const *inputs, size_t n,
                     struct folds *in)
{
	bool named = p->diff && n == 2, read = false, any = false;

	for (size_t i = 0; i < n; i++) {
		const char *input = inputs[i];

		named |= cut_name(&input).n != 0;
	}
	for (size_t i = 0; i < n; i++) {
		const char *input = inputs[i];
		struct str name = cut_name(&input);

		if (read_input(c, input, in) == 0)
			any = read = true;
		else
			c->skipped = true;
		if (named && read)
			folds_end_series(in, name.n    ? name
			                     : p->diff ? i ? STR("after") : STR("before")
			                               : str_of(input ? input : "-"));
		read = named ? false : read;
	}
	if (!any || named)
		return any;
	p->svg.diff = folds_are_paired(in) && !p->chart;
	if (p->svg.diff)
		folds_end_pair(in);
	else
		folds_end_series(in, (struct str){ 0 });
	return true;
}

/* Checks the inputs of a difference.  If it cannot be drawn, reports this and returns -1. */
static int check_diff(struct cmd *c, struct pflame *p, const struct folds *in)
{
	if (p->svg.diff && !p->diff)
		diag_note(&c->diag,
		          "a difference is drawn, because every line has two counts");
	if (p->diff && in->nseries != 2)
		return diag_fatal(&c->diag, "--diff: expected two inputs, or one with "
		                            "two counts in every line");
	p->svg.diff |= p->diff;
	p->svg.verdicts = p->svg.diff && in->verdicts.n ? &in->verdicts : NULL;
	p->svg.threshold = p->threshold >= 0 ? p->threshold
	                   /* no threshold: verdicts already exclude noise */
	                   : p->svg.verdicts ? 0
	                                     : 0.001;
	return 0;
}

/* Draws a picture of n inputs.  Returns the same values as draw. */
static int picture(struct cmd *c, struct pflame *p, const char *const *inputs, size_t n)
{
	arena_scope(arena);
	struct folds in;
	struct grown *const grown[] = { &in.single, &in.paired };
	int drawn = 0;

	folds_init(&in, &arena);
	in.base = p->base;
	in.nbase = p->nbase;
	for (size_t i = 0; i < 2; i++) {
		grown[i]->path.reverse = p->reverse;
		grown[i]->path.wakers = p->svg.palette == palette_find(STR("chain"));
		grown[i]->rows.chart = grown[i]->rows.apart = p->chart;
	}
	p->svg.diff = false;
	if (read_all(c, p, inputs, n, &in) && check_diff(c, p, &in) == 0)
		drawn = draw(c, p, &in, inputs[0]);
	p->svg.verdicts = NULL;
	folds_free(&in);
	return drawn;
}

struct apart {
	struct cmd *c;
	struct pflame *p;
};

static enum batch_made draw_into_file(void *ctx, size_t i)
{
	struct apart *a = ctx;
	int drawn = picture(a->c, a->p, &a->c->inputs[i], 1);

	return drawn < 0 ? BATCH_STUCK : drawn ? BATCH_MADE : BATCH_NOTHING;
}

/*
 * Draws all pictures.  Returns false if there was no picture, or if a picture could not be
 * written.
 */
static bool run(struct cmd *c, struct pflame *p)
{
	struct apart apart = { c, p };
	struct batch batch = {
		.n = c->ninputs,
		.name = c->inputs,
		.make = draw_into_file,
		.ctx = &apart,
	};

	/*
	 * Each picture uses the colours that earlier pictures have saved, so pictures are
	 * drawn one after another.
	 */
	if (p->keep_colors)
		c->workers = 1;
	if (cmd_mirrors(c))
		return batch_run(c, &batch);
	return picture(c, p, c->inputs, c->ninputs) > 0;
}

int main(int argc, char **argv)
{
	struct pflame p = {
		.svg = { .fonttype = STR("system-ui, -apple-system, 'Segoe UI', Roboto, "
		                         "'Noto Sans', 'Liberation Sans', Verdana, "
		                         "sans-serif"),
		         .width = 1200,
		         .fluid = true,
		         .height = 18,
		         .fontsize = 12,
		         .fontwidth = 0.59,
		         .palette = palette_find(STR("kind")),
		         .factor = 1 },
		.minwidth = -1,
		.boxes = -1,
		.threshold = -1,
	};
	struct cmd c;
	bool drawn;
	int status;

	if (!cmd_start(&c, &pflame_options_tool, &p, argc, argv, &status))
		return status;
	c.also = p.keep_colors ? PFLAME_COLORS_FILE : NULL;
	if (!cmd_confine(&c, &p)) {
		arena_release(&p.arena);
		return cmd_end(&c, false);
	}
	if (!p.svg.title.n)
		p.svg.title = p.diff           ? STR("Flame Graph: what changed")
		              : p.chart        ? STR("Flame Chart")
		              : p.svg.inverted ? STR("Icicle Graph")
		                               : STR("Flame Graph");
	drawn = run(&c, &p);
	if (p.colors_loaded)
		colormap_free(&p.colors);
	arena_release(&p.arena);
	return cmd_end(&c, drawn);
}
