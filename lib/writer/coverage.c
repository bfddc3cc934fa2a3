#include "writer/coverage.h"

#include "writer/caption.h"

/* Names come from anywhere: no byte of theirs drives a terminal. */
static void put_plain(struct out *o, struct str s)
{
	struct arena scratch = { 0 };

	out_str(o, caption_clean(&scratch, s));
	arena_release(&scratch);
}

static void put_hex(struct out *o, struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		out_fmt(o, "%02x", (unsigned char)bytes.p[i]);
}

static struct str name_of(const struct module_coverage *m)
{
	return m->kind == MODULE_NOWHERE ? STR("(no mapping)") : m->module;
}

/* Why frames of it have no name. */
const char *coverage_reason(const struct module_coverage *m)
{
	switch (m->kind) {
	case MODULE_NOWHERE:
		return "nothing is mapped there: broken chains, or mappings that were "
		       "not recorded";
	case MODULE_JIT:
		return m->nfiles ? "its map has no line for them: stubs that the runtime "
		                   "does not write down, or code of later"
		                 : "no perf map or jitdump has them";
	case MODULE_DOTNET:
		if (m->nfiles)
			return "they lie outside of its methods";
		return m->pe ? "its image is of no use"
		             : "its image is not among the sources";
	case MODULE_KERNEL:
		return m->nfiles ? "its symbols do not cover them"
		                 : "no kallsyms, vmlinux or module of that kernel";
	case MODULE_NATIVE:
		break;
	}
	if (m->has_symbols)
		return "its symbols do not cover them";
	return m->has_image ? "it is stripped, and no debug file was found"
	                    : "no file of it was found";
}

/* Why stacks could not be unwound behind it. */
const char *coverage_end(const struct module_coverage *m)
{
	return m->ended_for_file ? "without its file they cannot be unwound"
	                         : "its file does not describe how to unwind them";
}

static void put_module(struct out *o, const struct module_coverage *m)
{
	uint64_t unnamed = m->frames - m->named;

	out_fmt(o, "%10llu of %10llu unnamed  ", (unsigned long long)unnamed,
	        (unsigned long long)m->frames);
	put_plain(o, name_of(m));
	if (m->build_id.n) {
		out_str(o, STR("  build-id "));
		put_hex(o, m->build_id);
	}
	out_char(o, '\n');
	for (size_t i = 0; i < m->nfiles; i++) {
		const struct module_file *f = &m->file[i];

		out_fmt(o, "%10llu by ", (unsigned long long)f->frames);
		put_plain(o, f->path);
		if (f->debug.n) {
			out_str(o, STR(" and "));
			put_plain(o, f->debug);
		}
		out_fmt(o, "%s%s%s%s\n", f->path.n ? " (" : "", f->how,
		        f->local ? ", of this machine" : "", f->path.n ? ")" : "");
	}
	if (m->refused.n) {
		out_str(o, STR("           not used: "));
		put_plain(o, m->refused);
		out_fmt(o, ": %s\n", m->why);
	}
	if (m->no_alt.n) {
		out_str(o, STR("           missing: "));
		put_plain(o, m->no_alt);
		out_str(o, STR(" (.gnu_debugaltlink)\n"));
	}
	if (unnamed)
		out_fmt(o, "           unnamed: %s\n", coverage_reason(m));
	if (m->fragile)
		out_str(o, STR("           its methods have no names: a fragile native "
		               "image, whose map is missing\n"));
	if (m->ended)
		out_fmt(o, "           %llu stacks end in it: %s\n",
		        (unsigned long long)m->ended, coverage_end(m));
}

void coverage_write(struct out *o, const struct module_coverage *m, size_t n, size_t most)
{
	for (size_t i = 0; i < n; i++) {
		if (most && (i == most || (m[i].frames == m[i].named && !m[i].ended)))
			break;
		put_module(o, &m[i]);
	}
}

static void put_json(struct out *o, struct str s)
{
	struct arena scratch = { 0 };

	s = caption_clean(&scratch, s);
	out_char(o, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			out_char(o, '\\');
		out_char(o, s.p[i]);
	}
	out_char(o, '"');
	arena_release(&scratch);
}

static void put_field(struct out *o, const char *name, struct str value)
{
	out_fmt(o, ",\"%s\":", name);
	put_json(o, value);
}

static void put_files(struct out *o, const struct module_coverage *m)
{
	out_str(o, STR(",\"by\":["));
	for (size_t i = 0; i < m->nfiles; i++) {
		const struct module_file *f = &m->file[i];

		out_fmt(o, "%s{\"frames\":%llu", i ? "," : "",
		        (unsigned long long)f->frames);
		if (f->path.n)
			put_field(o, "file", f->path);
		if (f->debug.n)
			put_field(o, "debug", f->debug);
		put_field(o, "verified", str_of(f->how));
		out_fmt(o, ",\"host\":%s}", f->local ? "true" : "false");
	}
	out_char(o, ']');
}

static void put_json_module(struct out *o, const struct module_coverage *m)
{
	out_str(o, STR("{\"module\":"));
	put_json(o, m->kind == MODULE_NOWHERE ? STR("") : m->module);
	if (m->build_id.n) {
		out_str(o, STR(",\"build_id\":\""));
		put_hex(o, m->build_id);
		out_char(o, '"');
	}
	out_fmt(o, ",\"frames\":%llu,\"named\":%llu", (unsigned long long)m->frames,
	        (unsigned long long)m->named);
	put_files(o, m);
	if (m->refused.n) {
		put_field(o, "refused", m->refused);
		put_field(o, "refused_because", str_of(m->why));
	}
	if (m->no_alt.n)
		put_field(o, "missing_altlink", m->no_alt);
	if (m->frames > m->named)
		put_field(o, "unnamed_because", str_of(coverage_reason(m)));
	if (m->fragile)
		out_str(o, STR(",\"fragile\":true"));
	if (m->ended) {
		out_fmt(o, ",\"stacks_ended\":%llu", (unsigned long long)m->ended);
		put_field(o, "ended_because", str_of(coverage_end(m)));
	}
	out_char(o, '}');
}

void coverage_write_json(struct out *o, const char *input,
                         const struct module_coverage *m, size_t n)
{
	uint64_t frames = 0, named = 0;

	for (size_t i = 0; i < n; i++) {
		frames += m[i].frames;
		named += m[i].named;
	}
	out_str(o, STR("{\"input\":"));
	put_json(o, str_of(input ? input : "-"));
	out_fmt(o, ",\"frames\":%llu,\"named\":%llu,\"modules\":[",
	        (unsigned long long)frames, (unsigned long long)named);
	for (size_t i = 0; i < n; i++) {
		if (i)
			out_char(o, ',');
		put_json_module(o, &m[i]);
	}
	out_str(o, STR("]}\n"));
}
