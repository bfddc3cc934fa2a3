#include "collect/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collect/code_files.h"
#include "collect/runtime.h"
#include "collect/work_file.h"

enum { VDSO_MOST = 1 << 20, LISTS_MOST = 1 << 20 };

static bool packed(struct gather *g, struct str name, enum pack_result result)
{
	if (result == PACK_FULL && !g->full)
		diag_damage(g->diag,
		            PRSTR ": left out, as is every later file that does not fit: "
		                  "the archive has reached its limit (-S)",
		            STRARG(name));
	g->full |= result == PACK_FULL;
	return result == PACK_DONE;
}

bool gather_file(struct gather *g, struct str name, int fd, uint64_t n, bool free)
{
	return packed(g, name, pack_file(g->pack, name, fd, n, free));
}

static bool put_bytes(struct gather *g, struct str name, struct str bytes)
{
	return bytes.n && packed(g, name, pack_bytes(g->pack, name, bytes));
}

/*
 * Reports why a file is truncated or cannot be packed.  Does not report a file that does not
 * exist.  Returns true if there are bytes to pack.
 */
static bool check_end(struct gather *g, struct str name, const struct opener_file *file)
{
	struct diag *d = g->diag;

	switch (file->end) {
	case OPENER_TAKEN:
		return true;
	case OPENER_GREW:
		diag_damage(d, PRSTR ": cut at %llu MB, because it grew (-s)",
		            STRARG(name), (unsigned long long)g->limit >> 20);
		return true;
	case OPENER_SHRANK:
		diag_damage(
		        d, PRSTR ": shrank during reading; %llu of %llu bytes are packed",
		        STRARG(name), (unsigned long long)file->n,
		        (unsigned long long)file->size);
		return true;
	case OPENER_LARGE:
		diag_damage(d, PRSTR ": left out: %llu MB (-s %llu)", STRARG(name),
		            (unsigned long long)file->size >> 20,
		            (unsigned long long)g->limit >> 20);
		return false;
	case OPENER_STALLED:
		diag_damage(d, PRSTR ": left out: it could not be read in time",
		            STRARG(name));
		return false;
	case OPENER_DIED:
		diag_damage(d, PRSTR ": left out: its reading process ended",
		            STRARG(name));
		return false;
	case OPENER_NO_ROOM:
		diag_damage(d, PRSTR ": left out: no space in TMPDIR: %s", STRARG(name),
		            strerror(file->error));
		return false;
	case OPENER_SPENT:
		diag_damage(d,
		            "%d: the files starting with " PRSTR
		            " are left out: earlier files could not be read in time",
		            g->target->pid, STRARG(name));
		g->stuck = true;
		return false;
	case OPENER_NO_RIGHTS:
		diag_damage(d,
		            "%d: its files are left out: its rights cannot be taken: %s; "
		            "offbox-collect needs CAP_SETUID and CAP_SETGID",
		            g->target->pid, strerror(file->error));
		g->stuck = true;
		return false;
	default:
		return false;
	}
}

/*
 * Returns true for results that are not reported, because the file may exist under another path.
 */
static bool is_absent(enum opener_end end)
{
	return end == OPENER_ERROR || end == OPENER_IRREGULAR;
}

static struct opener_file take(struct gather *g, enum opener_verb verb, struct str path,
                               int fd)
{
	struct opener_request what = { .verb = verb, .limit = g->limit };

	if (g->stuck || path.n >= sizeof(what.path))
		return (struct opener_file){ .end = OPENER_ERROR, .error = ENAMETOOLONG };
	if (path.n)
		memcpy(what.path, path.p, path.n);
	return opener_take(&g->target->opener, &what, fd, g->work);
}

/* Packs a file if it exists.  Returns true if it was packed. */
static bool take_path(struct gather *g, struct str path, struct str name)
{
	struct opener_file file;

	if (pack_holds(g->pack, name))
		return true;
	file = take(g, OPENER_PATH, path, -1);
	return check_end(g, name, &file) && gather_file(g, name, g->work, file.n, false);
}

/* Returns the names in a directory that have the given prefix and suffix. */
static struct str list(struct gather *g, struct str dir, const char *prefix,
                       struct str suffix)
{
	struct opener_request what = { .verb = OPENER_LIST, .limit = LISTS_MOST };
	struct opener_file file;

	if (g->stuck || dir.n >= sizeof(what.path) ||
	    strlen(prefix) >= sizeof(what.prefix) || suffix.n >= sizeof(what.suffix))
		return (struct str){ 0 };
	memcpy(what.path, dir.p, dir.n);
	memcpy(what.prefix, prefix, strlen(prefix));
	memcpy(what.suffix, suffix.p, suffix.n);
	file = opener_take(&g->target->opener, &what, -1, g->work);
	if (file.end == OPENER_GREW)
		diag_damage(g->diag, PRSTR ": only the first %d names are searched",
		            STRARG(dir), OPENER_NAMES);
	else if (!check_end(g, dir, &file))
		return (struct str){ 0 };
	return work_file_bytes(g->work, LISTS_MOST, &g->scratch);
}

static struct str join(struct gather *g, struct str dir, struct str name)
{
	return arena_fmt(&g->scratch, PRSTR "/" PRSTR, STRARG(dir), STRARG(name));
}

/* Counts a packed perf map or jitdump, and the lines of a perf map. */
static void count_lines(struct gather *g, struct str name, int fd)
{
	arena_scope(memory);
	bool map = str_starts(str_base(name), STR("perf-"));
	struct str text;

	g->maps += map || code_files_is_jitdump(name);
	if (!map)
		return;
	text = work_file_bytes(fd, g->limit, &memory);
	while (text.n)
		g->lines += str_cut(&text, '\n').n != 0;
}

static void take_map(struct gather *g, struct str dir, struct str to, struct str name)
{
	struct str member = join(g, to, name);

	if (!pack_holds(g->pack, member) && take_path(g, join(g, dir, name), member))
		count_lines(g, member, g->work);
}

/* Returns the directory in the archive that receives the perf maps of directory `dir`. */
static struct str map_folder(struct gather *g, struct str dir)
{
	return arena_fmt(&g->scratch, "tmp-%d" PRSTR, g->target->pid,
	                 STRARG(str_eq(dir, STR("/tmp")) ? STR("") : dir));
}

static void put_asked(struct gather *g, const struct ask *asked)
{
	for (size_t i = 0; i < asked->n; i++) {
		const struct ask_file *file = &asked->file[i];
		struct str base = str_base(file->path),
		           dir = str_head(file->path, file->path.n - base.n - 1),
		           member = join(g, map_folder(g, dir), base);

		if (code_files_is_plain(file->path) && check_end(g, member, &file->got) &&
		    gather_file(g, member, file->fd, file->got.n, false))
			count_lines(g, member, file->fd);
	}
}

/*
 * Packs the perf maps in a directory.  Kernels before 4.1 do not report the pid in the namespace
 * of the process.  On these kernels, all maps are packed, and psym later finds the right one.
 */
static void take_folder(struct gather *g, struct str dir)
{
	static const char *const kinds[][2] = { { "perf-", ".map" },
		                                { "perfinfo-", ".map" },
		                                { "jit-", ".dump" } };
	struct str to = map_folder(g, dir);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct str suffix = str_of(kinds[i][1]), names;

		if (g->target->own >= 0) {
			take_map(g, dir, to,
			         arena_fmt(&g->scratch, "%s%d" PRSTR, kinds[i][0],
			                   g->target->own, STRARG(suffix)));
			continue;
		}
		names = list(g, dir, kinds[i][0], suffix);
		while (names.n)
			take_map(g, dir, to, str_cut(&names, '\0'));
	}
}

static void take_maps(struct gather *g, const struct ask *asked)
{
	const struct target *t = g->target;
	struct str folder[RUNTIME_FOLDERS], advice;
	size_t n = runtime_folders(t->variables, folder);

	put_asked(g, asked);
	for (size_t i = 0; i < n; i++)
		if (code_files_is_plain(folder[i]))
			take_folder(g, folder[i]);
	if (g->maps || asked->failed || asked->n)
		return;
	advice = runtime_advice(t->pid, t->variables, t->maps, &g->scratch);
	if (runtime_needs_map(t->variables, t->maps))
		diag_damage(g->diag, PRSTR, STRARG(advice));
	else if (advice.n)
		diag_note(g->diag, PRSTR, STRARG(advice));
	arena_release(&g->scratch);
}

/*
 * Packs the PDB of an assembly or of a single-file program.  The program's name has no extension.
 */
static void take_pdb(struct gather *g, struct str name, struct str dir, struct str to)
{
	bool assembly = str_ends(name, STR(".dll")) || str_ends(name, STR(".exe"));

	if (!g->pdbs || runtime_kind(g->target->maps) != RUNTIME_DOTNET ||
	    (!assembly && str_find(name, '.') < name.n))
		return;
	name.n -= assembly ? 4 : 0;
	take_path(g,
	          arena_fmt(&g->scratch, PRSTR PRSTR ".pdb", STRARG(dir), STRARG(name)),
	          arena_fmt(&g->scratch, PRSTR PRSTR ".pdb", STRARG(to), STRARG(name)));
}

/* Packs a file's debug files, its PDB, and the maps of its precompiled code. */
static void take_beside(struct gather *g, struct str path, struct str member)
{
	static const char *const folders[] = { "", ".debug/" };
	struct str name = str_base(path), dir = str_dir(path), to = str_dir(member),
	           names;

	for (size_t i = 0; i < 4; i++) {
		const char *folder = folders[i / 2];
		const char *suffix = i == 0 ? ".dbg" : i == 2 ? "" : ".debug";

		take_path(g,
		          arena_fmt(&g->scratch, PRSTR "%s" PRSTR "%s", STRARG(dir),
		                    folder, STRARG(name), suffix),
		          arena_fmt(&g->scratch, PRSTR "%s" PRSTR "%s", STRARG(to),
		                    folder, STRARG(name), suffix));
	}
	take_pdb(g, name, dir, to);
	if (!str_ends(name, STR(".dll")))
		return;
	dir.n -= dir.n > 1;
	to.n--;
	names = list(
	        g, dir,
	        arena_fmt(&g->scratch, PRSTR ".ni.", STRARG(str_head(name, name.n - 4)))
	                .p,
	        STR("map"));
	while (names.n) {
		struct str map = str_cut(&names, '\0');

		take_path(g, join(g, dir, map), join(g, to, map));
	}
}

/*
 * Packs the mapped file if the kernel allows access to it.  Otherwise packs the file that now has
 * the path.
 */
static void take_file(struct gather *g, const struct code_file *code, struct str member)
{
	int fd = target_mapped(g->target, code->start, code->end);
	struct opener_file file = { .end = OPENER_ERROR, .error = ENOENT };
	struct str path = code->path;

	if (fd >= 0) {
		file = take(g, OPENER_AGAIN, (struct str){ 0 }, fd);
		close(fd);
	}
	if (is_absent(file.end) && !code->deleted)
		file = take(g, OPENER_PATH, path, -1);
	if (g->stuck)
		return;
	if (is_absent(file.end))
		diag_damage(g->diag, PRSTR "%s: left out: %s", STRARG(path),
		            code->deleted ? " (deleted)" : "",
		            file.end == OPENER_IRREGULAR ? "not a regular file"
		            : file.error == EACCES       ? "the process may not read it"
		                                         : strerror(file.error));
	else if (check_end(g, member, &file))
		gather_file(g, member, g->work, file.n, false);
}

/* Packs the wanted files, and adds their number to *wanted.  Returns how many were packed. */
static size_t take_files(struct gather *g, const struct code_files *files, size_t *wanted)
{
	size_t got = 0;

	for (size_t i = 0; i < files->n && !g->pack->failed; i++) {
		const struct code_file *code = &files->file[i];
		struct str member;

		if (!code->wanted)
			continue;
		++*wanted;
		if (!code_files_is_plain(code->path)) {
			diag_damage(g->diag,
			            PRSTR
			            ": left out: an archive cannot contain this path",
			            STRARG(code->path));
			continue;
		}
		if (code_files_is_jitdump(code->path))
			member = arena_fmt(&g->scratch, "tmp-%d/" PRSTR, g->target->pid,
			                   STRARG(str_base(code->path)));
		else
			member = arena_fmt(&g->scratch, "root-%d" PRSTR, g->target->pid,
			                   STRARG(code->path));
		if (!pack_holds(g->pack, member)) {
			take_file(g, code, member);
			take_beside(g, code->path, member);
		}
		got += pack_holds(g->pack, member);
		arena_release(&g->scratch);
	}
	return got;
}

static void take_vdso(struct gather *g, const struct code_files *files)
{
	struct opener_request what = { .verb = OPENER_AS_IS,
		                       .offset = files->vdso,
		                       .limit = files->vdso_end - files->vdso };
	struct opener_file file;
	int fd;

	if (!files->vdso || what.limit > VDSO_MOST || g->stuck)
		return;
	fd = target_memory(g->target);
	if (fd < 0)
		return;
	file = opener_take(&g->target->opener, &what, fd, g->work);
	close(fd);
	if (file.end == OPENER_TAKEN && file.n == what.limit)
		gather_file(g, arena_fmt(&g->scratch, "vdso-%d.so", g->target->pid),
		            g->work, file.n, false);
}

void gather_process(struct gather *g, struct target *t, const struct ask *asked)
{
	struct code_files files;
	size_t wanted = 0, got;

	g->target = t;
	g->stuck = false;
	g->maps = g->lines = 0;
	put_bytes(g, arena_fmt(g->run, "proc/%d/maps", t->pid), t->maps);
	put_bytes(g, arena_fmt(g->run, "proc/%d/status", t->pid), t->status);
	if (t->cut)
		diag_damage(g->diag, "%d: its list of mappings is too long and was cut",
		            t->pid);
	code_files_read(&files, t->maps, g->run);
	take_maps(g, asked);
	got = take_files(g, &files, &wanted);
	take_vdso(g, &files);
	opener_stop(&t->opener);
	diag_note(g->diag,
	          "%d: %zu of %zu mapped files with code, %zu lines of perf maps", t->pid,
	          got, wanted, g->lines);
}

/* Reads a file in /proc or /sys.  Such files do not report their size. */
static struct str read_kernel(struct gather *g, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct str s = { 0 };

	if (fd < 0)
		return s;
	if (ftruncate(g->work, 0) == 0 && lseek(g->work, 0, SEEK_SET) == 0 &&
	    work_file_copy(fd, g->work) == 0)
		s = work_file_bytes(g->work, UINT32_MAX, g->run);
	close(fd);
	return s;
}

/* Returns false if all addresses are 0, because this user may not see them. */
static bool has_addresses(struct str kallsyms)
{
	while (kallsyms.n) {
		struct str line = str_cut(&kallsyms, '\n');
		uint64_t address;

		if (str_take_hex(&line, &address) && address)
			return true;
	}
	return false;
}

bool gather_kernel(struct gather *g)
{
	struct str kallsyms = read_kernel(g, "/proc/kallsyms");
	bool named = has_addresses(kallsyms);
	struct utsname name;

	if (uname(&name) == 0)
		put_bytes(g, STR("uname.txt"),
		          arena_fmt(g->run, "%s %s %s %s %s GNU/Linux\n", name.sysname,
		                    name.nodename, name.release, name.version,
		                    name.machine));
	put_bytes(g, STR("proc/modules"), read_kernel(g, "/proc/modules"));
	if (named)
		put_bytes(g, STR("proc/kallsyms"), kallsyms);
	put_bytes(g, STR("proc/kernel.notes"), read_kernel(g, "/sys/kernel/notes"));
	return named;
}
