/*
 * An entry:
 *
 * 	number of symbols
 * 	start  end  base  position of its name  bytes of the name   (each)
 * 	names that are not in the files
 *
 * Most names are not copied.  The top bits of a position are the index of a file, and the lower
 * bits are the offset of the name in this file.  If the index is n, the number of files, the
 * name is in the entry itself.
 */
#include "image/elf/elf_cache.h"

#include "base/buffer.h"
#include "cache/order.h"

enum {
	FIELDS = 5,
	FILE_BIT = 56, /* lowest bit of the file's index in a position */
	FEWEST = 512,  /* a file with fewer symbols can be read as fast as the cache */
	LONGEST = 16 << 20, /* limit of a name in bytes */
};

/* Returns the bytes that contain the names of a file, or of the entry itself. */
static struct str file_bytes(const struct elf *const *e, size_t n, size_t file,
                             struct str own)
{
	if (file < n)
		return e[file]->bytes;
	return file == n ? own : (struct str){ 0 };
}

static bool read_symbol(const uint64_t *field, const struct elf *const *e, size_t n,
                        struct str own, struct symbol *out)
{
	uint64_t off = field[3] & (((uint64_t)1 << FILE_BIT) - 1), bytes = field[4];
	struct str in = file_bytes(e, n, field[3] >> FILE_BIT, own);

	if (field[1] <= field[0] || bytes > LONGEST || off > in.n || bytes > in.n - off)
		return false;
	*out = (struct symbol){ field[0], field[1], field[2], { in.p + off, bytes } };
	return true;
}

bool elf_cache_read(struct str entry, const struct elf *const *e, size_t n,
                    struct symtab *t, struct arena *a)
{
	struct symtab got = { .sorted = true };
	uint64_t field[FIELDS], symbols;
	struct str own;

	if (entry.n < sizeof(symbols))
		return false;
	memcpy(&symbols, entry.p, sizeof(symbols));
	entry = str_from(entry, sizeof(symbols));
	if (symbols > entry.n / sizeof(field))
		return false;
	own = arena_str(a, str_from(entry, symbols * sizeof(field)));
	got.sym = arena_alloc_dense(a, symbols + 1, sizeof(*got.sym));
	for (; got.n < symbols; got.n++) {
		memcpy(field, entry.p + got.n * sizeof(field), sizeof(field));
		if (!read_symbol(field, e, n, own, &got.sym[got.n]))
			return false;
		if (got.n && got.sym[got.n - 1].end > got.sym[got.n].start)
			return false;
	}
	got.cap = symbols + 1;
	*t = got;
	return true;
}

bool elf_cache_load(struct cache *c, const struct cache_name *name,
                    const struct elf *const *e, size_t n, struct symtab *t,
                    struct arena *a)
{
	struct cache_entry found;
	bool good;

	if (!cache_load(c, name, &found))
		return false;
	good = elf_cache_read(found.front, e, n, t, a);
	cache_unload(&found);
	return good;
}

static uint64_t place(const struct symbol *s, const struct elf *const *e, size_t n,
                      struct buffer *own)
{
	uintptr_t at = (uintptr_t)s->name.p;

	for (size_t i = 0; i < n; i++) {
		uintptr_t begin = (uintptr_t)e[i]->bytes.p;

		if (at >= begin && at - begin < e[i]->bytes.n)
			return (at - begin) | (uint64_t)i << FILE_BIT;
	}
	buffer_put(own, s->name);
	return (own->n - s->name.n) | (uint64_t)n << FILE_BIT;
}

struct str elf_cache_write(const struct symtab *t, const struct elf *const *e, size_t n,
                           struct arena *a)
{
	arena_scope(scratch);
	/* names that are copied because the files do not contain them */
	struct buffer own = { .arena = &scratch };
	uint64_t symbols = t->n;
	size_t bytes = sizeof(symbols) + t->n * FIELDS * sizeof(uint64_t);
	uint64_t *to = arena_new(&scratch, uint64_t, 1 + t->n * FIELDS);
	char *out;

	*to++ = symbols;
	for (size_t i = 0; i < t->n; i++, to += FIELDS) {
		const struct symbol *s = &t->sym[i];

		to[0] = s->start;
		to[1] = s->end;
		to[2] = s->base;
		to[3] = place(s, e, n, &own);
		to[4] = s->name.n;
	}
	out = arena_alloc(a, bytes + own.n, 1);
	memcpy(out, to - 1 - t->n * FIELDS, bytes);
	if (own.n)
		memcpy(out + bytes, own.p, own.n);
	return (struct str){ out, bytes + own.n };
}

bool elf_cache_store(struct cache *c, const struct cache_name *name,
                     const struct elf *const *e, size_t n, const struct symtab *t)
{
	arena_scope(scratch);

	if (!cache_is_open(c) || t->n < FEWEST)
		return false;
	if (order_is_needed(c, name->kind))
		return true;
	cache_store(c, name, elf_cache_write(t, e, n, &scratch));
	return false;
}
