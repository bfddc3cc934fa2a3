/*
 * The header of precompiled code, at the COR20 header's ManagedNativeHeader:
 *
 * 	52 54 52 00  10 00 00 00  0a 00 00 00  0e 00 00 00      RTR 16.0, flags, sections
 * 	66 00 00 00  c0 2a 01 00  74 01 00 00              102: RuntimeFunctions
 *
 * RuntimeFunctions lists all runtime functions, which are pieces of code.  MethodDefEntryPoints
 * (by MethodDef row) and InstanceMethodEntryPoints (instances of generics) list the pieces at
 * which methods begin.  Pieces between two methods are funclets of the first one.
 */
#include "image/dotnet/r2r_private.h"

#include <endian.h>

#include "base/digest.h"
#include "image/dotnet/native_format.h"
#include "image/dotnet/r2r_modules.h"

enum {
	SECTION_FUNCTIONS = 102,
	SECTION_METHODS = 103,
	SECTION_THUNKS = 106,
	SECTION_INSTANCES = 109,
	SECTION_MANIFEST = 112,
	SECTION_COMPONENTS = 115,
	SECTION_OWNER = 116,
	SECTION_MVIDS = 118,
	SECTION_HOTCOLD = 120,
	MAX_SECTIONS = 4096,
	/* size in bytes of a runtime function on x64: begin, end, unwind data */
	X64_FUNCTION = 12,
	OTHER_FUNCTION = 8,
	STEPS_A_BYTE = 16,
	SIG_SLOT = 0x08,
	ABI_DEFAULT = 1,
};

/*
 * The method that begins at a runtime function.  If `kind` is R2R_NONE, the function is a
 * funclet.
 */
struct entry {
	uint32_t where;
	uint16_t module;
	uint8_t kind;
	uint32_t shared;
};

struct opening {
	struct r2r *r;
	struct str functions;
	uint32_t nfunctions;
	uint32_t stride;     /* size of a runtime function in bytes */
	struct entry *entry; /* indexed by runtime function */
	uint32_t hot; /* number of hot runtime functions.  Cold functions follow them */
	struct arena scratch;
};

static uint32_t u32_at(struct str s, size_t at)
{
	uint32_t v = 0;

	if (at <= s.n && s.n - at >= 4)
		memcpy(&v, s.p + at, 4);
	return le32toh(v);
}

/* Each entry of the list has 12 bytes: type, rva, size. */
struct pe_directory r2r_section(struct str list, uint32_t type)
{
	struct pe_directory d = { 0 };

	for (size_t at = 0; at + 12 <= list.n; at += 12)
		if (u32_at(list, at) == type) {
			d.rva = u32_at(list, at + 4);
			d.size = u32_at(list, at + 8);
			break;
		}
	return d;
}

static struct str section_bytes(const struct r2r *r, struct str list, uint32_t type)
{
	struct pe_directory d = r2r_section(list, type);

	return d.rva ? pe_bytes(r->pe, d.rva, d.size) : (struct str){ 0 };
}

static struct str section_list(struct str header)
{
	uint32_t n = u32_at(header, 4);

	return str_head(str_from(header, 8), n < MAX_SECTIONS ? n * (size_t)12 : 0);
}

static inline void enter(struct opening *o, size_t at, uint8_t kind, uint16_t module,
                         uint32_t where)
{
	uint32_t id;
	bool good = native_uint(o->r->pe->bytes, at, &id) != SIZE_MAX;
	uint32_t rf = id & 1 ? id >> 2 : id >> 1;

	if (!good || rf >= o->nfunctions) {
		o->r->unread++;
		return;
	}
	/*
	 * crossgen 1 may use one piece of code for several P/Invoke methods.  The code then has
	 * the name of the method in the first row.
	 */
	if (o->entry[rf].kind)
		o->entry[rf].shared++;
	else
		o->entry[rf] = (struct entry){ where, module, kind, 0 };
}

/*
 * State while the MethodDefEntryPoints of an assembly are read.  The file stores the entry
 * points as trees of 16 leaves.
 */
struct rows {
	struct opening *o;
	uint32_t n;
	uint16_t module;
};

static void enter_row(const struct rows *rows, size_t at, uint32_t i)
{
	if (i < rows->n)
		enter(rows->o, at, R2R_DEF, rows->module, i + 1);
}

/*
 * Reads a tree of 16 leaves, or a subtree whose first element is i.  Two bits of a node show
 * which branches exist.  A node without branches contains the number of its only leaf.
 */
static void read_tree(const struct rows *rows, size_t at, uint32_t i, uint32_t half)
{
	struct r2r *r = rows->o->r;
	uint32_t v;
	size_t next;

	/*
	 * Limits the work, because damaged trees may share branches, and components may
	 * share trees.
	 */
	if (!r->steps)
		return;
	r->steps--;
	if (!half) {
		enter_row(rows, at, i);
		return;
	}
	next = native_uint(r->pe->bytes, at, &v);
	if (next == SIZE_MAX)
		return;
	if (!(v & 3) && (v >> 2) - i % 16 < 2 * half)
		enter_row(rows, next, i - i % 16 + (v >> 2));
	if (v & 1)
		read_tree(rows, next, i, half / 2);
	if (v & 2)
		read_tree(rows, at + (v >> 2), i | half, half / 2);
}

static void read_methods(struct opening *o, struct str list, uint16_t module)
{
	struct pe_directory d = r2r_section(list, SECTION_METHODS);
	struct str file = o->r->pe->bytes;
	struct rows rows = { .o = o, .module = module };
	uint64_t off;
	uint32_t head;
	unsigned width;
	size_t base;

	if (!d.rva || !pe_file_off(o->r->pe, d.rva, &off))
		return;
	base = native_uint(file, (size_t)off, &head);
	rows.n = head >> 2;
	width = head & 3;
	if (base == SIZE_MAX || width > 2 || rows.n / 16 > d.size >> width ||
	    rows.n / 16 > (file.n - base) >> width) {
		o->r->unread++;
		return;
	}
	for (uint32_t i = 0; i < rows.n && o->r->steps; i += 16) {
		uint32_t first = native_index(file, base, i / 16, width);

		if (first != UINT32_MAX)
			read_tree(&rows, base + first, i, 8);
	}
	o->r->unread += !o->r->steps;
}

static inline bool read_signature(struct r2r *r, struct cursor *c,
                                  struct r2r_signature *out)
{
	*out = (struct r2r_signature){ .flags = sig_uint(c) };
	if (out->flags & SIG_SLOT)
		return false;
	if (out->flags & SIG_CONTEXT)
		out->module = sig_uint(c);
	out->owner = *c;
	if (out->flags & SIG_OWNER && !sig_skip_type(c, &r->steps, 0))
		return false;
	out->row = sig_uint(c);
	out->nargs = out->flags & SIG_ARGUMENTS ? sig_uint(c) : 0;
	out->args = *c;
	if (!sig_skip_types(c, out->nargs, &r->steps, 0))
		return false;
	if (out->flags & SIG_CONSTRAINED && !sig_skip_type(c, &r->steps, 0))
		return false;
	return !c->bad;
}

bool r2r_read_signature(struct r2r *r, struct cursor *c, struct r2r_signature *out)
{
	return read_signature(r, c, out);
}

static void read_instance(struct opening *o, size_t at)
{
	struct str file = o->r->pe->bytes;
	struct cursor c = cur_little(str_from(file, at));
	struct r2r_signature sig;

	if (read_signature(o->r, &c, &sig))
		enter(o, (size_t)(c.p - file.p), R2R_INSTANCE, 0, (uint32_t)at);
	else
		o->r->unread++;
}

/*
 * Reads a bucket of a hash table.  An entry contains a byte of the hash and the distance to the
 * signature.
 */
static void read_bucket(struct opening *o, size_t at, size_t end)
{
	struct str file = o->r->pe->bytes;

	while (at < end) {
		size_t from = at + 1;
		int32_t away;
		int64_t to;

		at = native_int(file, from, &away);
		to = (int64_t)from + away;
		if (at == SIZE_MAX || to < 0 || (uint64_t)to >= file.n) {
			o->r->unread++;
			return;
		}
		read_instance(o, (size_t)to);
	}
}

static void read_instances(struct opening *o)
{
	struct pe_directory d = r2r_section(o->r->header, SECTION_INSTANCES);
	struct str file = o->r->pe->bytes;
	uint64_t off, buckets;
	size_t base, before = 0;
	unsigned head, width;

	if (!d.rva || !d.size || !pe_file_off(o->r->pe, d.rva, &off))
		return;
	head = (unsigned char)file.p[off];
	width = head & 3;
	base = (size_t)off + 1;
	buckets = head >> 2 < 32 ? UINT64_C(1) << (head >> 2) : UINT64_MAX;
	if (width > 2 || buckets >= d.size >> width) {
		o->r->unread++;
		return;
	}
	for (uint64_t i = 0; i < buckets; i++) {
		uint32_t from = native_index(file, base, i, width);
		uint32_t to = native_index(file, base, i + 1, width);

		/*
		 * Offsets of buckets must ascend.  Otherwise a few damaged bytes could
		 * cause unlimited work.
		 */
		if (from == UINT32_MAX || to < from || from < before || to > d.size ||
		    to > file.n - base) {
			o->r->unread++;
			return;
		}
		before = to;
		read_bucket(o, base + from, base + to);
	}
}

/* A piece of code.  begin and end are rva. */
struct piece {
	uint32_t begin, end;
};

/*
 * Returns the code of runtime function i on machines other than x64.  The first word of the
 * unwind data contains the length.  On x64, RuntimeFunctions itself contains the end.
 */
static struct piece find_piece_by_unwind(const struct opening *o, uint32_t i)
{
	const struct pe *pe = o->r->pe;
	uint32_t begin = u32_at(o->functions, (size_t)i * o->stride);
	uint32_t next = u32_at(o->functions, (size_t)(i + 1) * o->stride);
	uint32_t unwind = u32_at(o->functions, (size_t)i * o->stride + 4), length = 0;

	begin &= pe->machine == PE_ARM ? ~1u : ~0u;
	if (i + 1 >= o->nfunctions)
		next = UINT32_MAX;
	if (!(unwind & 3))
		length = u32_at(pe_bytes(pe, unwind, 4), 0);
	if (pe->machine == PE_ARM64)
		length = (length & 0x3ffff) * 4;
	else if (pe->machine == PE_ARM)
		length = (length & 0x3ffff) * 2;
	if (!length || length > next - begin) {
		/*
		 * Without a length, the code extends to the next function or to the end
		 * of the section.
		 */
		size_t left = pe_bytes(pe, begin, UINT32_MAX).n;

		length = next - begin < left ? next - begin : (uint32_t)left;
	}
	return (struct piece){ begin, begin + length };
}

static inline struct piece piece_at(const struct opening *o, uint32_t i)
{
	struct piece p;

	if (o->stride != X64_FUNCTION)
		return find_piece_by_unwind(o, i);
	memcpy(&p, o->functions.p + (size_t)i * X64_FUNCTION, sizeof(p));
	return (struct piece){ le32toh(p.begin), le32toh(p.end) };
}

/* Reads RuntimeFunctions.  Returns false if they are not sorted or if they overlap. */
static bool read_functions(struct opening *o)
{
	uint32_t end = 0;

	o->functions = section_bytes(o->r, o->r->header, SECTION_FUNCTIONS);
	o->stride = o->r->pe->machine == PE_X64 ? X64_FUNCTION : OTHER_FUNCTION;
	o->nfunctions = (uint32_t)(o->functions.n / o->stride);
	for (uint32_t i = 0; i < o->nfunctions; i++) {
		struct piece p = piece_at(o, i);

		if (p.begin < end || p.end < p.begin)
			return false;
		end = p.end;
	}
	o->hot = o->nfunctions;
	o->entry = arena_new(&o->scratch, struct entry, o->nfunctions + (size_t)1);
	return o->nfunctions != 0;
}

static void add_code(struct opening *o, uint32_t entry, uint32_t begin, uint32_t end,
                     bool cold)
{
	const struct entry *e = &o->entry[entry];

	if (end <= begin)
		return;
	o->r->code[o->r->n++] = (struct r2r_code){ begin,   end,  e->where,  e->module,
		                                   e->kind, cold, e->shared, entry };
}

static void join_hot(struct opening *o)
{
	uint32_t owner = UINT32_MAX, begin = 0, end = 0;

	for (uint32_t i = 0; i < o->hot; i++) {
		struct piece p = piece_at(o, i);

		if (o->entry[i].kind) {
			if (owner != UINT32_MAX)
				add_code(o, owner, begin, end, false);
			owner = i;
			begin = p.begin;
		}
		end = p.end;
	}
	if (owner != UINT32_MAX)
		add_code(o, owner, begin, end, false);
}

/*
 * Adds the cold parts of methods.  Each pair consists of the first cold function of a method and
 * the function at which the method begins.  The pairs are in ascending order.
 */
static void join_cold(struct opening *o, struct str pairs)
{
	size_t n = pairs.n / 8;

	for (size_t k = 0; k < n; k++) {
		uint32_t first = u32_at(pairs, k * 8), hot = u32_at(pairs, k * 8 + 4);
		uint32_t next = k + 1 < n ? u32_at(pairs, k * 8 + 8) : o->nfunctions;

		if (first < o->hot || hot >= o->hot || next <= first ||
		    next > o->nfunctions || !o->entry[hot].kind)
			return;
		add_code(o, hot, piece_at(o, first).begin, piece_at(o, next - 1).end,
		         true);
	}
}

/* Adds the range of thunks, unless a method is in this range. */
static void add_thunks(struct opening *o)
{
	struct pe_directory d = r2r_section(o->r->header, SECTION_THUNKS);
	struct r2r *r = o->r;
	struct r2r_code thunks = { .begin = d.rva,
		                   .end = d.rva + d.size,
		                   .kind = R2R_THUNKS };
	size_t i;

	if (!d.size || thunks.end < d.rva)
		return;
	r2r_find(r, thunks.begin, &i);
	if (i < r->n && r->code[i].begin < thunks.end)
		return;
	memmove(&r->code[i + 1], &r->code[i], (r->n - i) * sizeof(*r->code));
	r->code[i] = thunks;
	r->n++;
}

/*
 * Reads the components of a composite image.  Each component has a header of its own, but all
 * components use one list of functions.
 */
static void read_components(struct opening *o, struct str components)
{
	for (size_t k = 0; k < components.n / 16 && k < UINT16_MAX - 2; k++) {
		struct str core = pe_bytes(o->r->pe, u32_at(components, k * 16 + 8),
		                           u32_at(components, k * 16 + 12));

		read_methods(o, section_list(core), (uint16_t)(k + 2));
	}
}

static struct metadata *read_metadata(struct r2r *r, struct str bytes)
{
	struct metadata *md = arena_new(r->arena, struct metadata, 1);

	return metadata_read(md, bytes, r->arena) ? md : NULL;
}

static void read_assemblies(struct opening *o, uint32_t version)
{
	struct r2r *r = o->r;
	struct str own = pe_bytes(r->pe, r->pe->metadata.rva, r->pe->metadata.size);
	struct str manifest = section_bytes(r, o->r->header, SECTION_MANIFEST);

	if (r->composite && !manifest.n)
		manifest = own;
	else if (!r->composite)
		r->own = read_metadata(r, own);
	if (manifest.n)
		r->manifest = read_metadata(r, manifest);
	if (r->own)
		r->own_refs = r->own->table[MD_ASSEMBLYREF].n;
	r->manifest_has_slot = version >= (6u << 16 | 3);
	r2r_modules_open(r, section_bytes(r, o->r->header, SECTION_MVIDS));
}

static bool read_image(struct opening *o, uint32_t version)
{
	struct r2r *r = o->r;
	struct str components = section_bytes(r, o->r->header, SECTION_COMPONENTS), cold;
	uint32_t first;

	r->composite = components.n != 0;
	r->ncomponents = components.n / 16;
	if (!read_functions(o))
		return false;
	read_assemblies(o, version);
	if (r->composite)
		read_components(o, components);
	else
		read_methods(o, o->r->header, 0);
	read_instances(o);
	cold = section_bytes(r, o->r->header, SECTION_HOTCOLD);
	first = u32_at(cold, 0);
	if (cold.n >= 8 && first < o->nfunctions)
		o->hot = first;
	r->code = arena_new(r->arena, struct r2r_code, o->nfunctions + (size_t)1);
	join_hot(o);
	join_cold(o, cold);
	add_thunks(o);
	return r->n != 0;
}

static bool has_header(const struct pe *pe, const char signature[4])
{
	struct str head = pe_bytes(pe, pe->native.rva, 16);

	return pe->native.rva && head.n == 16 && !memcmp(head.p, signature, 4);
}

bool r2r_bid(const struct pe *pe)
{
	return has_header(pe, "RTR");
}

bool r2r_is_fragile(const struct pe *pe)
{
	return has_header(pe, "NGE");
}

struct str r2r_owner(const struct pe *pe)
{
	struct str head = pe_bytes(pe, pe->native.rva, SIZE_MAX), none = { 0 }, name;
	struct pe_directory d;

	if (!r2r_bid(pe))
		return none;
	d = r2r_section(section_list(str_from(head, 8)), SECTION_OWNER);
	name = d.rva ? pe_bytes(pe, d.rva, d.size) : none;
	name.n = name.n ? strnlen(name.p, name.n) : 0;
	return name;
}

struct r2r *r2r_open(const struct pe *pe, struct str file, struct arena *a,
                     r2r_find_assembly *find, void *ctx)
{
	struct opening o = { 0 };
	struct str head = pe_bytes(pe, pe->native.rva, SIZE_MAX);
	bool good;

	if (!r2r_bid(pe))
		return NULL;
	o.r = arena_new(a, struct r2r, 1);
	*o.r = (struct r2r){
		.pe = pe, .file = file, .arena = a, .find = find, .ctx = ctx
	};
	o.r->steps = (uint64_t)pe->bytes.n * STEPS_A_BYTE;
	o.r->header = section_list(str_from(head, 8));
	o.r->major = (uint16_t)u32_at(head, 4);
	good = read_image(&o, (u32_at(head, 4) & 0xffff) << 16 | u32_at(head, 4) >> 16);
	arena_release(&o.scratch);
	return good ? o.r : NULL;
}

size_t r2r_count(const struct r2r *r)
{
	return r->n;
}

struct r2r_range r2r_range(const struct r2r *r, size_t index)
{
	const struct r2r_code *c = &r->code[index];

	return (struct r2r_range){ c->begin, c->end, c->cold, c->kind == R2R_THUNKS };
}

bool r2r_find(const struct r2r *r, uint64_t rva, size_t *index)
{
	size_t low = bisect(r->n, i, r->code[i].end <= rva);

	*index = low;
	return low < r->n && r->code[low].begin <= rva;
}

size_t r2r_unread(const struct r2r *r)
{
	return r->unread;
}

size_t r2r_lacking(const struct r2r *r)
{
	return r->lacking;
}

bool r2r_is_composite(const struct r2r *r)
{
	return r->composite;
}

/*
 * crossgen2 signs a map with an MD5 sum.  The input of the sum is the MVIDs of all assemblies,
 * sorted by assembly name, and three numbers that describe the target.  Source: dotnet/runtime
 * src/coreclr/tools/aot/ILCompiler.ReadyToRun, PerfMapWriter.
 */
struct r2r_target r2r_target(const struct r2r *r)
{
	static const uint16_t machines[] = { 0, PE_ARM, PE_ARM64, PE_X64, PE_X86 };
	struct r2r_target t = { r->pe->os, 0, ABI_DEFAULT };

	for (unsigned i = 1; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i] == r->pe->machine)
			t.arch = i;
	return t;
}

struct input {
	struct str name;
	const unsigned char *mvid;
};

/* Compares names byte by byte in upper case. */
static int by_name(const void *pa, const void *pb)
{
	const struct input *a = pa, *b = pb;
	size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;

	for (size_t i = 0; i < n; i++) {
		unsigned x = (unsigned char)a->name.p[i], y = (unsigned char)b->name.p[i];

		x -= x >= 'a' && x <= 'z' ? 32 : 0;
		y -= y >= 'a' && y <= 'z' ? 32 : 0;
		if (x != y)
			return x < y ? -1 : 1;
	}
	return num_cmp(a->name.n, b->name.n);
}

/*
 * Returns the MVID of a component.  If the image does not contain the MVID, reads the component's
 * own file.
 */
static const unsigned char *component_mvid(struct r2r *r, uint32_t slot)
{
	struct clr_module m;

	if (slot >= r->nslots)
		return NULL;
	if (r->slot[slot].mvid)
		return r->slot[slot].mvid;
	return r2r_modules_get(r, slot, &m) && m.md ? m.md->mvid : NULL;
}

static size_t list_inputs(struct r2r *r, struct input *input)
{
	if (!r->composite) {
		input[0] = (struct input){ r->slot[0].module.name,
			                   r->pe->has_mvid ? r->pe->mvid : NULL };
		return 1;
	}
	for (size_t i = 0; i < r->ncomponents; i++) {
		uint32_t slot = (uint32_t)i + 2;

		input[i].mvid = component_mvid(r, slot);
		if (slot < r->nslots)
			input[i].name = r->slot[slot].module.name;
	}
	order_by(input, r->ncomponents, by_name);
	return r->ncomponents;
}

bool r2r_signature(struct r2r *r, unsigned char out[16])
{
	const struct r2r_target t = r2r_target(r);
	const uint32_t numbers[] = { htole32(t.os), htole32(t.arch), htole32(t.abi) };
	arena_scope(scratch);
	struct input *input = arena_new(&scratch, struct input, r->ncomponents + 1);
	size_t n = list_inputs(r, input);
	char *p = arena_new(&scratch, char, n * 16 + sizeof(numbers));
	bool known = true;

	for (size_t i = 0; i < n; i++)
		if (input[i].mvid)
			memcpy(p + i * 16, input[i].mvid, 16);
		else
			known = false;
	memcpy(p + n * 16, numbers, sizeof(numbers));
	if (r->pe->has_signature)
		memcpy(out, r->pe->signature, 16);
	else
		digest_md5((struct str){ p, n * 16 + sizeof(numbers) }, out);
	return known || r->pe->has_signature;
}
