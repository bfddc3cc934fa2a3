/*
 * pmerge - merges maps of JIT code and of precompiled images into one perf map with absolute
 * addresses.
 *
 * 	source -> reader -> process -> symbol/bind -> symbol/merge -> writer/perfmap
 * 	source -> image/locate -> writer/perfmap                (--relative)
 */
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "bind/merge.h"
#include "image/dotnet/assembly.h"
#include "writer/perfmap.h"

struct own {
	bool relative, cold;
};

#define SETS(field) CMD_SETS(struct own, field)

static const struct cmd_option options[] = {
	{ "relative", 0, NULL, "write the r2rmap of each ReadyToRun image FILE",
	  SETS(relative) },
	{ "cold", 0, NULL, "with --relative: include parts that were split off",
	  SETS(cold) },
	{ 0 },
};

/*
 * Allows access to the directories of images, because names may need other assemblies in these
 * directories.
 */
static void allow(void *ctx, struct cmd *c, struct confine *to)
{
	const struct own *own = ctx;
	arena_scope(scratch);

	for (size_t i = 0; i < c->ninputs + c->nsources && own->relative; i++) {
		struct str path = str_of(i < c->ninputs ? c->inputs[i]
		                                        : c->sources[i - c->ninputs]);
		size_t slash = str_rfind(path, '/');

		path = slash == path.n ? STR(".") : str_head(path, slash + 1);
		confine_path(to, arena_str(&scratch, path).p, CONFINE_READ);
	}
}

static const struct cmd_tool tool = {
	.name = "pmerge",
	.purpose = "merge perf maps, jitdumps and images into one perf map",
	.operands = "[FILE ...]",
	.example = "pmerge -m maps/ perf.data > perf-4711.map",
	.names_frames = true,
	.needs_no_input = true,
	.options = options,
	.usual = "o jobs m p relative cold member no-host cache quiet verbose help",
	.allow = allow,
};

static void report_parts(struct cmd *c, int32_t pid, const struct merge *mg)
{
	for (size_t i = 0; i < mg->nparts; i++) {
		const struct merge_part *part = &mg->part[i];

		if (part->reused)
			diag_note(
			        &c->diag,
			        "process %d: " PRSTR
			        ": %zu range%s had several names over time; the merged "
			        "map contains the last name, a guess for earlier samples",
			        pid, STRARG(part->name), part->reused,
			        part->reused == 1 ? "" : "s");
		if (!part->at)
			diag_note(&c->diag, "process %d: %zu symbols of " PRSTR, pid,
			          part->symbols, STRARG(part->name));
		else
			diag_note(&c->diag,
			          "process %d: %zu symbols of " PRSTR
			          " at %llx, %zu outside",
			          pid, part->symbols, STRARG(part->name),
			          (unsigned long long)part->at, part->outside);
	}
	diag_note(&c->diag, "process %d: %zu ranges merged", pid, mg->symbols.n);
}

/* Writes the map of a process.  With -o DIR/, appends `suffix` to the path of `input`. */
static int write_process(struct cmd *c, const struct binder *b, int32_t pid,
                         const char *input, const char *suffix)
{
	arena_scope(arena);
	struct merge mg;
	struct out out;
	int ret = -1;

	merge_process(b, pid, &arena, &mg);
	report_parts(c, pid, &mg);
	if (cmd_open_output(c, &out, input, suffix) == 0) {
		perfmap_write(&out, &mg.symbols);
		ret = cmd_close_output(c, &out);
	}
	return ret;
}

/*
 * Writes perf-PID.map for each process to -o DIR/.  Several profiles have separate directories,
 * because containers may use the same pids.
 */
static enum batch_made write_apart(struct cmd *c, const struct binder *b,
                                   const char *input, const int32_t *pid, size_t n)
{
	enum batch_made made = BATCH_MADE;

	for (size_t i = 0; i < n; i++) {
		const char *name = arena_fmt(&c->run, "/perf-%d.map", pid[i]).p;
		bool alone = c->ninputs < 2;

		if (write_process(c, b, pid[i], alone ? name : input, alone ? "" : name) <
		    0)
			made = BATCH_STUCK;
	}
	return made;
}

/* Copies the pids that -p selects, or all pids, to out.  Returns their number. */
static size_t restrict_to(const struct cmd *c, const int32_t *pid, size_t n, int32_t *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool wanted = !c->npids;

		for (size_t k = 0; k < c->npids; k++)
			wanted |= c->pids[k].pid == pid[i];
		if (wanted)
			out[kept++] = pid[i];
	}
	return kept;
}

static enum batch_made merge(struct cmd *c, const struct profile *p, const char *input)
{
	const struct binder *b = profile_binder(p);
	const int32_t *all;
	size_t n = merge_processes(b, &c->run, &all);
	int32_t *pid = arena_new(&c->run, int32_t, n + 1);

	n = restrict_to(c, all, n, pid);
	if (!n) {
		diag_fatal(&c->diag, "no map or image names code of %s; add one with -m",
		           c->npids ? "that process" : "any process of the profile");
		return BATCH_NOTHING;
	}
	if (cmd_mirrors(c))
		return write_apart(c, b, input, pid, n);
	if (n == 1)
		return write_process(c, b, pid[0], input, "") < 0 ? BATCH_STUCK
		                                                  : BATCH_MADE;
	diag_fatal(&c->diag,
	           "%zu processes have managed code; choose one with -p, or use -o DIR/:",
	           n);
	for (size_t i = 0; i < n; i++)
		diag_fatal(&c->diag, "  -p %d", pid[i]);
	return BATCH_NOTHING;
}

/*
 * Writes the maps of a profile's processes.  If no_input is set, writes the maps of the processes
 * in the files of -m.
 */
static enum batch_made merge_input(struct cmd *c, const char *input, bool no_input)
{
	struct profile_opts opts = cmd_profile_opts(c, input);
	enum batch_made made;
	struct profile *p;

	opts.formats = READ_ADDRESSES;
	opts.scan = true;
	opts.no_input = no_input;
	p = profile_open(&opts);
	if (!p)
		return BATCH_NOTHING;
	profile_learn(p);
	made = merge(c, p, input);
	profile_close(p);
	return made;
}

static enum batch_made merge_apart(void *ctx, size_t i)
{
	struct cmd *c = ctx;

	return merge_input(c, c->inputs[i], false);
}

static bool run(struct cmd *c)
{
	struct batch batch = {
		.n = c->ninputs,
		.name = c->inputs,
		.profiles = true,
		.make = merge_apart,
		.ctx = c,
	};
	/*
	 * Without a profile, the mappings are in the files of -m, as in pmerge -p 29751 -m
	 * maps-29751.txt.
	 */
	bool no_input = !c->ninputs && c->npids && c->nsources;

	if (c->ninputs > 1 && cmd_mirrors(c))
		return batch_run(c, &batch);
	if (c->ninputs > 1) {
		diag_fatal(&c->diag,
		           "expected one profile, not %zu; use -o DIR/ for several",
		           c->ninputs);
		return false;
	}
	if (!c->ninputs && !no_input && isatty(STDIN_FILENO)) {
		diag_fatal(&c->diag, "no input: name a profile, or give -p and -m; try "
		                     "'pmerge --help'");
		return false;
	}
	return merge_input(c, c->ninputs ? c->inputs[0] : NULL, no_input) == BATCH_MADE;
}

/* The images in the operands, and the other assemblies that the names of their methods need. */
struct images {
	struct cmd *c;
	const struct own *own;
	struct interner names;
	struct locator locator;
	struct source **opened;
	size_t nopened;
	struct item **image; /* images with precompiled code */
	size_t n, cap;
};

static struct source *open_one(struct images *im, const char *path)
{
	struct source *s = cmd_open_source(im->c, path, locate_look, false);

	if (s)
		im->opened[im->nopened++] = s;
	return s;
}

static void add_image(struct images *im, struct item *it)
{
	if (!it || !locate_pe(&im->locator, it) || !assembly_code(&im->locator, it))
		return;
	*arena_push(&im->c->run, im->image, im->n, im->cap) = it;
}

static void find_images(struct images *im)
{
	struct locator *l = &im->locator;

	for (size_t i = 0; i < l->n; i++) {
		struct item *it = &l->item[i];
		const struct bundle *b;
		size_t before = im->n;

		if (!it->own)
			continue;
		add_image(im, it);
		b = im->n == before ? assembly_bundle(l, it) : NULL;
		for (size_t k = 0; b && k < b->n; k++)
			add_image(im, assembly_carried(l, it, k));
		if (im->n > before || it->source->kind != SOURCE_FILE)
			continue;
		diag_fatal(&im->c->diag, PRSTR ": contains no precompiled code of .NET",
		           STRARG(it->source->name));
		im->c->skipped = true;
	}
}

/* Returns the path of an image: the operand and the path inside it. */
static struct str whole_path(struct images *im, const struct item *it)
{
	struct arena *a = &im->c->run;
	struct str path = it->source->name;

	if (it->source->kind != SOURCE_FILE)
		path = arena_fmt(a, PRSTR "/" PRSTR, STRARG(path),
		                 STRARG(it->source->members[it->member].name));
	if (it->host)
		path = arena_fmt(a, PRSTR "/" PRSTR, STRARG(path), STRARG(it->name));
	return path;
}

/* Returns the path of image i without .dll, for the output. */
static const char *output_path(struct images *im, size_t i)
{
	struct str path = whole_path(im, im->image[i]);

	if (str_ends(path, STR(".dll")))
		path = arena_str(&im->c->run, str_head(path, path.n - 4));
	return path.p;
}

static enum batch_made write_relative(void *ctx, size_t i)
{
	struct images *im = ctx;
	struct cmd *c = im->c;
	const char *path = output_path(im, i);
	struct r2r *r = assembly_code(&im->locator, im->image[i]);
	struct out out;

	if (cmd_open_output(c, &out, path, "ni.r2rmap") < 0)
		return BATCH_STUCK;
	if (!perfmap_write_r2r(&out, r, im->own->cold))
		diag_warn(&c->diag,
		          "%s: its signature is unknown, so components are missing",
		          path);
	if (r2r_lacking(r))
		diag_warn(&c->diag,
		          "%s: %zu names need assemblies that are missing; add them with "
		          "-m",
		          path, r2r_lacking(r));
	if (r2r_unread(r))
		diag_damage(&c->diag, "%s: %zu methods cannot be read", path,
		            r2r_unread(r));
	return cmd_close_output(c, &out) < 0 ? BATCH_STUCK : BATCH_MADE;
}

static bool write_images(struct images *im)
{
	struct cmd *c = im->c;
	const char **name = arena_new(&c->run, const char *, im->n + 1);
	struct batch batch = {
		.n = im->n, .name = name, .make = write_relative, .ctx = im
	};

	if (im->n > 1 && !cmd_mirrors(c)) {
		diag_fatal(&c->diag,
		           "%zu images contain precompiled code; write them with -o DIR/",
		           im->n);
		return false;
	}
	if (!im->n && !c->skipped)
		diag_fatal(&c->diag, "no image contains precompiled code of .NET");
	for (size_t i = 0; i < im->n; i++)
		name[i] = output_path(im, i);
	return batch_run(c, &batch);
}

static bool open_images(struct images *im)
{
	struct cmd *c = im->c;
	size_t n = c->ninputs + c->nsources;
	struct source *s;

	im->opened = arena_new(&c->run, struct source *, n + 1);
	for (size_t i = 0; i < n; i++) {
		bool own = i < c->ninputs;
		const char *path = own ? c->inputs[i] : c->sources[i - c->ninputs];

		s = open_one(im, path);
		if (!s)
			return false;
		locate_add(&im->locator, s, own, SIZE_MAX);
	}
	return true;
}

static bool run_relative(struct cmd *c, const struct own *own)
{
	struct images im = { .c = c, .own = own };
	bool ok;

	if (!c->ninputs) {
		diag_fatal(&c->diag,
		           "--relative: no image; name one, or try 'pmerge --help'");
		return false;
	}
	intern_init(&im.names, &c->run);
	locate_init(&im.locator, &c->run, &im.names);
	im.locator.beside = true;
	ok = open_images(&im);
	if (ok) {
		find_images(&im);
		ok = write_images(&im);
	}
	locate_close(&im.locator);
	for (size_t i = 0; i < im.nopened; i++)
		source_close(im.opened[i]);
	return ok;
}

int main(int argc, char **argv)
{
	struct own own = { 0 };
	struct cmd c;
	int status;

	if (!cmd_start(&c, &tool, &own, argc, argv, &status))
		return status;
	if (own.cold && !own.relative) {
		diag_fatal(&c.diag, "--cold needs --relative");
		return cmd_end(&c, false);
	}
	if (!cmd_confine(&c, &own))
		return cmd_end(&c, false);
	return cmd_end(&c, own.relative ? run_relative(&c, &own) : run(&c));
}
