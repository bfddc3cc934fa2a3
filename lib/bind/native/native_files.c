#include "bind/native/native_files.h"

#include <stdlib.h>

#include "image/host.h"
#include "image/identity.h"
#include "source/decompress.h"

enum {
	SAME_ID = 256,    /* maximum number of files that are tried for one build-id */
	HOST_PLACES = 10, /* maximum number of paths on this machine that are tried */
	WORTH_MOST = 3,   /* maximum result of worth() */
	ID_MOST = 64,     /* maximum bytes of a build-id in the path of a debug file */
};

/* The search for the files of one mapping. */
struct search {
	struct locator *l;
	const struct mapping *m;
	/*
	 * path and build-id of the file that ran.  The build-id is empty if it is unknown
	 */
	struct str path, id, other; /* other: see struct mapping */
	/* without a build-id: how likely this machine's file is the mapped file */
	enum host_likeness like;
	struct arena *run;
	struct native_files *out;
};

/* Stores the reason why a file is not used.  *out receives only the first unused file. */
static void refuse(struct search *s, const struct item *it, const char *why)
{
	s->l->item[it - s->l->item].why = why;
	if (s->out->refused)
		return;
	s->out->refused = it;
	s->out->why = why;
}

/* Returns the reason why e is not the mapped file, or NULL if e is the mapped file. */
static const char *differs(const struct search *s, const struct item *it,
                           const struct elf *e)
{
	const struct mapping *m = s->m;
	uint64_t shift;

	if (s->id.n && !e->build_id.n)
		return "it has no build-id, unlike the recorded file";
	if (s->id.n)
		return elf_same_id(e->build_id, s->id)
		               ? NULL
		               : "its build-id differs from the recorded one";
	if (s->other.n)
		return identity_has(e, s->other)
		               ? NULL
		               : "its content differs from the recorded file";
	if (it->local && s->l->host == HOST_SAME_ID && s->like != HOST_UNSURE)
		return s->like == HOST_SAME ? NULL : s->l->elsewhere;
	if (!m->assumed &&
	    !elf_place(e, m->first - m->bias, m->last - m->first, true, &shift))
		return "its code has another length than the recorded code";
	return NULL;
}

static bool is_image(struct search *s, struct item *it)
{
	const struct elf *e = it->kind == ITEM_ELF ? locate_elf(s->l, it) : NULL;
	const char *why = e && !e->bare ? differs(s, it, e) : it->why;

	if (e && e->bare)
		return false;
	if (why)
		refuse(s, it, why);
	return e && !why;
}

/*
 * Returns the image that has the file name of m.  If there are several, chooses the image with the
 * path that shares the most components with the path of m.
 */
static struct item *image_called(struct search *s)
{
	struct item *it = locate_base(s->l, s->path), *best = NULL;
	size_t most = 0;

	for (int tried = 0; it && tried < SAME_NAME; it = locate_next(s->l, it)) {
		size_t parts = locate_common_parts(it->name, s->path);

		if (it->local || it->kind != ITEM_ELF || parts <= most)
			continue;
		tried++;
		if (!is_image(s, it))
			continue;
		most = parts;
		best = it;
	}
	return best;
}

/* Returns how useful a debug file is, from 1 to WORTH_MOST, or 0 for other files. */
static int worth(const struct elf *e)
{
	return 2 * e->has_dwarf + e->has_symtab;
}

/*
 * Returns the most useful file with the build-id, or NULL.  If code is true, the file must
 * contain code.  Otherwise it must contain names or DWARF.
 */
static struct item *find_by_id(struct search *s, bool code, bool all)
{
	struct item *it = locate_id(s->l, s->id, all), *best = NULL;
	int most = -1;

	for (int tried = 0; it && tried < SAME_ID;
	     tried++, it = locate_next_id(s->l, it)) {
		const struct elf *e = locate_elf(s->l, it);

		if (!e || (code ? e->bare : !worth(e)) || worth(e) <= most ||
		    !elf_same_id(e->build_id, s->id))
			continue;
		most = worth(e);
		best = it;
	}
	return best;
}

/* Returns the image with the id that the profile has instead of a build-id, or NULL. */
static struct item *find_by_other(struct search *s)
{
	for (size_t i = 0; s->other.n && i < s->l->n; i++) {
		struct item *it = &s->l->item[i];
		const struct elf *e =
		        it->kind == ITEM_ELF && !it->local ? locate_elf(s->l, it) : NULL;

		if (e && !e->bare && identity_has(e, s->other))
			return it;
	}
	return NULL;
}

/*
 * Returns true if the debug file belongs to the image.  Compares the build-ids.  Without
 * build-ids, compares the checksum in .gnu_debuglink.
 */
static bool belongs(struct search *s, struct item *it, const struct elf *e,
                    const struct elf *image)
{
	if (e->build_id.n || !image || !image->debug_link.n) {
		if (elf_same_id(e->build_id, s->id))
			return true;
		refuse(s, it, "its build-id differs from that of its program");
		return false;
	}
	if (!str_eq(str_base(it->name), str_base(image->debug_link)))
		return false;
	if (decompress_crc32(e->bytes) == image->debug_crc)
		return true;
	refuse(s, it, "its checksum differs from .gnu_debuglink of its program");
	return false;
}

struct debug_choice {
	struct item *best;
	int most;
};

static void consider(struct search *s, struct debug_choice *c, struct item *it,
                     const struct elf *image)
{
	const struct elf *e = it && it->kind == ITEM_ELF ? locate_elf(s->l, it) : NULL;

	if (it && !e && it->why)
		refuse(s, it, it->why);
	if (!e || e == image || worth(e) <= c->most || !belongs(s, it, e, image))
		return;
	c->best = it;
	c->most = worth(e);
}

static void consider_called(struct search *s, struct debug_choice *c, struct str name,
                            const struct elf *image)
{
	struct item *it = name.n ? locate_base(s->l, name) : NULL;

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(s->l, it))
		if (!it->local)
			consider(s, c, it, image);
}

/* Considers a debug file.  Skips a file of another build without reporting it. */
static void consider_same_id(struct search *s, struct debug_choice *c, struct item *it,
                             const struct elf *image)
{
	const struct elf *e = it && it->kind == ITEM_ELF ? locate_elf(s->l, it) : NULL;

	if (e && elf_same_id(e->build_id, s->id))
		consider(s, c, it, image);
}

/*
 * Considers files of this machine: installed debug files, the mapped file, and the caches of
 * debuginfod and perf.  perf's cache contains copies of files from the time of the recording.
 */
static void consider_host(struct search *s, struct debug_choice *c,
                          const struct elf *image)
{
	const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
	const char *debuginfod = getenv("DEBUGINFOD_CACHE_PATH");
	struct str id = arena_hex(s->run, str_head(s->id, ID_MOST)),
	           tail = str_from(id, 2);
	struct str link = image ? image->debug_link : (struct str){ 0 };
	struct str folder = str_dir(s->path);
	struct str at[HOST_PLACES];
	size_t n = 0;

	if (s->l->host == HOST_NEVER || id.n < 4)
		return;
	at[n++] = arena_fmt(s->run, "/usr/lib/debug/.build-id/%.2s/" PRSTR ".debug", id.p,
	                    STRARG(tail));
	at[n++] = arena_fmt(s->run, "/usr/lib/debug" PRSTR ".debug", STRARG(s->path));
	if (link.n) {
		at[n++] = arena_fmt(s->run, PRSTR PRSTR, STRARG(folder), STRARG(link));
		at[n++] = arena_fmt(s->run, PRSTR ".debug/" PRSTR, STRARG(folder),
		                    STRARG(link));
	}
	at[n++] = arena_fmt(s->run, PRSTR ".dbg", STRARG(s->path));
	if (debuginfod)
		at[n++] = arena_fmt(s->run, "%s/" PRSTR "/debuginfo", debuginfod,
		                    STRARG(id));
	else if (cache || home)
		at[n++] = arena_fmt(s->run, "%s%s/debuginfod_client/" PRSTR "/debuginfo",
		                    cache ? cache : home, cache ? "" : "/.cache",
		                    STRARG(id));
	consider_same_id(s, c, host_find_mapped(s->l, s->m), image);
	for (int debug = 0; home && debug < 2; debug++)
		at[n++] = arena_fmt(s->run, "%s/.debug/.build-id/%.2s/" PRSTR "/%s", home,
		                    id.p, STRARG(tail), debug ? "debug" : "elf");
	for (size_t i = 0; i < n && c->most < WORTH_MOST; i++)
		consider(s, c, host_find(s->l, at[i]), image);
}

/* Finds a debug file that has the symbols and lines that the image lacks. */
static struct item *find_debug(struct search *s, const struct elf *image)
{
	struct str base = str_base(s->path);
	struct debug_choice c = { NULL, image ? worth(image) : 0 };
	const struct str names[] = {
		image ? str_base(image->debug_link) : (struct str){ 0 },
		arena_fmt(s->run, PRSTR ".debug", STRARG(base)),
		arena_fmt(s->run, PRSTR ".dbg", STRARG(base)),
		base,
	};
	struct item *it = locate_id(s->l, s->id, false);
	int tried = 0;

	for (; it && tried < SAME_ID; tried++, it = locate_next_id(s->l, it))
		consider(s, &c, it, image);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		consider_called(s, &c, names[i], image);
	if (c.most < WORTH_MOST)
		consider_host(s, &c, image);
	/*
	 * As a last resort, compares the build-ids of all files.  If there is no image,
	 * the caller does this for the image and the debug file.
	 */
	for (it = c.most == WORTH_MOST || !image ? NULL : locate_id(s->l, s->id, true),
	    tried = 0;
	     it && tried < SAME_ID; tried++, it = locate_next_id(s->l, it))
		consider(s, &c, it, image);
	return c.best;
}

/* Compares this machine's file at the path of m with the mapped file, which has no build-id. */
static enum host_likeness compare_host(struct search *s)
{
	const struct host_file f = host_file_of(s->l, s->m);
	const char *why = s->l->elsewhere;
	enum host_likeness like = HOST_OTHER;
	struct item *it;

	if (str_eq(s->path, STR("[vdso]")))
		return s->l->recorded_here ? HOST_SAME : HOST_OTHER;
	if (str_starts(s->path, STR("/")))
		like = host_compare(s->l, s->m, &why);
	s->out->unsure = why;
	it = like == HOST_OTHER ? host_mention(s->l, &f) : NULL;
	if (it)
		refuse(s, it, why);
	return like;
}

/* Finds the image on this machine, at its path or in perf's cache of build-ids. */
static struct item *host_image(struct search *s)
{
	const char *home = getenv("HOME");
	struct str id = arena_hex(s->run, str_head(s->id, ID_MOST));
	struct item *it;

	if (!s->id.n && !s->other.n && s->l->host == HOST_SAME_ID) {
		s->like = compare_host(s);
		if (s->like == HOST_OTHER)
			return NULL;
	}
	it = host_find_mapped(s->l, s->m);
	if (it && is_image(s, it))
		return it;
	if (!home || id.n < 4 || s->l->host == HOST_NEVER)
		return NULL;
	it = host_find(s->l, arena_fmt(s->run, "%s/.debug/.build-id/%.2s/%s/%s", home,
	                               id.p, id.p + 2,
	                               str_eq(s->path, STR("[vdso]")) ? "vdso" : "elf"));
	return it && is_image(s, it) ? it : NULL;
}

/* Finds the file of dwz, which contains debug data that several files share. */
static void find_alt(struct search *s, const struct elf *e)
{
	struct item *it;

	if (!e || !e->alt_link.n)
		return;
	it = locate_id(s->l, e->alt_id, false);
	for (int tried = 0; it && tried < SAME_ID && !s->out->alt; tried++) {
		const struct elf *alt = locate_elf(s->l, it);

		if (alt && elf_same_id(alt->build_id, e->alt_id))
			s->out->alt = it;
		it = locate_next_id(s->l, it);
	}
	it = locate_base(s->l, e->alt_link);
	for (int tried = 0; it && tried < SAME_NAME && !s->out->alt; tried++) {
		const struct elf *alt =
		        it->kind == ITEM_ELF ? locate_elf(s->l, it) : NULL;

		if (alt && elf_same_id(alt->build_id, e->alt_id))
			s->out->alt = it;
		it = locate_next(s->l, it);
	}
	if (!s->out->alt) {
		s->out->no_alt = e->alt_link;
		s->out->no_alt_id = e->alt_id;
	}
}

static const struct elf *read(struct search *s, struct item *it)
{
	return it ? locate_elf(s->l, it) : NULL;
}

bool native_files_find(struct locator *l, const struct mapping *m, struct arena *run,
                       struct native_files *out)
{
	struct search s = { .l = l,
		            .m = m,
		            .path = intern_str(l->names, m->path),
		            .id = m->build_id,
		            .other = intern_str(l->names, m->other_id),
		            .run = run,
		            .out = out };
	const struct elf *e;

	*out = (struct native_files){ .how = s.id.n || s.other.n ? VERIFIED_ID
		                                                 : VERIFIED_PATH };
	out->image = find_by_id(&s, true, false);
	if (!out->image)
		out->image = image_called(&s);
	if (!out->image)
		out->image = find_by_other(&s);
	if (!out->image) {
		out->image = host_image(&s);
		if (out->image && !s.id.n && !s.other.n && l->host == HOST_SAME_ID)
			out->how = s.like == HOST_SAME ? VERIFIED_INODE : VERIFIED_CODE;
	}
	e = read(&s, out->image);
	if (e)
		s.id = e->build_id;
	if (!e || worth(e) < WORTH_MOST)
		out->debug = find_debug(&s, e);
	/*
	 * No image has the right name, so the program may have been renamed.  Compares
	 * the build-ids of all files.
	 */
	if (!out->image && (!out->debug || !read(&s, out->debug)->bare)) {
		out->image = find_by_id(&s, true, true);
		e = read(&s, out->image);
		if (!e || worth(e) < WORTH_MOST)
			out->debug = find_by_id(&s, false, true);
		if (out->debug == out->image || (e && worth(e) >= WORTH_MOST))
			out->debug = NULL;
	}
	if (!out->image && !out->debug) {
		out->how = VERIFIED_NOT;
		return false;
	}
	find_alt(&s, out->debug ? read(&s, out->debug) : e);
	return true;
}

struct str native_files_module(struct locator *l, const struct mapping *m,
                               struct arena *run)
{
	struct str path = intern_str(l->names, m->path), none = { 0 };
	struct str base = str_base(intern_str(l->names, m->file));
	size_t end = str_search(base, STR(".ko"));

	if (str_eq(path, STR("[kernel]")) || str_has(path, STR("kernel.")))
		return none;
	if (path.n > 2 && path.p[0] == '[' && path.p[path.n - 1] == ']')
		return (struct str){ path.p + 1, path.n - 2 };
	if (end == base.n || !end)
		return none;
	base = arena_str(run, str_head(base, end));
	for (size_t i = 0; i < base.n; i++)
		if (base.p[i] == '-')
			((char *)(uintptr_t)base.p)[i] = '_';
	return base;
}

/* Returns "xfs.ko" for "[xfs]", and "vmlinux" for the kernel itself. */
static struct str kernel_file(struct search *s)
{
	struct str module = native_files_module(s->l, s->m, s->run);

	return module.n ? arena_fmt(s->run, PRSTR ".ko", STRARG(module)) : STR("vmlinux");
}

/*
 * Considers a file with the right build-id.  Keeps the best file with code, and the best one
 * without code.
 */
static void consider_kernel(struct search *s, struct item *it)
{
	const struct elf *e =
	        it->kind == ITEM_ELF && !it->local ? locate_elf(s->l, it) : NULL;
	struct item **best = e && e->bare ? &s->out->debug : &s->out->image;

	if (!e)
		return;
	if (!elf_same_id(e->build_id, s->id))
		refuse(s, it, "its build-id differs from the recorded one");
	else if (!*best || worth(e) > worth(read(s, *best)))
		*best = it;
}

static char plain(char c)
{
	return c == '-' ? '_' : c;
}

/*
 * Returns true if a file name belongs to the module.  "camellia_x86_64.ko" may be in
 * camellia-x86_64.ko.xz, or in a file that ends in .debug.
 */
static bool is_called(struct str file, struct str name)
{
	static const char *const suffix[] = { "", ".xz", ".zst", ".gz", ".debug" };

	for (size_t i = 0; i < name.n; i++)
		if (i >= file.n || plain(file.p[i]) != plain(name.p[i]))
			return false;
	return STR_ANY(str_from(file, name.n), str_eq, suffix);
}

bool native_files_find_kernel(struct locator *l, const struct mapping *m,
                              struct arena *run, struct native_files *out)
{
	struct search s = { .l = l,
		            .m = m,
		            .path = intern_str(l->names, m->path),
		            .id = m->build_id,
		            .run = run,
		            .out = out };
	struct str name = kernel_file(&s);
	struct item *it = locate_id(l, s.id, false);

	*out = (struct native_files){ .how = VERIFIED_ID };
	if (!m->build_id.n)
		return false;
	for (int tried = 0; it && tried < SAME_ID; tried++, it = locate_next_id(l, it))
		consider_kernel(&s, it);
	for (size_t i = 0, tried = 0; i < l->n && tried < SAME_NAME; i++)
		if (l->item[i].kind == ITEM_ELF &&
		    is_called(str_base(l->item[i].name), name)) {
			consider_kernel(&s, &l->item[i]);
			tried++;
		}
	if (!out->image && !out->debug) {
		out->image = find_by_id(&s, true, true);
		out->debug = find_by_id(&s, false, true);
	}
	if (out->image && out->debug &&
	    worth(read(&s, out->debug)) <= worth(read(&s, out->image)))
		out->debug = NULL;
	return out->image || out->debug;
}
