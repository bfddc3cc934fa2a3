#include "writer/coverage.h"

#include "writer/caption.h"
#include "writer/json.h"
#include "writer/missing.h"
#include "writer/unnamed.h"

static void put_module(struct out *o, const struct module_coverage *m)
{
	uint64_t unnamed = m->frames - m->named;

	out_fmt(o, "%10llu of %10llu unnamed  ", (unsigned long long)unnamed,
	        (unsigned long long)m->frames);
	caption_put(o, unnamed_module(m));
	if (m->build_id.n) {
		out_str(o, STR("  build-id "));
		out_bytes(o, m->build_id);
	}
	out_char(o, '\n');
	for (const struct module_file *f = m->file; f < m->file + m->nfiles; f++) {
		out_fmt(o, "%10llu by ", (unsigned long long)f->frames);
		caption_put(o, f->path);
		if (f->debug.n) {
			out_str(o, STR(" and "));
			caption_put(o, f->debug);
		}
		out_fmt(o, "%s%s%s%s\n", f->path.n ? " (" : "", f->how,
		        f->local ? ", of this machine" : "", f->path.n ? ")" : "");
	}
	if (m->guessed)
		out_fmt(o,
		        "           %llu at addresses that had several names over time: "
		        "the last name is used\n",
		        (unsigned long long)m->guessed);
	if (m->unguessed)
		out_fmt(o,
		        "           %llu at addresses that had several names over time: "
		        "unnamed because of --strict\n",
		        (unsigned long long)m->unguessed);
	if (m->refused.n) {
		out_str(o, STR("           not used: "));
		caption_put(o, m->refused);
		out_fmt(o, ": %s\n", m->why);
	}
	if (m->no_alt.n) {
		out_str(o, STR("           missing: "));
		caption_put(o, m->no_alt);
		out_str(o, STR(" (.gnu_debugaltlink)\n"));
	}
	if (unnamed > m->unguessed)
		out_fmt(o, "           unnamed: %s%s\n", unnamed_reason(m),
		        unnamed_can_be_asked(m)
		                ? "; offbox-collect --ask requests it from "
		                  "the running process"
		                : "");
	if (m->fragile)
		out_str(o, STR("           its methods are unnamed: a fragile native "
		               "image without its map\n"));
	if (m->ended)
		out_fmt(o, "           %llu stacks end in it: %s\n",
		        (unsigned long long)m->ended, unnamed_end(m));
}

void coverage_write(struct out *o, const struct coverage *all,
                    const struct module_coverage *m, size_t n, size_t most)
{
	for (size_t i = 0; i < n; i++) {
		if (most && (i == most || (m[i].frames == m[i].named && !m[i].ended)))
			break;
		put_module(o, &m[i]);
	}
	if (all->guessed_samples)
		out_fmt(o,
		        "%10llu of %10llu samples (%.1f %%) have an address with several "
		        "names over time\n",
		        (unsigned long long)all->guessed_samples,
		        (unsigned long long)all->samples,
		        100.0 * (double)all->guessed_samples / (double)all->samples);
}

#define CUT_SETTING "DOTNET_PerfMapStubGranularity=2"

void coverage_write_cut(struct out *o, const struct cut_dump *cut, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		out_str(o, STR("           cut off: "));
		caption_put(o, cut[i].name);
		out_fmt(o,
		        ", in the record at byte %llu; %zu piece%s of code %s read%s\n",
		        (unsigned long long)cut[i].at, cut[i].pieces,
		        cut[i].pieces == 1 ? "" : "s",
		        cut[i].pieces == 1 ? "was" : "were",
		        cut[i].dotnet10 ? " (.NET 10 does this when it exits, unless "
		                          "it runs with " CUT_SETTING ")"
		                        : "");
	}
}

/*
 * Writes the lines of missing_write_module as JSON strings.  If the lines do not fit into the buffer,
 * writes no string.
 */
static void put_fetch(struct out *o, const struct module_coverage *all, size_t i)
{
	arena_scope(scratch);
	struct out *lines;
	struct str rest;
	bool first = true;

	lines = arena_new(&scratch, struct out, 1);
	lines->fd = -1;
	missing_write_module(lines, all, i);
	if (!lines->n && !lines->error)
		return;
	rest = (struct str){ lines->buf, lines->error ? 0 : lines->n };
	out_str(o, STR(",\"fetch\":["));
	for (; rest.n; first = false) {
		if (!first)
			out_char(o, ',');
		json_string(o, str_cut(&rest, '\n'));
	}
	out_char(o, ']');
}

static void put_files(struct out *o, const struct module_coverage *m)
{
	out_str(o, STR(",\"by\":["));
	for (size_t i = 0; i < m->nfiles; i++) {
		const struct module_file *f = &m->file[i];

		out_fmt(o, "%s{\"frames\":%llu", i ? "," : "",
		        (unsigned long long)f->frames);
		if (f->path.n)
			json_member(o, ",", "file", f->path);
		if (f->debug.n)
			json_member(o, ",", "debug", f->debug);
		json_member(o, ",", "verified", str_of(f->how));
		out_fmt(o, ",\"host\":%s}", f->local ? "true" : "false");
	}
	out_char(o, ']');
}

static void put_json_module(struct out *o, const struct module_coverage *all, size_t i)
{
	const struct module_coverage *m = &all[i];

	json_member(o, "{", "module", m->kind == MODULE_NOWHERE ? STR("") : m->module);
	if (m->build_id.n) {
		out_str(o, STR(",\"build_id\":\""));
		out_bytes(o, m->build_id);
		out_char(o, '"');
	}
	out_fmt(o, ",\"frames\":%llu,\"named\":%llu", (unsigned long long)m->frames,
	        (unsigned long long)m->named);
	put_files(o, m);
	if (m->guessed)
		out_fmt(o, ",\"guessed\":%llu", (unsigned long long)m->guessed);
	if (m->unguessed)
		out_fmt(o, ",\"unguessed\":%llu", (unsigned long long)m->unguessed);
	if (m->refused.n) {
		json_member(o, ",", "refused", m->refused);
		json_member(o, ",", "refused_because", str_of(m->why));
	}
	if (m->no_alt.n)
		json_member(o, ",", "missing_altlink", m->no_alt);
	if (m->frames - m->named > m->unguessed)
		json_member(o, ",", "unnamed_because", str_of(unnamed_reason(m)));
	if (m->fragile)
		out_str(o, STR(",\"fragile\":true"));
	if (m->ended) {
		out_fmt(o, ",\"stacks_ended\":%llu", (unsigned long long)m->ended);
		json_member(o, ",", "ended_because", str_of(unnamed_end(m)));
	}
	put_fetch(o, all, i);
	out_char(o, '}');
}

static void put_json_cut(struct out *o, const struct cut_dump *cut, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_member(o, i ? ",{" : ",\"cut_off\":[{", "file", cut[i].name);
		out_fmt(o, ",\"at\":%llu,\"pieces\":%zu", (unsigned long long)cut[i].at,
		        cut[i].pieces);
		if (cut[i].dotnet10)
			json_member(o, ",", "avoid_by", STR(CUT_SETTING));
		out_char(o, '}');
	}
	if (n)
		out_char(o, ']');
}

void coverage_write_json(struct out *o, const char *input, const struct coverage *all,
                         const struct module_coverage *m, size_t n,
                         const struct cut_dump *cut, size_t ncut)
{
	uint64_t frames = 0, named = 0;

	for (size_t i = 0; i < n; i++) {
		frames += m[i].frames;
		named += m[i].named;
	}
	json_member(o, "{", "input", str_of(input ? input : "-"));
	if (all->guessed_samples)
		out_fmt(o, ",\"samples\":%llu,\"guessed_samples\":%llu",
		        (unsigned long long)all->samples,
		        (unsigned long long)all->guessed_samples);
	out_fmt(o, ",\"frames\":%llu,\"named\":%llu,\"modules\":[",
	        (unsigned long long)frames, (unsigned long long)named);
	for (size_t i = 0; i < n; i++) {
		if (i)
			out_char(o, ',');
		put_json_module(o, m, i);
	}
	out_char(o, ']');
	put_json_cut(o, cut, ncut);
	out_str(o, STR("}\n"));
}
