/*
 *	44 54 69 4a 01 00 00 00  28 00 00 00 3e 00 00 00    "DTiJ", version 1, 40 bytes
 *	00 00 00 00 64 20 00 00  98 c4 9b 85 c7 00 00 00    pid 8292, 856.940070040 s
 *	00 00 00 00 00 00 00 00                             flags
 *	00 00 00 00 83 01 00 00  13 53 d1 85 c7 00 00 00    LOAD of 387 bytes, its time
 *	64 20 00 00 64 20 00 00  00 00 64 b0 be 7f 00 00    pid, tid, address
 *	00 00 64 b0 be 7f 00 00  10 01 00 00 00 00 00 00    address, 272 bytes of code
 *	01 00 00 00 00 00 00 00  "stub Init...\0" code      number, name
 */
#include "image/jit/jitdump.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/table.h"
#include "image/calls.h"
#include "image/jit/jitindex.h"

enum {
	MAGIC = 0x4A695444,
	HEADER_BYTES = 40,
	PREFIX_BYTES = 16,
	LOAD_BYTES = 56, /* size of a LOAD record without name and code */
	MOVE_BYTES = 64,
	DEBUG_BYTES = 32,     /* size of a DEBUG_INFO record without its entries */
	UNWINDING_BYTES = 40, /* size of an UNWINDING_INFO record without its data */
	FLAG_CPU_CLOCK = 1,
	PAD_BYTES = 8,    /* some writers pad records to a multiple of this size */
	ENTRY_BYTES = 17, /* minimum size of an entry of a line table */
	V8_RESERVED = 0xdeadbeef, /* V8 uses this value in its header instead of 0 */
	/* the size of an ELF header, which V8 and LLVM add to addresses of lines */
	ELF_SHIFT = 0x40,
};

enum record_id { REC_LOAD, REC_MOVE, REC_DEBUG_INFO, REC_CLOSE, REC_UNWINDING_INFO };

struct prefix {
	uint32_t id, size;
	uint64_t time_ns;
};

struct load {
	int32_t pid;
	uint64_t vma; /* 0 if LLVM wrote the dump.  Otherwise equal to `start` */
	uint64_t start, size, number;
};

struct jit_line {
	uint64_t from;        /* offset in the code */
	uint32_t line, order; /* line number, and position of the entry in the record */
	struct str file;      /* points into the record */
};

/* The line table in a DEBUG_INFO record. */
struct jit_lines {
	const struct jit_line *line; /* sorted by from */
	size_t n;                    /* 0 if the table was ignored or damaged */
	bool read;
};

/* State while a dump is read. */
struct reading {
	struct jitdump *d;
	struct arena *a;
	struct jit_code *code;
	size_t cap;
	uint64_t *lines;
	size_t nlines, lines_cap;
	struct jit_unwinding *unwinding;
	size_t nunwinding, unwinding_cap;
	/* offset of the UNWINDING_INFO record that belongs to the next LOAD record, or 0 */
	uint64_t unwinding_at;
	/*
	 * debug_at: offset of the last DEBUG_INFO record, or 0 if it was used.
	 * debug_start: address of its code
	 */
	uint64_t debug_at, debug_start;
	/* code_index -> index + 1, filled on the first MOVE record */
	struct table by_number;
	size_t numbered;  /* number of elements in by_number */
	bool sorted;      /* the code is in the order of its times */
	uint64_t last_ns; /* time of the last code, used to set `sorted` */
};

static struct cursor over(const struct jitdump *d, uint64_t at)
{
	return cur_over(str_from(d->bytes, at), d->swap);
}

bool jitdump_bid(struct str head)
{
	uint32_t magic;

	if (head.n < HEADER_BYTES)
		return false;
	memcpy(&magic, head.p, sizeof(magic));
	return magic == MAGIC || __builtin_bswap32(magic) == MAGIC;
}

int32_t jitdump_pid(struct str name)
{
	return str_pid(str_base(name), STR("jit-"), STR(".dump"));
}

static struct prefix read_prefix(const struct jitdump *d, uint64_t at)
{
	struct cursor c = over(d, at);
	struct prefix p;

	p.id = cur_u32(&c);
	p.size = cur_u32(&c);
	p.time_ns = cur_u64(&c);
	return p;
}

static struct load read_load(const struct jitdump *d, uint64_t at)
{
	struct cursor c = over(d, at + PREFIX_BYTES);
	struct load l;

	l.pid = (int32_t)cur_u32(&c);
	cur_u32(&c); /* skip the tid */
	l.vma = cur_u64(&c);
	l.start = cur_u64(&c);
	l.size = cur_u64(&c);
	l.number = cur_u64(&c);
	return l;
}

static const char cut_off[] = "the last record is cut off";

static void damage(struct jitdump *d, uint64_t at, const char *what)
{
	d->cut = !d->damaged && what == cut_off;
	if (d->damaged++)
		return;
	d->damage_at = at;
	d->damage = what;
}

static void add_code(struct reading *r, struct jit_code what)
{
	uint64_t end;

	if (!what.size || __builtin_add_overflow(what.start, what.size, &end))
		return;
	if (r->last_ns > what.time_ns)
		r->sorted = false;
	r->last_ns = what.time_ns;
	*arena_push(r->a, r->code, r->d->n, r->cap) = what;
}

/* Returns index + 1 of the line table that belongs to the next LOAD record, or 0. */
static uint32_t take_lines(struct reading *r, uint64_t start)
{
	if (!r->debug_at || r->debug_start != start)
		return 0;
	*arena_push(r->a, r->lines, r->nlines, r->lines_cap) = r->debug_at;
	r->debug_at = 0;
	return (uint32_t)r->nlines;
}

static void take_unwinding(struct reading *r, uint64_t load_at)
{
	if (!r->unwinding_at)
		return;
	*arena_push(r->a, r->unwinding, r->nunwinding, r->unwinding_cap) =
	        (struct jit_unwinding){ load_at, r->unwinding_at };
	r->unwinding_at = 0;
}

/*
 * Sets *out to the number of bytes for the name and its NUL.  Returns false if the record has no
 * room for a name.
 */
static bool name_room(const struct prefix *p, const struct load *l, uint64_t *out)
{
	if (p->size < LOAD_BYTES || l->size >= p->size - LOAD_BYTES)
		return false;
	*out = p->size - LOAD_BYTES - l->size;
	return true;
}

/*
 * Returns true for a LOAD record without code bytes.  perf's JVMTI agent omits them if the JVM
 * does not provide them.
 */
static bool is_bare_load(const struct jitdump *d, uint64_t at, const struct prefix *p,
                         const struct load *l)
{
	struct str rest = str_head(str_from(d->bytes, at + LOAD_BYTES),
	                           p->size > LOAD_BYTES ? p->size - LOAD_BYTES : 0);

	return rest.n && l->size <= INT32_MAX && str_find(rest, '\0') == rest.n - 1;
}

static void take_load(struct reading *r, uint64_t at, const struct prefix *p)
{
	struct load l = read_load(r->d, at);
	uint64_t room;

	if (!name_room(p, &l, &room) && !is_bare_load(r->d, at, p, &l)) {
		damage(r->d, at, "a LOAD record is smaller than its code");
		return;
	}
	add_code(r, (struct jit_code){ l.start, p->time_ns, at, (uint32_t)l.size,
	                               take_lines(r, l.start) });
	take_unwinding(r, at);
}

/*
 * Finds code by its number, because a MOVE record refers to code by number.  .NET and LLVM do
 * not write MOVE records.
 */
static const struct jit_code *numbered(struct reading *r, uint64_t number)
{
	uint32_t at;

	for (; r->code && r->numbered < r->d->n; r->numbered++) {
		uint64_t n = read_load(r->d, r->code[r->numbered].at).number;

		*table_at(&r->by_number, r->a, n, 0) = (uint32_t)r->numbered + 1;
	}
	at = table_get(&r->by_number, number, 0);
	return at ? &r->code[at - 1] : NULL;
}

static void take_move(struct reading *r, uint64_t at, const struct prefix *p)
{
	struct cursor c = over(r->d, at + PREFIX_BYTES + 16);
	uint64_t from = cur_u64(&c), to = cur_u64(&c), size = cur_u64(&c);
	const struct jit_code *was = numbered(r, cur_u64(&c));
	struct jit_code now;

	(void)from;
	if (p->size < MOVE_BYTES || !was) {
		damage(r->d, at, "a MOVE record refers to code that was never loaded");
		return;
	}
	now = *was;
	now.start = to;
	now.time_ns = p->time_ns;
	if (size < now.size)
		now.size = (uint32_t)size;
	add_code(r, now);
}

static void take_record(struct reading *r, uint64_t at, const struct prefix *p)
{
	struct cursor c;

	switch (p->id) {
	case REC_LOAD:
		take_load(r, at, p);
		break;
	case REC_MOVE:
		take_move(r, at, p);
		break;
	case REC_DEBUG_INFO:
		if (p->size < DEBUG_BYTES)
			break;
		c = over(r->d, at + PREFIX_BYTES);
		r->debug_at = at;
		r->debug_start = cur_u64(&c);
		break;
	case REC_UNWINDING_INFO:
		r->unwinding_at = at;
		break;
	default:
		break;
	}
}

/*
 * Returns true if there is a LOAD record at `at`.  Checks pid, sizes and name, because other
 * bytes may look like the start of a record.
 */
static bool is_sound_load(const struct jitdump *d, uint64_t at)
{
	struct prefix p = read_prefix(d, at);
	struct load l;
	struct str name;
	uint64_t room;

	if (p.id != REC_LOAD || p.size <= LOAD_BYTES || d->bytes.n - at <= LOAD_BYTES)
		return false;
	l = read_load(d, at);
	if (l.pid != d->pid || !l.size || !name_room(&p, &l, &room))
		return false;
	name = str_head(str_from(d->bytes, at + LOAD_BYTES), room);
	/* The name ends with a NUL.  Up to PAD_BYTES of padding may follow. */
	return name.n == room &&
	       memchr(name.p + (room > PAD_BYTES ? room - PAD_BYTES : 0), 0,
	              room > PAD_BYTES ? PAD_BYTES : room);
}

/* Returns the offset of the next record after a damaged part, or the end of the file. */
static uint64_t resync(const struct jitdump *d, uint64_t at)
{
	uint64_t end = d->bytes.n;

	for (; at + LOAD_BYTES < end; at++)
		if (!d->bytes.p[at] && is_sound_load(d, at) &&
		    read_prefix(d, at).size <= end - at)
			return at;
	return end;
}

/* Skips a record with a wrong size, and returns the offset of the next record. */
static uint64_t pass_damage(struct reading *r, uint64_t at, const struct prefix *p)
{
	uint64_t next = resync(r->d, at + 1);

	damage(r->d, at,
	       next < r->d->bytes.n ? "a record has an impossible size" : cut_off);
	/* .NET 10 may truncate the last record.  If its name and sizes are correct, use it. */
	if (next == r->d->bytes.n && is_sound_load(r->d, at))
		take_load(r, at, p);
	return next;
}

static void read_records(struct reading *r, uint64_t at)
{
	uint64_t end = r->d->bytes.n;

	while (end - at >= PREFIX_BYTES) {
		struct prefix p = read_prefix(r->d, at);

		if (p.size < PREFIX_BYTES || p.size > end - at) {
			at = pass_damage(r, at, &p);
			continue;
		}
		take_record(r, at, &p);
		at += p.size;
	}
	if (at < end)
		damage(r->d, at, cut_off);
}

ORDER(by_time, struct jit_code, num_cmp(a->time_ns, b->time_ns) ?: num_cmp(a->at, b->at))

bool jitdump_read(struct jitdump *d, struct str bytes, struct arena *a)
{
	struct reading r = { .d = d, .a = a, .sorted = true };
	struct cursor c;
	uint32_t header;
	uint64_t flags;

	*d = (struct jitdump){ .bytes = bytes };
	if (!jitdump_bid(bytes))
		return false;
	c = cur_over(bytes, false);
	d->swap = cur_u32(&c) != MAGIC;
	c.swap = d->swap;
	cur_u32(&c); /* skip the version: there is only one */
	header = cur_u32(&c);
	d->machine = cur_u32(&c);
	d->is_v8 = cur_u32(&c) == V8_RESERVED;
	d->pid = (int32_t)cur_u32(&c);
	cur_u64(&c); /* skip the start time, which may be of any clock */
	flags = cur_u64(&c);
	d->cpu_clock = flags & FLAG_CPU_CLOCK;
	if (header < HEADER_BYTES || header > bytes.n)
		header = HEADER_BYTES;
	read_records(&r, header);
	if (!r.sorted)
		order_by(r.code, d->n, by_time);
	d->code = r.code;
	d->lines = r.lines;
	d->unwinding = r.unwinding;
	d->nunwinding = r.nunwinding;
	d->table = arena_new(a, struct jit_lines, r.nlines);
	d->index = jitindex_new(d->code, d->n, a);
	return true;
}

bool jitdump_find(const struct jitdump *d, uint64_t ip, uint64_t time_ns, size_t *out)
{
	return jitindex_find(d->index, ip, time_ns, out);
}

bool jitdump_earlier(const struct jitdump *d, uint64_t ip, size_t *i)
{
	return jitindex_earlier(d->index, ip, i);
}

/* Returns the part before the first NUL. */
static struct str cut_at_nul(struct str s)
{
	struct cursor c = cur_over(s, false);

	return cur_zstr(&c);
}

static bool is_clean(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return false;
	return true;
}

struct str jitdump_name(const struct jitdump *d, size_t i, struct arena *a)
{
	uint64_t at = d->code[i].at, room = 0;
	struct prefix p = read_prefix(d, at);
	struct load l = read_load(d, at);
	struct str name = str_from(d->bytes, at + LOAD_BYTES);
	char *clean;

	if (!name_room(&p, &l, &room))
		room = p.size - LOAD_BYTES;
	name = cut_at_nul(str_head(name, room));
	if (is_clean(name))
		return name;
	/* Control characters are replaced, because a newline would end the line of the frame. */
	clean = arena_alloc(a, name.n, 1);
	for (size_t k = 0; k < name.n; k++)
		clean[k] = (unsigned char)name.p[k] < ' ' || name.p[k] == 0x7f
		                   ? ' '
		                   : name.p[k];
	return (struct str){ clean, name.n };
}

uint64_t jitdump_number(const struct jitdump *d, size_t i)
{
	return read_load(d, d->code[i].at).number;
}

struct str jitdump_code(const struct jitdump *d, size_t i)
{
	uint64_t at = d->code[i].at, room;
	struct prefix p = read_prefix(d, at);
	struct load l = read_load(d, at);
	struct str code = { 0 };

	if (!name_room(&p, &l, &room))
		return code;
	code = str_from(d->bytes, at + LOAD_BYTES);
	code = str_from(code, cut_at_nul(str_head(code, room)).n + 1);
	code = str_head(code, d->code[i].size);
	return code.n == d->code[i].size ? code : (struct str){ 0 };
}

static int by_load(const void *key, const void *p)
{
	uint64_t at = *(const uint64_t *)key;
	const struct jit_unwinding *u = p;

	return num_cmp(at, u->load_at);
}

/*
 * After the prefix, the record contains: total size of .eh_frame and .eh_frame_hdr, size of
 * .eh_frame_hdr, mapped size, .eh_frame and .eh_frame_hdr.  perf assumes that both sections
 * follow the code, at a multiple of eight bytes.
 */
struct str jitdump_eh_frame(const struct jitdump *d, size_t i, uint64_t *va)
{
	const struct jit_code *code = &d->code[i];
	const struct jit_unwinding *u =
	        d->nunwinding ? bsearch(&code->at, d->unwinding, d->nunwinding,
	                                sizeof(*u), by_load)
	                      : NULL;
	struct cursor c;
	uint64_t both, hdr, size;

	if (!u)
		return (struct str){ 0 };
	c = over(d, u->at + PREFIX_BYTES);
	size = read_prefix(d, u->at).size;
	both = cur_u64(&c);
	hdr = cur_u64(&c);
	if (size < UNWINDING_BYTES || both > size - UNWINDING_BYTES || hdr > both)
		return (struct str){ 0 };
	*va = code->start + ((read_load(d, code->at).size + 7) & ~(uint64_t)7);
	return str_head(str_from(d->bytes, u->at + UNWINDING_BYTES), both - hdr);
}

bool jitdump_follows_call(const struct jitdump *d, size_t i, uint64_t off)
{
	return calls_end(d->machine, jitdump_code(d, i), off);
}

/* V8 writes "\xff" if the name is that of the previous entry. */
static const struct str same_file = { "\xff", 1 };

ORDER(by_offset, struct jit_line,
      num_cmp(a->from, b->from) ?: num_cmp(a->order, b->order))

/* Returns false if the entry is damaged, or not inside the `size` bytes of code. */
static bool read_entry(struct cursor *c, uint64_t start, uint64_t size, struct str *file,
                       struct jit_line *out)
{
	struct str name;

	out->from = cur_u64(c) - start;
	out->line = cur_u32(c);
	cur_u32(c); /* skip the discriminator or column */
	name = cur_zstr(c);
	if (!str_eq(name, same_file))
		*file = name;
	out->file = *file;
	return !c->bad && out->from <= size && is_clean(*file);
}

/*
 * Reads the line table of a DEBUG_INFO record:
 *
 * 	02 00 00 00 80 04 00 00  ...		DEBUG_INFO of 1,152 bytes
 * 	c0 91 fc 5e 47 7f 00 00  20 00 00 00 00 00 00 00    address of the code, 32 entries
 * 	00 92 fc 5e 47 7f 00 00  56 02 00 00 1e 00 00 00    address of an entry, line 598
 * 	"node:internal/util\0" ...		      file of the entry
 *
 * Node 20 writes the names of most scripts from freed memory, so they contain arbitrary bytes.
 * Such tables are ignored.  c: the bytes after the prefix.  size: size of the code.  shift: a
 * number that the writer has added to all addresses.
 */
static void read_lines(struct jit_lines *t, struct cursor c, uint64_t size,
                       uint64_t shift, struct arena *a)
{
	uint64_t start = cur_u64(&c) + shift, n = cur_u64(&c);
	struct jit_line *line;
	struct str file = { 0 };
	bool sorted = true;

	t->read = true;
	if (c.bad || n > cur_left(&c) / ENTRY_BYTES)
		return;
	line = arena_new(a, struct jit_line, n);
	for (size_t i = 0; i < n; i++) {
		if (!read_entry(&c, start, size, &file, &line[i]))
			return;
		line[i].order = (uint32_t)i;
		sorted &= !i || line[i - 1].from <= line[i].from;
	}
	if (cur_left(&c) >= PAD_BYTES)
		return;
	if (!sorted)
		order_by(line, n, by_offset);
	t->line = line;
	t->n = n;
}

/*
 * Returns the entry of the byte at `off`, or NULL.  If `ends` is set, the offset of an entry is
 * the end of its range.  Otherwise it is the start of its range.
 */
static const struct jit_line *find_line(const struct jit_lines *t, uint64_t off,
                                        bool ends)
{
	size_t low = bisect(t->n, i,
	                    t->line[i].from < off || (!ends && t->line[i].from == off));

	if (ends)
		return low < t->n ? &t->line[low] : NULL;
	return low ? &t->line[low - 1] : NULL;
}

/*
 * Returns true for names like "Lpkg/Class;method(I)V" of perf's JVMTI agent.  In the agent's line
 * tables, the address of an entry is the end of its range: the return address of a call, or the
 * address after a debug point.
 */
static bool ends_with_lines(struct str name)
{
	size_t class = str_find(name, ';');

	return name.n && name.p[0] == 'L' && class < name.n &&
	       str_find(str_from(name, class), '(') < name.n - class;
}

bool jitdump_line(const struct jitdump *d, size_t i, uint64_t ip, struct arena *a,
                  struct str *file, uint32_t *line)
{
	const struct jit_code *code = &d->code[i];
	uint64_t at = code->lines ? d->lines[code->lines - 1] : 0;
	struct load l = read_load(d, code->at);
	const struct jit_line *found;
	struct jit_lines *table;
	struct cursor c;

	if (!at)
		return false;
	table = &d->table[code->lines - 1];
	c = cur_over(str_head(str_from(d->bytes, at), read_prefix(d, at).size), d->swap);
	cur_take(&c, PREFIX_BYTES);
	if (!table->read)
		read_lines(table, c, l.size, d->is_v8 || !l.vma ? ELF_SHIFT : 0, a);
	found = find_line(table, ip - code->start,
	                  ends_with_lines(jitdump_name(d, i, a)));
	if (!found)
		return false;
	*file = found->file;
	*line = found->line;
	return file->n != 0;
}
