#include "symbol/report/summary.h"

#include "image/host.h"
#include "symbol/profile_private.h"
#include "symbol/report/modules.h"

/* Returns true if the use of files of this kind is not reported elsewhere. */
static bool is_quiet_kind(const struct item *it)
{
	return it->kind == ITEM_ELF || it->kind == ITEM_PE || it->kind == ITEM_KALLSYMS ||
	       (it->kind == ITEM_PERFMAP && !locate_is_named(it));
}

/*
 * Reports each file of the command line that was not used and not reported yet.  For directories
 * and archives, reports only the rejected files, with -v.  Call it after the profile was read.
 */
static void report_unused(const struct profile *p)
{
	const struct locator *l = &p->session.locator;
	struct diag *diag = p->session.diag;

	for (size_t i = 0; i < l->n; i++) {
		const struct item *it = &l->item[i];

		if (it->placed || it->told || it->own || it->local || !is_quiet_kind(it))
			continue;
		if (locate_is_named(it))
			diag_note(diag, PRSTR ": not used: %s", STRARG(it->name),
			          it->why ? it->why
			                  : "no frame of this profile is in it");
		else if (it->why)
			diag_detail(diag, PRSTR ": not used: %s", STRARG(it->name),
			            it->why);
	}
}

enum { WORST = 3 }; /* maximum number of listed modules, maps or files */

struct coverage summary_count(const struct profile *p)
{
	struct coverage c = { .samples = p->nsamples,
		              .frames = p->nframes,
		              .guessed_samples = p->nguessed };

	for (size_t i = 0; i < p->frames.n; i++) {
		const struct resolved *r = &p->frames.frame[i];

		if (r->n && r->names[r->n - 1].flags & NAMED_UNKNOWN)
			c.unknown += p->frames.uses[i];
		if (r->n && r->names[r->n - 1].flags & NAMED_GUESSED)
			c.guessed += p->frames.uses[i];
		if (r->improved)
			c.named_here += p->frames.uses[i];
	}
	c.broken = modules_broken(p);
	return c;
}

/* If code is in no mapping, perf prints "[unknown]" as the module. */
static struct str place_name(struct str module)
{
	if (!module.n || str_eq(module, STR("[unknown]")))
		return STR("no mapping");
	return str_base(module);
}

/* Returns true if the last components of path are the components of name. */
static bool ends_in_parts(struct str path, struct str name)
{
	return str_ends(path, name) &&
	       (path.n == name.n || path.p[path.n - name.n - 1] == '/');
}

/* Returns the shortest end of module i's path that no other module shares. */
static struct str shortest_name(const struct module_coverage *m, size_t n, size_t i)
{
	struct str whole = m[i].module, name = place_name(whole);

	for (size_t k = 0; k < n && whole.n && name.n <= whole.n; k++)
		while (k != i && name.n < whole.n && ends_in_parts(m[k].module, name)) {
			struct str before = str_head(whole, whole.n - name.n - 1);

			name = str_from(whole, before.n - str_base(before).n);
		}
	return name;
}

/* Returns the bound maps as "perf-1.map for 7679, ...". */
static struct str bound_maps(const struct profile *p, struct arena *scratch)
{
	const struct bound_map *map;
	size_t n = bind_maps(p->session.binder, &map);
	struct str text = { "", 0 };

	for (size_t i = 0; i < n && i < WORST; i++)
		text = arena_fmt(scratch, PRSTR "%s" PRSTR " for %d", STRARG(text),
		                 i ? ", " : "; maps: ",
		                 STRARG(str_base(map[i].item->name)), map[i].pid);
	return n > WORST ? arena_fmt(scratch, PRSTR ", ...", STRARG(text)) : text;
}

struct str summary_worst(const struct profile *p, struct arena *a)
{
	const struct module_coverage *m;
	size_t n = modules_list(p, a, &m);
	struct str text = { "", 0 }, maps = bound_maps(p, a);

	for (size_t i = 0; i < n && m[i].frames > m[i].named; i++) {
		if (i == WORST) {
			text = arena_fmt(a, PRSTR ", ...", STRARG(text));
			break;
		}
		text = arena_fmt(a, PRSTR "%s%llu in " PRSTR, STRARG(text),
		                 i ? ", " : "; unnamed: ",
		                 (unsigned long long)(m[i].frames - m[i].named),
		                 STRARG(shortest_name(m, n, i)));
	}
	return arena_fmt(a, PRSTR PRSTR, STRARG(text), STRARG(maps));
}

ORDER(by_stacks, struct unwound_file,
      num_cmp(b->stacks, a->stacks) ?: num_cmp(a->module, b->module))

/*
 * Returns a list of the files in which unwinding stopped: "1200 in libstdc++.so.6, 90 in
 * libc.so.6".
 */
static struct str list_ends(const struct profile *p, enum unwound_end end,
                            struct arena *a)
{
	const struct unwound_file *all;
	size_t n = unwind_files(p->unwinder, &all), shown = 0;
	struct unwound_file *file = arena_new(a, struct unwound_file, n + 1);
	struct str text = { "", 0 };

	if (n)
		memcpy(file, all, n * sizeof(*file));
	order_by(file, n, by_stacks);
	for (size_t i = 0; i < n; i++) {
		if (file[i].end != end)
			continue;
		if (shown == WORST)
			return arena_fmt(a, PRSTR ", ...", STRARG(text));
		text = arena_fmt(a, PRSTR "%s%llu in " PRSTR, STRARG(text),
		                 shown++ ? ", " : "", (unsigned long long)file[i].stacks,
		                 STRARG(place_name(
		                         intern_str(&p->session.names, file[i].module))));
	}
	return text;
}

/* Reports the files in which unwinding (--call-graph dwarf) stopped. */
static void note_unwound(const struct profile *p)
{
	static const char *const why[UNWOUND_ENDS] = {
		[UNWOUND_DUMP] = "at the end of the dumped stack",
		[UNWOUND_NO_FILE] = "at a missing file: ",
		[UNWOUND_NO_RULE] = "in files without unwind information: ",
		[UNWOUND_JIT] = "in code made at run time",
		[UNWOUND_LOST] = "at addresses without code",
		[UNWOUND_DEEP] = "after 127 frames",
	};
	const struct unwound *c = unwind_counts(p->unwinder);
	arena_scope(scratch);
	struct str text = { "", 0 };

	for (enum unwound_end end = UNWOUND_WHOLE + 1; end < UNWOUND_ENDS; end++)
		if (c->ends[end])
			text = arena_fmt(&scratch, PRSTR "; %llu end %s" PRSTR,
			                 STRARG(text), (unsigned long long)c->ends[end],
			                 why[end], STRARG(list_ends(p, end, &scratch)));
	if (c->stacks)
		diag_note(p->session.diag,
		          "%llu stacks unwound, %llu to their first function" PRSTR,
		          (unsigned long long)c->stacks,
		          (unsigned long long)c->ends[UNWOUND_WHOLE], STRARG(text));
}

/* Reports the samples with guessed names. */
static void note_guessed(const struct profile *p)
{
	const char *taken = p->session.opts.strict
	                            ? "--strict leaves them unnamed"
	                            : "the last name is used (--strict prints [unknown])";

	if (p->nguessed)
		diag_note(p->session.diag,
		          PRSTR
		          ": %llu of %llu samples (%.1f %%) are at addresses that had "
		          "several names over time: %s; add a jitdump or nettrace of the "
		          "same run, recorded with perf record -k mono",
		          STRARG(p->frames.guessed_by->name),
		          (unsigned long long)p->nguessed,
		          (unsigned long long)p->nsamples,
		          100.0 * (double)p->nguessed / (double)p->nsamples, taken);
}

/*
 * Reports lost events.  LOST_SAMPLES exists since perf 6.1, and counts only samples.  LOST counts
 * all records for which the buffer was full.
 */
static void note_lost(const struct profile *p)
{
	uint64_t samples = p->lost_samples, all = samples + p->nsamples;

	if (samples)
		diag_note(p->session.diag,
		          "%llu of %llu samples (%.1f %%) were lost while recording; use "
		          "larger buffers (perf record -m) or fewer samples (-F)",
		          (unsigned long long)samples, (unsigned long long)all,
		          100.0 * (double)samples / (double)all);
	else if (p->lost_records)
		diag_note(p->session.diag,
		          "%llu records, samples or mappings, were lost while recording; "
		          "use larger buffers (perf record -m) or fewer samples (-F)",
		          (unsigned long long)p->lost_records);
}

void summary_notes(const struct profile *p)
{
	host_report(&p->session.locator, p->session.diag);
	bind_report(p->session.binder);
	report_unused(p);
	note_guessed(p);
	note_unwound(p);
	note_lost(p);
}

/*
 * summary_advise prints advice if more than 1/MANY of the frames are unnamed.  It reports
 * missing frame pointers as the cause if at most 1/FEW of the unnamed frames have another cause.
 */
enum { MANY = 5, FEW = 10 };

void summary_advise(struct diag *diag, const struct coverage *c, bool strict)
{
	uint64_t unknown = c->unknown - (strict ? c->guessed : 0);

	if (unknown <= c->frames / MANY)
		return;
	if (c->broken >= unknown - unknown / FEW)
		diag_note(diag, "over a fifth of the frames is unnamed, because the code "
		                "was compiled without frame pointers; record with perf "
		                "record --call-graph dwarf");
	else
		diag_note(diag, "over a fifth of the frames is unnamed; psym --missing "
		                "lists missing files, and psym --missing | offbox-fetch "
		                "downloads them if a server has them");
}

size_t summary_cut_dumps(const struct profile *p, struct arena *a,
                         const struct cut_dump **out)
{
	const struct locator *l = &p->session.locator;
	uint64_t major = runtime_dotnet_major(p);
	struct cut_dump *list = arena_new(a, struct cut_dump, l->n + 1);
	struct runtimes runtimes;
	size_t n = 0;

	runtime_learn(&runtimes, p, a);
	for (size_t i = 0; i < l->n; i++) {
		const struct item *it = &l->item[i];
		const struct jitdump *d = it->jitdump;

		if (!d || !d->cut)
			continue;
		list[n++] = (struct cut_dump){
			.name = it->name,
			.at = d->damage_at,
			.pieces = d->n,
			.dotnet10 =
			        runtime_has_dotnet(&runtimes) && (!major || major == 10),
		};
	}
	*out = list;
	return n;
}

struct str summary_guessed(const struct coverage *c, bool strict, struct arena *a)
{
	if (!c->guessed)
		return (struct str){ "", 0 };
	return arena_fmt(a, ", %llu %s", (unsigned long long)c->guessed,
	                 strict ? "guesses left unnamed" : "guessed");
}

void summary_report(const struct profile *p)
{
	struct coverage c = summary_count(p);
	arena_scope(scratch);
	uint64_t named = c.frames - c.unknown;
	struct str guessed = summary_guessed(&c, p->session.opts.strict, &scratch);

	summary_notes(p);
	summary_advise(p->session.diag, &c, p->session.opts.strict);
	if (!p->met_sample)
		diag_note(p->session.diag, "no samples");
	else if (!c.frames)
		diag_note(p->session.diag, "%llu samples without frames",
		          (unsigned long long)c.samples);
	else
		diag_note(p->session.diag,
		          "%llu samples, %llu frames, %llu named (%.1f %%)" PRSTR PRSTR,
		          (unsigned long long)c.samples, (unsigned long long)c.frames,
		          (unsigned long long)named,
		          100.0 * (double)named / (double)c.frames, STRARG(guessed),
		          STRARG(summary_worst(p, &scratch)));
}
