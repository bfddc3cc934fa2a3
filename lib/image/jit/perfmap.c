/*
 * 	00007F5D25C40078 48 stub<1> AllocateTemporaryEntryPoints<PRECODE_FIXUP>
 * 	0x7fbeb0640000 110 stub InitThreadManagerPerfMapData<JIT_CopiedWriteBarriers>
 * 	0x00007f6b34ec71c0 0x0000000000000270 java.lang.Object jdk.internal.misc.Unsafe...
 * 	FFFFFFFF 00 AC07F086B0F358523DBE539683360E48    (crossgen2: signature)
 * 	000014A0 2C Calc.Program::Main(System.String[])
 *
 * If the name of a type is not ASCII, .NET (8 to 10) writes its line from freed memory.  The
 * first bytes of the line may be wrong, and its last bytes and its line end are missing.  The
 * next line is intact, but follows on the same line:
 *
 * 	\x9d\xcb...f instance int64 [app] Gr\xc3\xb6...[Optimi0x7f32f5c95f40 10b instance ...
 */
#include "image/jit/perfmap.h"

#include <endian.h>

#include "base/digest.h"
#include "base/out.h"
#include "image/jit/jitindex.h"

enum { BID_LINES = 16 };

enum {
	/* crossgen2: lines with this address or a greater one are headers, not code */
	FIRST_PSEUDO = 0xFFFFFF00u,
	PSEUDO_SIGNATURE = 0xFFFFFFFFu,
	/*
	 * addresses of the header lines for system and ABI.  The header line for the
	 * machine has the address between them
	 */
	PSEUDO_SYSTEM = 0xFFFFFFFDu,
	PSEUDO_ABI = 0xFFFFFFFBu,
};

struct map_line {
	uint64_t start, size;
	struct str name;
};

static bool take_number(struct str *s, uint64_t *out)
{
	if (s->n > 2 && s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X'))
		*s = str_from(*s, 2);
	if (!str_take_hex(s, out) || !s->n || *s->p != ' ')
		return false;
	*s = str_from(*s, 1);
	return true;
}

static bool parse_line(struct str line, struct map_line *out)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (!take_number(&line, &out->start) || !take_number(&line, &out->size) ||
	    !line.n)
		return false;
	out->name = line;
	return true;
}

/* a line found inside another line must have an address with more bits than this */
enum { ADDRESS_BITS = 28 };

/*
 * Finds a line that starts inside `text` and ends at the end of `text`.  Returns false if there
 * is no such line.
 */
static bool parse_inside(struct str text, struct map_line *out)
{
	for (size_t at = text.n; at-- > 1 && (unsigned char)text.p[at] >= ' ';)
		if (text.p[at] == '0' && parse_line(str_from(text, at), out) &&
		    text.p[at + 1] == 'x' && out->start >> ADDRESS_BITS)
			return true;
	return false;
}

static bool is_ascii(struct str s)
{
	unsigned char all = 0;

	for (size_t i = 0; i < s.n; i++)
		all |= (unsigned char)s.p[i];
	return all < 0x80;
}

/*
 * Reads a line.  If the line is damaged, sets *damaged and reads the intact line inside it.
 * Returns false if there is no intact line.
 */
static bool parse_damaged(struct str text, struct map_line *out, bool *damaged)
{
	struct map_line inside;
	bool whole = parse_line(text, out);

	*damaged = !whole;
	if (whole && is_ascii(text))
		return true;
	if (!parse_inside(text, &inside))
		return whole;
	*out = inside;
	*damaged = true;
	return true;
}

bool perfmap_bid(struct str head)
{
	struct map_line line;
	int good = 0;

	for (int i = 0; i < BID_LINES && head.n; i++) {
		struct str text = str_cut(&head, '\n');

		/* Only the first bytes were read, so the last line may be incomplete. */
		if (parse_line(text, &line))
			good++;
		else if (!good || (head.n && str_find(text, '\0') == text.n))
			return good && !head.n;
	}
	return good > 0;
}

/* positions of a GUID's bytes in memory, in text order */
static const unsigned char guid_place[MVID_BYTES] = { 3, 2, 1,  0,  5,  4,  7,  6,
	                                              8, 9, 10, 11, 12, 13, 14, 15 };

static bool is_guid_dash(size_t at)
{
	return at == 8 || at == 13 || at == 18 || at == 23;
}

bool perfmap_guid(struct str s, unsigned char out[MVID_BYTES])
{
	char hex[2 * MVID_BYTES];
	unsigned char plain[MVID_BYTES];
	size_t n = 0;

	if (s.n == GUID_TEXT + 2 && s.p[0] == '{' && s.p[s.n - 1] == '}')
		s = (struct str){ s.p + 1, GUID_TEXT };
	if (s.n != GUID_TEXT)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!is_guid_dash(i))
			hex[n++] = s.p[i];
		else if (s.p[i] != '-')
			return false;
	}
	if (!str_hex_bytes((struct str){ hex, n }, plain))
		return false;
	for (size_t i = 0; i < MVID_BYTES; i++)
		out[guid_place[i]] = plain[i];
	return true;
}

void perfmap_guid_text(const unsigned char mvid[MVID_BYTES], char out[GUID_TEXT + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < MVID_BYTES; i++) {
		unsigned char byte = mvid[guid_place[i]];

		if (is_guid_dash(n))
			out[n++] = '-';
		n += out_hex_at(out + n, byte, 2);
	}
	out[n] = '\0';
}

int32_t perfmap_pid(struct str name)
{
	return str_pid(str_base(name), STR("perf-"), STR(".map"));
}

struct str perfmap_image(struct str name)
{
	struct str s = str_base(name), none = { 0 };
	size_t at;

	if (str_ends(s, STR(".ni.r2rmap")))
		return str_head(s, s.n - 10);
	at = str_search(s, STR(".ni.{"));
	return at < s.n && str_ends(s, STR("}.map")) ? str_head(s, at) : none;
}

/* Reads the MVID in the file name of a crossgen map: "System.Linq.ni.{1f33821d-...}.map". */
static void read_name(struct perfmap *pm, struct str name)
{
	struct str image = perfmap_image(name), guid = str_base(name);

	pm->relative = image.n != 0;
	if (!pm->relative || !str_ends(guid, STR("}.map")))
		return;
	guid = str_from(guid, image.n + 4);
	guid.n -= 4;
	pm->has_mvid = perfmap_guid(guid, pm->mvid);
}

static void take_pseudo(struct perfmap *pm, const struct map_line *line)
{
	uint64_t n;

	pm->relative = true;
	if (line->start == PSEUDO_SIGNATURE)
		pm->has_signature = line->name.n == 2 * sizeof(pm->signature) &&
		                    str_hex_bytes(line->name, pm->signature);
	else if (line->start >= PSEUDO_ABI && line->start <= PSEUDO_SYSTEM &&
	         str_is_dec(line->name, &n) && n <= UINT32_MAX)
		pm->target[PSEUDO_SYSTEM - line->start] = (uint32_t)n;
}

void perfmap_sign(const unsigned char mvid[MVID_BYTES], const uint32_t target[3],
                  unsigned char out[16])
{
	char message[MVID_BYTES + 3 * sizeof(*target)];
	uint32_t little[3];

	for (unsigned i = 0; i < 3; i++)
		little[i] = htole32(target[i]);
	memcpy(message, mvid, MVID_BYTES);
	memcpy(message + MVID_BYTES, little, sizeof(little));
	digest_md5((struct str){ message, sizeof(message) }, out);
}

bool perfmap_signed_for(const struct perfmap *pm, const unsigned char mvid[MVID_BYTES])
{
	unsigned char made[DIGEST_MD5];

	if (!pm->has_signature)
		return false;
	perfmap_sign(mvid, pm->target, made);
	return !memcmp(made, pm->signature, sizeof(made));
}

bool perfmap_is_stub(struct str name)
{
	return str_starts(name, STR("stub ")) || str_starts(name, STR("StubRoutines"));
}

static uint64_t bytes_of(const struct symtab *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->sym[i].end - t->sym[i].start;
	return n;
}

static void sort_lines(struct perfmap *pm, struct arena *a)
{
	struct symtab lines = pm->symbols, code = { 0 };

	symtab_sort(&pm->symbols, a);
	if (bytes_of(&pm->symbols) == bytes_of(&lines))
		return;
	for (size_t i = 0; i < lines.n; i++)
		if (!perfmap_is_stub(lines.sym[i].name))
			symtab_add(&code, a, lines.sym[i].start,
			           lines.sym[i].end - lines.sym[i].start,
			           lines.sym[i].name);
	symtab_shared(&code, &pm->shared, a);
}

void perfmap_read(struct perfmap *pm, struct str name, struct str bytes, struct arena *a)
{
	const char *end = bytes.p + bytes.n;
	struct map_line line;
	size_t number = 0;

	*pm = (struct perfmap){ 0 };
	read_name(pm, name);
	while (bytes.n) {
		struct str text = str_cut(&bytes, '\n');
		bool damaged, read = parse_damaged(text, &line, &damaged);

		number++;
		if (damaged && text.n && text.p + text.n < end && !pm->bad_lines++)
			pm->bad_line = number;
		pm->inside += damaged && read;
		if (!read)
			continue;
		if (line.size == 0 && line.start >= FIRST_PSEUDO &&
		    line.start <= PSEUDO_SIGNATURE)
			take_pseudo(pm, &line);
		else
			symtab_add(&pm->symbols, a, line.start, line.size, line.name);
	}
	sort_lines(pm, a);
}

void perfmap_set_times(struct perfmap *pm, const struct jit_code *code,
                       const struct str *name, size_t n, struct arena *a)
{
	struct perfmap_times *times = arena_new(a, struct perfmap_times, 1);

	*times = (struct perfmap_times){ code, name, n, jitindex_new(code, n, a) };
	pm->times = times;
}

bool perfmap_find(const struct perfmap *pm, uint64_t ip, uint64_t time_ns, size_t *out)
{
	return pm->times && jitindex_find(pm->times->index, ip, time_ns, out);
}

bool perfmap_earlier(const struct perfmap *pm, uint64_t ip, size_t *i)
{
	return pm->times && jitindex_earlier(pm->times->index, ip, i);
}
