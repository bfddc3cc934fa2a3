#include "image/source/source_files.h"

enum {
	TEXT_MAX = 64 << 20,      /* limit of a source file in bytes */
	EMBEDDED_MAX = 512 << 20, /* limit in bytes of all texts from PDBs */
	/* number of paths that are kept in memory during a search for a document */
	PATHS_KEPT = 1024,
};

void source_files_init(struct source_files *s, struct arena *arena)
{
	*s = (struct source_files){ .arena = arena,
		                    .paths = s->paths,
		                    .silent = { .quiet = true } };
	intern_init(&s->names, arena);
}

static enum source_look any(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

/* Returns the bytes of a file of this machine, or an empty string. */
static struct str read_file(struct source_files *s, struct str path)
{
	const struct source_opts opts = {
		.look = any, .plain = true, .run = s->arena, .diag = &s->silent
	};
	struct source *file = source_open(arena_str(s->arena, path).p, &opts);

	if (!file)
		return (struct str){ 0 };
	*arena_push(s->arena, s->opened, s->nopened, s->opened_cap) = file;
	return source_map(file, 0);
}

/*
 * Returns the bytes of a file in a directory that the command line names.  Chooses the file whose
 * path shares the most final components with `path`.
 */
static struct str find_member(struct source_files *s, struct locator *l, struct str path)
{
	const struct item *best = NULL;
	size_t most = 0, n = 0;

	path = source_path_slashes(path, s->arena);
	for (const struct item *it = locate_base(l, path); it; it = locate_next(l, it)) {
		size_t common = locate_common_parts(it->name, path);

		if (!it->source || it->source->kind != SOURCE_DIR || it->own)
			continue;
		n++;
		if (common > most)
			best = it;
		most = common > most ? common : most;
	}
	if (!best || (n > 1 && most < 2))
		return (struct str){ 0 };
	return source_map(best->source, best->member);
}

/*
 * Returns the text of the document with that path, or an empty string if the PDB does not contain
 * it.
 */
static struct str find_document(const struct ppdb *p, struct str path, struct arena *a)
{
	struct arena scratch = { 0 };
	struct str text = { 0 };

	for (uint32_t i = 1; i <= p->md.table[MD_DOCUMENT].n && !text.n; i++) {
		if (str_eq(ppdb_path(p, i, &scratch), path))
			text = ppdb_text(p, i, a);
		if (i % PATHS_KEPT == 0)
			arena_release(&scratch);
	}
	arena_release(&scratch);
	return text;
}

/* Searches the PDBs from which lines were read for the text of the source file. */
static struct str find_embedded(struct source_files *s, const struct locator *l,
                                struct str path)
{
	struct str text = { 0 };

	for (size_t i = 0; i < l->n && !text.n && s->embedded < EMBEDDED_MAX; i++) {
		const struct item *it = &l->item[i];

		if (it->pdb && (it->placed || it->kind == ITEM_PE))
			text = find_document(it->pdb, path, s->arena);
	}
	s->embedded += text.n;
	return text;
}

static void index_lines(struct source_files *s, struct source_text *t)
{
	size_t n = 1, at = 0;

	if (!t->bytes.n || t->bytes.n > TEXT_MAX)
		return;
	for (struct str rest = t->bytes; rest.n; n++)
		rest = str_from(rest, str_find(rest, '\n') + 1);
	t->begin = arena_new(s->arena, uint32_t, n + 1);
	for (; at < t->bytes.n; t->n++) {
		t->begin[t->n] = (uint32_t)at;
		at += str_find(str_from(t->bytes, at), '\n') + 1;
	}
	t->begin[t->n] = (uint32_t)t->bytes.n;
}

const struct source_text *source_files_find(struct source_files *s, struct locator *l,
                                            struct str path)
{
	str_id name = intern(&s->names, path);
	struct source_text *t;
	struct str to;

	arena_fit(s->arena, s->text, name + 1u, s->cap);
	t = &s->text[name];
	if (t->tried)
		return t;
	t->tried = true;
	to = source_path_map(&s->paths, path, s->arena);
	if (to.n)
		t->bytes = read_file(s, to);
	if (!t->bytes.n && l)
		t->bytes = find_embedded(s, l, path);
	if (!t->bytes.n && l)
		t->bytes = find_member(s, l, path);
	index_lines(s, t);
	return t;
}

struct str source_files_line(const struct source_text *t, uint32_t line)
{
	struct str text;

	if (!line || line > t->n)
		return (struct str){ 0 };
	text = str_span(t->bytes.p + t->begin[line - 1], t->bytes.p + t->begin[line]);
	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r'))
		text.n--;
	return text;
}

void source_files_close(struct source_files *s)
{
	for (size_t i = 0; i < s->nopened; i++)
		source_close(s->opened[i]);
}
