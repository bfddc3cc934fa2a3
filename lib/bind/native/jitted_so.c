#include "bind/native/jitted_so.h"

#include "bind/binder.h"
#include "bind/native/elf_calls.h"
#include "bind/native/native.h"
#include "bind/sampled.h"

enum {
	/*
	 * bytes that precede the code in a file of perf 6.1 or later: ELF header and
	 * program header of 64-bit machines
	 */
	HEADERS = 0x80,
	/* bytes that precede the code in a file of older versions of perf: ELF header */
	HEADERS_OLD = 0x40,
	/*
	 * maximum number of dumps that are tried for a pid, and of pieces that are tried
	 * for a number
	 */
	TRIED = 256,
};

/* The pieces of a dump, indexed by number. */
struct numbered {
	struct table last; /* number -> index + 1 of the last piece with this number */
	/* indexed by piece: index + 1 of the previous piece with the same number, or 0 */
	uint32_t *before;
};

/* The files that perf made from a dump. */
struct jitted_dump {
	str_id prefix; /* start of the files' paths: "/srv/app/jitted-20631-" */
	int32_t pid;
	uint32_t file;     /* index + 1 of the last jitted_so made from the dump, or 0 */
	struct item *item; /* the jitdump, or NULL */
	const struct jitdump *dump;
	struct numbered numbered;
	uint64_t headers; /* number of bytes before the code in a file, or 0 if unknown */
	/*
	 * tried: the .so files among the input files were compared.  agree: these files contain the
	 * code that ran
	 */
	bool tried, agree;
};

/* A mapping of a file that perf made from a jitdump. */
struct jitted_so {
	const struct mapping *m;
	uint64_t number;
	uint32_t next; /* index + 1 of the next file from the same dump, or 0 */
};

struct jitted_sos {
	struct jitted_dump *of;
	size_t n, cap;
	struct jitted_so *file;
	size_t nfiles, files_cap;
	struct table by_prefix;  /* prefix -> index in `of` + 1 */
	struct table by_mapping; /* mapping id -> index of the jitted_so + 1 */
};

/* Counts of sampled addresses, as evidence for a dump. */
struct suits {
	/* count of addresses in files jitted-PID-N.so whose N occurs in the dump */
	size_t all;
	/*
	 * part of `all`: run-time addresses inside a piece that has the number of the
	 * file
	 */
	size_t there;
	/* part of `all`: file offsets inside the code of a piece */
	size_t inside;
	size_t callers; /* number of return addresses that `there` does not count */
	size_t good;    /* number of return addresses that follow a call */
	size_t last;    /* number of return addresses at the last byte of a call */
};

/*
 * Splits "/srv/app/jitted-20631-681.so" into prefix "/srv/app/jitted-20631-", pid 20631 and
 * number 681.
 */
static bool split(struct str path, struct str *prefix, int32_t *pid, uint64_t *number)
{
	struct str rest;
	size_t dash = str_rfind(path, '-');
	uint64_t id;

	if (dash >= path.n || !str_ends(path, STR(".so")))
		return false;
	*prefix = str_head(path, dash + 1);
	rest = str_span(path.p + dash + 1, path.p + path.n - 3);
	if (!str_is_dec(rest, number))
		return false;
	rest = str_base(str_head(path, dash));
	if (!str_starts(rest, STR("jitted-")) || !str_is_dec(str_from(rest, 7), &id) ||
	    id > INT32_MAX)
		return false;
	*pid = (int32_t)id;
	return true;
}

static void add_file(struct binder *b, struct jitted_sos *in, const struct mapping *m)
{
	struct interner *names = b->locator->names;
	struct str prefix;
	struct jitted_dump *made;
	uint64_t number;
	uint32_t *at;
	int32_t pid;

	if (!split(intern_str(names, m->path), &prefix, &pid, &number))
		return;
	at = table_at(&in->by_prefix, b->run, intern(names, prefix), 0);
	made = table_item(
	        at, b->run, in->of, in->n, in->cap,
	        (struct jitted_dump){ .prefix = intern(names, prefix), .pid = pid });
	*arena_push(b->run, in->file, in->nfiles, in->files_cap) =
	        (struct jitted_so){ m, number, made->file };
	made->file = (uint32_t)in->nfiles;
	*table_at(&in->by_mapping, b->run, m->id, 0) = made->file;
}

static void collect(struct binder *b, struct jitted_sos *in)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);

	for (size_t i = 0; i < n; i++)
		if (maps[i]->assumed && maps[i]->kind == MAPPED_INJECTED)
			add_file(b, in, maps[i]);
}

static struct numbered number_code(const struct jitdump *d, struct arena *a)
{
	struct numbered n = { .before = arena_new(a, uint32_t, d->n) };

	for (size_t i = 0; i < d->n; i++) {
		uint32_t *at = table_at(&n.last, a, jitdump_number(d, i), 0);

		n.before[i] = *at;
		*at = (uint32_t)i + 1;
	}
	return n;
}

/* Finds the piece with number `number` that contains addr, a run-time address. */
static bool find_there(const struct jitdump *d, const struct numbered *n, uint64_t number,
                       uint64_t addr, size_t *out)
{
	uint32_t i = table_get(&n->last, number, 0);

	for (int tried = 0; i && tried < TRIED; tried++, i = n->before[i - 1])
		if (addr - d->code[i - 1].start < d->code[i - 1].size) {
			*out = i - 1;
			return true;
		}
	return false;
}

/*
 * Finds the last piece with number `number`.  perf writes all pieces with this number to one file,
 * so the file contains the last piece.
 */
static bool find_inside(const struct jitdump *d, const struct numbered *n,
                        uint64_t number, uint64_t off, size_t *out)
{
	uint32_t i = table_get(&n->last, number, 0);

	*out = i - 1;
	return i && off < d->code[i - 1].size;
}

static void count(const struct jitdump *d, const struct numbered *n, uint64_t headers,
                  const struct jitted_so *f, const struct sampled_address *at,
                  struct suits *s)
{
	uint64_t addr = sampled_byte(at->ip - f->m->bias, at->caller),
	         off = addr - headers;
	size_t i;

	s->all++;
	if (find_there(d, n, f->number, addr, &i)) {
		s->there++;
		return;
	}
	s->callers += at->caller;
	if (addr < headers || !find_inside(d, n, f->number, off, &i))
		return;
	s->inside++;
	s->good += at->caller && jitdump_follows_call(d, i, off + 1);
	s->last += at->caller && jitdump_follows_call(d, i, off + 2);
}

static struct suits compare(const struct binder *b, const struct jitted_sos *in,
                            const struct jitted_dump *made, const struct jitdump *d,
                            const struct numbered *n, uint64_t headers)
{
	struct suits s = { 0 };

	for (uint32_t k = made->file; k; k = in->file[k - 1].next) {
		const struct jitted_so *f = &in->file[k - 1];

		if (!table_get(&n->last, f->number, 0))
			continue;
		for (const struct sampled_address *a = sampled_find(b->sampled, f->m); a;
		     a = sampled_next(b->sampled, a))
			count(d, n, headers, f, a, &s);
	}
	/*
	 * If perf unwound the stacks, it prints the last byte of the call instead of the return
	 * address.  So the larger count is used.
	 */
	if (s.last > s.good)
		s.good = s.last;
	return s;
}

static bool most(size_t part, size_t all)
{
	return part && part * 100 >= all * VERIFIED_CALLS_PERCENT;
}

/* Returns true if the sampled offsets prove the assumed length of the headers. */
static bool is_verified(const struct suits *s)
{
	return s->good >= VERIFIED_MIN_CALLS && most(s->good, s->callers) &&
	       most(s->inside, s->all - s->there);
}

/* Chooses the dump if the .so files were made from it.  Returns false if there is no evidence. */
static bool try_dump(const struct binder *b, const struct jitted_sos *in,
                     struct jitted_dump *made, struct item *it, const struct jitdump *d)
{
	static const uint64_t headers[] = { HEADERS, HEADERS_OLD };
	struct numbered n = number_code(d, b->run);
	struct suits s = { 0 };

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers) && !made->headers;
	     i++) {
		s = compare(b, in, made, d, &n, headers[i]);
		if (is_verified(&s))
			made->headers = headers[i];
	}
	if (!made->headers && !most(s.there, s.all))
		return false;
	made->item = it;
	made->dump = d;
	made->numbered = n;
	it->placed = true;
	diag_note(b->diag, PRSTR "*.so: " PRSTR " names %zu of %zu distinct addresses",
	          STRARG(intern_str(b->locator->names, made->prefix)), STRARG(it->name),
	          s.there + (made->headers ? s.inside : 0), s.all);
	return true;
}

/*
 * If `called` is set, tries the dumps that have the pid in their names.  Otherwise tries all
 * other dumps.  Sets *refused to the last dump that does not fit.
 */
static bool try_dumps(struct binder *b, const struct jitted_sos *in,
                      struct jitted_dump *made, bool called, const struct item **refused)
{
	struct locator *l = b->locator;

	for (size_t i = 0, tried = 0; i < l->n && tried < TRIED; i++) {
		struct item *it = &l->item[i];
		const struct jitdump *d;

		if ((jitdump_pid(it->name) == made->pid) != called)
			continue;
		d = locate_jitdump(l, it);
		if (!d || (!called && d->pid != made->pid))
			continue;
		tried++;
		if (try_dump(b, in, made, it, d))
			return true;
		*refused = it;
	}
	return false;
}

static void choose_dump(struct binder *b, const struct jitted_sos *in,
                        struct jitted_dump *made)
{
	const struct item *refused = NULL;

	/* If the name of a dump contains the pid, other dumps are not opened. */
	if (try_dumps(b, in, made, true, &refused) ||
	    (!refused && try_dumps(b, in, made, false, &refused)))
		return;
	if (refused)
		diag_note(b->diag,
		          PRSTR ": not used for " PRSTR
		                "*.so: their load addresses were not recorded, and too "
		                "few return addresses follow calls in it",
		          STRARG(refused->name),
		          STRARG(intern_str(b->locator->names, made->prefix)));
}

void jitted_so_match(struct binder *b)
{
	struct jitted_sos *in = arena_new(b->run, struct jitted_sos, 1);

	b->natives->jitted_sos = in;
	collect(b, in);
	for (size_t i = 0; i < in->n; i++)
		choose_dump(b, in, &in->of[i]);
}

/* Returns the jitted_so of m, or NULL if no address was sampled in m. */
static const struct jitted_so *file_of(const struct binder *b, const struct mapping *m)
{
	uint32_t at = b->natives->jitted_sos
	                      ? table_get(&b->natives->jitted_sos->by_mapping, m->id, 0)
	                      : 0;

	return at ? &b->natives->jitted_sos->file[at - 1] : NULL;
}

static struct jitted_dump *find_made_dump(const struct binder *b, const struct mapping *m)
{
	struct jitted_sos *in = b->natives->jitted_sos;
	struct str prefix;
	uint64_t number;
	int32_t pid;
	uint32_t at;

	if (!in || !split(intern_str(b->locator->names, m->path), &prefix, &pid, &number))
		return NULL;
	at = table_get(&in->by_prefix, intern(b->locator->names, prefix), 0);
	return at ? &in->of[at - 1] : NULL;
}

bool jitted_so_find(const struct binder *b, const struct mapping *m, uint64_t addr,
                    bool caller, struct bound_name *out)
{
	const struct jitted_so *f = file_of(b, m);
	const struct jitted_dump *made = find_made_dump(b, m);
	uint64_t look = sampled_byte(addr, caller);
	const struct jitdump *d;
	size_t i;

	if (!f || !made || !made->dump)
		return false;
	d = made->dump;
	if (find_there(d, &made->numbered, f->number, look, &i))
		out->off = addr - d->code[i].start;
	else if (made->headers && look >= made->headers &&
	         find_inside(d, &made->numbered, f->number, look - made->headers, &i))
		out->off = addr - made->headers;
	else
		return false;
	out->func = demangle_once(b->demangled, jitdump_name(d, i, b->run), b->run);
	out->dump = d;
	out->code = i;
	out->jit = true;
	out->by = made->item;
	out->how = VERIFIED_COVERS;
	return true;
}

static bool files_agree(const struct binder *b, const struct jitted_dump *made)
{
	struct elf_calls calls = { 0 };
	struct native_files files;
	uint64_t shift;

	for (uint32_t k = made->file; k; k = b->natives->jitted_sos->file[k - 1].next) {
		const struct mapping *m = b->natives->jitted_sos->file[k - 1].m;

		if (native_files_find(b->locator, m, b->run, &files) && files.image)
			elf_calls_count(b, m, files.image, NULL, &shift, &calls);
	}
	return elf_calls_agree(&calls, false);
}

bool jitted_so_files_agree(const struct binder *b, const struct mapping *m)
{
	struct jitted_dump *made = find_made_dump(b, m);

	if (!made)
		return false;
	if (!made->tried)
		made->agree = files_agree(b, made);
	made->tried = true;
	return made->agree;
}
